; test import
; Thread-local variables: one set for each thread, with their initial values, zeros and addresses.
; out: 41
; out: 10
; out: 1000
; out: 1
; out: 7
; out: 0
@line = internal constant [5 x i8] c"%ld\0A\00"
@count = thread_local global i32 10
@sum = internal thread_local(localexec) global i64 0
@array = internal thread_local global [4 x i64] [i64 1, i64 2, i64 3, i64 1000]
declare i32 @printf(ptr, ...)
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_join(i64, ptr)
declare ptr @llvm.threadlocal.address.p0(ptr)

define internal void @print(i64 %x) {
  %ignored = call i32 (ptr, ...) @printf(ptr @line, i64 %x)
  ret void
}
define internal ptr @run(ptr %argument) {
entry:
  %by = ptrtoint ptr %argument to i64
  %place = call ptr @llvm.threadlocal.address.p0(ptr @count)
  %before = load i32, ptr %place
  %wide = sext i32 %before to i64
  %after = add i64 %wide, %by
  store i64 %after, ptr @sum
  %short = trunc i64 %after to i32
  store i32 %short, ptr %place
  store i64 7, ptr getelementptr ([4 x i64], ptr @array, i64 0, i64 3)
  %again = load i64, ptr @sum
  %result = inttoptr i64 %again to ptr
  ret ptr %result
}
define internal i1 @is_other(ptr %place) {
entry:
  br label %next
next:
  %own = phi ptr [ @count, %entry ]
  %same = icmp eq ptr %own, %place
  ret i1 %same
}
define i32 @main() {
  %thread = alloca i64
  %result = alloca ptr
  %made = call i32 @pthread_create(ptr %thread, ptr null, ptr @run, ptr inttoptr (i64 31 to ptr))
  %id = load i64, ptr %thread
  %joined = call i32 @pthread_join(i64 %id, ptr %result)
  %given = load i64, ptr %result
  call void @print(i64 %given)
  %count = load i32, ptr @count
  %wide = sext i32 %count to i64
  call void @print(i64 %wide)
  %last = load i64, ptr getelementptr ([4 x i64], ptr @array, i64 0, i64 3)
  call void @print(i64 %last)
  %same = call i1 @is_other(ptr @count)
  %bit = zext i1 %same to i64
  call void @print(i64 %bit)
  %ignored = call ptr @run(ptr inttoptr (i64 -10 to ptr))
  %changed = load i64, ptr getelementptr ([4 x i64], ptr @array, i64 0, i64 3)
  call void @print(i64 %changed)
  %sum = load i64, ptr @sum
  call void @print(i64 %sum)
  ret i32 0
}
