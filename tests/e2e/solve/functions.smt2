; RUN: %tamar solve %s | FileCheck %s
; RUN: python3 %S/Inputs/functions %tamar 30 7
; REQUIRES: solve
(set-logic QF_UFBV)
(declare-fun f ((_ BitVec 32) Bool) (_ BitVec 16))
(declare-fun p ((_ BitVec 16)) Bool)
(declare-const x (_ BitVec 32))
(declare-const y (_ BitVec 32))
(assert (= (bvadd x #x00000001) y))
(push)
; Equal arguments have equal results.
(assert (distinct (f (bvsub y #x00000001) true) (f x true)))
(check-sat)
; CHECK: unsat
(pop)
(assert (p (f x true)))
(assert (not (p (f x false))))
(assert (= (f y true) #x0007))
(assert (= x #x00000010))
(check-sat)
; CHECK-NEXT: sat
(get-value ((f #x00000011 true) (p (f #x00000010 true)) (p (f x false))))
; CHECK-NEXT: (((f #x00000011 true) #x0007)
; CHECK-NEXT: ((p (f #x00000010 true)) true)
; CHECK-NEXT: ((p (f x false)) false))
(get-model)
; CHECK: (define-fun f ((x!0 (_ BitVec 32)) (x!1 Bool)) (_ BitVec 16) (ite (and (= x!0 #x000000
; CHECK: (define-fun p ((x!0 (_ BitVec 16))) Bool
