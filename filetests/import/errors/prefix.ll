; test import
; Data that lies before a function's code is refused, not left out.
; error: 4:17: data before a function cannot be expressed in Medium IR
define i32 @f() prefix i32 5 {
  ret i32 0
}
