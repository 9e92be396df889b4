; test import
; The least and the greatest of floating values: zeros have signs, NaNs win or lose. As LLVM's own code has it on x86_64 and aarch64.
; out: minimum.float of +0: +0 -0 +0 -2.5 +0 -inf nan
; out: minimum.float of -0: -0 -0 -0 -2.5 -0 -inf nan
; out: minimum.float of +1: +0 -0 +1 -2.5 +1 -inf nan
; out: minimum.float of -2.5: -2.5 -2.5 -2.5 -2.5 -2.5 -inf nan
; out: minimum.float of +inf: +0 -0 +1 -2.5 +inf -inf nan
; out: minimum.float of -inf: -inf -inf -inf -inf -inf -inf nan
; out: minimum.float of nan: nan nan nan nan nan nan nan
; out: minimum.double of +0: +0 -0 +0 -2.5 +0 -inf nan
; out: minimum.double of -0: -0 -0 -0 -2.5 -0 -inf nan
; out: minimum.double of +1: +0 -0 +1 -2.5 +1 -inf nan
; out: minimum.double of -2.5: -2.5 -2.5 -2.5 -2.5 -2.5 -inf nan
; out: minimum.double of +inf: +0 -0 +1 -2.5 +inf -inf nan
; out: minimum.double of -inf: -inf -inf -inf -inf -inf -inf nan
; out: minimum.double of nan: nan nan nan nan nan nan nan
; out: maximum.float of +0: +0 +0 +1 +0 +inf +0 nan
; out: maximum.float of -0: +0 -0 +1 -0 +inf -0 nan
; out: maximum.float of +1: +1 +1 +1 +1 +inf +1 nan
; out: maximum.float of -2.5: +0 -0 +1 -2.5 +inf -2.5 nan
; out: maximum.float of +inf: +inf +inf +inf +inf +inf +inf nan
; out: maximum.float of -inf: +0 -0 +1 -2.5 +inf -inf nan
; out: maximum.float of nan: nan nan nan nan nan nan nan
; out: maximum.double of +0: +0 +0 +1 +0 +inf +0 nan
; out: maximum.double of -0: +0 -0 +1 -0 +inf -0 nan
; out: maximum.double of +1: +1 +1 +1 +1 +inf +1 nan
; out: maximum.double of -2.5: +0 -0 +1 -2.5 +inf -2.5 nan
; out: maximum.double of +inf: +inf +inf +inf +inf +inf +inf nan
; out: maximum.double of -inf: +0 -0 +1 -2.5 +inf -inf nan
; out: maximum.double of nan: nan nan nan nan nan nan nan
; out: minimumnum.float of +0: +0 -0 +0 -2.5 +0 -inf +0
; out: minimumnum.float of -0: -0 -0 -0 -2.5 -0 -inf -0
; out: minimumnum.float of +1: +0 -0 +1 -2.5 +1 -inf +1
; out: minimumnum.float of -2.5: -2.5 -2.5 -2.5 -2.5 -2.5 -inf -2.5
; out: minimumnum.float of +inf: +0 -0 +1 -2.5 +inf -inf +inf
; out: minimumnum.float of -inf: -inf -inf -inf -inf -inf -inf -inf
; out: minimumnum.float of nan: +0 -0 +1 -2.5 +inf -inf nan
; out: minimumnum.double of +0: +0 -0 +0 -2.5 +0 -inf +0
; out: minimumnum.double of -0: -0 -0 -0 -2.5 -0 -inf -0
; out: minimumnum.double of +1: +0 -0 +1 -2.5 +1 -inf +1
; out: minimumnum.double of -2.5: -2.5 -2.5 -2.5 -2.5 -2.5 -inf -2.5
; out: minimumnum.double of +inf: +0 -0 +1 -2.5 +inf -inf +inf
; out: minimumnum.double of -inf: -inf -inf -inf -inf -inf -inf -inf
; out: minimumnum.double of nan: +0 -0 +1 -2.5 +inf -inf nan
; out: maximumnum.float of +0: +0 +0 +1 +0 +inf +0 +0
; out: maximumnum.float of -0: +0 -0 +1 -0 +inf -0 -0
; out: maximumnum.float of +1: +1 +1 +1 +1 +inf +1 +1
; out: maximumnum.float of -2.5: +0 -0 +1 -2.5 +inf -2.5 -2.5
; out: maximumnum.float of +inf: +inf +inf +inf +inf +inf +inf +inf
; out: maximumnum.float of -inf: +0 -0 +1 -2.5 +inf -inf -inf
; out: maximumnum.float of nan: +0 -0 +1 -2.5 +inf -inf nan
; out: maximumnum.double of +0: +0 +0 +1 +0 +inf +0 +0
; out: maximumnum.double of -0: +0 -0 +1 -0 +inf -0 -0
; out: maximumnum.double of +1: +1 +1 +1 +1 +inf +1 +1
; out: maximumnum.double of -2.5: +0 -0 +1 -2.5 +inf -2.5 -2.5
; out: maximumnum.double of +inf: +inf +inf +inf +inf +inf +inf +inf
; out: maximumnum.double of -inf: +0 -0 +1 -2.5 +inf -inf -inf
; out: maximumnum.double of nan: +0 -0 +1 -2.5 +inf -inf nan
declare i32 @printf(ptr, ...)
@row = internal constant [11 x i8] c"%s of %+g:\00"
@value = internal constant [5 x i8] c" %+g\00"
@nan = internal constant [5 x i8] c" nan\00"
@end = internal constant [2 x i8] c"\0A\00"
@values = internal constant [7 x double] [double 0.0, double -0.0, double 1.0, double -2.5, double 0x7FF0000000000000, double 0xFFF0000000000000, double 0x7FF8000000000000]
@name.minimum.float = internal constant [14 x i8] c"minimum.float\00"
@name.minimum.double = internal constant [15 x i8] c"minimum.double\00"
@name.maximum.float = internal constant [14 x i8] c"maximum.float\00"
@name.maximum.double = internal constant [15 x i8] c"maximum.double\00"
@name.minimumnum.float = internal constant [17 x i8] c"minimumnum.float\00"
@name.minimumnum.double = internal constant [18 x i8] c"minimumnum.double\00"
@name.maximumnum.float = internal constant [17 x i8] c"maximumnum.float\00"
@name.maximumnum.double = internal constant [18 x i8] c"maximumnum.double\00"
declare float @llvm.minimum.f32(float, float)
declare double @llvm.minimum.f64(double, double)
declare float @llvm.maximum.f32(float, float)
declare double @llvm.maximum.f64(double, double)
declare float @llvm.minimumnum.f32(float, float)
declare double @llvm.minimumnum.f64(double, double)
declare float @llvm.maximumnum.f32(float, float)
declare double @llvm.maximumnum.f64(double, double)

define internal double @minimum.float(double %x, double %y) {
  %a = fptrunc double %x to float
  %b = fptrunc double %y to float
  %r = call float @llvm.minimum.f32(float %a, float %b)
  %d = fpext float %r to double
  ret double %d
}

define internal double @minimum.double(double %x, double %y) {
  %d = call double @llvm.minimum.f64(double %x, double %y)
  ret double %d
}

define internal double @maximum.float(double %x, double %y) {
  %a = fptrunc double %x to float
  %b = fptrunc double %y to float
  %r = call float @llvm.maximum.f32(float %a, float %b)
  %d = fpext float %r to double
  ret double %d
}

define internal double @maximum.double(double %x, double %y) {
  %d = call double @llvm.maximum.f64(double %x, double %y)
  ret double %d
}

define internal double @minimumnum.float(double %x, double %y) {
  %a = fptrunc double %x to float
  %b = fptrunc double %y to float
  %r = call float @llvm.minimumnum.f32(float %a, float %b)
  %d = fpext float %r to double
  ret double %d
}

define internal double @minimumnum.double(double %x, double %y) {
  %d = call double @llvm.minimumnum.f64(double %x, double %y)
  ret double %d
}

define internal double @maximumnum.float(double %x, double %y) {
  %a = fptrunc double %x to float
  %b = fptrunc double %y to float
  %r = call float @llvm.maximumnum.f32(float %a, float %b)
  %d = fpext float %r to double
  ret double %d
}

define internal double @maximumnum.double(double %x, double %y) {
  %d = call double @llvm.maximumnum.f64(double %x, double %y)
  ret double %d
}

define internal void @show(ptr %f, ptr %name) {
entry:
  br label %rows
rows:
  %i = phi i64 [ 0, %entry ], [ %i2, %next ]
  %xp = getelementptr double, ptr @values, i64 %i
  %x = load double, ptr %xp
  %xn = fcmp uno double %x, %x
  br i1 %xn, label %rownan, label %rowvalue
rownan:
  %p0 = call i32 (ptr, ...) @printf(ptr @of_nan, ptr %name)
  br label %columns
rowvalue:
  %p1 = call i32 (ptr, ...) @printf(ptr @row, ptr %name, double %x)
  br label %columns
columns:
  %j = phi i64 [ 0, %rownan ], [ 0, %rowvalue ], [ %j2, %shown ]
  %yp = getelementptr double, ptr @values, i64 %j
  %y = load double, ptr %yp
  %r = call double %f(double %x, double %y)
  %rn = fcmp uno double %r, %r
  br i1 %rn, label %isnan, label %isvalue
isnan:
  %p2 = call i32 (ptr, ...) @printf(ptr @nan)
  br label %shown
isvalue:
  %p3 = call i32 (ptr, ...) @printf(ptr @value, double %r)
  br label %shown
shown:
  %j2 = add i64 %j, 1
  %jc = icmp ult i64 %j2, 7
  br i1 %jc, label %columns, label %next
next:
  %p4 = call i32 (ptr, ...) @printf(ptr @end)
  %i2 = add i64 %i, 1
  %ic = icmp ult i64 %i2, 7
  br i1 %ic, label %rows, label %out
out:
  ret void
}

@of_nan = internal constant [11 x i8] c"%s of nan:\00"

define i32 @main() {
  call void @show(ptr @minimum.float, ptr @name.minimum.float)
  call void @show(ptr @minimum.double, ptr @name.minimum.double)
  call void @show(ptr @maximum.float, ptr @name.maximum.float)
  call void @show(ptr @maximum.double, ptr @name.maximum.double)
  call void @show(ptr @minimumnum.float, ptr @name.minimumnum.float)
  call void @show(ptr @minimumnum.double, ptr @name.minimumnum.double)
  call void @show(ptr @maximumnum.float, ptr @name.maximumnum.float)
  call void @show(ptr @maximumnum.double, ptr @name.maximumnum.double)
  ret i32 0
}
