; test import
; error: 3:1: an entry of llvm.global_ctors is a priority of at most 65535, a function, and a global
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65536, ptr @f, ptr null }]
define internal void @f() {
  ret void
}
