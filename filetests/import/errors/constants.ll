; test import
; Expressions on vectors as constants, which LLVM folds itself.
; error: 6:11: in function @lane: `extractelement` is no constant that can be expressed
; error: 9:17: in function @shuffled: `shufflevector` is no constant that can be expressed
define i32 @lane() {
  ret i32 extractelement (<2 x i32> <i32 1, i32 2>, i32 0)
}
define <2 x i32> @shuffled() {
  ret <2 x i32> shufflevector (<2 x i32> zeroinitializer, <2 x i32> zeroinitializer, <2 x i32> zeroinitializer)
}
