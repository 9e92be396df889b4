; test import
; A distance of addresses in fewer bits than a linker has for it.
; error: 5:1: the initialiser does not fit its type, or is too large
@a = global i32 0
@b = global i16 trunc (i64 sub (i64 ptrtoint (ptr @a to i64), i64 ptrtoint (ptr @b to i64)) to i16)
