; test import
; An intrinsic that is declared with types or a number of arguments that it cannot have is told like one that is not known.
; error: 16:3: in function @lanes: the intrinsic llvm.aarch64.neon.vsli.v2i256 cannot be expressed in Medium IR
; error: 20:3: in function @others: the intrinsic llvm.aarch64.neon.vsri.v4i32 cannot be expressed in Medium IR
; error: 24:3: in function @members: the intrinsic llvm.aarch64.neon.ld2.v4i32.p0 cannot be expressed in Medium IR
; error: 28:3: in function @address: the intrinsic llvm.aarch64.neon.ld2.v4i32.i64 cannot be expressed in Medium IR
; error: 33:3: in function @packed: the intrinsic llvm.x86.sse2.packsswb.128 cannot be expressed in Medium IR
; error: 39:3: in function @few: the intrinsic llvm.maximum.f64 cannot be expressed in Medium IR
; error: 43:3: in function @fewer: the intrinsic llvm.fmuladd.f32 cannot be expressed in Medium IR
declare <2 x i256> @llvm.aarch64.neon.vsli.v2i256(<2 x i256>, <2 x i256>, i32)
declare <4 x i32> @llvm.aarch64.neon.vsri.v4i32(<4 x i32>, <2 x i64>, i32)
declare { <4 x i32>, <2 x i64> } @llvm.aarch64.neon.ld2.v4i32.p0(ptr)
declare { <4 x i32>, <4 x i32> } @llvm.aarch64.neon.ld2.v4i32.i64(i64)
declare <16 x i256> @llvm.x86.sse2.packsswb.128(<8 x i512>, <8 x i512>)
define <2 x i256> @lanes(<2 x i256> %a) {
  %r = call <2 x i256> @llvm.aarch64.neon.vsli.v2i256(<2 x i256> %a, <2 x i256> %a, i32 3)
  ret <2 x i256> %r
}
define <4 x i32> @others(<4 x i32> %a, <2 x i64> %b) {
  %r = call <4 x i32> @llvm.aarch64.neon.vsri.v4i32(<4 x i32> %a, <2 x i64> %b, i32 3)
  ret <4 x i32> %r
}
define void @members(ptr %p) {
  %r = call { <4 x i32>, <2 x i64> } @llvm.aarch64.neon.ld2.v4i32.p0(ptr %p)
  ret void
}
define void @address(i64 %p) {
  %r = call { <4 x i32>, <4 x i32> } @llvm.aarch64.neon.ld2.v4i32.i64(i64 %p)
  ret void
}
define void @packed(ptr %p) {
  %a = load <8 x i512>, ptr %p
  %r = call <16 x i256> @llvm.x86.sse2.packsswb.128(<8 x i512> %a, <8 x i512> %a)
  ret void
}
declare double @llvm.maximum.f64(double)
declare float @llvm.fmuladd.f32(float, float)
define double @few(double %a) {
  %r = call double @llvm.maximum.f64(double %a)
  ret double %r
}
define float @fewer(float %a) {
  %r = call float @llvm.fmuladd.f32(float %a, float %a)
  ret float %r
}
