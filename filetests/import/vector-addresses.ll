; test import
; Addresses of functions that take and return vectors: in data, through memory, by PHIs, selections and
; aliases, compared, and called.
; out: 8 4 8 -8
; out: 7 -6 -92 -1008
; out: 56 -24 -736 8064
; out: 2 8 6 -8
; out: 3 18 106 992
; out: 5 26 112 984
; out: 15 -12 7 0
; out: 14 -22 -93 -1000
; out: 29 -34 -86 -1000
; out: 42 1 8 0
@line = private constant [13 x i8] c"%d %d %d %d\0A\00"
@table = global [3 x { i32, ptr }] [{ i32, ptr } { i32 7, ptr @add }, { i32, ptr } { i32 8, ptr @also_sub }, { i32, ptr } { i32 9, ptr getelementptr (i8, ptr @mul, i64 0) }]
@place = global ptr null
@also_sub = internal alias <4 x i32> (<4 x i32>, <4 x i32>), ptr @sub
declare i32 @printf(ptr, ...)

define <4 x i32> @add(<4 x i32> %a, <4 x i32> %b) {
  %c = add <4 x i32> %a, %b
  ret <4 x i32> %c
}

define internal <4 x i32> @sub(<4 x i32> %a, <4 x i32> %b) {
  %c = sub <4 x i32> %a, %b
  ret <4 x i32> %c
}

define internal <4 x i32> @mul(<4 x i32> %a, <4 x i32> %b) {
  %c = mul <4 x i32> %a, %b
  ret <4 x i32> %c
}

; Of another type.
define internal i64 @sum(<2 x i64> %a, ptr %f) {
  %x = extractelement <2 x i64> %a, i32 0
  %y = extractelement <2 x i64> %a, i32 1
  %z = add i64 %x, %y
  ret i64 %z
}

define internal void @print(<4 x i32> %v) {
  %a = extractelement <4 x i32> %v, i32 0
  %b = extractelement <4 x i32> %v, i32 1
  %c = extractelement <4 x i32> %v, i32 2
  %d = extractelement <4 x i32> %v, i32 3
  %ignored = call i32 (ptr, ...) @printf(ptr @line, i32 %a, i32 %b, i32 %c, i32 %d)
  ret void
}

define internal <4 x i32> @through(ptr %f, <4 x i32> %x) noinline {
  %y = call <4 x i32> %f(<4 x i32> %x, <4 x i32> <i32 1, i32 10, i32 100, i32 1000>)
  ret <4 x i32> %y
}

define i32 @main() {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %last = phi ptr [ @sub, %entry ], [ %function, %loop ]
  %address = getelementptr [3 x { i32, ptr }], ptr @table, i64 0, i64 %i, i32 1
  %function = load volatile ptr, ptr %address
  %now = call <4 x i32> %function(<4 x i32> <i32 5, i32 6, i32 7, i32 -8>, <4 x i32> <i32 3, i32 -2, i32 1, i32 0>)
  call void @print(<4 x i32> %now)
  %then = call <4 x i32> @through(ptr %last, <4 x i32> %now)
  call void @print(<4 x i32> %then)
  %is_add = icmp eq ptr %function, @add
  %chosen = select i1 %is_add, ptr @mul, ptr @add
  %other = call <4 x i32> %chosen(<4 x i32> %now, <4 x i32> %then)
  call void @print(<4 x i32> %other)
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, 3
  br i1 %again, label %loop, label %done
done:
  store volatile ptr @sum, ptr @place
  %sum = load volatile ptr, ptr @place
  %s = call i64 %sum(<2 x i64> <i64 40, i64 2>, ptr @add)
  %t = trunc i64 %s to i32
  %same = icmp eq ptr @also_sub, @sub
  %u = zext i1 %same to i32
  %direct = call <4 x i32> @also_sub(<4 x i32> splat (i32 9), <4 x i32> splat (i32 1))
  %d = extractelement <4 x i32> %direct, i32 2
  %ignored = call i32 (ptr, ...) @printf(ptr @line, i32 %t, i32 %u, i32 %d, i32 0)
  ret i32 0
}
