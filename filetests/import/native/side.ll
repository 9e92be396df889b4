; Functions whose arguments and results are wider than a register or more than C returns, and calls
; of the same functions of another side, by its table. There are two sides: in the text of the other
; `ours` stands for `theirs`. One is imported, LLVM compiles the other; what both print is what they
; print if LLVM compiles both.

declare void @print(i64, i64)
declare void @print_number(double)

@ours_table = constant [12 x ptr] [
  ptr @ours_mixed, ptr @ours_split, ptr @ours_narrow, ptr @ours_five, ptr @ours_nine, ptr @ours_pair,
  ptr @ours_numbers, ptr @ours_long, ptr @ours_uneven, ptr @ours_two, ptr @ours_four,
  ptr @ours_short
]

define ptr @ours_functions() {
  ret ptr @ours_table
}

; An integer of two words comes where one register is left, and on the stack after one word.
define i128 @ours_mixed(i64 %a, i128 %b, i64 %c, i64 %d, i128 %e, i64 %f, i128 %g, i32 signext %h) {
  %wide.a = sext i64 %a to i128
  %wide.c = sext i64 %c to i128
  %wide.d = sext i64 %d to i128
  %wide.f = sext i64 %f to i128
  %wide.h = sext i32 %h to i128
  %b3 = mul i128 %b, 3
  %c5 = mul i128 %wide.c, 5
  %d7 = mul i128 %wide.d, 7
  %e11 = mul i128 %e, 11
  %f13 = mul i128 %wide.f, 13
  %g17 = mul i128 %g, 17
  %h19 = mul i128 %wide.h, 19
  %1 = add i128 %wide.a, %b3
  %2 = add i128 %1, %c5
  %3 = add i128 %2, %d7
  %4 = add i128 %3, %e11
  %5 = add i128 %4, %f13
  %6 = add i128 %5, %g17
  %7 = add i128 %6, %h19
  ret i128 %7
}

; Halves in the last register and on the stack, where an ISA splits them.
define i128 @ours_split(i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f, i64 %g, i128 %h, i64 %i) {
  %1 = add i64 %a, %b
  %2 = add i64 %1, %c
  %3 = add i64 %2, %d
  %4 = add i64 %3, %e
  %5 = add i64 %4, %f
  %6 = add i64 %5, %g
  %7 = xor i64 %6, %i
  %8 = zext i64 %7 to i128
  %9 = sub i128 %h, %8
  ret i128 %9
}

define i96 @ours_narrow(i96 %a, i64 %b, i65 %c) {
  %wide = sext i64 %b to i96
  %more = sext i65 %c to i96
  %1 = mul i96 %a, %wide
  %2 = add i96 %1, %more
  ret i96 %2
}

define { i64, i64, i64, i64, i64 } @ours_five(i64 %a) {
  %b = add i64 %a, 1
  %e = mul i64 %a, 5
  %1 = insertvalue { i64, i64, i64, i64, i64 } { i64 0, i64 0, i64 3, i64 4, i64 0 }, i64 %a, 0
  %2 = insertvalue { i64, i64, i64, i64, i64 } %1, i64 %b, 1
  %3 = insertvalue { i64, i64, i64, i64, i64 } %2, i64 %e, 4
  ret { i64, i64, i64, i64, i64 } %3
}

define [9 x i64] @ours_nine(i64 %a, i128 %b) {
  %low = trunc i128 %b to i64
  %1 = insertvalue [9 x i64] [i64 0, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9], i64 %a, 0
  %2 = insertvalue [9 x i64] %1, i64 %low, 8
  ret [9 x i64] %2
}

define { i128, i128 } @ours_pair(i128 %a, i128 %b) {
  %1 = insertvalue { i128, i128 } poison, i128 %b, 0
  %2 = insertvalue { i128, i128 } %1, i128 %a, 1
  ret { i128, i128 } %2
}

define { double, double, double, double, double } @ours_numbers(double %a) {
  %b = fadd double %a, 1.0
  %1 = insertvalue { double, double, double, double, double } { double 0.0, double 2.5, double 3.5, double 4.5, double 0.0 }, double %a, 0
  %2 = insertvalue { double, double, double, double, double } %1, double %b, 4
  ret { double, double, double, double, double } %2
}

define i256 @ours_long(i64 %a) {
  %1 = zext i64 %a to i256
  %2 = shl i256 %1, 130
  %3 = or i256 %2, 77
  ret i256 %3
}

; In memory there is room between the elements, and after the last one.
define { i8, i64, i16, i64, float, i64, double, i64, i64, i8 } @ours_uneven(float %a, i8 zeroext %b) {
  %1 = insertvalue { i8, i64, i16, i64, float, i64, double, i64, i64, i8 } { i8 1, i64 2, i16 3, i64 4, float 0.0, i64 6, double 7.25, i64 8, i64 9, i8 0 }, float %a, 4
  %2 = insertvalue { i8, i64, i16, i64, float, i64, double, i64, i64, i8 } %1, i8 %b, 9
  ret { i8, i64, i16, i64, float, i64, double, i64, i64, i8 } %2
}

define { ptr, i32 } @ours_two(ptr %a, i32 signext %b) {
  %1 = insertvalue { ptr, i32 } poison, ptr %a, 0
  %2 = insertvalue { ptr, i32 } %1, i32 %b, 1
  ret { ptr, i32 } %2
}

; On s390x each is in a register; where C returns at most two words, all are in memory.
define { i64, i16, double, i64, i32 } @ours_four(i64 %a, i16 signext %b, double %c) {
  %d = mul i64 %a, 3
  %1 = insertvalue { i64, i16, double, i64, i32 } { i64 0, i16 0, double 0.0, i64 0, i32 -4 }, i64 %a, 0
  %2 = insertvalue { i64, i16, double, i64, i32 } %1, i16 %b, 1
  %3 = insertvalue { i64, i16, double, i64, i32 } %2, double %c, 2
  %4 = insertvalue { i64, i16, double, i64, i32 } %3, i64 %d, 3
  ret { i64, i16, double, i64, i32 } %4
}

define internal void @show(i128 %value) {
  %low = trunc i128 %value to i64
  %shifted = lshr i128 %value, 64
  %high = trunc i128 %shifted to i64
  call void @print(i64 %high, i64 %low)
  ret void
}

define internal ptr @function(ptr %table, i64 %number) {
  %place = getelementptr ptr, ptr %table, i64 %number
  %function = load ptr, ptr %place
  ret ptr %function
}

define void @ours_check(ptr %theirs) {
  %mixed = call ptr @function(ptr %theirs, i64 0)
  %1 = call i128 %mixed(i64 -1, i128 1000000000000000000000000000001, i64 3, i64 -4, i128 -5000000000000000000000000, i64 6, i128 70000000000000000000000, i32 signext -8)
  call void @show(i128 %1)
  %split = call ptr @function(ptr %theirs, i64 1)
  %2 = call i128 %split(i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i128 1000000000000000000000000000001, i64 9)
  call void @show(i128 %2)
  %narrow = call ptr @function(ptr %theirs, i64 2)
  %3 = call i96 %narrow(i96 10000000000000000000000, i64 -3, i65 18446744073709551616)
  %r3.wide = sext i96 %3 to i128
  call void @show(i128 %r3.wide)
  %five = call ptr @function(ptr %theirs, i64 3)
  %4 = call { i64, i64, i64, i64, i64 } %five(i64 11)
  %r4.0 = extractvalue { i64, i64, i64, i64, i64 } %4, 0
  %r4.1 = extractvalue { i64, i64, i64, i64, i64 } %4, 1
  %r4.3 = extractvalue { i64, i64, i64, i64, i64 } %4, 3
  %r4.4 = extractvalue { i64, i64, i64, i64, i64 } %4, 4
  call void @print(i64 %r4.0, i64 %r4.1)
  call void @print(i64 %r4.3, i64 %r4.4)
  %nine = call ptr @function(ptr %theirs, i64 4)
  %5 = call [9 x i64] %nine(i64 12, i128 1000000000000000000000000000001)
  %r5.0 = extractvalue [9 x i64] %5, 0
  %r5.7 = extractvalue [9 x i64] %5, 7
  %r5.8 = extractvalue [9 x i64] %5, 8
  call void @print(i64 %r5.0, i64 %r5.7)
  call void @print(i64 %r5.8, i64 0)
  %pair = call ptr @function(ptr %theirs, i64 5)
  %6 = call { i128, i128 } %pair(i128 1000000000000000000000000000001, i128 -2)
  %r6.0 = extractvalue { i128, i128 } %6, 0
  %r6.1 = extractvalue { i128, i128 } %6, 1
  call void @show(i128 %r6.0)
  call void @show(i128 %r6.1)
  %numbers = call ptr @function(ptr %theirs, i64 6)
  %7 = call { double, double, double, double, double } %numbers(double 0.125)
  %r7.0 = extractvalue { double, double, double, double, double } %7, 0
  %r7.3 = extractvalue { double, double, double, double, double } %7, 3
  %r7.4 = extractvalue { double, double, double, double, double } %7, 4
  call void @print_number(double %r7.0)
  call void @print_number(double %r7.3)
  call void @print_number(double %r7.4)
  %long = call ptr @function(ptr %theirs, i64 7)
  %8 = call i256 %long(i64 -13)
  %r8.low = trunc i256 %8 to i128
  %r8.shifted = lshr i256 %8, 128
  %r8.high = trunc i256 %r8.shifted to i128
  call void @show(i128 %r8.low)
  call void @show(i128 %r8.high)
  %uneven = call ptr @function(ptr %theirs, i64 8)
  %9 = call { i8, i64, i16, i64, float, i64, double, i64, i64, i8 } %uneven(float 1.5, i8 zeroext 200)
  %r9.2 = extractvalue { i8, i64, i16, i64, float, i64, double, i64, i64, i8 } %9, 2
  %r9.4 = extractvalue { i8, i64, i16, i64, float, i64, double, i64, i64, i8 } %9, 4
  %r9.8 = extractvalue { i8, i64, i16, i64, float, i64, double, i64, i64, i8 } %9, 8
  %r9.9 = extractvalue { i8, i64, i16, i64, float, i64, double, i64, i64, i8 } %9, 9
  %r9.half = sext i16 %r9.2 to i64
  %r9.last = zext i8 %r9.9 to i64
  %r9.number = fpext float %r9.4 to double
  call void @print(i64 %r9.half, i64 %r9.8)
  call void @print(i64 %r9.last, i64 0)
  call void @print_number(double %r9.number)
  %two = call ptr @function(ptr %theirs, i64 9)
  %10 = call { ptr, i32 } %two(ptr inttoptr (i64 1234567890123456789 to ptr), i32 signext -5)
  %r10.0 = extractvalue { ptr, i32 } %10, 0
  %r10.1 = extractvalue { ptr, i32 } %10, 1
  %r10.address = ptrtoint ptr %r10.0 to i64
  %r10.number = sext i32 %r10.1 to i64
  call void @print(i64 %r10.address, i64 %r10.number)
  %four = call ptr @function(ptr %theirs, i64 10)
  %11 = call { i64, i16, double, i64, i32 } %four(i64 14, i16 signext -15, double 0.25)
  %r11.0 = extractvalue { i64, i16, double, i64, i32 } %11, 0
  %r11.1 = extractvalue { i64, i16, double, i64, i32 } %11, 1
  %r11.2 = extractvalue { i64, i16, double, i64, i32 } %11, 2
  %r11.3 = extractvalue { i64, i16, double, i64, i32 } %11, 3
  %r11.4 = extractvalue { i64, i16, double, i64, i32 } %11, 4
  %r11.half = sext i16 %r11.1 to i64
  %r11.word = sext i32 %r11.4 to i64
  call void @print(i64 %r11.0, i64 %r11.half)
  call void @print(i64 %r11.3, i64 %r11.word)
  call void @print_number(double %r11.2)
  call void @ours_check_shorts(ptr %theirs)
  ret void
}
