; test import
; Constructors and destructors: by priority, then in the order of the list; a null entry ends it.
; out: 101
; out: 200
; out: 201
; out: 65535
; out: 0
; out: 9
; out: 8
; out: 7
@line = internal constant [5 x i8] c"%ld\0A\00"
@llvm.global_ctors = appending global [5 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @last, ptr null }, { i32, ptr, ptr } { i32 200, ptr @middle, ptr @line }, { i32, ptr, ptr } { i32 101, ptr @early, ptr null }, { i32, ptr, ptr } { i32 200, ptr @again, ptr null }, { i32, ptr, ptr } { i32 65535, ptr null, ptr null }]
@llvm.global_dtors = appending global [3 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 101, ptr @end7, ptr null }, { i32, ptr, ptr } { i32 65535, ptr @end8, ptr null }, { i32, ptr, ptr } { i32 65535, ptr @end9, ptr null }]
@llvm.used = appending global [1 x ptr] [ptr @line], section "llvm.metadata"
declare i32 @printf(ptr, ...)

define internal void @print(i64 %x) {
  %ignored = call i32 (ptr, ...) @printf(ptr @line, i64 %x)
  ret void
}
define internal void @early() {
  call void @print(i64 101)
  ret void
}
define internal void @middle() {
  call void @print(i64 200)
  ret void
}
define internal void @again() {
  call void @print(i64 201)
  ret void
}
define internal void @last() {
  call void @print(i64 65535)
  ret void
}
define internal void @end7() {
  call void @print(i64 7)
  ret void
}
define internal void @end8() {
  call void @print(i64 8)
  ret void
}
define internal void @end9() {
  call void @print(i64 9)
  ret void
}
define i32 @main() {
  call void @print(i64 0)
  ret i32 0
}
