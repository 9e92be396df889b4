; test import
; error: 3:16: pointers with the type they point to are of clang or LLVM before 15: use 16 to 22
@p = global i32* null
