; test import
; Switches: ranges, bits, jump tables, and the binary search between them. Values are those that the cases say; sums are Python's.
; out: -5981442962189460448
; out: 3610000314165309824
; out: 3735323625707791871
; out: 87227269791330151
; out: 4401124792341635772
; out: -2002595485533671961
; out: -8010551767618876353
; out: 89730492
; out: 1
; out: 2
; out: 6
; out: 7
; out: 0
; out: 0
@line = internal constant [5 x i8] c"%ld\0A\00"
declare i32 @printf(ptr, ...)

; Digits are a range.
define internal i64 @digits(i32 %x) {
entry:
  switch i32 %x, label %r0 [
    i32 48, label %r1
    i32 49, label %r1
    i32 50, label %r1
    i32 51, label %r1
    i32 52, label %r1
    i32 53, label %r1
    i32 54, label %r1
    i32 55, label %r1
    i32 56, label %r1
    i32 57, label %r1
    i32 97, label %r2
    i32 98, label %r2
    i32 99, label %r2
    i32 100, label %r2
    i32 101, label %r2
    i32 102, label %r2
  ]
r0:
  ret i64 0
r1:
  ret i64 1
r2:
  ret i64 2
}

; Space, tab and the ends of lines are bits of one mask.
define internal i64 @spaces(i8 %x) {
entry:
  switch i8 %x, label %r0 [
    i8 9, label %r1
    i8 10, label %r1
    i8 13, label %r1
    i8 32, label %r1
  ]
r0:
  ret i64 0
r1:
  ret i64 1
}

; Two and three targets within 64 values: a mask for each, from 0 on and not.
define internal i64 @two(i32 %x) {
entry:
  switch i32 %x, label %r0 [
    i32 0, label %r1
    i32 2, label %r1
    i32 4, label %r1
    i32 6, label %r1
    i32 8, label %r1
    i32 1, label %r2
    i32 5, label %r2
    i32 63, label %r2
  ]
r0:
  ret i64 0
r1:
  ret i64 1
r2:
  ret i64 2
}

define internal i64 @three(i64 %x) {
entry:
  switch i64 %x, label %r0 [
    i64 -32, label %r1
    i64 -31, label %r2
    i64 -30, label %r3
    i64 -29, label %r1
    i64 -28, label %r2
    i64 -27, label %r3
    i64 -22, label %r2
    i64 -12, label %r3
    i64 -10, label %r2
    i64 28, label %r1
    i64 31, label %r1
  ]
r0:
  ret i64 0
r1:
  ret i64 1
r2:
  ret i64 2
r3:
  ret i64 3
}

; Characters that lie apart are a jump table, with holes.
define internal i64 @table(i32 %x) {
entry:
  switch i32 %x, label %r0 [
    i32 43, label %r1
    i32 45, label %r2
    i32 46, label %r3
    i32 60, label %r4
    i32 62, label %r5
    i32 91, label %r6
    i32 93, label %r7
  ]
r0:
  ret i64 0
r1:
  ret i64 1
r2:
  ret i64 2
r3:
  ret i64 3
r4:
  ret i64 4
r5:
  ret i64 5
r6:
  ret i64 6
r7:
  ret i64 7
}

; Tables, ranges and single values in a binary search.
define internal i64 @mixed(i32 %x) {
entry:
  switch i32 %x, label %r0 [
    i32 1, label %r1
    i32 2, label %r2
    i32 3, label %r3
    i32 5, label %r4
    i32 6, label %r1
    i32 100, label %r5
    i32 101, label %r5
    i32 102, label %r5
    i32 103, label %r5
    i32 104, label %r5
    i32 105, label %r5
    i32 106, label %r5
    i32 107, label %r5
    i32 108, label %r5
    i32 109, label %r5
    i32 110, label %r5
    i32 111, label %r5
    i32 112, label %r5
    i32 113, label %r5
    i32 114, label %r5
    i32 115, label %r5
    i32 116, label %r5
    i32 117, label %r5
    i32 118, label %r5
    i32 119, label %r5
    i32 200, label %r6
    i32 1000, label %r7
    i32 1001, label %r7
    i32 2000, label %r8
    i32 2001, label %r9
    i32 2002, label %r8
    i32 2004, label %r10
    i32 2005, label %r11
  ]
r0:
  ret i64 0
r1:
  ret i64 1
r2:
  ret i64 2
r3:
  ret i64 3
r4:
  ret i64 4
r5:
  ret i64 5
r6:
  ret i64 6
r7:
  ret i64 7
r8:
  ret i64 8
r9:
  ret i64 9
r10:
  ret i64 10
r11:
  ret i64 11
}

; The least and the greatest values, and cases that are the default.
define internal i64 @ends(i8 %x) {
entry:
  switch i8 %x, label %r0 [
    i8 -128, label %r1
    i8 -127, label %r1
    i8 -1, label %r2
    i8 0, label %r3
    i8 1, label %r0
    i8 126, label %r4
    i8 127, label %r4
    i8 5, label %r0
  ]
r0:
  ret i64 0
r1:
  ret i64 1
r2:
  ret i64 2
r3:
  ret i64 3
r4:
  ret i64 4
}

define internal i64 @far(i64 %x) {
entry:
  switch i64 %x, label %r0 [
    i64 -9223372036854775808, label %r1
    i64 9223372036854775807, label %r2
    i64 -1, label %r3
    i64 0, label %r4
    i64 1, label %r5
    i64 4294967296, label %r6
    i64 4294967295, label %r7
  ]
r0:
  ret i64 0
r1:
  ret i64 1
r2:
  ret i64 2
r3:
  ret i64 3
r4:
  ret i64 4
r5:
  ret i64 5
r6:
  ret i64 6
r7:
  ret i64 7
}

; Prints a sum over what a function returns for each value.
define internal void @all_digits() {
entry:
  br label %loop
loop:
  %v = phi i64 [ 40, %entry ], [ %next, %loop ]
  %s = phi i64 [ 0, %entry ], [ %sum, %loop ]
  %x = trunc i64 %v to i32
  %r = call i64 @digits(i32 %x)
  %m = mul i64 %s, 31
  %sum = add i64 %m, %r
  %next = add i64 %v, 1
  %more = icmp sle i64 %next, 120
  br i1 %more, label %loop, label %done
done:
  %i = call i32 (ptr, ...) @printf(ptr @line, i64 %sum)
  ret void
}
define internal void @all_spaces() {
entry:
  br label %loop
loop:
  %v = phi i64 [ -128, %entry ], [ %next, %loop ]
  %s = phi i64 [ 0, %entry ], [ %sum, %loop ]
  %x = trunc i64 %v to i8
  %r = call i64 @spaces(i8 %x)
  %m = mul i64 %s, 31
  %sum = add i64 %m, %r
  %next = add i64 %v, 1
  %more = icmp sle i64 %next, 127
  br i1 %more, label %loop, label %done
done:
  %i = call i32 (ptr, ...) @printf(ptr @line, i64 %sum)
  ret void
}
define internal void @all_two() {
entry:
  br label %loop
loop:
  %v = phi i64 [ -3, %entry ], [ %next, %loop ]
  %s = phi i64 [ 0, %entry ], [ %sum, %loop ]
  %x = trunc i64 %v to i32
  %r = call i64 @two(i32 %x)
  %m = mul i64 %s, 31
  %sum = add i64 %m, %r
  %next = add i64 %v, 1
  %more = icmp sle i64 %next, 70
  br i1 %more, label %loop, label %done
done:
  %i = call i32 (ptr, ...) @printf(ptr @line, i64 %sum)
  ret void
}
define internal void @all_three() {
entry:
  br label %loop
loop:
  %v = phi i64 [ -40, %entry ], [ %next, %loop ]
  %s = phi i64 [ 0, %entry ], [ %sum, %loop ]
  %x = add i64 %v, 0
  %r = call i64 @three(i64 %x)
  %m = mul i64 %s, 31
  %sum = add i64 %m, %r
  %next = add i64 %v, 1
  %more = icmp sle i64 %next, 40
  br i1 %more, label %loop, label %done
done:
  %i = call i32 (ptr, ...) @printf(ptr @line, i64 %sum)
  ret void
}
define internal void @all_table() {
entry:
  br label %loop
loop:
  %v = phi i64 [ 30, %entry ], [ %next, %loop ]
  %s = phi i64 [ 0, %entry ], [ %sum, %loop ]
  %x = trunc i64 %v to i32
  %r = call i64 @table(i32 %x)
  %m = mul i64 %s, 31
  %sum = add i64 %m, %r
  %next = add i64 %v, 1
  %more = icmp sle i64 %next, 110
  br i1 %more, label %loop, label %done
done:
  %i = call i32 (ptr, ...) @printf(ptr @line, i64 %sum)
  ret void
}
define internal void @all_mixed() {
entry:
  br label %loop
loop:
  %v = phi i64 [ -5, %entry ], [ %next, %loop ]
  %s = phi i64 [ 0, %entry ], [ %sum, %loop ]
  %x = trunc i64 %v to i32
  %r = call i64 @mixed(i32 %x)
  %m = mul i64 %s, 31
  %sum = add i64 %m, %r
  %next = add i64 %v, 1
  %more = icmp sle i64 %next, 2100
  br i1 %more, label %loop, label %done
done:
  %i = call i32 (ptr, ...) @printf(ptr @line, i64 %sum)
  ret void
}
define internal void @all_ends() {
entry:
  br label %loop
loop:
  %v = phi i64 [ -128, %entry ], [ %next, %loop ]
  %s = phi i64 [ 0, %entry ], [ %sum, %loop ]
  %x = trunc i64 %v to i8
  %r = call i64 @ends(i8 %x)
  %m = mul i64 %s, 31
  %sum = add i64 %m, %r
  %next = add i64 %v, 1
  %more = icmp sle i64 %next, 127
  br i1 %more, label %loop, label %done
done:
  %i = call i32 (ptr, ...) @printf(ptr @line, i64 %sum)
  ret void
}
define internal void @all_far() {
entry:
  br label %loop
loop:
  %v = phi i64 [ -4, %entry ], [ %next, %loop ]
  %s = phi i64 [ 0, %entry ], [ %sum, %loop ]
  %x = add i64 %v, 0
  %r = call i64 @far(i64 %x)
  %m = mul i64 %s, 31
  %sum = add i64 %m, %r
  %next = add i64 %v, 1
  %more = icmp sle i64 %next, 4
  br i1 %more, label %loop, label %done
done:
  %i = call i32 (ptr, ...) @printf(ptr @line, i64 %sum)
  ret void
}
define i32 @main() {
  call void @all_digits()
  call void @all_spaces()
  call void @all_two()
  call void @all_three()
  call void @all_table()
  call void @all_mixed()
  call void @all_ends()
  call void @all_far()
  %r0 = call i64 @far(i64 -9223372036854775808)
  %i0 = call i32 (ptr, ...) @printf(ptr @line, i64 %r0)
  %r1 = call i64 @far(i64 9223372036854775807)
  %i1 = call i32 (ptr, ...) @printf(ptr @line, i64 %r1)
  %r2 = call i64 @far(i64 4294967296)
  %i2 = call i32 (ptr, ...) @printf(ptr @line, i64 %r2)
  %r3 = call i64 @far(i64 4294967295)
  %i3 = call i32 (ptr, ...) @printf(ptr @line, i64 %r3)
  %r4 = call i64 @far(i64 4294967297)
  %i4 = call i32 (ptr, ...) @printf(ptr @line, i64 %r4)
  %r5 = call i64 @far(i64 -9223372036854775807)
  %i5 = call i32 (ptr, ...) @printf(ptr @line, i64 %r5)
  ret i32 0
}
