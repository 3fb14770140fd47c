; Forms that C rarely produces: odd widths, first-class aggregates, packed vectors, phis on indirect branches.
; RUN: status 0 %tamar exec %s >%t
; RUN: FileCheck %s <%t
; REQUIRES: exec
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-musl"

@format = constant [12 x i8] c"%s %ld %ld\0A\00"
@n.odd = constant [4 x i8] c"odd\00"
@n.swap = constant [5 x i8] c"swap\00"
@n.switch = constant [7 x i8] c"switch\00"
@n.array = constant [6 x i8] c"array\00"
@n.bits = constant [5 x i8] c"bits\00"
@n.goto = constant [5 x i8] c"goto\00"
@n.lane = constant [5 x i8] c"lane\00"
@n.gep = constant [4 x i8] c"gep\00"
@n.alias = constant [6 x i8] c"alias\00"
@n.mask = constant [5 x i8] c"mask\00"
@table = private unnamed_addr constant [3 x ptr] [ptr blockaddress(@jumps, %a), ptr blockaddress(@jumps, %b), ptr blockaddress(@jumps, %end)]
@numbers = global [6 x i32] [i32 10, i32 20, i32 30, i32 40, i32 50, i32 60]
@second = alias i32, getelementptr (i8, ptr @numbers, i64 4)

declare i32 @printf(ptr, ...)
declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, i32, <4 x i1>, <4 x i32>)
declare void @llvm.masked.compressstore.v4i32(<4 x i32>, ptr, <4 x i1>)
declare i37 @llvm.sadd.sat.i37(i37, i37)

define void @say(ptr %name, i64 %a, i64 %b) {
  %r = call i32 (ptr, ...) @printf(ptr @format, ptr %name, i64 %a, i64 %b)
  ret void
}

; CHECK: odd -68719476736 68719476735
define void @odd(i37 %x) {
  %sum = add i37 %x, %x
  %big = sext i37 %sum to i64
  %sat = call i37 @llvm.sadd.sat.i37(i37 %x, i37 %x)
  %most = sext i37 %sat to i64
  %slot = alloca i37
  store i37 %sum, ptr %slot
  %again = load i37, ptr %slot
  %back = sext i37 %again to i64
  %same = icmp eq i64 %back, %big
  %shown = select i1 %same, i64 %back, i64 0
  call void @say(ptr @n.odd, i64 %shown, i64 %most)
  ret void
}

; Three wide values that swap in every iteration.
; CHECK: swap 312 7
define void @swap(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %a = phi i128 [ 1, %entry ], [ %b, %loop ]
  %b = phi i128 [ 2, %entry ], [ %c, %loop ]
  %c = phi i128 [ 129127208515966861315, %entry ], [ %a, %loop ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  %ah = shl i128 %a, 64
  %a64 = trunc i128 %a to i64
  %b64 = trunc i128 %b to i64
  %c64 = trunc i128 %c to i64
  %a100 = mul i64 %a64, 100
  %b10 = mul i64 %b64, 10
  %s1 = add i64 %a100, %b10
  %s2 = add i64 %s1, %c64
  %high = lshr i128 %a, 64
  %high64 = trunc i128 %high to i64
  call void @say(ptr @n.swap, i64 %s2, i64 %high64)
  ret void
}

; CHECK: switch 2 3
define i64 @pick(i128 %x) {
  switch i128 %x, label %other [ i128 5, label %five
                                 i128 18446744073709551621, label %large ]
five:
  ret i64 1
large:
  ret i64 2
other:
  ret i64 3
}

; CHECK: array 6 9
define [3 x { i32, i8 }] @make(i32 %x) {
  %a = insertvalue [3 x { i32, i8 }] undef, i32 %x, 0, 0
  %b = insertvalue [3 x { i32, i8 }] %a, { i32, i8 } { i32 5, i8 9 }, 2
  %c = insertvalue [3 x { i32, i8 }] %b, i8 1, 0, 1
  ret [3 x { i32, i8 }] %c
}

; A vector of bits in memory is one integer.
; CHECK: bits 165 1
define void @bits(<8 x i32> %v) {
  %mask = icmp slt <8 x i32> %v, zeroinitializer
  %slot = alloca <8 x i1>
  store <8 x i1> %mask, ptr %slot
  %byte = load i8, ptr %slot
  %word = zext i8 %byte to i64
  %again = load <8 x i1>, ptr %slot
  %bit = extractelement <8 x i1> %again, i32 2
  %one = zext i1 %bit to i64
  call void @say(ptr @n.bits, i64 %word, i64 %one)
  ret void
}

; CHECK: goto 23 3
define i64 @jumps(i64 %start) {
entry:
  br label %a
a:
  %x = phi i64 [ %start, %entry ], [ %y3, %b ]
  %ra = phi i64 [ 0, %entry ], [ %rb1, %b ]
  %x2 = mul i64 %x, 2
  %pa = getelementptr [3 x ptr], ptr @table, i64 0, i64 1
  %ta = load ptr, ptr %pa
  indirectbr ptr %ta, [label %b, label %end]
b:
  %y = phi i64 [ %x2, %a ]
  %rb = phi i64 [ %ra, %a ]
  %y3 = add i64 %y, 1
  %rb1 = add i64 %rb, 1
  %stop = icmp eq i64 %rb1, 3
  %index = select i1 %stop, i64 2, i64 0
  %pb = getelementptr [3 x ptr], ptr @table, i64 0, i64 %index
  %tb = load ptr, ptr %pb
  indirectbr ptr %tb, [label %a, label %end]
end:
  %z = phi i64 [ 0, %a ], [ %y3, %b ]
  %rounds = phi i64 [ 0, %a ], [ %rb1, %b ]
  call void @say(ptr @n.goto, i64 %z, i64 %rounds)
  ret i64 %z
}

; CHECK: lane 40 99
define void @lanes(i64 %i) {
  %v = load <4 x i32>, ptr @numbers
  %x = extractelement <4 x i32> %v, i64 %i
  %w = insertelement <4 x i32> %v, i32 99, i64 %i
  %y = extractelement <4 x i32> %w, i64 3
  %x64 = sext i32 %x to i64
  %y64 = sext i32 %y to i64
  call void @say(ptr @n.lane, i64 %x64, i64 %y64)
  ret void
}

; Indices of several widths, negative ones too; an alias into the middle.
; CHECK: gep 50 10
; CHECK: alias 20 20
define void @geps(i8 %i, i32 %j) {
  %p = getelementptr [6 x i32], ptr @numbers, i64 0, i8 %i
  %x = load i32, ptr %p
  %end = getelementptr i32, ptr @numbers, i64 3
  %q = getelementptr i32, ptr %end, i32 %j
  %y = load i32, ptr %q
  %x64 = sext i32 %x to i64
  %y64 = sext i32 %y to i64
  call void @say(ptr @n.gep, i64 %x64, i64 %y64)
  %s = load i32, ptr @second
  %s64 = sext i32 %s to i64
  call void @say(ptr @n.alias, i64 %s64, i64 %s64)
  ret void
}

; CHECK: mask 47 5030
define void @masked(<4 x i1> %m) {
  %v = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr getelementptr (i8, ptr @numbers, i64 8), i32 4, <4 x i1> %m, <4 x i32> <i32 1, i32 7, i32 3, i32 4>)
  %a = extractelement <4 x i32> %v, i64 1
  %b = extractelement <4 x i32> %v, i64 0
  %c = add i32 %b, %a
  %d = add i32 %c, 10
  %d64 = sext i32 %d to i64
  %slot = alloca [4 x i32]
  call void @llvm.masked.compressstore.v4i32(<4 x i32> %v, ptr %slot, <4 x i1> %m)
  %e = load i32, ptr %slot
  %p = getelementptr i8, ptr %slot, i64 4
  %f = load i32, ptr %p
  %f100 = mul i32 %f, 100
  %g = add i32 %f100, %e
  %g64 = sext i32 %g to i64
  call void @say(ptr @n.mask, i64 %d64, i64 %g64)
  ret void
}

define i32 @main() {
  call void @odd(i37 34359738368)
  call void @swap(i32 3)
  %s1 = call i64 @pick(i128 18446744073709551621)
  %s2 = call i64 @pick(i128 6)
  call void @say(ptr @n.switch, i64 %s1, i64 %s2)
  %a = call [3 x { i32, i8 }] @make(i32 1)
  %a0 = extractvalue [3 x { i32, i8 }] %a, 0, 0
  %a2 = extractvalue [3 x { i32, i8 }] %a, 2
  %a20 = extractvalue { i32, i8 } %a2, 0
  %a21 = extractvalue { i32, i8 } %a2, 1
  %sum = add i32 %a0, %a20
  %sum64 = sext i32 %sum to i64
  %last64 = sext i8 %a21 to i64
  call void @say(ptr @n.array, i64 %sum64, i64 %last64)
  call void @bits(<8 x i32> <i32 -1, i32 0, i32 -5, i32 4, i32 3, i32 -9, i32 0, i32 -2>)
  %g = call i64 @jumps(i64 2)
  call void @lanes(i64 3)
  call void @geps(i8 4, i32 -3)
  call void @masked(<4 x i1> <i1 1, i1 0, i1 1, i1 0>)
  ret i32 0
}
