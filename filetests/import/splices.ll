; test import
; Splices of vectors in both directions, and funnel shifts by constants that do not fit the width.
; out: 1970350607106052
; out: 1125912791875585
; out: 1970350607106052
; out: 1688871335362563
; out: 1407392063619074
; out: 2251829878849541
; out: 1125912791875585
; out: -65532
; out: -3
@l2 = private constant [6 x i8] c"%lld\0A\00"
declare i32 @printf(ptr, ...)
define void @out(<4 x i16> %p) noinline {
  %w = zext <4 x i16> %p to <4 x i64>
  %a = extractelement <4 x i64> %w, i32 0
  %b = extractelement <4 x i64> %w, i32 1
  %c = extractelement <4 x i64> %w, i32 2
  %d = extractelement <4 x i64> %w, i32 3
  %b1 = shl i64 %b, 16
  %c1 = shl i64 %c, 32
  %d1 = shl i64 %d, 48
  %ab = or i64 %a, %b1
  %cd = or i64 %c1, %d1
  %x = or i64 %ab, %cd
  %i = call i32 (ptr, ...) @printf(ptr @l2, i64 %x)
  ret void
}
declare i17 @llvm.fshr.i17(i17, i17, i17)
declare i5 @llvm.fshl.i5(i5, i5, i5)
declare <4 x i16> @llvm.vector.splice.v4i16(<4 x i16>, <4 x i16>, i32)
declare <4 x i16> @llvm.vector.splice.left.v4i16(<4 x i16>, <4 x i16>, i32)
declare <4 x i16> @llvm.vector.splice.right.v4i16(<4 x i16>, <4 x i16>, i32)
define i32 @main() {
  %a = call <4 x i16> @llvm.vector.splice.v4i16(<4 x i16> <i16 1, i16 2, i16 3, i16 4>, <4 x i16> <i16 5, i16 6, i16 7, i16 8>, i32 -1)
  call void @out(<4 x i16> %a)
  %b = call <4 x i16> @llvm.vector.splice.v4i16(<4 x i16> <i16 1, i16 2, i16 3, i16 4>, <4 x i16> <i16 5, i16 6, i16 7, i16 8>, i32 -4)
  call void @out(<4 x i16> %b)
  %c = call <4 x i16> @llvm.vector.splice.v4i16(<4 x i16> <i16 1, i16 2, i16 3, i16 4>, <4 x i16> <i16 5, i16 6, i16 7, i16 8>, i32 3)
  call void @out(<4 x i16> %c)
  %d = call <4 x i16> @llvm.vector.splice.left.v4i16(<4 x i16> <i16 1, i16 2, i16 3, i16 4>, <4 x i16> <i16 5, i16 6, i16 7, i16 8>, i32 2)
  call void @out(<4 x i16> %d)
  %e = call <4 x i16> @llvm.vector.splice.right.v4i16(<4 x i16> <i16 1, i16 2, i16 3, i16 4>, <4 x i16> <i16 5, i16 6, i16 7, i16 8>, i32 3)
  call void @out(<4 x i16> %e)
  %f = call <4 x i16> @llvm.vector.splice.right.v4i16(<4 x i16> <i16 1, i16 2, i16 3, i16 4>, <4 x i16> <i16 5, i16 6, i16 7, i16 8>, i32 0)
  call void @out(<4 x i16> %f)
  %g = call <4 x i16> @llvm.vector.splice.v4i16(<4 x i16> <i16 1, i16 2, i16 3, i16 4>, <4 x i16> <i16 5, i16 6, i16 7, i16 8>, i32 0)
  call void @out(<4 x i16> %g)
  %h = call i17 @llvm.fshr.i17(i17 99, i17 8, i17 -1)
  %h1 = sext i17 %h to i64
  %h2 = call i32 (ptr, ...) @printf(ptr @l2, i64 %h1)
  %i = call i5 @llvm.fshl.i5(i5 -3, i5 9, i5 -2)
  %i1 = sext i5 %i to i64
  %i2 = call i32 (ptr, ...) @printf(ptr @l2, i64 %i1)
  ret i32 0
}
