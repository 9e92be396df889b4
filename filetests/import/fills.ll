; test import
; Short blocks filled with a constant byte, in pieces of every size: what is around them stays.
; out: 44676
; out: 46104
; out: 59607
; out: 42653
; out: 59636
; out: 275556
; out: 272127
@line = internal constant [5 x i8] c"%ld\0A\00"
declare i32 @printf(ptr, ...)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

; Prints the sum of the bytes, each multiplied by its place.
define internal void @show(ptr %p) {
entry:
  br label %sum
sum:
  %j = phi i64 [ 0, %entry ], [ %j1, %sum ]
  %s = phi i64 [ 0, %entry ], [ %s1, %sum ]
  %q = getelementptr i8, ptr %p, i64 %j
  %b = load i8, ptr %q
  %z = zext i8 %b to i64
  %j1 = add i64 %j, 1
  %m = mul i64 %z, %j1
  %s1 = add i64 %s, %m
  %again = icmp ne i64 %j1, 72
  br i1 %again, label %sum, label %done
done:
  %ignored = call i32 (ptr, ...) @printf(ptr @line, i64 %s1)
  ret void
}

define i32 @main() {
  %space = alloca [72 x i8], align 8
  %byte5 = getelementptr i8, ptr %space, i64 5
  %byte1 = getelementptr i8, ptr %space, i64 1
  %byte7 = getelementptr i8, ptr %space, i64 7
  call void @llvm.memset.p0.i64(ptr %space, i8 17, i64 72, i1 false)
  call void @llvm.memset.p0.i64(ptr %byte5, i8 -1, i64 0, i1 false)
  call void @show(ptr %space)
  call void @llvm.memset.p0.i64(ptr %byte5, i8 -1, i64 1, i1 false)
  call void @show(ptr %space)
  call void @llvm.memset.p0.i64(ptr %byte5, i8 -2, i64 7, i1 false)
  call void @show(ptr %space)
  call void @llvm.memset.p0.i64(ptr %byte1, i8 0, i64 14, i1 false)
  call void @show(ptr %space)
  call void @llvm.memset.p0.i64(ptr %space, i8 127, i64 16, i1 false)
  call void @show(ptr %space)
  call void @llvm.memset.p0.i64(ptr %space, i8 -128, i64 64, i1 false)
  call void @show(ptr %space)
  call void @llvm.memset.p0.i64(ptr %byte7, i8 1, i64 3, i1 false)
  call void @show(ptr %space)
  ret i32 0
}
