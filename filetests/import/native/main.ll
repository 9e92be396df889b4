; Lets the functions of two sides (`side.ll`) call each other, and those of C.

declare void @print(i64, i64)
declare ptr @ours_functions()
declare ptr @theirs_functions()
declare void @ours_check(ptr)
declare void @theirs_check(ptr)
declare void @c_check(ptr)
declare i128 @c_sum(i32 signext, ...)
declare i128 @c_mixed(i64, i128, i64, i64, i128, i64, i128, i32 signext)
declare i128 @c_split(i64, i64, i64, i64, i64, i64, i64, i128, i64)

define internal void @show(i128 %value) {
  %low = trunc i128 %value to i64
  %shifted = lshr i128 %value, 64
  %high = trunc i128 %shifted to i64
  call void @print(i64 %high, i64 %low)
  ret void
}

define i32 @main() {
  %ours = call ptr @ours_functions()
  %theirs = call ptr @theirs_functions()
  call void @ours_check(ptr %theirs)
  call void @theirs_check(ptr %ours)
  call void @c_check(ptr %ours)
  %1 = call i128 @c_mixed(i64 -1, i128 1000000000000000000000000000001, i64 3, i64 -4, i128 -5000000000000000000000000, i64 6, i128 70000000000000000000000, i32 signext -8)
  call void @show(i128 %1)
  %2 = call i128 @c_split(i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i128 1000000000000000000000000000001, i64 9)
  call void @show(i128 %2)
  %3 = call i128 (i32, ...) @c_sum(i32 signext 4, i128 1000000000000000000000000000001, i64 2, i128 -1000000000000000000003, i64 4, i128 5, i64 6, i128 7000000000000000000000000, i64 8)
  call void @show(i128 %3)
  ret i32 0
}
