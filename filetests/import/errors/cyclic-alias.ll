; test import
; error: 3:1: an alias must be of something that this module defines
@a = alias i32, ptr @b
@b = alias i32, ptr @a
