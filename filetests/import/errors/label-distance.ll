; test import
; A distance of labels in fewer bits than an item for it has.
; error: 4:1: data has the address of a label, or the distance of two labels of one function, only in 64 bits, as of type ptrdiff_t
@b = constant i32 trunc (i64 sub (i64 ptrtoint (ptr blockaddress(@f, %x) to i64), i64 ptrtoint (ptr blockaddress(@f, %y) to i64)) to i32)
define void @f() {
  br label %x
x:
  br label %y
y:
  ret void
}
