; test import
; Results in more registers than C has are in memory in Medium IR, so that only functions of one
; module return them to each other.
; error: 7:3: in function @f: the call of @other, a function of another module that returns more than C can, cannot be expressed in Medium IR
declare { i64, i64, i64, i64, i64, i64, i64, i64, i64 } @other()
define i64 @f() {
  %r = call { i64, i64, i64, i64, i64, i64, i64, i64, i64 } @other()
  %s = extractvalue { i64, i64, i64, i64, i64, i64, i64, i64, i64 } %r, 8
  ret i64 %s
}
define i64 @g() {
  %r = call { i64, i64, i64, i64, i64, i64, i64, i64, i64 } @own()
  %s = extractvalue { i64, i64, i64, i64, i64, i64, i64, i64, i64 } %r, 8
  ret i64 %s
}
define internal { i64, i64, i64, i64, i64, i64, i64, i64, i64 } @own() {
  ret { i64, i64, i64, i64, i64, i64, i64, i64, i64 } { i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8 }
}
