; test import
; `half`: arithmetic, comparisons, conversions, intrinsics and vectors, over values of each kind; a NaN
; is printed as one. What they give is what LLVM gives them on a machine without such instructions.
; out: d35f9ba54a0891a8
; out: ca5c4803c54310e4
; out: 8fe00bae41afa98c
; out: 782b67fc1cea4d0c
; out: 65dc44fbe124271c
; out: 99a1eaa47b8e0e14
; out: 8f93a47f5b92f1d4
; out: c17f6a2ce3cbf45c
; out: 9821578d91a8795d
; out: 6b6231eaa9b00d0
; out: 9f1c2d58b827f375
; out: 8771a480e113da6b
; out: 77bb5e58801cbc7c
; out: 20c0199a72603d84
; out: 488bfeef0864ba3c
; out: 8f079ba67e0e1434
; out: 479dd376f7c7c664
; out: 4122f0d61fdebe
; out: 3e0cae9d4003b464
; out: 4d7960e55d8f76c4
; out: b26213c544749c94
; out: 513f06e6441c1d2c
; out: 2fc81e5820b06784
; out: ba79b4a886105b2c
; out: 8c7c2c48c1427fbc
; out: 9d1d28c5e3a2746b
; out: ee774d7e52b79a36
; out: c6f1d43675c0b7fd
; out: 894ab31d063ef82c
; out: fb2ab13963f2017c
; out: 9175d9355330137c
; out: 4ee86d4efcdac7b4
; out: 9cd5b68d52f73cbc
; out: d82c580f9ae030fc
; out: 4700
; out: 7bff
; out: 3800
; out: 4248
; out: 4009200000000000
; out: 4a80
; out: 4300
@line = private constant [6 x i8] c"%llx\0A\00"
declare i32 @printf(ptr, ...)
declare half @llvm.sqrt.f16(half)
declare half @llvm.fabs.f16(half)
declare half @llvm.copysign.f16(half, half)
declare half @llvm.fma.f16(half, half, half)
declare half @llvm.floor.f16(half)
declare half @llvm.minnum.f16(half, half)
declare i1 @llvm.is.fpclass.f16(half, i32)
declare <4 x half> @llvm.fabs.v4f16(<4 x half>)
declare half @llvm.vector.reduce.fadd.v4f16(half, <4 x half>)
declare i32 @llvm.fptosi.sat.i32.f16(half)
declare i16 @llvm.convert.to.fp16.f32(float)
declare float @llvm.convert.from.fp16.f32(i16)
declare i16 @llvm.convert.to.fp16.f64(double)
declare double @llvm.convert.from.fp16.f64(i16)
@data = global [4 x half] [half 1.0, half 0xHC500, half 0xH0001, half 0xH7BFF]
@op.at = internal global ptr @op
@third.at = internal global { i8, half, [2 x half] } { i8 1, half 2.0, [2 x half] [half 3.0, half 4.0] }
define half @third(ptr %p) {
  %q = getelementptr { i8, half, [2 x half] }, ptr %p, i32 0, i32 2, i32 1
  %r = load volatile half, ptr %q
  store half 0xH4880, ptr %q
  %s = load { i8, half, [2 x half] }, ptr %p
  %t = extractvalue { i8, half, [2 x half] } %s, 2, 1
  %u = fadd half %r, %t
  ret half %u
}
define internal i64 @key(half %h) noinline {
  %n = fcmp uno half %h, %h
  %b = bitcast half %h to i16
  %z = zext i16 %b to i64
  %s = select i1 %n, i64 32256, i64 %z
  ret i64 %s
}
define internal half @op(i32 %k, half %x, half %y) noinline {
  switch i32 %k, label %l0 [ i32 1, label %l1
   i32 2, label %l2
   i32 3, label %l3
   i32 4, label %l4
   i32 5, label %l5
   i32 6, label %l6
   i32 7, label %l7
   i32 8, label %l8
   i32 9, label %l9 ]
l0:
  %r0 = fadd half %x, %y
  ret half %r0
l1:
  %r1 = fsub half %x, %y
  ret half %r1
l2:
  %r2 = fmul half %x, %y
  ret half %r2
l3:
  %r3 = fdiv half %x, %y
  ret half %r3
l4:
  %r4 = call half @llvm.sqrt.f16(half %x)
  ret half %r4
l5:
  %r5 = call half @llvm.copysign.f16(half %x, half %y)
  ret half %r5
l6:
  %a6 = call half @llvm.floor.f16(half %x)
  ret half %a6
l7:
  %r7 = fneg half %x
  %a7 = call half @llvm.fabs.f16(half %r7)
  ret half %a7
l8:
  %c8 = fcmp ogt half %x, %y
  %r8 = select i1 %c8, half %x, half %y
  ret half %r8
l9:
  %w = fpext half %x to float
  %d = fpext float %w to double
  %e = fmul double %d, 1.00048828125
  %r9 = fptrunc double %e to half
  ret half %r9
}
define i32 @main() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %np ]
  %acc = phi i64 [ 0, %entry ], [ %acc2, %np ]
  %t = trunc i32 %i to i16
  %x = bitcast i16 %t to half
  %j = mul i32 %i, 40503
  %j2 = add i32 %j, 12345
  %t2 = lshr i32 %j2, 3
  %t3 = trunc i32 %t2 to i16
  %y = bitcast i16 %t3 to half
  br label %inner
inner:
  %k = phi i32 [ 0, %loop ], [ %k1, %inner ]
  %a = phi i64 [ %acc, %loop ], [ %a2, %inner ]
  %r = call half @op(i32 %k, half %x, half %y)
  %z = call i64 @key(half %r)
  %m = mul i64 %a, 31
  %a2 = add i64 %m, %z
  %k1 = add i32 %k, 1
  %kd = icmp eq i32 %k1, 10
  br i1 %kd, label %next, label %inner
next:
  %fl = fpext half %x to float
  %flb = bitcast float %fl to i32
  %flz = zext i32 %flb to i64
  %isn = fcmp uno half %x, %x
  %fls = select i1 %isn, i64 1, i64 %flz
  %c1 = call i1 @llvm.is.fpclass.f16(half %x, i32 264)
  %c2 = call i1 @llvm.is.fpclass.f16(half %x, i32 144)
  %c3 = call i1 @llvm.is.fpclass.f16(half %x, i32 3)
  %c1z = zext i1 %c1 to i64
  %c2z = zext i1 %c2 to i64
  %c3z = zext i1 %c3 to i64
  %s = call i32 @llvm.fptosi.sat.i32.f16(half %x)
  %sz = sext i32 %s to i64
  %u1 = mul i64 %a2, 31
  %u2 = add i64 %u1, %fls
  %u3 = mul i64 %u2, 2
  %u4 = add i64 %u3, %c1z
  %u5 = mul i64 %u4, 2
  %u6 = add i64 %u5, %c2z
  %u7 = mul i64 %u6, 2
  %u8 = add i64 %u7, %c3z
  %u9 = mul i64 %u8, 3
  %acc2 = add i64 %u9, %sz
  %i1 = add i32 %i, 61
  %done = icmp ugt i32 %i1, 65535
  %q = and i32 %i, 31
  %q0 = icmp eq i32 %q, 0
  br i1 %q0, label %pr, label %np
pr:
  %pp = call i32 (ptr, ...) @printf(ptr @line, i64 %acc2)
  br label %np
np:
  br i1 %done, label %end, label %loop
end:
  %v = load <4 x half>, ptr @data
  %vf = call <4 x half> @llvm.fabs.v4f16(<4 x half> %v)
  %va = fadd <4 x half> %vf, <half 1.0, half 2.0, half 0.5, half 0xH0001>
  %e1 = extractelement <4 x half> %va, i32 1
  %k1e = call i64 @key(half %e1)
  %p1 = call i32 (ptr, ...) @printf(ptr @line, i64 %k1e)
  %red = call half @llvm.vector.reduce.fadd.v4f16(half 0xH0000, <4 x half> %v)
  %k2e = call i64 @key(half %red)
  %p2 = call i32 (ptr, ...) @printf(ptr @line, i64 %k2e)
  %bc = bitcast <4 x half> %va to <4 x i16>
  %b2 = extractelement <4 x i16> %bc, i32 2
  %b2z = zext i16 %b2 to i64
  %p3 = call i32 (ptr, ...) @printf(ptr @line, i64 %b2z)
  %cv = call i16 @llvm.convert.to.fp16.f32(float 3.14159202575683593750)
  %cvz = zext i16 %cv to i64
  %p4 = call i32 (ptr, ...) @printf(ptr @line, i64 %cvz)
  %cf = call double @llvm.convert.from.fp16.f64(i16 %cv)
  %cfb = bitcast double %cf to i64
  %p5 = call i32 (ptr, ...) @printf(ptr @line, i64 %cfb)
  %from = call half @third(ptr @third.at)
  %fromk = call i64 @key(half %from)
  %p7 = call i32 (ptr, ...) @printf(ptr @line, i64 %fromk)
  %at = load ptr, ptr @op.at
  %ind = call half %at(i32 0, half 1.0, half 2.5)
  %last = call i64 @key(half %ind)
  %p6 = call i32 (ptr, ...) @printf(ptr @line, i64 %last)
  ret i32 0
}
