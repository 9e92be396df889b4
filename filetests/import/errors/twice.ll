; test import
; error: 4:3: in function @f: %x is defined twice
define i32 @f(i32 %x) {
  %x = add i32 1, 2
  ret i32 %x
}
