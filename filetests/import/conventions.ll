; test import
; Calling conventions between functions of a module: each call gives what the function computes.
; out: f
; out: 11
; out: 13
; out: 15
; out: 17
; out: 19
; out: 1b
; out: 1d
; out: 1f
; out: 21
; out: 23
; out: 25
; out: 27
; out: 29
; out: 2b
; out: 2d
; out: 2f
; out: 31
@line = private constant [6 x i8] c"%llx\0A\00"
declare i32 @printf(ptr, ...)
define internal void @print(i64 %x) {
  %ignored = call i32 (ptr, ...) @printf(ptr @line, i64 %x)
  ret void
}
define internal ccc i64 @f0(i64 %a, double %b, i64 %c) noinline {
  %d = fptosi double %b to i64
  %e = mul i64 %a, %d
  %f = sub i64 %e, %c
  ret i64 %f
}
define internal fastcc i64 @f1(i64 %a, double %b, i64 %c) noinline {
  %d = fptosi double %b to i64
  %e = mul i64 %a, %d
  %f = sub i64 %e, %c
  ret i64 %f
}
define internal coldcc i64 @f2(i64 %a, double %b, i64 %c) noinline {
  %d = fptosi double %b to i64
  %e = mul i64 %a, %d
  %f = sub i64 %e, %c
  ret i64 %f
}
define internal tailcc i64 @f3(i64 %a, double %b, i64 %c) noinline {
  %d = fptosi double %b to i64
  %e = mul i64 %a, %d
  %f = sub i64 %e, %c
  ret i64 %f
}
define internal preserve_mostcc i64 @f4(i64 %a, double %b, i64 %c) noinline {
  %d = fptosi double %b to i64
  %e = mul i64 %a, %d
  %f = sub i64 %e, %c
  ret i64 %f
}
define internal preserve_allcc i64 @f5(i64 %a, double %b, i64 %c) noinline {
  %d = fptosi double %b to i64
  %e = mul i64 %a, %d
  %f = sub i64 %e, %c
  ret i64 %f
}
define internal preserve_nonecc i64 @f6(i64 %a, double %b, i64 %c) noinline {
  %d = fptosi double %b to i64
  %e = mul i64 %a, %d
  %f = sub i64 %e, %c
  ret i64 %f
}
define internal cxx_fast_tlscc i64 @f7(i64 %a, double %b, i64 %c) noinline {
  %d = fptosi double %b to i64
  %e = mul i64 %a, %d
  %f = sub i64 %e, %c
  ret i64 %f
}
define internal swiftcc i64 @f8(i64 %a, double %b, i64 %c) noinline {
  %d = fptosi double %b to i64
  %e = mul i64 %a, %d
  %f = sub i64 %e, %c
  ret i64 %f
}
define internal swifttailcc i64 @f9(i64 %a, double %b, i64 %c) noinline {
  %d = fptosi double %b to i64
  %e = mul i64 %a, %d
  %f = sub i64 %e, %c
  ret i64 %f
}
define internal win64cc i64 @f10(i64 %a, double %b, i64 %c) noinline {
  %d = fptosi double %b to i64
  %e = mul i64 %a, %d
  %f = sub i64 %e, %c
  ret i64 %f
}
define internal ghccc i64 @f11(i64 %a, double %b, i64 %c) noinline {
  %d = fptosi double %b to i64
  %e = mul i64 %a, %d
  %f = sub i64 %e, %c
  ret i64 %f
}
define internal cc 10 i64 @f12(i64 %a, double %b, i64 %c) noinline {
  %d = fptosi double %b to i64
  %e = mul i64 %a, %d
  %f = sub i64 %e, %c
  ret i64 %f
}
define internal cc 64 i64 @f13(i64 %a, double %b, i64 %c) noinline {
  %d = fptosi double %b to i64
  %e = mul i64 %a, %d
  %f = sub i64 %e, %c
  ret i64 %f
}
define internal x86_64_sysvcc i64 @f14(i64 %a, double %b, i64 %c) noinline {
  %d = fptosi double %b to i64
  %e = mul i64 %a, %d
  %f = sub i64 %e, %c
  ret i64 %f
}
define internal x86_stdcallcc i64 @f15(i64 %a, double %b, i64 %c) noinline {
  %d = fptosi double %b to i64
  %e = mul i64 %a, %d
  %f = sub i64 %e, %c
  ret i64 %f
}
define internal x86_regcallcc i64 @f16(i64 %a, double %b, i64 %c) noinline {
  %d = fptosi double %b to i64
  %e = mul i64 %a, %d
  %f = sub i64 %e, %c
  ret i64 %f
}
define internal cfguard_checkcc i64 @f17(i64 %a, double %b, i64 %c) noinline {
  %d = fptosi double %b to i64
  %e = mul i64 %a, %d
  %f = sub i64 %e, %c
  ret i64 %f
}
define i32 @main() {
  %r0 = call ccc i64 @f0(i64 5, double 3.5, i64 0)
  call void @print(i64 %r0)
  %r1 = call fastcc i64 @f1(i64 6, double 3.5, i64 1)
  call void @print(i64 %r1)
  %r2 = call coldcc i64 @f2(i64 7, double 3.5, i64 2)
  call void @print(i64 %r2)
  %r3 = call tailcc i64 @f3(i64 8, double 3.5, i64 3)
  call void @print(i64 %r3)
  %r4 = call preserve_mostcc i64 @f4(i64 9, double 3.5, i64 4)
  call void @print(i64 %r4)
  %r5 = call preserve_allcc i64 @f5(i64 10, double 3.5, i64 5)
  call void @print(i64 %r5)
  %r6 = call preserve_nonecc i64 @f6(i64 11, double 3.5, i64 6)
  call void @print(i64 %r6)
  %r7 = call cxx_fast_tlscc i64 @f7(i64 12, double 3.5, i64 7)
  call void @print(i64 %r7)
  %r8 = call swiftcc i64 @f8(i64 13, double 3.5, i64 8)
  call void @print(i64 %r8)
  %r9 = call swifttailcc i64 @f9(i64 14, double 3.5, i64 9)
  call void @print(i64 %r9)
  %r10 = call win64cc i64 @f10(i64 15, double 3.5, i64 10)
  call void @print(i64 %r10)
  %r11 = call ghccc i64 @f11(i64 16, double 3.5, i64 11)
  call void @print(i64 %r11)
  %r12 = call cc 10 i64 @f12(i64 17, double 3.5, i64 12)
  call void @print(i64 %r12)
  %r13 = call cc 64 i64 @f13(i64 18, double 3.5, i64 13)
  call void @print(i64 %r13)
  %r14 = call x86_64_sysvcc i64 @f14(i64 19, double 3.5, i64 14)
  call void @print(i64 %r14)
  %r15 = call x86_stdcallcc i64 @f15(i64 20, double 3.5, i64 15)
  call void @print(i64 %r15)
  %r16 = call x86_regcallcc i64 @f16(i64 21, double 3.5, i64 16)
  call void @print(i64 %r16)
  %r17 = call cfguard_checkcc i64 @f17(i64 22, double 3.5, i64 17)
  call void @print(i64 %r17)
  ret i32 0
}
