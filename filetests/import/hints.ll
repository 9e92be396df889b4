; test import
; Intrinsics that tell the compiler something, functions of mathematics, attributes, flags,
; blocks of arguments: what they give is what LLVM's own code prints.
; out: 5
; out: 5
; out: -1
; out: 0
; out: 98
; out: 8
; out: 8
; out: 12
; out: 11
; out: 12250
; out: 841
; out: 2718
; out: 1414
; out: 1250
; out: 125
; out: 1500
; out: 3
; out: 750
; out: 6000
; out: 21
@lines = internal constant [5 x i8] c"%ld\0A\00"
@value = weak global i64 5
@zero = common global i64 0
declare i32 @printf(ptr, ...)

define internal void @print(i64 %x) {
  %ignored = call i32 (ptr, ...) @printf(ptr @lines, i64 %x)
  ret void
}
define internal void @tenths(double %x) {
  %y = fmul double %x, 1000.0
  %z = fptosi double %y to i64
  call void @print(i64 %z)
  ret void
}
define internal fastcc signext i8 @narrow(i8 signext %a, i16 zeroext %b, ptr nonnull noalias %c) noinline cold {
  %d = trunc i16 %b to i8
  %e = add nsw i8 %a, %d
  ret i8 %e
}
define internal i64 @copied(ptr byval([3 x i64]) align 8 %p) {
  %q = getelementptr i64, ptr %p, i64 2
  %r = load volatile i64, ptr %q
  store i64 0, ptr %q
  ret i64 %r
}
define internal void @through(ptr sret({ i64, i64 }) %out, i64 %x) {
  %high = getelementptr { i64, i64 }, ptr %out, i32 0, i32 1
  store i64 %x, ptr %out
  store i64 3, ptr %high
  ret void
}
define internal i64 @sum(i32 %count, ...) {
entry:
  %list = alloca [4 x i64]
  %copy = alloca [4 x i64]
  call void @llvm.va_start.p0(ptr %list)
  call void @llvm.va_copy.p0(ptr %copy, ptr %list)
  call void @llvm.va_end.p0(ptr %copy)
  call void @llvm.va_end.p0(ptr %list)
  ret i64 11
}
define i32 @main() {
  %room = alloca [3 x i64]
  call void @llvm.lifetime.start.p0(ptr %room)
  call void @llvm.assume(i1 true)
  call void @llvm.donothing()
  call void @llvm.sideeffect()
  call void @llvm.prefetch.p0(ptr @value, i32 0, i32 3, i32 1)
  %five = load i64, ptr @value, !range !0
  %expected = call i64 @llvm.expect.i64(i64 %five, i64 5)
  call void @print(i64 %expected)
  %laundered = call ptr @llvm.launder.invariant.group.p0(ptr @value)
  %stripped = call ptr @llvm.strip.invariant.group.p0(ptr %laundered)
  %masked = call ptr @llvm.ptrmask.p0.i64(ptr %stripped, i64 -8)
  %same = load i64, ptr %masked
  call void @print(i64 %same)
  %size = call i64 @llvm.objectsize.i64.p0(ptr %stripped, i1 false, i1 true, i1 true)
  call void @print(i64 %size)
  %constant = call i1 @llvm.is.constant.i64(i64 %five)
  %constant.word = zext i1 %constant to i64
  call void @print(i64 %constant.word)
  %n = call fastcc signext i8 @narrow(i8 signext 100, i16 zeroext 65534, ptr @value)
  %n.word = sext i8 %n to i64
  call void @print(i64 %n.word)
  %third = getelementptr i64, ptr %room, i64 2
  store i64 8, ptr %third
  %c = call i64 @copied(ptr byval([3 x i64]) align 8 %room)
  call void @print(i64 %c)
  %kept = load i64, ptr %third
  call void @print(i64 %kept)
  call void @through(ptr sret({ i64, i64 }) %room, i64 12)
  %low = load i64, ptr %room
  call void @print(i64 %low)
  %v = tail call i64 (i32, ...) @sum(i32 2, i64 4, double 2.0)
  call void @print(i64 %v)
  %fast = fadd fast double 1.5, 2.0
  %power = call nnan double @llvm.powi.f64.i32(double %fast, i32 2)
  call void @tenths(double %power)
  %sine = call double @llvm.sin.f64(double 1.0)
  call void @tenths(double %sine)
  %exp = call double @llvm.exp.f64(double 1.0)
  call void @tenths(double %exp)
  %pow = call double @llvm.pow.f64(double 2.0, double 0.5)
  call void @tenths(double %pow)
  %fused = call double @llvm.fma.f64(double 2.0, double 0.5, double 0.25)
  call void @tenths(double %fused)
  %canonical = call double @llvm.canonicalize.f64(double 0.125)
  call void @tenths(double %canonical)
  %rest = frem double 7.5, 2.0
  call void @tenths(double %rest)
  %rounded = call i64 @llvm.lround.i64.f64(double 2.5)
  call void @print(i64 %rounded)
  %split = call { double, i32 } @llvm.frexp.f64.i32(double 12.0)
  %fraction = extractvalue { double, i32 } %split, 0
  call void @tenths(double %fraction)
  %scaled = call double @llvm.ldexp.f64.i32(double %fraction, i32 3)
  call void @tenths(double %scaled)
  %other.space = addrspacecast ptr @zero to ptr addrspace(1)
  store i64 21, ptr addrspace(1) %other.space, align 1
  %back = load i64, ptr @zero, align 8, !nontemporal !1
  call void @print(i64 %back)
  call void @llvm.lifetime.end.p0(ptr %room)
  ret i32 0
}
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)
declare void @llvm.assume(i1)
declare void @llvm.donothing()
declare void @llvm.sideeffect()
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare i64 @llvm.expect.i64(i64, i64)
declare ptr @llvm.launder.invariant.group.p0(ptr)
declare ptr @llvm.strip.invariant.group.p0(ptr)
declare ptr @llvm.ptrmask.p0.i64(ptr, i64)
declare i64 @llvm.objectsize.i64.p0(ptr, i1, i1, i1)
declare i1 @llvm.is.constant.i64(i64)
declare void @llvm.va_start.p0(ptr)
declare void @llvm.va_copy.p0(ptr, ptr)
declare void @llvm.va_end.p0(ptr)
declare double @llvm.powi.f64.i32(double, i32)
declare double @llvm.sin.f64(double)
declare double @llvm.exp.f64(double)
declare double @llvm.pow.f64(double, double)
declare double @llvm.fma.f64(double, double, double)
declare double @llvm.canonicalize.f64(double)
declare i64 @llvm.lround.i64.f64(double)
declare { double, i32 } @llvm.frexp.f64.i32(double)
declare double @llvm.ldexp.f64.i32(double, i32)
!0 = !{i64 0, i64 9}
!1 = !{i32 1}
