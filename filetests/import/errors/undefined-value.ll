; test import
; error: 4:11: in function @f: %x is not defined
define i32 @f() {
  ret i32 %x
}
