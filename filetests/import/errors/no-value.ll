; test import
; error: 5:1: in function @f: expected a constant of type i32
define i32 @f() {
  ret i32
}
