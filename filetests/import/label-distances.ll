; test import
; Tables of distances between labels, as C's `&&a - &&b` of type `ptrdiff_t`, with an offset as well.
; out: 11
; out: 21
; out: 31
; out: 0
@line = private constant [5 x i8] c"%ld\0A\00"
@table = internal constant [3 x i64] [
  i64 sub (i64 ptrtoint (ptr blockaddress(@go, %a) to i64), i64 ptrtoint (ptr blockaddress(@go, %a) to i64)),
  i64 sub (i64 ptrtoint (ptr blockaddress(@go, %b) to i64), i64 ptrtoint (ptr blockaddress(@go, %a) to i64)),
  i64 sub (i64 ptrtoint (ptr blockaddress(@go, %c) to i64), i64 ptrtoint (ptr blockaddress(@go, %a) to i64))]
@there = internal constant i64 add (i64 sub (i64 ptrtoint (ptr blockaddress(@go, %b) to i64), i64 ptrtoint (ptr blockaddress(@go, %c) to i64)), i64 5)
@back = internal constant i64 sub (i64 ptrtoint (ptr blockaddress(@go, %c) to i64), i64 ptrtoint (ptr blockaddress(@go, %b) to i64))
declare i32 @printf(ptr, ...)

define internal i64 @go(i64 %n) {
  %p = getelementptr i64, ptr @table, i64 %n
  %d = load i64, ptr %p
  %to = getelementptr i8, ptr blockaddress(@go, %a), i64 %d
  indirectbr ptr %to, [label %a, label %b, label %c]
a:
  ret i64 11
b:
  ret i64 21
c:
  ret i64 31
}
define internal void @print(i64 %x) {
  %ignored = call i32 (ptr, ...) @printf(ptr @line, i64 %x)
  ret void
}
define i32 @main() {
  %a = call i64 @go(i64 0)
  call void @print(i64 %a)
  %b = call i64 @go(i64 1)
  call void @print(i64 %b)
  %c = call i64 @go(i64 2)
  call void @print(i64 %c)
  %x = load i64, ptr @there
  %y = load i64, ptr @back
  %s = add i64 %x, %y
  %z = sub i64 %s, 5
  call void @print(i64 %z)
  ret i32 0
}
