; test import
; error: 3:1: @x: an alignment of 131072 is more than 65536
@x = global i32 1, align 131072
