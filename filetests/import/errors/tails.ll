; test import
; `musttail` calls that cannot give up the frame of their function are refused.
; error: 12:52: in function @forwarded: a `musttail` call that forwards variable arguments cannot be expressed in Medium IR
; error: 16:3: in function @many: a `musttail` call with arguments that are not all in registers which a call may change cannot be expressed in Medium IR
; error: 20:3: in function @in_memory: a `musttail` call whose result is not in the registers of the function's own cannot be expressed in Medium IR
declare void @takes_any(ptr, ...)
declare i64 @takes_many(i64, i64, i64, i64, i64, i64, i64, i64, i64, i64)
declare tailcc [9 x i64] @gives_words()

define void @forwarded(ptr %p, ...) {

  musttail call void (ptr, ...) @takes_any(ptr %p, ...)
  ret void
}
define i64 @many(i64 %n) {
  %r = musttail call i64 @takes_many(i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 %n)
  ret i64 %r
}
define tailcc [9 x i64] @in_memory() {
  %r = tail call tailcc [9 x i64] @gives_words()
  ret [9 x i64] %r
}
