; test import
; `llvm.masked.expandload` and `compressstore`: the lanes of the mask lie one behind the other.
; out: 45
; out: c9
; out: 43
; out: 1b7
; out: b
; out: 8
@line = private constant [6 x i8] c"%llx\0A\00"
declare i32 @printf(ptr, ...)
define internal void @print(i64 %x) {
  %ignored = call i32 (ptr, ...) @printf(ptr @line, i64 %x)
  ret void
}
@words = internal global [6 x i32] [i32 10, i32 20, i32 30, i32 40, i32 50, i32 60]
@doubles = internal global [4 x double] [double 1.0, double 2.0, double 3.0, double 4.0]
@mask = internal global i8 11
declare <4 x i32> @llvm.masked.expandload.v4i32(ptr, <4 x i1>, <4 x i32>)
declare <3 x double> @llvm.masked.expandload.v3f64(ptr, <3 x i1>, <3 x double>)
declare void @llvm.masked.compressstore.v4i32(<4 x i32>, ptr, <4 x i1>)
declare void @llvm.masked.compressstore.v8i8(<8 x i8>, ptr, <8 x i1>)
define internal void @all(<4 x i32> %v) {
  %s = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %v)
  %m = mul <4 x i32> %v, <i32 1, i32 3, i32 5, i32 7>
  %t = call i32 @llvm.vector.reduce.xor.v4i32(<4 x i32> %m)
  %sz = zext i32 %s to i64
  %tz = zext i32 %t to i64
  call void @print(i64 %sz)
  call void @print(i64 %tz)
  ret void
}
declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
declare i32 @llvm.vector.reduce.xor.v4i32(<4 x i32>)
define i32 @main() {
  %w = load i8, ptr @mask
  %bits = insertelement <4 x i8> poison, i8 %w, i32 0
  %same = shufflevector <4 x i8> %bits, <4 x i8> poison, <4 x i32> zeroinitializer
  %and = and <4 x i8> %same, <i8 1, i8 2, i8 4, i8 8>
  %m = icmp ne <4 x i8> %and, zeroinitializer
  %v = call <4 x i32> @llvm.masked.expandload.v4i32(ptr @words, <4 x i1> %m, <4 x i32> <i32 7, i32 8, i32 9, i32 11>)
  call void @all(<4 x i32> %v)
  %p = getelementptr i32, ptr @words, i64 2
  call void @llvm.masked.compressstore.v4i32(<4 x i32> <i32 1, i32 2, i32 3, i32 4>, ptr %p, <4 x i1> %m)
  %l = load <4 x i32>, ptr %p, align 4
  call void @all(<4 x i32> %l)
  %d = call <3 x double> @llvm.masked.expandload.v3f64(ptr @doubles, <3 x i1> <i1 false, i1 true, i1 true>, <3 x double> <double 9.0, double 8.0, double 7.0>)
  %d0 = extractelement <3 x double> %d, i32 0
  %d2 = extractelement <3 x double> %d, i32 2
  %sum = fadd double %d0, %d2
  %i = fptosi double %sum to i64
  call void @print(i64 %i)
  call void @llvm.masked.compressstore.v8i8(<8 x i8> <i8 1, i8 2, i8 3, i8 4, i8 5, i8 6, i8 7, i8 8>, ptr @words, <8 x i1> <i1 false, i1 true, i1 false, i1 true, i1 true, i1 false, i1 false, i1 true>)
  %b = getelementptr i8, ptr @words, i64 3
  %last = load i8, ptr %b
  %lz = zext i8 %last to i64
  call void @print(i64 %lz)
  ret i32 0
}
