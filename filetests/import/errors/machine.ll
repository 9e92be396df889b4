; test import
; What no engine can do is told with its place: the environment of floating-point operations,
; assembly that jumps or has other constraints, half floats of other modules, operations that are
; constrained to more than what all do.
; error: 16:3: in function @environment: the intrinsic llvm.get.fpenv.i256 cannot be expressed in Medium IR
; error: 20:3: in function @reset: the intrinsic llvm.reset.fpenv cannot be expressed in Medium IR
; error: 24:3: in function @jumps: `callbr`: inline assembly `jmp ${0:l}` cannot be expressed in Medium IR
; error: 31:3: in function @label: inline assembly `` cannot be expressed in Medium IR
; error: 37:3: in function @constant: the call of @other, a function of another module that takes or returns vectors or half floats, cannot be expressed in Medium IR
; error: 42:13: in function @exact: `fpexcept.strict` of llvm.experimental.constrained.fadd.f64 cannot be expressed in Medium IR
; error: 46:13: in function @dynamic: `round.dynamic` of llvm.experimental.constrained.fadd.f64 cannot be expressed in Medium IR
declare i256 @llvm.get.fpenv.i256()
declare void @llvm.reset.fpenv()

define void @environment() {
  %environment = call i256 @llvm.get.fpenv.i256()
  ret void
}
define void @reset() {
  call void @llvm.reset.fpenv()
  ret void
}
define i32 @jumps() {
  callbr void asm sideeffect "jmp ${0:l}", "!i"() to label %on [label %off]
on:
  ret i32 0
off:
  ret i32 1
}
define void @label() {
  call void asm sideeffect "", "!i"()
  ret void
}
declare { half, i32 } @other(half)
declare double @llvm.experimental.constrained.fadd.f64(double, double, metadata, metadata)
define half @constant(i1 %x) {
  %h = call { half, i32 } @other(half 0xH4200)
  %a = extractvalue { half, i32 } %h, 0
  ret half %a
}
define double @exact(double %x) {
  %y = call double @llvm.experimental.constrained.fadd.f64(double %x, double 1.0, metadata !"round.tonearest", metadata !"fpexcept.strict")
  ret double %y
}
define double @dynamic(double %x) {
  %y = call double @llvm.experimental.constrained.fadd.f64(double %x, double 1.0, metadata !"round.dynamic", metadata !"fpexcept.ignore")
  ret double %y
}
