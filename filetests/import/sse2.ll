; test import
; The intrinsics of SSE2 that clang and rustc make of intrinsic functions; `; out:` is what an
; x86_64 prints.
; out: 57400 2 2 .
; out: 1 -2 127 -128 127 127 -128 127 5 7 -3 -128 2 127 -128 127 .
; out: 1 0 -1 0 -1 127 0 -1 5 7 0 0 2 -1 0 -1 .
; out: 250 350 -150 -32768 100 32767 -32768 12800 .
; out: 179 876 .
; out: -9 1073740924 192534 194280 .
; out: 0 -1 -1 16384 0 1 1 0 .
; out: 0 6 299 16384 0 1 -1128 0 .
; out: 5 1 -128 -128 -64 -1 10 18 27 35 44 52 61 77 86 126 .
; out: 8 -16 2400 0 -8 1016 -1032 2040 .
; out: 0 0 0 0 0 0 0 0 .
; out: 0 -1 0 -1 0 0 -1 0 .
; out: 15 0 .
; out: -1 0 -1 -1 .
; out: 0 -1071644672 0 1343554297 .
; out: 1 -2 1 -2147483648 .
; out: 2 -2 -2147483648 -2147483648 .
; out: 2 -2147483648 0 0 .
; out: 2 2 0 1 .
@lines = internal constant [6 x i8] c"%lld \00"
@end = internal constant [3 x i8] c".\0A\00"
@a = internal global <8 x i16> <i16 1, i16 -2, i16 300, i16 -32768, i16 32767, i16 127, i16 -129, i16 255>
@b = internal global <8 x i16> <i16 5, i16 7, i16 -3, i16 -32768, i16 2, i16 1000, i16 -1000, i16 256>
@c = internal global <16 x i8> <i8 0, i8 1, i8 127, i8 -128, i8 -127, i8 -1, i8 16, i8 32, i8 48, i8 64, i8 80, i8 96, i8 112, i8 -112, i8 -96, i8 -16>
@d = internal global <16 x i8> <i8 9, i8 1, i8 -128, i8 127, i8 -1, i8 -2, i8 3, i8 4, i8 5, i8 6, i8 7, i8 8, i8 9, i8 10, i8 11, i8 12>
@f = internal global <4 x float> <float 1.5, float -2.5, float 0x7FF8000000000000, float 1.0e10>
@g = internal global <4 x float> <float 1.25, float -2.5, float 1.0, float -1.0>
@h = internal global <2 x double> <double 2.5, double -1.0e10>
@room = internal global [16 x i8] zeroinitializer, align 16
declare i32 @printf(ptr, ...)

define internal void @show(i64 %x) {
  %ignored = call i32 (ptr, ...) @printf(ptr @lines, i64 %x)
  ret void
}
define internal void @newline() {
  %ignored = call i32 (ptr, ...) @printf(ptr @end)
  ret void
}
define internal void @bytes(<16 x i8> %v) {
entry:
  store <16 x i8> %v, ptr @room
  br label %again
again:
  %n = phi i64 [ 0, %entry ], [ %m, %again ]
  %p = getelementptr i8, ptr @room, i64 %n
  %x = load i8, ptr %p
  %w = sext i8 %x to i64
  call void @show(i64 %w)
  %m = add i64 %n, 1
  %more = icmp ult i64 %m, 16
  br i1 %more, label %again, label %done
done:
  call void @newline()
  ret void
}
define internal void @shorts(<8 x i16> %v) {
entry:
  store <8 x i16> %v, ptr @room
  br label %again
again:
  %n = phi i64 [ 0, %entry ], [ %m, %again ]
  %p = getelementptr i16, ptr @room, i64 %n
  %x = load i16, ptr %p
  %w = sext i16 %x to i64
  call void @show(i64 %w)
  %m = add i64 %n, 1
  %more = icmp ult i64 %m, 8
  br i1 %more, label %again, label %done
done:
  call void @newline()
  ret void
}
define internal void @ints(<4 x i32> %v) {
entry:
  store <4 x i32> %v, ptr @room
  br label %again
again:
  %n = phi i64 [ 0, %entry ], [ %m, %again ]
  %p = getelementptr i32, ptr @room, i64 %n
  %x = load i32, ptr %p
  %w = sext i32 %x to i64
  call void @show(i64 %w)
  %m = add i64 %n, 1
  %more = icmp ult i64 %m, 4
  br i1 %more, label %again, label %done
done:
  call void @newline()
  ret void
}
define internal void @word(i32 %x) {
  %w = sext i32 %x to i64
  call void @show(i64 %w)
  ret void
}
define i32 @main() {
  %a = load <8 x i16>, ptr @a
  %b = load <8 x i16>, ptr @b
  %c = load <16 x i8>, ptr @c
  %d = load <16 x i8>, ptr @d
  %f = load <4 x float>, ptr @f
  %g = load <4 x float>, ptr @g
  %h = load <2 x double>, ptr @h
  %m1 = call i32 @llvm.x86.sse2.pmovmskb.128(<16 x i8> %c)
  call void @word(i32 %m1)
  %m2 = call i32 @llvm.x86.sse.movmsk.ps(<4 x float> %f)
  call void @word(i32 %m2)
  %m3 = call i32 @llvm.x86.sse2.movmsk.pd(<2 x double> %h)
  call void @word(i32 %m3)
  call void @newline()
  %p1 = call <16 x i8> @llvm.x86.sse2.packsswb.128(<8 x i16> %a, <8 x i16> %b)
  call void @bytes(<16 x i8> %p1)
  %p2 = call <16 x i8> @llvm.x86.sse2.packuswb.128(<8 x i16> %a, <8 x i16> %b)
  call void @bytes(<16 x i8> %p2)
  %wide = sext <8 x i16> %b to <8 x i32>
  %scaled = mul <8 x i32> %wide, splat (i32 50)
  %low = shufflevector <8 x i32> %scaled, <8 x i32> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %high = shufflevector <8 x i32> %scaled, <8 x i32> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %p3 = call <8 x i16> @llvm.x86.sse2.packssdw.128(<4 x i32> %low, <4 x i32> %high)
  call void @shorts(<8 x i16> %p3)
  %s = call <2 x i64> @llvm.x86.sse2.psad.bw(<16 x i8> %c, <16 x i8> %d)
  %s0 = extractelement <2 x i64> %s, i32 0
  %s1 = extractelement <2 x i64> %s, i32 1
  call void @show(i64 %s0)
  call void @show(i64 %s1)
  call void @newline()
  %madd = call <4 x i32> @llvm.x86.sse2.pmadd.wd(<8 x i16> %a, <8 x i16> %b)
  call void @ints(<4 x i32> %madd)
  %mulh = call <8 x i16> @llvm.x86.sse2.pmulh.w(<8 x i16> %a, <8 x i16> %b)
  call void @shorts(<8 x i16> %mulh)
  %mulhu = call <8 x i16> @llvm.x86.sse2.pmulhu.w(<8 x i16> %a, <8 x i16> %b)
  call void @shorts(<8 x i16> %mulhu)
  %avg = call <16 x i8> @llvm.x86.sse2.pavg.b(<16 x i8> %c, <16 x i8> %d)
  call void @bytes(<16 x i8> %avg)
  %sl = call <8 x i16> @llvm.x86.sse2.pslli.w(<8 x i16> %a, i32 3)
  call void @shorts(<8 x i16> %sl)
  %sl2 = call <8 x i16> @llvm.x86.sse2.pslli.w(<8 x i16> %a, i32 16)
  call void @shorts(<8 x i16> %sl2)
  %sr = call <8 x i16> @llvm.x86.sse2.psrai.w(<8 x i16> %a, i32 40)
  call void @shorts(<8 x i16> %sr)
  %sq = call <2 x i64> @llvm.x86.sse2.psrl.q(<2 x i64> <i64 -1, i64 100>, <2 x i64> <i64 60, i64 3>)
  %sq0 = extractelement <2 x i64> %sq, i32 0
  %sq1 = extractelement <2 x i64> %sq, i32 1
  call void @show(i64 %sq0)
  call void @show(i64 %sq1)
  call void @newline()
  %lt = call <4 x float> @llvm.x86.sse.cmp.ps(<4 x float> %f, <4 x float> %g, i8 6)
  %lt.bits = bitcast <4 x float> %lt to <4 x i32>
  call void @ints(<4 x i32> %lt.bits)
  %one = call <4 x float> @llvm.x86.sse.cmp.ss(<4 x float> %f, <4 x float> %g, i8 1)
  %one.bits = bitcast <4 x float> %one to <4 x i32>
  %one.first = insertelement <4 x i32> %one.bits, i32 0, i32 2
  call void @ints(<4 x i32> %one.first)
  %max = call <4 x float> @llvm.x86.sse.max.ps(<4 x float> %f, <4 x float> %g)
  %t = call <4 x i32> @llvm.x86.sse2.cvttps2dq(<4 x float> %max)
  call void @ints(<4 x i32> %t)
  %r = call <4 x i32> @llvm.x86.sse2.cvtps2dq(<4 x float> %f)
  call void @ints(<4 x i32> %r)
  %r2 = call <4 x i32> @llvm.x86.sse2.cvttpd2dq(<2 x double> %h)
  call void @ints(<4 x i32> %r2)
  %i1 = call i32 @llvm.x86.sse2.cvtsd2si(<2 x double> %h)
  call void @word(i32 %i1)
  %i2 = call i64 @llvm.x86.sse2.cvttsd2si64(<2 x double> %h)
  call void @show(i64 %i2)
  %u1 = call i32 @llvm.x86.sse.ucomieq.ss(<4 x float> %f, <4 x float> %g)
  call void @word(i32 %u1)
  %u2 = call i32 @llvm.x86.sse.comigt.ss(<4 x float> %f, <4 x float> %g)
  call void @word(i32 %u2)
  call void @newline()
  ret i32 0
}
declare i32 @llvm.x86.sse2.pmovmskb.128(<16 x i8>)
declare i32 @llvm.x86.sse.movmsk.ps(<4 x float>)
declare i32 @llvm.x86.sse2.movmsk.pd(<2 x double>)
declare <16 x i8> @llvm.x86.sse2.packsswb.128(<8 x i16>, <8 x i16>)
declare <16 x i8> @llvm.x86.sse2.packuswb.128(<8 x i16>, <8 x i16>)
declare <8 x i16> @llvm.x86.sse2.packssdw.128(<4 x i32>, <4 x i32>)
declare <2 x i64> @llvm.x86.sse2.psad.bw(<16 x i8>, <16 x i8>)
declare <4 x i32> @llvm.x86.sse2.pmadd.wd(<8 x i16>, <8 x i16>)
declare <8 x i16> @llvm.x86.sse2.pmulh.w(<8 x i16>, <8 x i16>)
declare <8 x i16> @llvm.x86.sse2.pmulhu.w(<8 x i16>, <8 x i16>)
declare <16 x i8> @llvm.x86.sse2.pavg.b(<16 x i8>, <16 x i8>)
declare <8 x i16> @llvm.x86.sse2.pslli.w(<8 x i16>, i32)
declare <8 x i16> @llvm.x86.sse2.psrai.w(<8 x i16>, i32)
declare <2 x i64> @llvm.x86.sse2.psrl.q(<2 x i64>, <2 x i64>)
declare <4 x float> @llvm.x86.sse.cmp.ps(<4 x float>, <4 x float>, i8)
declare <4 x float> @llvm.x86.sse.cmp.ss(<4 x float>, <4 x float>, i8)
declare <4 x float> @llvm.x86.sse.max.ps(<4 x float>, <4 x float>)
declare <4 x i32> @llvm.x86.sse2.cvttps2dq(<4 x float>)
declare <4 x i32> @llvm.x86.sse2.cvtps2dq(<4 x float>)
declare <4 x i32> @llvm.x86.sse2.cvttpd2dq(<2 x double>)
declare i32 @llvm.x86.sse2.cvtsd2si(<2 x double>)
declare i64 @llvm.x86.sse2.cvttsd2si64(<2 x double>)
declare i32 @llvm.x86.sse.ucomieq.ss(<4 x float>, <4 x float>)
declare i32 @llvm.x86.sse.comigt.ss(<4 x float>, <4 x float>)
