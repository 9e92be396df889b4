; test import
; error: 3:11: pointers with the type they point to are of clang or LLVM before 15: use 16 to 22
declare i8* @malloc(i64)
