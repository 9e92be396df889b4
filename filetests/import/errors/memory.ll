; test import
; Variables and arguments of kinds that are only of other machines or languages, and accesses that no
; instruction makes.
; error: 13:15: in function @windows: this kind of alloca cannot be expressed in Medium IR
; error: 17:15: in function @swift: this kind of alloca cannot be expressed in Medium IR
; error: 22:33: in function @context: the attribute `swiftself` cannot be expressed in Medium IR
; error: 26:35: in function @prepared: the attribute `preallocated` cannot be expressed in Medium IR
; error: 30:8: in function @next: `va_arg` cannot be expressed in Medium IR: clang writes out what it does
; error: 34:3: in function @whole: an atomic operation on i128 cannot be expressed in Medium IR
; error: 38:3: in function @swapped: an atomic operation on i128 cannot be expressed in Medium IR
; error: 42:3: in function @bits: memory of lanes that are no whole bytes cannot be expressed in Medium IR
define void @windows() {
  %v = alloca inalloca i32
  ret void
}
define void @swift() {
  %v = alloca swifterror ptr
  ret void
}
declare void @take(ptr)
define void @context(ptr %p) {
  call void @take(ptr swiftself %p)
  ret void
}
define void @prepared(ptr %p) {
  call void @take(ptr preallocated(i32) %p)
  ret void
}
define i64 @next(ptr %list) {
  %v = va_arg ptr %list, i64
  ret i64 %v
}
define i128 @whole(ptr %p) {
  %v = load atomic i128, ptr %p seq_cst, align 16
  ret i128 %v
}
define i128 @swapped(ptr %p) {
  %v = atomicrmw xchg ptr %p, i128 1 seq_cst
  ret i128 %v
}
define void @bits(ptr %p) {
  call void @llvm.masked.compressstore.v4i1(<4 x i1> zeroinitializer, ptr %p, <4 x i1> zeroinitializer)
  ret void
}
