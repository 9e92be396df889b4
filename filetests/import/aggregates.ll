; test import
; Aggregates as variable arguments, of which each scalar is one; frozen aggregates; atomic operations on pointers, a weak exchange.
; out: 1 2.5 7 hi 9
; out: 5
; out: 1 1
@line = private constant [17 x i8] c"%ld %g %d %s %d\0A\00"
@number = private constant [4 x i8] c"%d\0A\00"
@pair = private constant [7 x i8] c"%d %d\0A\00"
@text = private constant [3 x i8] c"hi\00"
declare i32 @printf(ptr, ...)

define i32 @main() {
  %r = call i32 (ptr, ...) @printf(ptr @line, { i64, double } { i64 1, double 2.5 }, { i32, ptr } { i32 7, ptr @text }, [1 x i32] [i32 9])
  %a = insertvalue { i32, [2 x i64] } poison, i32 5, 0
  %b = freeze { i32, [2 x i64] } %a
  %c = extractvalue { i32, [2 x i64] } %b, 0
  %d = call i32 (ptr, ...) @printf(ptr @number, i32 %c)
  %p = alloca ptr
  store ptr null, ptr %p
  %e = cmpxchg weak ptr %p, ptr null, ptr %p acq_rel monotonic
  %f = extractvalue { ptr, i1 } %e, 1
  %g = load atomic ptr, ptr %p acquire, align 8
  %h = atomicrmw xchg ptr %p, ptr null seq_cst
  %i = icmp eq ptr %g, %h
  %j = zext i1 %f to i32
  %k = zext i1 %i to i32
  %l = call i32 (ptr, ...) @printf(ptr @pair, i32 %j, i32 %k)
  ret i32 0
}
