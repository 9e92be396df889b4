; test import
; error: 4:3: in function @f: @g is not defined
define void @f() {
  store i32 1, ptr @g
  ret void
}
