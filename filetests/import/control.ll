; test import
; PHIs that exchange values, edges with more than one way, switches of every kind, indirect jumps, selections.
; out: 1 2 3 
; out: 4 5 6 
; out: 2 3 1 
; out: 5 4 5 
; out: 3 1 2 
; out: 4 5 4 
; out: 2 3 1 
; out: 5 4 5 
; out: 7
; out: 10
; out: 20
; out: 0
; out: 0
; out: 1
; out: 2
; out: 1
; out: 3
; out: 3
; out: 2
; out: 0
; out: 0
; out: 100
; out: 7
; out: 1
; out: 3
; out: 3
; out: 0
; out: 3
; out: 13
; out: 6
; out: 10
@line = internal constant [5 x i8] c"%ld\0A\00"
@three = internal constant [17 x i8] c"%lld %lld %lld \0A\00"
declare i32 @printf(ptr, ...)

; Three values go round, two change places: all at once.
define internal void @rotate(i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = phi i64 [ 1, %entry ], [ %b, %loop ]
  %b = phi i64 [ 2, %entry ], [ %c, %loop ]
  %c = phi i64 [ 3, %entry ], [ %a, %loop ]
  %d = phi i64 [ 4, %entry ], [ %e, %loop ]
  %e = phi i64 [ 5, %entry ], [ %d, %loop ]
  %f = phi i64 [ 6, %entry ], [ %e, %loop ]
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  %ignored = call i32 (ptr, ...) @printf(ptr @three, i64 %a, i64 %b, i64 %c)
  %ignored2 = call i32 (ptr, ...) @printf(ptr @three, i64 %d, i64 %e, i64 %f)
  ret void
}

; The value before the last turn is used behind the loop.
define internal i64 @before_last(i64 %n) {
entry:
  br label %loop
loop:
  %old = phi i64 [ -1, %entry ], [ %i, %loop ]
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret i64 %old
}

; Both ways lead to the same block, with different values.
define internal i64 @one_block(i1 %c) {
entry:
  br i1 %c, label %same, label %other
other:
  br label %same
same:
  %r = phi i64 [ 10, %entry ], [ 20, %other ]
  ret i64 %r
}

define internal i64 @dense(i8 %x) {
  switch i8 %x, label %none [
    i8 -2, label %a
    i8 -1, label %b
    i8 0, label %a
    i8 1, label %c
    i8 2, label %c
    i8 3, label %b
  ]
a:
  br label %none
b:
  br label %none
c:
  br label %none
none:
  %r = phi i64 [ 0, %0 ], [ 1, %a ], [ 2, %b ], [ 3, %c ]
  ret i64 %r
}

; A value of a PHI for each case that leads there directly.
define internal i64 @direct(i32 %x) {
entry:
  switch i32 %x, label %out [
    i32 5, label %out
    i32 6, label %out
    i32 7, label %seven
  ]
seven:
  br label %out
out:
  %r = phi i64 [ 100, %entry ], [ 100, %entry ], [ 100, %entry ], [ 7, %seven ]
  ret i64 %r
}

define internal i64 @sparse(i64 %x) {
  switch i64 %x, label %none [
    i64 -9223372036854775808, label %a
    i64 -1000000, label %b
    i64 -1, label %c
    i64 0, label %a
    i64 10, label %b
    i64 1000, label %c
    i64 100000, label %a
    i64 10000000, label %b
    i64 1000000000, label %c
    i64 100000000000, label %a
    i64 10000000000000, label %b
    i64 9223372036854775807, label %c
  ]
a:
  ret i64 1
b:
  ret i64 2
c:
  ret i64 3
none:
  ret i64 0
}

@targets = internal constant [3 x ptr] [ptr blockaddress(@threaded, %up), ptr blockaddress(@threaded, %twice), ptr blockaddress(@threaded, %stop)]
@code = internal constant [7 x i8] c"\00\01\00\00\01\00\02"

; Indirect jumps to blocks with PHIs.
define internal i64 @threaded() {
entry:
  br label %up
up:
  %pc1 = phi i64 [ 0, %entry ], [ %n1, %up ], [ %n2, %twice ]
  %v1 = phi i64 [ 1, %entry ], [ %r1, %up ], [ %r2, %twice ]
  %r1 = add i64 %v1, 1
  %n1 = add i64 %pc1, 1
  %p1 = getelementptr [7 x i8], ptr @code, i64 0, i64 %n1
  %o1 = load i8, ptr %p1
  %z1 = zext i8 %o1 to i64
  %t1 = getelementptr [3 x ptr], ptr @targets, i64 0, i64 %z1
  %j1 = load ptr, ptr %t1
  indirectbr ptr %j1, [label %up, label %twice, label %stop]
twice:
  %pc2 = phi i64 [ %n1, %up ], [ %n2, %twice ]
  %v2 = phi i64 [ %r1, %up ], [ %r2, %twice ]
  %r2 = mul i64 %v2, 2
  %n2 = add i64 %pc2, 1
  %p2 = getelementptr [7 x i8], ptr @code, i64 0, i64 %n2
  %o2 = load i8, ptr %p2
  %z2 = zext i8 %o2 to i64
  %t2 = getelementptr [3 x ptr], ptr @targets, i64 0, i64 %z2
  %j2 = load ptr, ptr %t2
  indirectbr ptr %j2, [label %up, label %twice, label %stop]
stop:
  %r = phi i64 [ %r1, %up ], [ %r2, %twice ]
  ret i64 %r
}

define internal i64 @selected(i64 %a, i64 %b) {
  %less = icmp slt i64 %a, %b
  %low = select i1 %less, i64 %a, i64 %b
  %same = icmp eq i64 %a, %b
  %x = select i1 %same, { i64, i64 } { i64 5, i64 6 }, { i64, i64 } { i64 7, i64 8 }
  %p = extractvalue { i64, i64 } %x, 1
  %twice = select i1 %less, i64 %low, i64 %p
  %r = add i64 %twice, %low
  ret i64 %r
}

define internal void @print(i64 %x) {
  %ignored = call i32 (ptr, ...) @printf(ptr @line, i64 %x)
  ret void
}

define i32 @main() {
  call void @rotate(i64 1)
  call void @rotate(i64 2)
  call void @rotate(i64 3)
  call void @rotate(i64 8)
  %1 = call i64 @before_last(i64 9)
  call void @print(i64 %1)
  %2 = call i64 @one_block(i1 true)
  call void @print(i64 %2)
  %3 = call i64 @one_block(i1 false)
  call void @print(i64 %3)
  br label %dense
dense:
  %x = phi i8 [ -4, %0 ], [ %x1, %dense ]
  %4 = call i64 @dense(i8 %x)
  call void @print(i64 %4)
  %x1 = add i8 %x, 1
  %more = icmp ne i8 %x1, 6
  br i1 %more, label %dense, label %rest
rest:
  %5 = call i64 @direct(i32 5)
  call void @print(i64 %5)
  %6 = call i64 @direct(i32 7)
  call void @print(i64 %6)
  %7 = call i64 @sparse(i64 -9223372036854775808)
  call void @print(i64 %7)
  %8 = call i64 @sparse(i64 -1)
  call void @print(i64 %8)
  %9 = call i64 @sparse(i64 1000)
  call void @print(i64 %9)
  %10 = call i64 @sparse(i64 1001)
  call void @print(i64 %10)
  %11 = call i64 @sparse(i64 9223372036854775807)
  call void @print(i64 %11)
  %12 = call i64 @threaded()
  call void @print(i64 %12)
  %13 = call i64 @selected(i64 3, i64 4)
  call void @print(i64 %13)
  %14 = call i64 @selected(i64 4, i64 4)
  call void @print(i64 %14)
  ret i32 0
}
