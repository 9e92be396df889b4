; test import
; An address in fewer bits than it has.
; error: 5:1: this initialiser cannot be expressed in Medium IR
@a = global i32 0
@b = global i8 ptrtoint (ptr @a to i8)
