; Floats in scripts: sorts, constants, operators, one NaN.
; REQUIRES: solve
; RUN: %tamar solve %s | FileCheck %s
; RUN: %tamar solve --layers=sat %s | FileCheck %s
; RUN: %tamar solve --layers=z3 %s | FileCheck %s
; RUN: %tamar solve --layers=sat,persist,insist %s | FileCheck %s
; RUN: %tamar solve --check-solver %s | FileCheck %s
(set-logic QF_BVFP)
(declare-const x Float32)
(declare-const y (_ FloatingPoint 8 24))
(declare-const b (_ BitVec 16))
(define-fun tenth () Float32 ((_ to_fp 8 24) RNE 0.1))
(assert (fp.eq (fp.add RNE x tenth) ((_ to_fp 8 24) RNE 0.3)))
(assert (fp.lt y x ((_ to_fp 8 24) RNE (/ 1 3))))
(check-sat)
; CHECK: sat
(get-value (tenth ((_ fp.to_sbv 32) RTZ (fp.mul RNE x ((_ to_fp 8 24) RNE 1000)))))
; CHECK: ((tenth (fp #b0 #x7b #b10011001100110011001101))
; CHECK: #x000000c8))
(push 1)
(assert (fp.gt x (_ +oo 8 24)))
(check-sat)
; CHECK: unsat
(pop 1)
(push 1)
(assert (= y (_ NaN 8 24)))
(check-sat)
; CHECK: unsat
(pop 1)
(push 1)
; all NaN patterns are one value
(assert (not (= ((_ to_fp 5 11) b) (_ NaN 5 11))))
(assert (fp.isNaN ((_ to_fp 5 11) b)))
(check-sat)
; CHECK: unsat
(pop 1)
(assert (= (fp #b0 #b10000 ((_ extract 9 0) b)) ((_ to_fp 5 11) RTP 3.14159)))
(check-sat)
; CHECK: sat
(get-value (((_ extract 9 0) b)))
; CHECK: #b1001001001
(assert (fp.leq ((_ to_fp_unsigned 8 24) RNE b) (fp.roundToIntegral RTZ x)))
(check-sat)
; CHECK: unsat
