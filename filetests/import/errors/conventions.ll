; test import
; A convention by which arguments and results are elsewhere than in C is one between functions of the
; module: nothing else calls these, or is called so.
; error: 18:3: in function @call: a call by the convention `win64cc` of what is not in this module cannot be expressed in Medium IR
; error: 22:3: in function @pointer: a call by the convention `ghccc` of what is not in this module cannot be expressed in Medium IR
; error: 26:3: in function @give: the address of @own, a function of the convention `win64cc`, cannot be expressed in Medium IR
declare win64cc i64 @other(i64)
declare void @take(ptr)

define win64cc i64 @own(i64 %x) {
  ret i64 %x
}
define i64 @fine(i64 %x) {
  %y = call win64cc i64 @own(i64 %x)
  ret i64 %y
}
define i64 @call(i64 %x) {
  %y = call win64cc i64 @other(i64 %x)
  ret i64 %y
}
define i64 @pointer(ptr %f, i64 %x) {
  %y = call cc 10 i64 %f(i64 %x)
  ret i64 %y
}
define void @give() {
  call void @take(ptr @own)
  ret void
}
