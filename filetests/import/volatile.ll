; test import
; Volatile accesses: of each size, of floating values and addresses, of variables in the frame, and those
; that no machine makes at once: not aligned, wider, of a width that is no power of two.
; out: 200 -2 -70000 705032711
; out: 44 -56 -9 705032711
; out: 2 8.25
; out: 11 12 -4 9
; out: -3 42 11 11
; out: 513 1027 84148994 6
; out: 9 0 171 1
@line = private constant [13 x i8] c"%d %d %d %d\0A\00"
@floats = private constant [7 x i8] c"%g %g\0A\00"
@bytes = global [4 x i8] c"\C8\01\02\03"
@half = global i16 -2
@word = global i32 -70000
@long = global i64 5000000007
@packed = global <{ i8, i32, i64 }> <{ i8 1, i32 -9, i64 70 }>
@single = global float 1.5
@double = global double 0.25
@place = global ptr @word
@pair = global <2 x i32> <i32 3, i32 -4>
@wide = global i128 9
@odd = global i24 -3
@block = global [9 x i8] c"\01\02\03\04\05\06\07\08\09", align 8
@other = global [9 x i8] zeroinitializer, align 8
@nine = global [99 x i8] zeroinitializer
@large = global [100 x i8] zeroinitializer
declare i32 @printf(ptr, ...)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

define internal i32 @local(i32 %x) {
  %v = alloca i32
  store volatile i32 %x, ptr %v
  store volatile i32 7, ptr %v, align 4
  store volatile i32 %x, ptr %v, align 4, !dummy !0
  %a = load volatile i32, ptr %v, !dummy !0
  %b = load volatile i32, ptr %v, align 4
  %c = load volatile i32, ptr %v
  %d = add i32 %a, %b
  ret i32 %d
}

define i32 @main() {
  %a = load volatile i8, ptr @bytes, align 1
  %b = load volatile i16, ptr @half, align 2
  %c = load volatile i32, ptr @word, align 4
  %d = load volatile i64, ptr @long, align 8
  %a1 = zext i8 %a to i32
  %b1 = sext i16 %b to i32
  %d1 = trunc i64 %d to i32
  %1 = call i32 (ptr, ...) @printf(ptr @line, i32 %a1, i32 %b1, i32 %c, i32 %d1)
  store volatile i8 %a, ptr getelementptr (i8, ptr @bytes, i64 1), align 1
  %a2 = add i8 %a, 100
  store volatile i8 %a2, ptr getelementptr (i8, ptr @bytes, i64 3), align 1
  %a3 = load volatile i8, ptr getelementptr (i8, ptr @bytes, i64 3), align 1
  %a4 = load volatile i8, ptr getelementptr (i8, ptr @bytes, i64 1), align 1
  %a5 = sext i8 %a3 to i32
  %a6 = sext i8 %a4 to i32
  %p = load volatile i32, ptr getelementptr (i8, ptr @packed, i64 1), align 1
  store volatile i64 %d, ptr getelementptr (i8, ptr @packed, i64 5), align 1
  %q = load volatile i64, ptr getelementptr (i8, ptr @packed, i64 5), align 1
  %q1 = trunc i64 %q to i32
  %2 = call i32 (ptr, ...) @printf(ptr @line, i32 %a5, i32 %a6, i32 %p, i32 %q1)
  %f = load volatile float, ptr @single, align 4
  %g = load volatile double, ptr @double, align 8
  %h = fadd float %f, 0.5
  store volatile float %h, ptr @single, align 4
  store volatile double 8.0, ptr @double, align 8
  %i = load volatile float, ptr @single
  %j = fpext float %i to double
  %k = load volatile double, ptr @double
  %k1 = fadd double %k, %g
  %3 = call i32 (ptr, ...) @printf(ptr @floats, double %j, double %k1)
  %r = load volatile ptr, ptr @place, align 8
  store volatile i32 11, ptr %r, align 4
  store volatile ptr @half, ptr @place, align 8
  %s = load volatile ptr, ptr @place, align 8
  store volatile i16 12, ptr %s, align 2
  %t = load i32, ptr @word
  %u = load i16, ptr @half
  %u1 = sext i16 %u to i32
  %v = load volatile <2 x i32>, ptr @pair, align 8
  %v1 = extractelement <2 x i32> %v, i32 1
  %w = load volatile i128, ptr @wide, align 16
  %w1 = trunc i128 %w to i32
  %4 = call i32 (ptr, ...) @printf(ptr @line, i32 %t, i32 %u1, i32 %v1, i32 %w1)
  %x = load volatile i24, ptr @odd, align 4
  %x1 = sext i24 %x to i32
  %y = call i32 @local(i32 21)
  %z = load atomic volatile i32, ptr @word acquire, align 4
  %z1 = atomicrmw volatile add ptr @word, i32 3 monotonic, align 4
  %5 = call i32 (ptr, ...) @printf(ptr @line, i32 %x1, i32 %y, i32 %z, i32 %z1)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 @other, ptr align 8 @block, i64 9, i1 true)
  call void @llvm.memmove.p0.p0.i64(ptr align 1 getelementptr (i8, ptr @other, i64 4), ptr align 2 getelementptr (i8, ptr @other, i64 2), i64 5, i1 true)
  %mb1 = load i8, ptr @other
  %mb2 = load i8, ptr getelementptr (i8, ptr @other, i64 1)
  %mb3 = zext i8 %mb2 to i32
  %mb4 = mul i32 %mb3, 256
  %mb5 = zext i8 %mb1 to i32
  %mb6 = add i32 %mb4, %mb5
  %mb7 = load i8, ptr getelementptr (i8, ptr @other, i64 2)
  %mb8 = load i8, ptr getelementptr (i8, ptr @other, i64 3)
  %mb9 = zext i8 %mb8 to i32
  %mc1 = mul i32 %mb9, 256
  %mc2 = zext i8 %mb7 to i32
  %mc3 = add i32 %mc1, %mc2
  %mc4 = load i8, ptr getelementptr (i8, ptr @other, i64 5)
  %mc5 = zext i8 %mc4 to i32
  %mc6 = mul i32 %mc5, 21037248
  %mc7 = add i32 %mc6, 2
  %mc8 = load i8, ptr getelementptr (i8, ptr @other, i64 7)
  %mc9 = zext i8 %mc8 to i32
  %6 = call i32 (ptr, ...) @printf(ptr @line, i32 %mb6, i32 %mc3, i32 %mc7, i32 %mc9)
  call void @llvm.memset.p0.i64(ptr align 8 @block, i8 9, i64 7, i1 true)
  call void @llvm.memset.p0.i64(ptr @large, i8 -85, i64 100, i1 true)
  call void @llvm.memcpy.p0.p0.i64(ptr @large, ptr @nine, i64 99, i1 true)
  %md2 = load i8, ptr getelementptr (i8, ptr @block, i64 6)
  %md3 = zext i8 %md2 to i32
  %md4 = load i8, ptr getelementptr (i8, ptr @large, i64 98)
  %md5 = zext i8 %md4 to i32
  %md6 = load i8, ptr getelementptr (i8, ptr @large, i64 99)
  %md7 = zext i8 %md6 to i32
  %md8 = load i8, ptr getelementptr (i8, ptr @block, i64 7)
  %md9 = icmp eq i8 %md8, 8
  %me1 = zext i1 %md9 to i32
  %7 = call i32 (ptr, ...) @printf(ptr @line, i32 %md3, i32 %md5, i32 %md7, i32 %me1)
  ret i32 0
}
!0 = !{}
