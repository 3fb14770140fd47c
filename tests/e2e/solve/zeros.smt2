; SMT-LIB does not specify which zero fp.min and fp.max return for two zeros of different sign: a script that requires
; either is satisfiable, but all calls with these operands return the same one.
; REQUIRES: solve
; RUN: %tamar solve %s | FileCheck %s
(set-logic QF_FP)
(declare-const x (_ FloatingPoint 8 24))
(declare-const y (_ FloatingPoint 8 24))
(define-fun plus () (_ FloatingPoint 8 24) (_ +zero 8 24))
(define-fun minus () (_ FloatingPoint 8 24) (_ -zero 8 24))
(push)
(assert (= x plus))
(assert (= y minus))
(push)
(assert (fp.isNegative (fp.min x y)))
; CHECK: {{^}}sat
(check-sat)
(pop)
(push)
(assert (fp.isPositive (fp.min x y)))
; CHECK-NEXT: sat
(check-sat)
(pop)
(push)
(assert (fp.isNegative (fp.max x y)))
(assert (fp.isPositive (fp.max y x)))
; CHECK-NEXT: sat
(check-sat)
(pop)
(push)
(assert (fp.isPositive (fp.max x y)))
(assert (fp.isNegative (fp.max plus minus)))
; CHECK-NEXT: unsat
(check-sat)
(pop)
(push)
(assert (not (fp.isZero (fp.min x y))))
; CHECK-NEXT: unsat
(check-sat)
(pop)
(pop)
; For other numbers the result is specified.
(assert (fp.lt x y))
(push)
(assert (not (= (fp.min x y) x)))
; CHECK-NEXT: unsat
(check-sat)
(pop)
(assert (not (= (fp.max x x) x)))
; CHECK-NEXT: unsat
(check-sat)
