; test import
; What cannot be expressed is told with its place, each function for itself.
; error: 19:3: in function @vector: the call of @other, a function of another module that takes or returns vectors or half floats, cannot be expressed in Medium IR
; error: 23:3: in function @assembly: inline assembly `movl $$0, %eax\n\thlt` cannot be expressed in Medium IR
; error: 27:10: in function @exception: `cleanuppad`: exceptions of Windows cannot be expressed in Medium IR
; error: 36:3: in function @half: `atomicrmw fadd` cannot be expressed in Medium IR
; error: 41:3: in function @huge: integers of more than 512 bits (i640) cannot be expressed in Medium IR
; error: 47:3: in function @unknown: the intrinsic llvm.fptrunc.round.f32.f64 cannot be expressed in Medium IR
declare void @may_throw()
declare i32 @personality(...)
declare <4 x i32> @other(<4 x i32>)
declare float @llvm.fptrunc.round.f32.f64(double, metadata)

define i32 @fine(i32 %x) {
  ret i32 %x
}

define <4 x i32> @vector(<4 x i32> %x) {
  %y = call <4 x i32> @other(<4 x i32> %x)
  ret <4 x i32> %y
}
define void @assembly() {
  call void asm sideeffect "movl $$0, %eax\0A\09hlt", "~{eax}"()
  ret void
}
define void @exception() personality ptr @personality {
  %pad = cleanuppad within none []
  call void @may_throw() [ "funclet"(token %pad) ]
  br label %lost

lost:
  ret void
}

define half @half(ptr %p) {
  %h = atomicrmw fadd ptr %p, half 1.0 seq_cst

  ret half %h
}
define i64 @huge(i64 %x) {
  %w = zext i64 %x to i640
  %s = shl i640 %w, 100
  %t = trunc i640 %s to i64
  ret i64 %t
}
define float @unknown(double %x) {
  %f = call float @llvm.fptrunc.round.f32.f64(double %x, metadata !"round.downward")
  ret float %f
}
