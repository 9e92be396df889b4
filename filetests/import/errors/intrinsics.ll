; test import
; Intrinsics that nothing here does are refused by their names: those of coroutines, collectors, machines,
; sanitizers, of Objective-C, on matrices, and on registers by name.
; error: 39:3: in function @f0: the intrinsic llvm.memcpy.element.unordered.atomic.p0.p0.i32 cannot be expressed in Medium IR
; error: 43:3: in function @f1: the intrinsic llvm.addressofreturnaddress.p0 cannot be expressed in Medium IR
; error: 47:3: in function @f2: the intrinsic llvm.sponentry.p0 cannot be expressed in Medium IR
; error: 51:3: in function @f3: the intrinsic llvm.thread.pointer.p0 cannot be expressed in Medium IR
; error: 55:3: in function @f4: the intrinsic llvm.readsteadycounter cannot be expressed in Medium IR
; error: 59:3: in function @f5: the intrinsic llvm.clmul.i32 cannot be expressed in Medium IR
; error: 63:3: in function @f6: the intrinsic llvm.coro.size.i32 cannot be expressed in Medium IR
; error: 67:3: in function @f7: the intrinsic llvm.vp.add.v2i32 cannot be expressed in Medium IR
; error: 71:3: in function @f8: the intrinsic llvm.matrix.transpose.v4f64 cannot be expressed in Medium IR
; error: 75:3: in function @f9: the intrinsic llvm.experimental.memset.pattern.p0.i32.i64 cannot be expressed in Medium IR
; error: 79:3: in function @f10: the intrinsic llvm.experimental.cttz.elts.i64.v4i1 cannot be expressed in Medium IR
; error: 83:3: in function @f11: the intrinsic llvm.objc.retain cannot be expressed in Medium IR
; error: 87:3: in function @f12: the intrinsic llvm.eh.return.i64 cannot be expressed in Medium IR
; error: 91:3: in function @f13: the intrinsic llvm.eh.sjlj.setjmp cannot be expressed in Medium IR
; error: 95:3: in function @f14: the intrinsic llvm.localescape cannot be expressed in Medium IR
; error: 99:3: in function @f15: the intrinsic llvm.read_register.i64 cannot be expressed in Medium IR
; error: 103:3: in function @f16: the intrinsic llvm.preserve.array.access.index.p0.p0 cannot be expressed in Medium IR
; error: 107:3: in function @f17: the intrinsic llvm.smul.fix.i64 cannot be expressed in Medium IR
; error: 111:3: in function @f18: the intrinsic llvm.gcroot.p0 cannot be expressed in Medium IR
; error: 115:3: in function @f19: the intrinsic llvm.init.trampoline cannot be expressed in Medium IR
; error: 119:3: in function @f20: the intrinsic llvm.get.dynamic.area.offset.i64 cannot be expressed in Medium IR
; error: 123:3: in function @f21: the intrinsic llvm.reset.fpmode cannot be expressed in Medium IR
; error: 127:3: in function @f22: the intrinsic llvm.get.fpmode.i32 cannot be expressed in Medium IR
; error: 131:3: in function @f23: the intrinsic llvm.set.fpenv.i256 cannot be expressed in Medium IR
; error: 135:3: in function @f24: the intrinsic llvm.set.fpmode.i32 cannot be expressed in Medium IR
; error: 139:3: in function @f25: the intrinsic llvm.sshl.sat.i128 cannot be expressed in Medium IR
; error: 143:3: in function @f26: the intrinsic llvm.hwasan.check.memaccess cannot be expressed in Medium IR
; error: 147:3: in function @f27: the intrinsic llvm.type.test cannot be expressed in Medium IR
; error: 151:3: in function @f28: the intrinsic llvm.type.checked.load cannot be expressed in Medium IR
; error: 155:3: in function @f29: the intrinsic llvm.ptrauth.sign cannot be expressed in Medium IR
; error: 159:3: in function @f30: the intrinsic llvm.x86.sse42.crc32.32.8 cannot be expressed in Medium IR
; error: 163:3: in function @f31: the intrinsic llvm.experimental.convergence.entry cannot be expressed in Medium IR
; error: 167:3: in function @f32: the intrinsic llvm.xray.customevent cannot be expressed in Medium IR
; error: 171:3: in function @f33: the intrinsic llvm.write_register.i64 cannot be expressed in Medium IR
define void @f0(ptr %p) {
  call void @llvm.memcpy.element.unordered.atomic.p0.p0.i32(ptr align 4 %p, ptr align 4 %p, i32 16, i32 4)
  ret void
}
define void @f1(ptr %p) {
  %r = call ptr @llvm.addressofreturnaddress.p0()
  ret void
}
define void @f2(ptr %p) {
  %r = call ptr @llvm.sponentry.p0()
  ret void
}
define void @f3(ptr %p) {
  %r = call ptr @llvm.thread.pointer.p0()
  ret void
}
define void @f4(ptr %p) {
  %r = call i64 @llvm.readsteadycounter()
  ret void
}
define void @f5(ptr %p) {
  %r = call i32 @llvm.clmul.i32(i32 1, i32 2)
  ret void
}
define void @f6(ptr %p) {
  %r = call i32 @llvm.coro.size.i32()
  ret void
}
define void @f7(ptr %p) {
  %r = call <2 x i32> @llvm.vp.add.v2i32(<2 x i32> zeroinitializer, <2 x i32> zeroinitializer, <2 x i1> zeroinitializer, i32 2)
  ret void
}
define void @f8(ptr %p) {
  %r = call <4 x double> @llvm.matrix.transpose.v4f64(<4 x double> zeroinitializer, i32 2, i32 2)
  ret void
}
define void @f9(ptr %p) {
  call void @llvm.experimental.memset.pattern.p0.i32.i64(ptr %p, i32 1, i64 4, i1 false)
  ret void
}
define void @f10(ptr %p) {
  %r = call i64 @llvm.experimental.cttz.elts.i64.v4i1(<4 x i1> zeroinitializer, i1 false)
  ret void
}
define void @f11(ptr %p) {
  %r = call ptr @llvm.objc.retain(ptr %p)
  ret void
}
define void @f12(ptr %p) {
  call void @llvm.eh.return.i64(i64 0, ptr %p)
  ret void
}
define void @f13(ptr %p) {
  %r = call i32 @llvm.eh.sjlj.setjmp(ptr %p)
  ret void
}
define void @f14(ptr %p) {
  call void @llvm.localescape()
  ret void
}
define void @f15(ptr %p) {
  %r = call i64 @llvm.read_register.i64(metadata !0)
  ret void
}
define void @f16(ptr %p) {
  %r = call ptr @llvm.preserve.array.access.index.p0.p0(ptr %p, i32 0, i32 0)
  ret void
}
define void @f17(ptr %p) {
  %r = call i64 @llvm.smul.fix.i64(i64 1, i64 2, i32 3)
  ret void
}
define void @f18(ptr %p) {
  %r = call ptr @llvm.gcroot.p0(ptr %p)
  ret void
}
define void @f19(ptr %p) {
  call void @llvm.init.trampoline(ptr %p, ptr %p, ptr %p)
  ret void
}
define void @f20(ptr %p) {
  %r = call i64 @llvm.get.dynamic.area.offset.i64()
  ret void
}
define void @f21(ptr %p) {
  call void @llvm.reset.fpmode()
  ret void
}
define void @f22(ptr %p) {
  %r = call i32 @llvm.get.fpmode.i32()
  ret void
}
define void @f23(ptr %p) {
  call void @llvm.set.fpenv.i256(i256 0)
  ret void
}
define void @f24(ptr %p) {
  call void @llvm.set.fpmode.i32(i32 0)
  ret void
}
define void @f25(ptr %p) {
  %r = call i128 @llvm.sshl.sat.i128(i128 1, i128 2)
  ret void
}
define void @f26(ptr %p) {
  call void @llvm.hwasan.check.memaccess(ptr %p, ptr %p, i32 0)
  ret void
}
define void @f27(ptr %p) {
  %r = call i1 @llvm.type.test(ptr %p, metadata !0)
  ret void
}
define void @f28(ptr %p) {
  %r = call { ptr, i1 } @llvm.type.checked.load(ptr %p, i32 0, metadata !0)
  ret void
}
define void @f29(ptr %p) {
  %r = call i64 @llvm.ptrauth.sign(i64 0, i32 0, i64 0)
  ret void
}
define void @f30(ptr %p) {
  %r = call i32 @llvm.x86.sse42.crc32.32.8(i32 0, i8 0)
  ret void
}
define void @f31(ptr %p) {
  %r = call token @llvm.experimental.convergence.entry()
  ret void
}
define void @f32(ptr %p) {
  call void @llvm.xray.customevent(ptr %p, i64 0)
  ret void
}
define void @f33(ptr %p) {
  call void @llvm.write_register.i64(metadata !0, i64 0)
  ret void
}
!0 = !{!"x"}
