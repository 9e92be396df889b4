; test import
; Constructs that compilers of C and Rust make rarely or never.
; error: 24:3: in function @jump: `callbr`: inline assembly `` cannot be expressed in Medium IR
; error: 31:8: in function @argument: `va_arg` cannot be expressed in Medium IR: clang writes out what it does
; error: 35:3: in function @converge: the intrinsic llvm.experimental.convergence.entry cannot be expressed in Medium IR
; error: 39:3: in function @collected: the intrinsic llvm.experimental.gc.statepoint.p0 cannot be expressed in Medium IR
; error: 43:3: in function @guarded: the intrinsic llvm.experimental.guard cannot be expressed in Medium IR
; error: 47:3: in function @mapped: the intrinsic llvm.experimental.stackmap cannot be expressed in Medium IR
; error: 51:3: in function @loaded: an atomic operation on i128 cannot be expressed in Medium IR
; error: 55:3: in function @stored: an atomic operation on i128 cannot be expressed in Medium IR
; error: 59:3: in function @added: an atomic operation on i128 cannot be expressed in Medium IR
; error: 63:3: in function @exchanged: an atomic operation on i128 cannot be expressed in Medium IR
; error: 67:3: in function @odd: an atomic operation on i24 cannot be expressed in Medium IR
; error: 71:3: in function @lanes: an atomic operation on a vector cannot be expressed in Medium IR
; error: 79:9: in function @caught: `catchswitch`: exceptions of Windows cannot be expressed in Medium IR
declare token @llvm.experimental.convergence.entry()
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
declare void @llvm.experimental.guard(i1, ...)
declare void @llvm.experimental.stackmap(i64, i32, ...)
declare i32 @personality(...)
declare void @g()

define i32 @jump() {
  callbr void asm sideeffect "", "!i"() to label %a [label %b]
a:
  ret i32 0
b:
  ret i32 1
}
define { i32, i32 } @argument(ptr %list) {
  %x = va_arg ptr %list, { i32, i32 }
  ret { i32, i32 } %x
}
define void @converge() convergent {
  %t = call token @llvm.experimental.convergence.entry()
  ret void
}
define void @collected() gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0)
  ret void
}
define void @guarded(i1 %c) {
  call void (i1, ...) @llvm.experimental.guard(i1 %c) ["deopt"()]
  ret void
}
define void @mapped() {
  call void (i64, i32, ...) @llvm.experimental.stackmap(i64 0, i32 0)
  ret void
}
define void @loaded(ptr %p) {
  %a = load atomic i128, ptr %p seq_cst, align 16
  ret void
}
define void @stored(ptr %p) {
  store atomic i128 1, ptr %p seq_cst, align 16
  ret void
}
define void @added(ptr %p) {
  %a = atomicrmw add ptr %p, i128 1 seq_cst
  ret void
}
define void @exchanged(ptr %p) {
  %a = cmpxchg ptr %p, i128 1, i128 2 seq_cst seq_cst
  ret void
}
define void @odd(ptr %p) {
  %a = atomicrmw add ptr %p, i24 1 seq_cst
  ret void
}
define void @lanes(ptr %p) {
  %a = atomicrmw fadd ptr %p, <2 x float> <float 1.0, float 2.0> seq_cst
  ret void
}
define void @caught() personality ptr @personality {
  invoke void @g() to label %a unwind label %b
a:
  ret void
b:
  %cs = catchswitch within none [label %h] unwind to caller
h:
  %cp = catchpad within %cs [ptr null, i32 64, ptr null]
  catchret from %cp to label %a
}
