; test import
; Constrained operations that are constrained to nothing but what all are: rounding to nearest, and no
; look at exceptions.
; out: 400e000000000000
; out: 3ff4000000000000
; out: 4009000000000000
; out: 3fd5555555555555
; out: 3ff8000000000000
; out: 3ff94c583ada5b53
; out: 4021800000000000
; out: 4023c3a4edfa9759
; out: 4021800000000000
; out: fffffffd
; out: 4170000000000000
; out: 3dcccccd
; out: 1
; out: 1
; out: 4002000000000000
@line = private constant [6 x i8] c"%llx\0A\00"
declare i32 @printf(ptr, ...)
define internal void @print(i64 %x) {
  %ignored = call i32 (ptr, ...) @printf(ptr @line, i64 %x)
  ret void
}
declare double @llvm.experimental.constrained.fadd.f64(double, double, metadata, metadata)
declare double @llvm.experimental.constrained.fsub.f64(double, double, metadata, metadata)
declare double @llvm.experimental.constrained.fmul.f64(double, double, metadata, metadata)
declare double @llvm.experimental.constrained.fdiv.f64(double, double, metadata, metadata)
declare double @llvm.experimental.constrained.frem.f64(double, double, metadata, metadata)
declare double @llvm.experimental.constrained.sqrt.f64(double, metadata, metadata)
declare double @llvm.experimental.constrained.fma.f64(double, double, double, metadata, metadata)
declare double @llvm.experimental.constrained.pow.f64(double, double, metadata, metadata)
declare double @llvm.experimental.constrained.fmuladd.f64(double, double, double, metadata, metadata)
declare double @llvm.experimental.constrained.floor.f64(double, metadata)
declare i32 @llvm.experimental.constrained.fptosi.i32.f64(double, metadata)
declare float @llvm.experimental.constrained.sitofp.f32.i32(i32, metadata, metadata)
declare float @llvm.experimental.constrained.fptrunc.f32.f64(double, metadata, metadata)
declare double @llvm.experimental.constrained.fpext.f64.f32(float, metadata)
declare i1 @llvm.experimental.constrained.fcmp.f64(double, double, metadata, metadata)
declare i1 @llvm.experimental.constrained.fcmps.f64(double, double, metadata, metadata)
declare <2 x double> @llvm.experimental.constrained.fadd.v2f64(<2 x double>, <2 x double>, metadata, metadata)
define i32 @main() strictfp {
  %a0 = call double @llvm.experimental.constrained.fadd.f64(double 2.5, double 1.25, metadata !"round.tonearest", metadata !"fpexcept.ignore") strictfp
  %b0 = bitcast double %a0 to i64
  call void @print(i64 %b0)
  %a1 = call double @llvm.experimental.constrained.fsub.f64(double 2.5, double 1.25, metadata !"round.tonearest", metadata !"fpexcept.ignore") strictfp
  %b1 = bitcast double %a1 to i64
  call void @print(i64 %b1)
  %a2 = call double @llvm.experimental.constrained.fmul.f64(double 2.5, double 1.25, metadata !"round.tonearest", metadata !"fpexcept.ignore") strictfp
  %b2 = bitcast double %a2 to i64
  call void @print(i64 %b2)
  %a3 = call double @llvm.experimental.constrained.fdiv.f64(double 1.0, double 3.0, metadata !"round.tonearest", metadata !"fpexcept.ignore") strictfp
  %b3 = bitcast double %a3 to i64
  call void @print(i64 %b3)
  %a4 = call double @llvm.experimental.constrained.frem.f64(double 7.5, double 2.0, metadata !"round.tonearest", metadata !"fpexcept.ignore") strictfp
  %b4 = bitcast double %a4 to i64
  call void @print(i64 %b4)
  %a5 = call double @llvm.experimental.constrained.sqrt.f64(double 2.5, metadata !"round.tonearest", metadata !"fpexcept.ignore") strictfp
  %b5 = bitcast double %a5 to i64
  call void @print(i64 %b5)
  %a6 = call double @llvm.experimental.constrained.fma.f64(double 2.5, double 2.5, double 2.5, metadata !"round.tonearest", metadata !"fpexcept.ignore") strictfp
  %b6 = bitcast double %a6 to i64
  call void @print(i64 %b6)
  %a7 = call double @llvm.experimental.constrained.pow.f64(double 2.5, double 2.5, metadata !"round.tonearest", metadata !"fpexcept.ignore") strictfp
  %b7 = bitcast double %a7 to i64
  call void @print(i64 %b7)
  %a8 = call double @llvm.experimental.constrained.fmuladd.f64(double 2.5, double 2.5, double 2.5, metadata !"round.tonearest", metadata !"fpexcept.ignore") strictfp
  %b8 = bitcast double %a8 to i64
  call void @print(i64 %b8)
  %f = call double @llvm.experimental.constrained.floor.f64(double -2.5, metadata !"fpexcept.ignore")
  %fi = call i32 @llvm.experimental.constrained.fptosi.i32.f64(double %f, metadata !"fpexcept.ignore")
  %fz = zext i32 %fi to i64
  call void @print(i64 %fz)
  %g = call float @llvm.experimental.constrained.sitofp.f32.i32(i32 16777217, metadata !"round.tonearest", metadata !"fpexcept.ignore")
  %h = call double @llvm.experimental.constrained.fpext.f64.f32(float %g, metadata !"fpexcept.ignore")
  %hb = bitcast double %h to i64
  call void @print(i64 %hb)
  %t = call float @llvm.experimental.constrained.fptrunc.f32.f64(double 0.1, metadata !"round.tonearest", metadata !"fpexcept.ignore")
  %tb = bitcast float %t to i32
  %tz = zext i32 %tb to i64
  call void @print(i64 %tz)
  %c = call i1 @llvm.experimental.constrained.fcmp.f64(double %f, double 0.0, metadata !"olt", metadata !"fpexcept.ignore")
  %cz = zext i1 %c to i64
  call void @print(i64 %cz)
  %s = call i1 @llvm.experimental.constrained.fcmps.f64(double %f, double 0x7FF8000000000000, metadata !"ugt", metadata !"fpexcept.ignore")
  %sz = zext i1 %s to i64
  call void @print(i64 %sz)
  %v = call <2 x double> @llvm.experimental.constrained.fadd.v2f64(<2 x double> <double 1.0, double 2.0>, <2 x double> <double 0.5, double 0.25>, metadata !"round.tonearest", metadata !"fpexcept.ignore")
  %v1 = extractelement <2 x double> %v, i32 1
  %vb = bitcast double %v1 to i64
  call void @print(i64 %vb)
  ret i32 0
}
