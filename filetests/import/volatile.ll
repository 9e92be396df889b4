; test import
; Volatile accesses: of each size, of floating values and addresses, of variables in the frame, and those
; that no machine makes at once: not aligned, wider, of a width that is no power of two.
; out: 200 -2 -70000 705032711
; out: 44 -56 -9 705032711
; out: 2 8.25
; out: 11 12 -4 9
; out: -3 42 11 11
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
declare i32 @printf(ptr, ...)

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
  ret i32 0
}
!0 = !{}
