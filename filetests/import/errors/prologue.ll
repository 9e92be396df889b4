; test import
; error: 3:27: data before a function cannot be expressed in Medium IR
define void @f() nounwind prologue i32 5 {
  ret void
}
