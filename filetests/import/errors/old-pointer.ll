; test import
; error: 3:16: pointers with the type they point to are of clang or LLVM before 17: use a later one
@p = global i32* null
