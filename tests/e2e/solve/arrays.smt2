; REQUIRES: solve
; RUN: %tamar solve %s | FileCheck %s
; RUN: %tamar solve --layers=sat --no-refinement --no-substitution %s | FileCheck %s
; RUN: %tamar solve --layers=z3 %s | FileCheck %s
; RUN: %tamar solve --check-solver --stats - <%s | FileCheck %s
(set-logic QF_ABV)
(declare-const m (Array (_ BitVec 32) (_ BitVec 8)))
(declare-const i (_ BitVec 32))
(declare-const k (_ BitVec 32))
(assert (= (select (store m i #x07) k) #x09))
(check-sat)
; CHECK: sat
(get-value ((select m k) (= i k)))
; CHECK-NEXT: (((select m k) #x09)
; CHECK-NEXT: ((= i k) false))
(push 1)
(assert (= i k))
(check-sat)
; CHECK-NEXT: unsat
(pop 1)
(check-sat-assuming ((bvult i k)))
; CHECK-NEXT: sat
(check-sat)
; CHECK-NEXT: sat
