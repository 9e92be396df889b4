; test import
; Attributes of functions, parameters and results, bundles, and alignment of variables of a frame:
; those that promise or guide change nothing.
; out: 70fcae61d4660b76
; out: 48
; out: 50
; out: 58
; out: 60
; out: 68
; out: 70
; out: 78
; out: 80
; out: 88
; out: 90
; out: 98
; out: a0
; out: a8
; out: b0
; out: b8
; out: 4d
; out: f9
; out: f9
; out: 4d
; out: 0
; out: 4d
; out: 400c000000000000
; out: 6
; out: 0
; out: 0
; out: 0
; out: 0
; out: 2
@line = private constant [6 x i8] c"%llx\0A\00"
declare i32 @printf(ptr, ...)
define internal void @print(i64 %x) {
  %ignored = call i32 (ptr, ...) @printf(ptr @line, i64 %x)
  ret void
}
@line64 = internal global i32 3, align 64
declare void @llvm.x86.sse2.pause()
declare ptr @llvm.frameaddress.p0(i32)
declare void @llvm.clear_cache(ptr, ptr)
declare <4 x i32> @llvm.stepvector.v4i32()
$f50 = comdat any
define i64 @f0(i64 %a) alwaysinline {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f1(i64 %a) noinline {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f2(i64 %a) optnone noinline {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f3(i64 %a) minsize {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f4(i64 %a) optsize {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f5(i64 %a) cold {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f6(i64 %a) hot {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f7(i64 %a) nobuiltin {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f8(i64 %a) noduplicate {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f9(i64 %a) noimplicitfloat {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f10(i64 %a) nomerge {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f11(i64 %a) nonlazybind {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f12(i64 %a) noprofile {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f13(i64 %a) noredzone {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f14(i64 %a) norecurse {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f15(i64 %a) willreturn {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f16(i64 %a) nosync {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f17(i64 %a) nofree {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f18(i64 %a) nounwind {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f19(i64 %a) null_pointer_is_valid {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f20(i64 %a) returns_twice {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f21(i64 %a) safestack {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f22(i64 %a) sanitize_address {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f23(i64 %a) speculatable {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f24(i64 %a) ssp {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f25(i64 %a) sspreq {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f26(i64 %a) sspstrong {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f27(i64 %a) strictfp {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f28(i64 %a) uwtable {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f29(i64 %a) uwtable(sync) {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f30(i64 %a) nocf_check {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f31(i64 %a) mustprogress {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f32(i64 %a) convergent {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f33(i64 %a) inlinehint {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f34(i64 %a) alignstack(32) {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f35(i64 %a) "frame-pointer"="all" {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f36(i64 %a) "probe-stack"="inline-asm" {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f37(i64 %a) "thunk" {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f38(i64 %a) "denormal-fp-math"="preserve-sign,preserve-sign" {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f39(i64 %a) "no-trapping-math"="true" {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f40(i64 %a) "no-builtins" {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f41(i64 %a) "unsafe-fp-math"="true" {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f42(i64 %a) memory(none) {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f43(i64 %a) sanitize_thread {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f44(i64 %a) sanitize_memory {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f45(i64 %a) skipprofile {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f46(i64 %a) nocallback {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f47(i64 %a) align 32 {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f48(i64 %a) section ".text.mine" {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f49(i64 %a) gc "shadow-stack" {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f50(i64 %a) comdat {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f51(i64 %a) unnamed_addr {
  %b = mul i64 %a, 7
  ret i64 %b
}
define i64 @f52(i64 %a) partition "x" {
  %b = mul i64 %a, 7
  ret i64 %b
}
define internal i64 @p0(ptr noundef %p, i64 range(i64 0, 100) %k) {
  %b = load i64, ptr %p
  store i64 3, ptr %p
  %c = add i64 %b, %k
  ret i64 %c
}
define internal i64 @p1(ptr inreg %p, i64 range(i64 0, 100) %k) {
  %b = load i64, ptr %p
  store i64 3, ptr %p
  %c = add i64 %b, %k
  ret i64 %c
}
define internal i64 @p2(ptr nonnull %p, i64 range(i64 0, 100) %k) {
  %b = load i64, ptr %p
  store i64 3, ptr %p
  %c = add i64 %b, %k
  ret i64 %c
}
define internal i64 @p3(ptr noalias %p, i64 range(i64 0, 100) %k) {
  %b = load i64, ptr %p
  store i64 3, ptr %p
  %c = add i64 %b, %k
  ret i64 %c
}
define internal i64 @p4(ptr nocapture %p, i64 range(i64 0, 100) %k) {
  %b = load i64, ptr %p
  store i64 3, ptr %p
  %c = add i64 %b, %k
  ret i64 %c
}
define internal i64 @p5(ptr captures(none) %p, i64 range(i64 0, 100) %k) {
  %b = load i64, ptr %p
  store i64 3, ptr %p
  %c = add i64 %b, %k
  ret i64 %c
}
define internal i64 @p6(ptr nofree %p, i64 range(i64 0, 100) %k) {
  %b = load i64, ptr %p
  store i64 3, ptr %p
  %c = add i64 %b, %k
  ret i64 %c
}
define internal i64 @p7(ptr nest %p, i64 range(i64 0, 100) %k) {
  %b = load i64, ptr %p
  store i64 3, ptr %p
  %c = add i64 %b, %k
  ret i64 %c
}
define internal i64 @p8(ptr dereferenceable(8) %p, i64 range(i64 0, 100) %k) {
  %b = load i64, ptr %p
  store i64 3, ptr %p
  %c = add i64 %b, %k
  ret i64 %c
}
define internal i64 @p9(ptr dereferenceable_or_null(8) %p, i64 range(i64 0, 100) %k) {
  %b = load i64, ptr %p
  store i64 3, ptr %p
  %c = add i64 %b, %k
  ret i64 %c
}
define internal i64 @p10(ptr align 8 %p, i64 range(i64 0, 100) %k) {
  %b = load i64, ptr %p
  store i64 3, ptr %p
  %c = add i64 %b, %k
  ret i64 %c
}
define internal i64 @p11(ptr allocptr %p, i64 range(i64 0, 100) %k) {
  %b = load i64, ptr %p
  store i64 3, ptr %p
  %c = add i64 %b, %k
  ret i64 %c
}
define internal i64 @p12(ptr dead_on_unwind %p, i64 range(i64 0, 100) %k) {
  %b = load i64, ptr %p
  store i64 3, ptr %p
  %c = add i64 %b, %k
  ret i64 %c
}
define internal i64 @p13(ptr writable %p, i64 range(i64 0, 100) %k) {
  %b = load i64, ptr %p
  store i64 3, ptr %p
  %c = add i64 %b, %k
  ret i64 %c
}
define internal i64 @p14(ptr initializes((0, 8)) %p, i64 range(i64 0, 100) %k) {
  %b = load i64, ptr %p
  store i64 3, ptr %p
  %c = add i64 %b, %k
  ret i64 %c
}
define noundef i64 @r0() {
  ret i64 77
}
define zeroext i8 @r1() {
  ret i8 -7
}
define signext i8 @r2() {
  ret i8 -7
}
define inreg i64 @r3() {
  ret i64 77
}
define noalias ptr @r4() {
  ret ptr null
}
define range(i64 0, 100) i64 @r5() {
  ret i64 77
}
define nofpclass(nan) double @r6() {
  ret double 3.5
}
define i32 @main() {
  %r0 = call i64 @f0(i64 0)
  %r1 = call i64 @f1(i64 1)
  %r2 = call i64 @f2(i64 2)
  %r3 = call i64 @f3(i64 3)
  %r4 = call i64 @f4(i64 4)
  %r5 = call i64 @f5(i64 5)
  %r6 = call i64 @f6(i64 6)
  %r7 = call i64 @f7(i64 7)
  %r8 = call i64 @f8(i64 8)
  %r9 = call i64 @f9(i64 9)
  %r10 = call i64 @f10(i64 10)
  %r11 = call i64 @f11(i64 11)
  %r12 = call i64 @f12(i64 12)
  %r13 = call i64 @f13(i64 13)
  %r14 = call i64 @f14(i64 14)
  %r15 = call i64 @f15(i64 15)
  %r16 = call i64 @f16(i64 16)
  %r17 = call i64 @f17(i64 17)
  %r18 = call i64 @f18(i64 18)
  %r19 = call i64 @f19(i64 19)
  %r20 = call i64 @f20(i64 20)
  %r21 = call i64 @f21(i64 21)
  %r22 = call i64 @f22(i64 22)
  %r23 = call i64 @f23(i64 23)
  %r24 = call i64 @f24(i64 24)
  %r25 = call i64 @f25(i64 25)
  %r26 = call i64 @f26(i64 26)
  %r27 = call i64 @f27(i64 27)
  %r28 = call i64 @f28(i64 28)
  %r29 = call i64 @f29(i64 29)
  %r30 = call i64 @f30(i64 30)
  %r31 = call i64 @f31(i64 31)
  %r32 = call i64 @f32(i64 32)
  %r33 = call i64 @f33(i64 33)
  %r34 = call i64 @f34(i64 34)
  %r35 = call i64 @f35(i64 35)
  %r36 = call i64 @f36(i64 36)
  %r37 = call i64 @f37(i64 37)
  %r38 = call i64 @f38(i64 38)
  %r39 = call i64 @f39(i64 39)
  %r40 = call i64 @f40(i64 40)
  %r41 = call i64 @f41(i64 41)
  %r42 = call i64 @f42(i64 42)
  %r43 = call i64 @f43(i64 43)
  %r44 = call i64 @f44(i64 44)
  %r45 = call i64 @f45(i64 45)
  %r46 = call i64 @f46(i64 46)
  %r47 = call i64 @f47(i64 47)
  %r48 = call i64 @f48(i64 48)
  %r49 = call i64 @f49(i64 49)
  %r50 = call i64 @f50(i64 50)
  %r51 = call i64 @f51(i64 51)
  %r52 = call i64 @f52(i64 52)
  %s0 = add i64 0, 0
  %m0 = mul i64 %s0, 31
  %s1 = add i64 %m0, %r0
  %m1 = mul i64 %s1, 31
  %s2 = add i64 %m1, %r1
  %m2 = mul i64 %s2, 31
  %s3 = add i64 %m2, %r2
  %m3 = mul i64 %s3, 31
  %s4 = add i64 %m3, %r3
  %m4 = mul i64 %s4, 31
  %s5 = add i64 %m4, %r4
  %m5 = mul i64 %s5, 31
  %s6 = add i64 %m5, %r5
  %m6 = mul i64 %s6, 31
  %s7 = add i64 %m6, %r6
  %m7 = mul i64 %s7, 31
  %s8 = add i64 %m7, %r7
  %m8 = mul i64 %s8, 31
  %s9 = add i64 %m8, %r8
  %m9 = mul i64 %s9, 31
  %s10 = add i64 %m9, %r9
  %m10 = mul i64 %s10, 31
  %s11 = add i64 %m10, %r10
  %m11 = mul i64 %s11, 31
  %s12 = add i64 %m11, %r11
  %m12 = mul i64 %s12, 31
  %s13 = add i64 %m12, %r12
  %m13 = mul i64 %s13, 31
  %s14 = add i64 %m13, %r13
  %m14 = mul i64 %s14, 31
  %s15 = add i64 %m14, %r14
  %m15 = mul i64 %s15, 31
  %s16 = add i64 %m15, %r15
  %m16 = mul i64 %s16, 31
  %s17 = add i64 %m16, %r16
  %m17 = mul i64 %s17, 31
  %s18 = add i64 %m17, %r17
  %m18 = mul i64 %s18, 31
  %s19 = add i64 %m18, %r18
  %m19 = mul i64 %s19, 31
  %s20 = add i64 %m19, %r19
  %m20 = mul i64 %s20, 31
  %s21 = add i64 %m20, %r20
  %m21 = mul i64 %s21, 31
  %s22 = add i64 %m21, %r21
  %m22 = mul i64 %s22, 31
  %s23 = add i64 %m22, %r22
  %m23 = mul i64 %s23, 31
  %s24 = add i64 %m23, %r23
  %m24 = mul i64 %s24, 31
  %s25 = add i64 %m24, %r24
  %m25 = mul i64 %s25, 31
  %s26 = add i64 %m25, %r25
  %m26 = mul i64 %s26, 31
  %s27 = add i64 %m26, %r26
  %m27 = mul i64 %s27, 31
  %s28 = add i64 %m27, %r27
  %m28 = mul i64 %s28, 31
  %s29 = add i64 %m28, %r28
  %m29 = mul i64 %s29, 31
  %s30 = add i64 %m29, %r29
  %m30 = mul i64 %s30, 31
  %s31 = add i64 %m30, %r30
  %m31 = mul i64 %s31, 31
  %s32 = add i64 %m31, %r31
  %m32 = mul i64 %s32, 31
  %s33 = add i64 %m32, %r32
  %m33 = mul i64 %s33, 31
  %s34 = add i64 %m33, %r33
  %m34 = mul i64 %s34, 31
  %s35 = add i64 %m34, %r34
  %m35 = mul i64 %s35, 31
  %s36 = add i64 %m35, %r35
  %m36 = mul i64 %s36, 31
  %s37 = add i64 %m36, %r36
  %m37 = mul i64 %s37, 31
  %s38 = add i64 %m37, %r37
  %m38 = mul i64 %s38, 31
  %s39 = add i64 %m38, %r38
  %m39 = mul i64 %s39, 31
  %s40 = add i64 %m39, %r39
  %m40 = mul i64 %s40, 31
  %s41 = add i64 %m40, %r40
  %m41 = mul i64 %s41, 31
  %s42 = add i64 %m41, %r41
  %m42 = mul i64 %s42, 31
  %s43 = add i64 %m42, %r42
  %m43 = mul i64 %s43, 31
  %s44 = add i64 %m43, %r43
  %m44 = mul i64 %s44, 31
  %s45 = add i64 %m44, %r44
  %m45 = mul i64 %s45, 31
  %s46 = add i64 %m45, %r45
  %m46 = mul i64 %s46, 31
  %s47 = add i64 %m46, %r46
  %m47 = mul i64 %s47, 31
  %s48 = add i64 %m47, %r47
  %m48 = mul i64 %s48, 31
  %s49 = add i64 %m48, %r48
  %m49 = mul i64 %s49, 31
  %s50 = add i64 %m49, %r49
  %m50 = mul i64 %s50, 31
  %s51 = add i64 %m50, %r50
  %m51 = mul i64 %s51, 31
  %s52 = add i64 %m51, %r51
  %m52 = mul i64 %s52, 31
  %s53 = add i64 %m52, %r52
  call void @print(i64 %s53)
  %m.0 = alloca i64
  store i64 9, ptr %m.0
  %pb0 = call i64 @p0(ptr noundef %m.0, i64 0)
  %pl0 = load i64, ptr %m.0
  %ps0 = shl i64 %pb0, %pl0
  call void @print(i64 %ps0)
  %m.1 = alloca i64
  store i64 9, ptr %m.1
  %pb1 = call i64 @p1(ptr inreg %m.1, i64 1)
  %pl1 = load i64, ptr %m.1
  %ps1 = shl i64 %pb1, %pl1
  call void @print(i64 %ps1)
  %m.2 = alloca i64
  store i64 9, ptr %m.2
  %pb2 = call i64 @p2(ptr nonnull %m.2, i64 2)
  %pl2 = load i64, ptr %m.2
  %ps2 = shl i64 %pb2, %pl2
  call void @print(i64 %ps2)
  %m.3 = alloca i64
  store i64 9, ptr %m.3
  %pb3 = call i64 @p3(ptr noalias %m.3, i64 3)
  %pl3 = load i64, ptr %m.3
  %ps3 = shl i64 %pb3, %pl3
  call void @print(i64 %ps3)
  %m.4 = alloca i64
  store i64 9, ptr %m.4
  %pb4 = call i64 @p4(ptr nocapture %m.4, i64 4)
  %pl4 = load i64, ptr %m.4
  %ps4 = shl i64 %pb4, %pl4
  call void @print(i64 %ps4)
  %m.5 = alloca i64
  store i64 9, ptr %m.5
  %pb5 = call i64 @p5(ptr captures(none) %m.5, i64 5)
  %pl5 = load i64, ptr %m.5
  %ps5 = shl i64 %pb5, %pl5
  call void @print(i64 %ps5)
  %m.6 = alloca i64
  store i64 9, ptr %m.6
  %pb6 = call i64 @p6(ptr nofree %m.6, i64 6)
  %pl6 = load i64, ptr %m.6
  %ps6 = shl i64 %pb6, %pl6
  call void @print(i64 %ps6)
  %m.7 = alloca i64
  store i64 9, ptr %m.7
  %pb7 = call i64 @p7(ptr nest %m.7, i64 7)
  %pl7 = load i64, ptr %m.7
  %ps7 = shl i64 %pb7, %pl7
  call void @print(i64 %ps7)
  %m.8 = alloca i64
  store i64 9, ptr %m.8
  %pb8 = call i64 @p8(ptr dereferenceable(8) %m.8, i64 8)
  %pl8 = load i64, ptr %m.8
  %ps8 = shl i64 %pb8, %pl8
  call void @print(i64 %ps8)
  %m.9 = alloca i64
  store i64 9, ptr %m.9
  %pb9 = call i64 @p9(ptr dereferenceable_or_null(8) %m.9, i64 9)
  %pl9 = load i64, ptr %m.9
  %ps9 = shl i64 %pb9, %pl9
  call void @print(i64 %ps9)
  %m.10 = alloca i64
  store i64 9, ptr %m.10
  %pb10 = call i64 @p10(ptr align 8 %m.10, i64 10)
  %pl10 = load i64, ptr %m.10
  %ps10 = shl i64 %pb10, %pl10
  call void @print(i64 %ps10)
  %m.11 = alloca i64
  store i64 9, ptr %m.11
  %pb11 = call i64 @p11(ptr allocptr %m.11, i64 11)
  %pl11 = load i64, ptr %m.11
  %ps11 = shl i64 %pb11, %pl11
  call void @print(i64 %ps11)
  %m.12 = alloca i64
  store i64 9, ptr %m.12
  %pb12 = call i64 @p12(ptr dead_on_unwind %m.12, i64 12)
  %pl12 = load i64, ptr %m.12
  %ps12 = shl i64 %pb12, %pl12
  call void @print(i64 %ps12)
  %m.13 = alloca i64
  store i64 9, ptr %m.13
  %pb13 = call i64 @p13(ptr writable %m.13, i64 13)
  %pl13 = load i64, ptr %m.13
  %ps13 = shl i64 %pb13, %pl13
  call void @print(i64 %ps13)
  %m.14 = alloca i64
  store i64 9, ptr %m.14
  %pb14 = call i64 @p14(ptr initializes((0, 8)) %m.14, i64 14)
  %pl14 = load i64, ptr %m.14
  %ps14 = shl i64 %pb14, %pl14
  call void @print(i64 %ps14)
  %q0 = call noundef i64 @r0()
  %qz0 = add i64 %q0, 0
  call void @print(i64 %qz0)
  %q1 = call zeroext i8 @r1()
  %qz1 = zext i8 %q1 to i64
  call void @print(i64 %qz1)
  %q2 = call signext i8 @r2()
  %qz2 = zext i8 %q2 to i64
  call void @print(i64 %qz2)
  %q3 = call inreg i64 @r3()
  %qz3 = add i64 %q3, 0
  call void @print(i64 %qz3)
  %q4 = call noalias ptr @r4()
  %qz4 = ptrtoint ptr %q4 to i64
  call void @print(i64 %qz4)
  %q5 = call range(i64 0, 100) i64 @r5()
  %qz5 = add i64 %q5, 0
  call void @print(i64 %qz5)
  %q6 = call nofpclass(nan) double @r6()
  %qz6 = bitcast double %q6 to i64
  call void @print(i64 %qz6)
  call void @print(i64 6) [ "deopt"(i32 5), "kcfi"(i32 7) ]
  %fa = call ptr @llvm.frameaddress.p0(i32 1)
  %fn = icmp ne ptr %fa, null
  call void @llvm.clear_cache(ptr %m.0, ptr %m.1)
  %over = alloca i32, align 64
  %wide = alloca i8, align 256
  %oi = ptrtoint ptr %over to i64
  %o1 = and i64 %oi, 63
  call void @print(i64 %o1)
  %wi = ptrtoint ptr %wide to i64
  %w1 = and i64 %wi, 255
  call void @print(i64 %w1)
  %n = ptrtoint ptr @f0 to i64
  %n1 = or i64 %n, 1
  %n2 = and i64 %n1, 3
  %dyn = alloca i64, i64 %n2, align 128
  %di = ptrtoint ptr %dyn to i64
  %d1 = and i64 %di, 127
  call void @print(i64 %d1)
  call void @llvm.x86.sse2.pause()
  %al = ptrtoint ptr @line64 to i64
  %al1 = and i64 %al, 15
  call void @print(i64 %al1)
  %step = call <4 x i32> @llvm.stepvector.v4i32()
  %third = extractelement <4 x i32> %step, i32 2
  %tz = zext i32 %third to i64
  call void @print(i64 %tz)
  ret i32 0
}
