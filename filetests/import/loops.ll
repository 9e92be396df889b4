; test import
; PHIs whose values live on: each needs a register of its own where the last one is still read. Elements of arrays by variables that the loop changes, with the branches of loops in every order.
; out: 34 21
; out: 7 3 2
; out: 40 10
; out: 11 4
; out: 10 9 19
; out: 30 5
; out: 6 10
; out: 2 13
; out: 45 9 0
@two = internal constant [11 x i8] c"%lld %lld\0A\00"
@three = internal constant [16 x i8] c"%lld %lld %lld\0A\00"
@numbers = internal global [8 x i64] [i64 3, i64 1, i64 4, i64 1, i64 5, i64 9, i64 2, i64 6]
@bytes = internal global [4 x i8] c"\05\04\03\02"
declare i32 @printf(ptr, ...)

; Each value is that of the other, and of both: the sum is of the values before.
define internal void @fibonacci(i64 %n) {
entry:
  br label %loop
loop:
  %a = phi i64 [ 0, %entry ], [ %b, %loop ]
  %b = phi i64 [ 1, %entry ], [ %sum, %loop ]
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = add i64 %a, %b
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  call i32 (ptr, ...) @printf(ptr @two, i64 %b, i64 %a)
  ret void
}

; The value before the last one is read after the loop (the lost copy).
define internal void @lost(i64 %n) {
entry:
  br label %loop
loop:
  %x = phi i64 [ 1, %entry ], [ %y, %loop ]
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %twice = mul i64 %x, 2
  %y = add i64 %twice, 1
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %out, label %loop
out:
  call i32 (ptr, ...) @printf(ptr @three, i64 %y, i64 %x, i64 %next)
  ret void
}

; An element's address is used after its index has gone on.
define internal void @elements() {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %more, %loop ]
  %at = getelementptr [8 x i64], ptr @numbers, i64 0, i64 %i
  %next = add i64 %i, 1
  %value = load i64, ptr %at
  %grown = add i64 %value, %next
  store i64 %grown, ptr %at
  %again = load i64, ptr %at
  %more = add i64 %sum, %again
  %stay = icmp ult i64 %next, 5
  br i1 %stay, label %loop, label %out
out:
  %last = load i64, ptr %at
  %back = sub i64 %last, 0
  %total = add i64 %more, 11
  call i32 (ptr, ...) @printf(ptr @two, i64 %total, i64 %back)
  ret void
}

; A loop that ends in a branch out of it, on signed and on unsigned numbers.
define internal void @ends(i64 %n) {
entry:
  br label %first
first:
  %i = phi i64 [ -7, %entry ], [ %i1, %first ]
  %c = phi i64 [ 0, %entry ], [ %c1, %first ]
  %c1 = add i64 %c, 1
  %i1 = add i64 %i, 1
  %stop = icmp sge i64 %i1, %n
  br i1 %stop, label %middle, label %first
middle:
  br label %second
second:
  %j = phi i64 [ 1, %middle ], [ %j1, %second ]
  %d = phi i64 [ 0, %middle ], [ %d1, %second ]
  %d1 = add i64 %d, 1
  %j1 = mul i64 %j, 5
  %over = icmp ugt i64 %j1, 300
  br i1 %over, label %out, label %second
out:
  call i32 (ptr, ...) @printf(ptr @two, i64 %c1, i64 %d1)
  ret void
}

; One value goes into two PHIs, and the two part.
define internal void @parted(i64 %start) {
entry:
  %from = add i64 %start, 1
  br label %loop
loop:
  %a = phi i64 [ %from, %entry ], [ %a1, %loop ]
  %b = phi i64 [ %from, %entry ], [ %b1, %loop ]
  %a1 = add i64 %a, 1
  %b1 = sub i64 %b, %a
  %small = icmp slt i64 %b1, 0
  br i1 %small, label %out, label %loop
out:
  %s = add i64 %a1, %a
  call i32 (ptr, ...) @printf(ptr @three, i64 %a1, i64 %a, i64 %s)
  ret void
}

; A field of an element, bytes of a table, indices of 8 bits.
define internal void @fields() {
entry:
  %pairs = alloca [3 x { i32, i64 }]
  br label %fill
fill:
  %i = phi i64 [ 0, %entry ], [ %i1, %fill ]
  %second = getelementptr [3 x { i32, i64 }], ptr %pairs, i64 0, i64 %i, i32 1
  %ten = mul i64 %i, 10
  store i64 %ten, ptr %second
  %first = getelementptr [3 x { i32, i64 }], ptr %pairs, i64 0, i64 %i, i32 0
  store i32 5, ptr %first
  %i1 = add i64 %i, 1
  %on = icmp ne i64 %i1, 3
  br i1 %on, label %fill, label %sum
sum:
  %k = phi i8 [ 2, %fill ], [ %k1, %sum ]
  %t = phi i64 [ 0, %fill ], [ %t1, %sum ]
  %e = getelementptr [3 x { i32, i64 }], ptr %pairs, i64 0, i8 %k, i32 1
  %v = load i64, ptr %e
  %t1 = add i64 %t, %v
  %k1 = add i8 %k, -1
  %neg = icmp slt i8 %k1, 0
  br i1 %neg, label %out, label %sum
out:
  %b = getelementptr i8, ptr @bytes, i8 %k1
  %b0 = getelementptr i8, ptr %b, i64 1
  %byte = load i8, ptr %b0
  %wide = zext i8 %byte to i64
  call i32 (ptr, ...) @printf(ptr @two, i64 %t1, i64 %wide)
  ret void
}

; Both ways of a branch lead to one PHI, through a block of their own and without.
define internal void @joined(i64 %n) {
entry:
  %odd = trunc i64 %n to i1
  br i1 %odd, label %join, label %even
even:
  br label %join
join:
  %r = phi i64 [ 6, %entry ], [ 2, %even ]
  %m = phi i64 [ %n, %entry ], [ %n, %even ]
  %q = add i64 %m, 1
  call i32 (ptr, ...) @printf(ptr @two, i64 %r, i64 %q)
  ret void
}

; Two loops, one in the other, that hand a value on.
define internal void @nested() {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i1, %latch ]
  %s = phi i64 [ 0, %entry ], [ %s2, %latch ]
  br label %inner
inner:
  %j = phi i64 [ %i, %outer ], [ %j1, %inner ]
  %s1 = phi i64 [ %s, %outer ], [ %s2, %inner ]
  %s2 = add i64 %s1, %i
  %j1 = add i64 %j, -1
  %in = icmp sgt i64 %j1, 0
  br i1 %in, label %inner, label %latch
latch:
  %i1 = add i64 %i, 1
  %go = icmp sle i64 %i1, 4
  br i1 %go, label %outer, label %out
out:
  %nine = add i64 %i1, 4
  %more = add i64 %s2, 15
  call i32 (ptr, ...) @printf(ptr @three, i64 %more, i64 %nine, i64 %j1)
  ret void
}

define i32 @main() {
  call void @fibonacci(i64 9)
  call void @lost(i64 2)
  call void @elements()
  call void @ends(i64 4)
  call void @parted(i64 7)
  call void @fields()
  call void @joined(i64 9)
  call void @joined(i64 12)
  call void @nested()
  ret i32 0
}
