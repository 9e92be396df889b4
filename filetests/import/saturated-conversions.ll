; test import
; Floating values to integers of 100 and 128 bits, the nearest that there is; 0 of what is no number.
; out: 0 0 0 0 1
; out: 0 0 0 0 1
; out: 0 0 2540be400 0 1
; out: b98affffffffffff b60d3632f 4675000000000000 c9f2c9cd0 1
; out: b98b000000000000 b60d3632f 0 0 1
; out: 0 7ffffff800000000 ffffffffffffffff ffffffffffffffff 1
; out: 0 7ffffff800000000 0 0 1
; out: 0 7ffffff800000000 ffffffffffffffff ffffffffffffffff 1
; out: 0 7ffffff800000000 0 0 1
; out: 0 0 0 0 1
; out: 0 7ffffff800000000 0 8000000000000000 1
; out: 0 7ffffff800000000 0 0 1
declare i128 @llvm.fptosi.sat.i128.f64(double)
declare i128 @llvm.fptoui.sat.i128.f64(double)
declare i100 @llvm.fptosi.sat.i100.f32(float)
declare i32 @printf(ptr, ...)
@f = internal constant [24 x i8] c"%llx %llx %llx %llx %d\0A\00"
@v = internal constant [12 x double] [double 0.0, double -1.5, double 1.0e10, double 1.0e30, double -1.0e30, double 1.0e39, double -1.0e39, double 0x7FF0000000000000, double 0xFFF0000000000000, double 0x7FF8000000000000, double 0x47E0000000000000, double 0xC7E0000000000000]
define i32 @main() {
entry:
  br label %l
l:
  %i = phi i64 [ 0, %entry ], [ %n, %l ]
  %p = getelementptr double, ptr @v, i64 %i
  %x = load double, ptr %p
  %s = call i128 @llvm.fptosi.sat.i128.f64(double %x)
  %u = call i128 @llvm.fptoui.sat.i128.f64(double %x)
  %xf = fptrunc double %x to float
  %q = call i100 @llvm.fptosi.sat.i100.f32(float %xf)
  %qq = sext i100 %q to i128
  %h = xor i128 %s, %qq
  %a = trunc i128 %h to i64
  %b0 = lshr i128 %h, 64
  %b = trunc i128 %b0 to i64
  %c = trunc i128 %u to i64
  %d0 = lshr i128 %u, 64
  %d = trunc i128 %d0 to i64
  %r = call i32 (ptr, ...) @printf(ptr @f, i64 %a, i64 %b, i64 %c, i64 %d, i32 1)
  %n = add i64 %i, 1
  %e = icmp ult i64 %n, 12
  br i1 %e, label %l, label %o
o:
  ret i32 0
}
