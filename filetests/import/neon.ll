; test import
; The intrinsics that clang makes of structured loads and of inserting shifts in arm_neon.h;
; `; out:` is what an aarch64 prints of LLVM's own code.
; out: -32667 -16829 -991 14847 30685 -19013 -3175 12663 .
; out: -24748 -8910 6928 22766 -26932 -11094 4744 20582 .
; out: 48 -97 14 125 -20 91 -54 57 .
; out: 85 -60 51 -94 17 -128 -17 94 .
; out: 122 -23 88 -57 54 -91 20 -125 .
; out: 11 -97 51 -57 91 -17 -125 23 -85 63 -45 103 -5 -113 35 -73 .
; out: 48 -60 88 -20 -128 20 -88 60 -48 100 -8 -116 32 -76 72 -36 .
; out: 85 -23 125 17 -91 57 -51 97 -11 -119 29 -79 69 -39 109 1 .
; out: 122 14 -94 54 -54 94 -14 -122 26 -82 66 -42 106 -2 -110 38 .
; out: -9223372036854775731 -6599835102264976341 .
; out: -7911603569559876036 -5288066634970076646 .
; out: 24 -30 44 -10 64 -118 -44 30 -24 50 -4 70 -112 -38 36 -18 .
; out: 3 -100 53 -50 88 -31 -118 19 -83 54 -33 104 -14 -117 36 -67 .
; out: 10 -97 50 -57 91 -18 -125 22 -85 62 -45 103 -6 -113 34 -73 .
; out: 11 -97 51 -57 91 -17 -125 23 -85 63 -45 103 -5 -113 35 -73 .
; out: 122 -23 88 -57 54 -91 20 -125 .
; out: -48 79 -58 61 -76 43 -94 25 .
; out: 48 -97 14 -3 108 -37 74 -71 .
; out: -31494 -16663 -1832 15047 29878 -18779 -3948 12931 .
; out: -32667 -16829 -991 14847 30685 -19013 -3175 12663 .
; out: -7911603569559876036 -5288066634970076646 .
; out: 2402560965435457613 7207681578310802475 .
; out: 77 2623536934589799467 .
@lines = internal constant [6 x i8] c"%lld \00"
@end = internal constant [3 x i8] c".\0A\00"
@bytes = internal global [64 x i8] c"\0B\30\55\7A\9F\C4\E9\0E\33\58\7D\A2\C7\EC\11\36\5B\80\A5\CA\EF\14\39\5E\83\A8\CD\F2\17\3C\61\86\AB\D0\F5\1A\3F\64\89\AE\D3\F8\1D\42\67\8C\B1\D6\FB\20\45\6A\8F\B4\D9\FE\23\48\6D\92\B7\DC\01\26"
@shorts = internal global [16 x i16] [i16 -32667, i16 -24748, i16 -16829, i16 -8910, i16 -991, i16 6928, i16 14847, i16 22766, i16 30685, i16 -26932, i16 -19013, i16 -11094, i16 -3175, i16 4744, i16 12663, i16 20582]
@words = internal global [4 x i64] [i64 -9223372036854775731, i64 -7911603569559876036, i64 -6599835102264976341, i64 -5288066634970076646]
declare i32 @printf(ptr, ...)
declare { <8 x i16>, <8 x i16> } @llvm.aarch64.neon.ld2.v8i16.p0(ptr)
declare { <8 x i8>, <8 x i8>, <8 x i8> } @llvm.aarch64.neon.ld3.v8i8.p0(ptr)
declare { <16 x i8>, <16 x i8>, <16 x i8>, <16 x i8> } @llvm.aarch64.neon.ld4.v16i8.p0(ptr)
declare { <2 x i64>, <2 x i64> } @llvm.aarch64.neon.ld2.v2i64.p0(ptr)
declare <16 x i8> @llvm.aarch64.neon.vsri.v16i8(<16 x i8>, <16 x i8>, i32 immarg)
declare <8 x i8> @llvm.aarch64.neon.vsli.v8i8(<8 x i8>, <8 x i8>, i32 immarg)
declare <8 x i16> @llvm.aarch64.neon.vsri.v8i16(<8 x i16>, <8 x i16>, i32 immarg)
declare <2 x i64> @llvm.aarch64.neon.vsli.v2i64(<2 x i64>, <2 x i64>, i32 immarg)
define internal void @show(i64 %x) {
  %r = call i32 (ptr, ...) @printf(ptr @lines, i64 %x)
  ret void
}
define internal void @newline() {
  %r = call i32 (ptr, ...) @printf(ptr @end)
  ret void
}
define internal void @show8x16(<8 x i16> %v) {
  %e0 = extractelement <8 x i16> %v, i32 0
  %w0 = sext i16 %e0 to i64
  call void @show(i64 %w0)
  %e1 = extractelement <8 x i16> %v, i32 1
  %w1 = sext i16 %e1 to i64
  call void @show(i64 %w1)
  %e2 = extractelement <8 x i16> %v, i32 2
  %w2 = sext i16 %e2 to i64
  call void @show(i64 %w2)
  %e3 = extractelement <8 x i16> %v, i32 3
  %w3 = sext i16 %e3 to i64
  call void @show(i64 %w3)
  %e4 = extractelement <8 x i16> %v, i32 4
  %w4 = sext i16 %e4 to i64
  call void @show(i64 %w4)
  %e5 = extractelement <8 x i16> %v, i32 5
  %w5 = sext i16 %e5 to i64
  call void @show(i64 %w5)
  %e6 = extractelement <8 x i16> %v, i32 6
  %w6 = sext i16 %e6 to i64
  call void @show(i64 %w6)
  %e7 = extractelement <8 x i16> %v, i32 7
  %w7 = sext i16 %e7 to i64
  call void @show(i64 %w7)
  call void @newline()
  ret void
}
define internal void @show8x8(<8 x i8> %v) {
  %e0 = extractelement <8 x i8> %v, i32 0
  %w0 = sext i8 %e0 to i64
  call void @show(i64 %w0)
  %e1 = extractelement <8 x i8> %v, i32 1
  %w1 = sext i8 %e1 to i64
  call void @show(i64 %w1)
  %e2 = extractelement <8 x i8> %v, i32 2
  %w2 = sext i8 %e2 to i64
  call void @show(i64 %w2)
  %e3 = extractelement <8 x i8> %v, i32 3
  %w3 = sext i8 %e3 to i64
  call void @show(i64 %w3)
  %e4 = extractelement <8 x i8> %v, i32 4
  %w4 = sext i8 %e4 to i64
  call void @show(i64 %w4)
  %e5 = extractelement <8 x i8> %v, i32 5
  %w5 = sext i8 %e5 to i64
  call void @show(i64 %w5)
  %e6 = extractelement <8 x i8> %v, i32 6
  %w6 = sext i8 %e6 to i64
  call void @show(i64 %w6)
  %e7 = extractelement <8 x i8> %v, i32 7
  %w7 = sext i8 %e7 to i64
  call void @show(i64 %w7)
  call void @newline()
  ret void
}
define internal void @show16x8(<16 x i8> %v) {
  %e0 = extractelement <16 x i8> %v, i32 0
  %w0 = sext i8 %e0 to i64
  call void @show(i64 %w0)
  %e1 = extractelement <16 x i8> %v, i32 1
  %w1 = sext i8 %e1 to i64
  call void @show(i64 %w1)
  %e2 = extractelement <16 x i8> %v, i32 2
  %w2 = sext i8 %e2 to i64
  call void @show(i64 %w2)
  %e3 = extractelement <16 x i8> %v, i32 3
  %w3 = sext i8 %e3 to i64
  call void @show(i64 %w3)
  %e4 = extractelement <16 x i8> %v, i32 4
  %w4 = sext i8 %e4 to i64
  call void @show(i64 %w4)
  %e5 = extractelement <16 x i8> %v, i32 5
  %w5 = sext i8 %e5 to i64
  call void @show(i64 %w5)
  %e6 = extractelement <16 x i8> %v, i32 6
  %w6 = sext i8 %e6 to i64
  call void @show(i64 %w6)
  %e7 = extractelement <16 x i8> %v, i32 7
  %w7 = sext i8 %e7 to i64
  call void @show(i64 %w7)
  %e8 = extractelement <16 x i8> %v, i32 8
  %w8 = sext i8 %e8 to i64
  call void @show(i64 %w8)
  %e9 = extractelement <16 x i8> %v, i32 9
  %w9 = sext i8 %e9 to i64
  call void @show(i64 %w9)
  %e10 = extractelement <16 x i8> %v, i32 10
  %w10 = sext i8 %e10 to i64
  call void @show(i64 %w10)
  %e11 = extractelement <16 x i8> %v, i32 11
  %w11 = sext i8 %e11 to i64
  call void @show(i64 %w11)
  %e12 = extractelement <16 x i8> %v, i32 12
  %w12 = sext i8 %e12 to i64
  call void @show(i64 %w12)
  %e13 = extractelement <16 x i8> %v, i32 13
  %w13 = sext i8 %e13 to i64
  call void @show(i64 %w13)
  %e14 = extractelement <16 x i8> %v, i32 14
  %w14 = sext i8 %e14 to i64
  call void @show(i64 %w14)
  %e15 = extractelement <16 x i8> %v, i32 15
  %w15 = sext i8 %e15 to i64
  call void @show(i64 %w15)
  call void @newline()
  ret void
}
define internal void @show2x64(<2 x i64> %v) {
  %e0 = extractelement <2 x i64> %v, i32 0
  call void @show(i64 %e0)
  %e1 = extractelement <2 x i64> %v, i32 1
  call void @show(i64 %e1)
  call void @newline()
  ret void
}
define i32 @main() {
  %l1 = call { <8 x i16>, <8 x i16> } @llvm.aarch64.neon.ld2.v8i16.p0(ptr @shorts)
  %f1_0 = extractvalue { <8 x i16>, <8 x i16> } %l1, 0
  call void @show8x16(<8 x i16> %f1_0)
  %f1_1 = extractvalue { <8 x i16>, <8 x i16> } %l1, 1
  call void @show8x16(<8 x i16> %f1_1)
  %next = getelementptr i8, ptr @bytes, i64 1
  %l2 = call { <8 x i8>, <8 x i8>, <8 x i8> } @llvm.aarch64.neon.ld3.v8i8.p0(ptr %next)
  %f2_0 = extractvalue { <8 x i8>, <8 x i8>, <8 x i8> } %l2, 0
  call void @show8x8(<8 x i8> %f2_0)
  %f2_1 = extractvalue { <8 x i8>, <8 x i8>, <8 x i8> } %l2, 1
  call void @show8x8(<8 x i8> %f2_1)
  %f2_2 = extractvalue { <8 x i8>, <8 x i8>, <8 x i8> } %l2, 2
  call void @show8x8(<8 x i8> %f2_2)
  %l3 = call { <16 x i8>, <16 x i8>, <16 x i8>, <16 x i8> } @llvm.aarch64.neon.ld4.v16i8.p0(ptr @bytes)
  %f3_0 = extractvalue { <16 x i8>, <16 x i8>, <16 x i8>, <16 x i8> } %l3, 0
  call void @show16x8(<16 x i8> %f3_0)
  %f3_1 = extractvalue { <16 x i8>, <16 x i8>, <16 x i8>, <16 x i8> } %l3, 1
  call void @show16x8(<16 x i8> %f3_1)
  %f3_2 = extractvalue { <16 x i8>, <16 x i8>, <16 x i8>, <16 x i8> } %l3, 2
  call void @show16x8(<16 x i8> %f3_2)
  %f3_3 = extractvalue { <16 x i8>, <16 x i8>, <16 x i8>, <16 x i8> } %l3, 3
  call void @show16x8(<16 x i8> %f3_3)
  %l4 = call { <2 x i64>, <2 x i64> } @llvm.aarch64.neon.ld2.v2i64.p0(ptr @words)
  %f4_0 = extractvalue { <2 x i64>, <2 x i64> } %l4, 0
  call void @show2x64(<2 x i64> %f4_0)
  %f4_1 = extractvalue { <2 x i64>, <2 x i64> } %l4, 1
  call void @show2x64(<2 x i64> %f4_1)
  %s5 = call <16 x i8> @llvm.aarch64.neon.vsri.v16i8(<16 x i8> %f3_0, <16 x i8> %f3_1, i32 1)
  call void @show16x8(<16 x i8> %s5)
  %s6 = call <16 x i8> @llvm.aarch64.neon.vsri.v16i8(<16 x i8> %f3_0, <16 x i8> %f3_1, i32 4)
  call void @show16x8(<16 x i8> %s6)
  %s7 = call <16 x i8> @llvm.aarch64.neon.vsri.v16i8(<16 x i8> %f3_0, <16 x i8> %f3_1, i32 7)
  call void @show16x8(<16 x i8> %s7)
  %s8 = call <16 x i8> @llvm.aarch64.neon.vsri.v16i8(<16 x i8> %f3_0, <16 x i8> %f3_1, i32 8)
  call void @show16x8(<16 x i8> %s8)
  %s9 = call <8 x i8> @llvm.aarch64.neon.vsli.v8i8(<8 x i8> %f2_0, <8 x i8> %f2_2, i32 0)
  call void @show8x8(<8 x i8> %s9)
  %s10 = call <8 x i8> @llvm.aarch64.neon.vsli.v8i8(<8 x i8> %f2_0, <8 x i8> %f2_2, i32 3)
  call void @show8x8(<8 x i8> %s10)
  %s11 = call <8 x i8> @llvm.aarch64.neon.vsli.v8i8(<8 x i8> %f2_0, <8 x i8> %f2_2, i32 7)
  call void @show8x8(<8 x i8> %s11)
  %s12 = call <8 x i16> @llvm.aarch64.neon.vsri.v8i16(<8 x i16> %f1_0, <8 x i16> %f1_1, i32 5)
  call void @show8x16(<8 x i16> %s12)
  %s13 = call <8 x i16> @llvm.aarch64.neon.vsri.v8i16(<8 x i16> %f1_0, <8 x i16> %f1_1, i32 16)
  call void @show8x16(<8 x i16> %s13)
  %s14 = call <2 x i64> @llvm.aarch64.neon.vsli.v2i64(<2 x i64> %f4_0, <2 x i64> %f4_1, i32 0)
  call void @show2x64(<2 x i64> %s14)
  %s15 = call <2 x i64> @llvm.aarch64.neon.vsli.v2i64(<2 x i64> %f4_0, <2 x i64> %f4_1, i32 33)
  call void @show2x64(<2 x i64> %s15)
  %s16 = call <2 x i64> @llvm.aarch64.neon.vsli.v2i64(<2 x i64> %f4_0, <2 x i64> %f4_1, i32 63)
  call void @show2x64(<2 x i64> %s16)
  ret i32 0
}
