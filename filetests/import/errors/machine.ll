; test import
; What no engine can do is told with its place: the environment of floating-point operations,
; assembly that jumps or has other constraints, half floats, data before functions.
; error: 13:3: in function @environment: the intrinsic llvm.get.fpenv.i256 cannot be expressed in Medium IR
; error: 17:3: in function @reset: the intrinsic llvm.reset.fpenv cannot be expressed in Medium IR
; error: 21:3: in function @jumps: `callbr`: inline assembly `jmp ${0:l}` cannot be expressed in Medium IR
; error: 28:3: in function @label: inline assembly `` cannot be expressed in Medium IR
; error: 33:19: in function @constant: the type half cannot be expressed in Medium IR: `0xH4200`
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
define double @constant(i1 %x) {
entry:
  %a = fpext half 0xH4200 to double
  ret double %a
}
