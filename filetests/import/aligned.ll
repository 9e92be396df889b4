; test import
; Variables that begin at multiples of more than 16, thread-local ones too, and memory of the stack.
; out: 0
; out: 9
; out: 5
@x = global i32 5, align 64
@page = internal global [10 x i8] zeroinitializer, align 4096
@s = internal constant [3 x i8] c"ab\00", align 32
@big = global i64 7, align 65536
@tl = thread_local global i32 9, align 128
@tz = internal thread_local global [3 x i32] zeroinitializer, align 256
@plain = global i8 1
@tab = internal global [2 x ptr] [ptr @x, ptr @page], align 512
@line = private constant [5 x i8] c"%ld\0A\00"
declare i32 @printf(ptr, ...)
declare ptr @llvm.threadlocal.address.p0(ptr)
define i64 @low(ptr %p, i64 %mask) {
  %a = ptrtoint ptr %p to i64
  %b = and i64 %a, %mask
  ret i64 %b
}
define i32 @main() {
  %a = call i64 @low(ptr @x, i64 63)
  %b = call i64 @low(ptr @page, i64 4095)
  %c = call i64 @low(ptr @s, i64 31)
  %d = call i64 @low(ptr @big, i64 65535)
  %tp = call ptr @llvm.threadlocal.address.p0(ptr @tl)
  %e = call i64 @low(ptr %tp, i64 127)
  %tq = call ptr @llvm.threadlocal.address.p0(ptr @tz)
  %f = call i64 @low(ptr %tq, i64 255)
  %g = call i64 @low(ptr @tab, i64 511)
  %own = alloca [3 x i8], align 1024
  %h = call i64 @low(ptr %own, i64 1023)
  %s1 = or i64 %a, %b
  %s2 = or i64 %s1, %c
  %s3 = or i64 %s2, %d
  %s4 = or i64 %s3, %e
  %s5 = or i64 %s4, %f
  %s6 = or i64 %s5, %g
  %s7 = or i64 %s6, %h
  %v = load i32, ptr %tp
  %v64 = sext i32 %v to i64
  %p = load ptr, ptr @tab
  %w = load i32, ptr %p
  %w64 = sext i32 %w to i64
  %i1 = call i32 (ptr, ...) @printf(ptr @line, i64 %s7)
  %i2 = call i32 (ptr, ...) @printf(ptr @line, i64 %v64)
  %i3 = call i32 (ptr, ...) @printf(ptr @line, i64 %w64)
  ret i32 0
}
