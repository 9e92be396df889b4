; test import
; Constant expressions that are only known when the program runs: as operands of all kinds, in
; aggregates, and in PHIs, whose values the blocks before compute.
; out: 65
; out: 4
; out: 1
; out: 16
; out: 24
; out: 0
; out: 1
; out: 12
; out: 7
; out: 9
; out: 3
; out: 2
; out: 8
; out: 5
%pair = type { i32, i64, [3 x i32] }
@line = internal constant [5 x i8] c"%ld\0A\00"
@s = internal global [4 x i64] [i64 5, i64 6, i64 7, i64 8], align 16
@table = internal constant [2 x i32] [i32 trunc (i64 sub (i64 ptrtoint (ptr @line to i64), i64 ptrtoint (ptr @table to i64)) to i32), i32 trunc (i64 sub (i64 ptrtoint (ptr @s to i64), i64 ptrtoint (ptr @table to i64)) to i32)]
@moved = internal global [4 x i8] c"abcd"
declare i32 @printf(ptr, ...)

define internal void @print(i64 %x) {
  %ignored = call i32 (ptr, ...) @printf(ptr @line, i64 %x)
  ret void
}
define internal i64 @same(i64 %x) {
  ret i64 %x
}
define internal { i64, i32 } @whole() {
  ret { i64, i32 } { i64 sub (i64 ptrtoint (ptr getelementptr (i8, ptr @s, i64 7) to i64), i64 ptrtoint (ptr @s to i64)), i32 trunc (i64 xor (i64 ptrtoint (ptr @s to i64), i64 ptrtoint (ptr getelementptr (i8, ptr @s, i64 9) to i64)) to i32) }
}
define internal i64 @chosen(i1 %first) {
entry:
  br i1 %first, label %one, label %two
one:
  br label %end
two:
  br label %end
end:
  %value = phi i64 [ xor (i64 ptrtoint (ptr @s to i64), i64 add (i64 ptrtoint (ptr @s to i64), i64 3)), %one ], [ sub (i64 ptrtoint (ptr getelementptr (i8, ptr @moved, i64 2) to i64), i64 ptrtoint (ptr @moved to i64)), %two ]
  ret i64 %value
}
define i32 @main() {
  %a = and i64 xor (i64 ptrtoint (ptr @s to i64), i64 ptrtoint (ptr @s to i64)), 255
  %b = add i64 %a, 65
  call void @print(i64 %b)
  %c = and i64 xor (i64 ptrtoint (ptr @s to i64), i64 4), 15
  call void @print(i64 %c)
  %d = icmp eq i32 trunc (i64 ptrtoint (ptr @s to i64) to i32), trunc (i64 add (i64 ptrtoint (ptr @s to i64), i64 4294967296) to i32)
  %e = zext i1 %d to i64
  call void @print(i64 %e)
  call void @print(i64 sub (i64 ptrtoint (ptr getelementptr inbounds ([4 x i64], ptr @s, i64 0, i64 2) to i64), i64 ptrtoint (ptr @s to i64)))
  %f = call i64 @same(i64 sub (i64 add (i64 ptrtoint (ptr @moved to i64), i64 24), i64 ptrtoint (ptr @moved to i64)))
  call void @print(i64 %f)
  %g = sub i64 ptrtoint (ptr @line to i64), ptrtoint (ptr @table to i64)
  %h = load i32, ptr @table
  %i = sext i32 %h to i64
  %j = sub i64 %g, %i
  call void @print(i64 %j)
  %k = icmp ugt ptr getelementptr (i8, ptr @s, i64 1), @s
  %l = select i1 %k, i64 sub (i64 add (i64 ptrtoint (ptr @s to i64), i64 1), i64 ptrtoint (ptr @s to i64)), i64 8
  call void @print(i64 %l)
  %m = ptrtoint ptr getelementptr (%pair, ptr inttoptr (i64 xor (i64 ptrtoint (ptr @s to i64), i64 ptrtoint (ptr @s to i64)) to ptr), i64 0, i32 2) to i64
  %n = sub i64 %m, 4
  call void @print(i64 %n)
  %o = call { i64, i32 } @whole()
  %p = extractvalue { i64, i32 } %o, 0
  %q = extractvalue { i64, i32 } %o, 1
  %r = zext i32 %q to i64
  call void @print(i64 %p)
  call void @print(i64 %r)
  %t = call i64 @chosen(i1 true)
  call void @print(i64 %t)
  %u = call i64 @chosen(i1 false)
  call void @print(i64 %u)
  store i64 sub (i64 ptrtoint (ptr getelementptr (i64, ptr @s, i64 1) to i64), i64 ptrtoint (ptr @s to i64)), ptr inttoptr (i64 add (i64 ptrtoint (ptr @s to i64), i64 8) to ptr)
  %v = load i64, ptr getelementptr (i8, ptr @s, i64 sub (i64 add (i64 ptrtoint (ptr @line to i64), i64 8), i64 ptrtoint (ptr @line to i64)))
  call void @print(i64 %v)
  switch i64 xor (i64 ptrtoint (ptr @s to i64), i64 ptrtoint (ptr @s to i64)), label %other [ i64 0, label %right ]
right:
  call void @print(i64 5)
  ret i32 0
other:
  call void @print(i64 6)
  ret i32 1
}
