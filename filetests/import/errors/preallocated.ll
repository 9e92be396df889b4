; test import
; error: 3:33: the attribute `preallocated` cannot be expressed in Medium IR
declare void @f(ptr preallocated(i32))
