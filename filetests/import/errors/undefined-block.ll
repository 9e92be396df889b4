; test import
; error: 4:12: in function @f: the block %b is not defined
define i32 @f() {
  br label %b
}
