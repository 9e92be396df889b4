; test import
; Data that no linker computes.
; error: 5:1: this initialiser cannot be expressed in Medium IR
@a = global i32 0
@b = global i64 mul (i64 ptrtoint (ptr @a to i64), i64 2)
