; test import
; The address of a thread-local variable is different in each thread.
; error: 5:1: @where: the address of @count, which is thread-local, is no constant
@count = thread_local global i32 1
@where = global ptr @count
