; test import
; A function that is chosen when the program starts is refused.
; error: 5:6: an ifunc cannot be expressed in Medium IR
@x = global i32 0
@f = ifunc i32 (), ptr @resolve
define internal ptr @resolve() {
  ret ptr null
}
