; test import
; error: 4:1: @x: the type %t has no size that can be expressed
%t = type { i32, %t }
@x = global %t zeroinitializer
