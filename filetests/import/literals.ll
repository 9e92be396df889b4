; test import
; Literals: NaNs that signal keep their bits, hexadecimal integers with and without sign.
; out: 7fa00000
; out: ff850000
; out: fffffffffffffff0
; out: ffffffffffffff80
; out: ffffffffffffffff
; out: ff80
; out: 3c
; out: fffffffffffffff8
@line = private constant [6 x i8] c"%llx\0A\00"
declare i32 @printf(ptr, ...)
define internal void @print(i64 %x) {
  %ignored = call i32 (ptr, ...) @printf(ptr @line, i64 %x)
  ret void
}
@signals = internal global float 0x7FF4000000000000
@wide = internal global i200 u0xF000000000000000000000000000000000000000000000001
define internal float @given(float %x) {
  ret float %x
}
define i32 @main() {
  %a = load i32, ptr @signals
  %b = zext i32 %a to i64
  call void @print(i64 %b)
  %c = alloca float
  store float 0xFFF0A00000000000, ptr %c
  %d = load i32, ptr %c
  %e = zext i32 %d to i64
  call void @print(i64 %e)
  call void @print(i64 u0xFFFFFFFFFFFFFFF0)
  call void @print(i64 s0x80)
  call void @print(i64 s0x7)
  %f = zext i16 s0xFF80 to i64
  call void @print(i64 %f)
  %g = load i200, ptr @wide
  %h = lshr i200 %g, 190
  %i = trunc i200 %h to i64
  call void @print(i64 %i)
  %j = add i200 %g, s0x8000000000000000
  %k = lshr i200 %j, 60
  %l = trunc i200 %k to i64
  call void @print(i64 %l)
  ret i32 0
}
