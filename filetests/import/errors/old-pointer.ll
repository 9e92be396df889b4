; test import
; error: 3:16: pointers with the type they point to are of LLVM before 17: write `ptr`
@p = global i32* null
