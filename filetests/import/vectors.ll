; test import
; Vectors: arithmetic, comparisons, selections, casts, lanes, shuffles, memory, calls, PHIs, data.
; out: 6 5 299997 -2147483646 .
; out: 5 -14 -900000 0 .
; out: 0 -1 42857 -214748364 .
; out: 1 4 0 8 .
; out: 2 0 2400000 -2147483648 .
; out: 0 -1 150000 -1073741824 .
; out: 1 7 0 -2147483648 .
; out: 1 -2 -3 -2147483648 .
; out: 0 -1 0 -1 .
; out: 1 0 300000 0 .
; out: -4 6 -3 -1000000000 .
; out: -8 12 -6 -2000000000 .
; out: 1 0 0 1 .
; out: 1069547520 -1071644672 1048576000 1315859240 .
; out: 3 0 0 2000000000 .
; out: 0 0 0 0 .
; out: 1 1 0 3 6 1 .
; out: 0 7 -1 1 -2 15 -4 70000 -1 5 .
; out: -2 1 -2 300000 77 .
; out: 77 1 300000 -2 .
; out: 300000 -2 1 77 .
; out: 300000 300000 300000 300000 .
; out: 78 -1 600000 2147483646 .
; out: -2147483648 8 .
; out: 1 22 10 10 .
; out: 18 -2 11 10 .
; out: 40 8 21 28 .
; out: 5 -2 -3 -2147483648 .
; out: 1 2 300000 -2147483648 .
; out: 1 31 8 1 .
; out: 29 29 0 30 .
; out: 83886080 117440512 -33554433 33554432 .
; out: 32 -129 37500 2 .
; out: -2147483646 -2147483648 -2147183647 -2147483648 .
; out: 20000 -40000 1705032704 0 .
; out: 0 0 1 1 .
; out: -2147183649 -3 -210 -1 .
; out: 1000000000 1000000000 .
; out: -2147483648 300000 -2 1 .
; out: 300000 -2147483648 -3 2 .
; out: 1 -2 -3 2 .
; out: 8 8 3 4 .
; out: -2147483648 300000 -3 2 .
; out: 1 -2 7 5 .
@lines = internal constant [6 x i8] c"%lld \00"
@end = internal constant [3 x i8] c".\0A\00"
@four = internal global <4 x i32> <i32 1, i32 -2, i32 300000, i32 -2147483648>
@other = internal global <4 x i32> <i32 5, i32 7, i32 -3, i32 2>
@bytes = internal global [16 x i8] c"\00\01\7F\80\81\FF\10\20\30\40\50\60\70\90\A0\F0", align 16
@bits = internal global <12 x i1> <i1 1, i1 0, i1 0, i1 1, i1 1, i1 0, i1 1, i1 0, i1 1, i1 1, i1 1, i1 0>
@fives = internal global <3 x i5> <i5 1, i5 -2, i5 15>
@odd = internal global { i8, <3 x i24>, i8 } { i8 1, <3 x i24> <i24 70000, i24 -1, i24 5>, i8 9 }
@floats = internal global <4 x float> <float 1.5, float -2.5, float 0.25, float 1.0e9>
@room = internal global [64 x i8] zeroinitializer, align 16
@one = internal global i64 1
declare i32 @printf(ptr, ...)

define internal void @show(i64 %x) {
  %ignored = call i32 (ptr, ...) @printf(ptr @lines, i64 %x)
  ret void
}
define internal void @newline() {
  %ignored = call i32 (ptr, ...) @printf(ptr @end)
  ret void
}
define internal void @show4(<4 x i32> %v) {
  %w = sext <4 x i32> %v to <4 x i64>
  %a = extractelement <4 x i64> %w, i32 0
  %b = extractelement <4 x i64> %w, i32 1
  %c = extractelement <4 x i64> %w, i64 2
  %d = extractelement <4 x i64> %w, i8 3
  call void @show(i64 %a)
  call void @show(i64 %b)
  call void @show(i64 %c)
  call void @show(i64 %d)
  call void @newline()
  ret void
}
define internal <4 x i32> @sum(<4 x i32> %a, <4 x i32> %b, i1 %second) noinline {
  %c = add nsw <4 x i32> %a, %b
  %d = select i1 %second, <4 x i32> %b, <4 x i32> %c
  ret <4 x i32> %d
}
define internal void @arithmetic() {
  %a = load <4 x i32>, ptr @four
  %b = load <4 x i32>, ptr @other
  %add = add <4 x i32> %a, %b
  call void @show4(<4 x i32> %add)
  %mul = mul <4 x i32> %a, %b
  call void @show4(<4 x i32> %mul)
  %div = sdiv <4 x i32> %a, <i32 3, i32 2, i32 7, i32 10>
  call void @show4(<4 x i32> %div)
  %rem = urem <4 x i32> %a, splat (i32 10)
  call void @show4(<4 x i32> %rem)
  %shl = shl <4 x i32> %a, <i32 1, i32 31, i32 3, i32 0>
  call void @show4(<4 x i32> %shl)
  %ashr = ashr <4 x i32> %a, splat (i32 1)
  call void @show4(<4 x i32> %ashr)
  %bic = and <4 x i32> %a, <i32 -1, i32 undef, i32 0, i32 -65536>
  %third = insertelement <4 x i32> %bic, i32 7, i32 1
  call void @show4(<4 x i32> %third)
  %less = icmp slt <4 x i32> %a, %b
  %least = select <4 x i1> %less, <4 x i32> %a, <4 x i32> %b
  call void @show4(<4 x i32> %least)
  %above = icmp ugt <4 x i32> %a, %b
  %flags = sext <4 x i1> %above to <4 x i32>
  call void @show4(<4 x i32> %flags)
  %mixed = select <4 x i1> <i1 true, i1 false, i1 true, i1 false>, <4 x i32> %a, <4 x i32> zeroinitializer
  call void @show4(<4 x i32> %mixed)
  ret void
}
define internal void @floating() {
  %a = load <4 x float>, ptr @floats
  %b = fadd <4 x float> %a, splat (float 0.5)
  %c = fmul <4 x float> %b, <float 2.0, float 3.0, float 4.0, float 1.0>
  %n = fneg <4 x float> %c
  %i = fptosi <4 x float> %n to <4 x i32>
  call void @show4(<4 x i32> %i)
  %w = fpext <4 x float> %n to <4 x double>
  %u = uitofp <4 x i32> %i to <4 x double>
  %s = fadd <4 x double> %w, %u
  %t = fptoui <4 x double> %s to <4 x i64>
  %k = trunc <4 x i64> %t to <4 x i32>
  call void @show4(<4 x i32> %k)
  %o = fcmp ogt <4 x float> %a, <float 0.0, float 0x7FF8000000000000, float 0.25, float 1.0>
  %z = zext <4 x i1> %o to <4 x i32>
  call void @show4(<4 x i32> %z)
  %same = bitcast <4 x float> %a to <4 x i32>
  call void @show4(<4 x i32> %same)
  %abs = call <4 x float> @llvm.fabs.v4f32(<4 x float> %a)
  %root = call <4 x float> @llvm.sqrt.v4f32(<4 x float> %abs)
  %fma = call <4 x float> @llvm.fma.v4f32(<4 x float> %root, <4 x float> %root, <4 x float> %a)
  %r = fptosi <4 x float> %fma to <4 x i32>
  call void @show4(<4 x i32> %r)
  ret void
}
; A value seen as other lanes or as one integer is what its memory is seen as.
define internal void @reinterpreted() {
  %a = load <16 x i8>, ptr @bytes, align 1
  %words = bitcast <16 x i8> %a to <4 x i32>
  %loaded = load <4 x i32>, ptr @bytes, align 1
  %d1 = sub <4 x i32> %words, %loaded
  call void @show4(<4 x i32> %d1)
  %whole = bitcast <16 x i8> %a to i128
  %whole.loaded = load i128, ptr @bytes, align 1
  %d2 = xor i128 %whole, %whole.loaded
  %d2.zero = icmp eq i128 %d2, 0
  %d2.bit = zext i1 %d2.zero to i64
  call void @show(i64 %d2.bit)
  %halves = bitcast i128 %whole to <8 x i16>
  %halves.loaded = load <8 x i16>, ptr @bytes, align 1
  %d3 = icmp eq <8 x i16> %halves, %halves.loaded
  %d3.all = call i1 @llvm.vector.reduce.and.v8i1(<8 x i1> %d3)
  %d3.bit = zext i1 %d3.all to i64
  call void @show(i64 %d3.bit)
  %doubles = bitcast <8 x i16> %halves to <2 x double>
  %back = bitcast <2 x double> %doubles to <16 x i8>
  %d4 = icmp ne <16 x i8> %back, %a
  %d4.mask = bitcast <16 x i1> %d4 to i16
  %d4.word = zext i16 %d4.mask to i64
  call void @show(i64 %d4.word)
  %three = shufflevector <4 x i32> %words, <4 x i32> poison, <3 x i32> <i32 0, i32 1, i32 2>
  %two = bitcast <3 x i32> %three to <2 x i48>
  store <3 x i32> %three, ptr @room
  %two.loaded = load <2 x i48>, ptr @room
  %d5 = icmp eq <2 x i48> %two, %two.loaded
  %d5.both = bitcast <2 x i1> %d5 to i2
  %d5.word = zext i2 %d5.both to i64
  call void @show(i64 %d5.word)
  ; The order of lanes among bits is the machine's, but that of a mask and back is no lane's.
  %signs = icmp slt <16 x i8> %a, zeroinitializer
  %mask = bitcast <16 x i1> %signs to i16
  %count = call i16 @llvm.ctpop.i16(i16 %mask)
  %count.word = zext i16 %count to i64
  call void @show(i64 %count.word)
  %again = bitcast i16 %mask to <16 x i1>
  %fifth = extractelement <16 x i1> %again, i32 4
  %fifth.word = zext i1 %fifth to i64
  call void @show(i64 %fifth.word)
  call void @newline()
  ret void
}
; Lanes that are no whole bytes lie bit beside bit in memory.
define internal void @packed() {
  %a = load <12 x i1>, ptr @bits
  %mask = bitcast <12 x i1> %a to i12
  %loaded = load i12, ptr @bits
  %d = xor i12 %mask, %loaded
  %d.word = zext i12 %d to i64
  call void @show(i64 %d.word)
  %flags = zext <12 x i1> %a to <12 x i8>
  %sum = call i8 @llvm.vector.reduce.add.v12i8(<12 x i8> %flags)
  %sum.word = zext i8 %sum to i64
  call void @show(i64 %sum.word)
  %tenth = extractelement <12 x i1> %a, i32 10
  %tenth.word = sext i1 %tenth to i64
  call void @show(i64 %tenth.word)
  %f = load <3 x i5>, ptr @fives
  %f.wide = sext <3 x i5> %f to <3 x i64>
  %f0 = extractelement <3 x i64> %f.wide, i32 0
  %f1 = extractelement <3 x i64> %f.wide, i32 1
  %f2 = extractelement <3 x i64> %f.wide, i32 2
  call void @show(i64 %f0)
  call void @show(i64 %f1)
  call void @show(i64 %f2)
  %doubled = shl <3 x i5> %f, splat (i5 1)
  store <3 x i5> %doubled, ptr @fives
  %g = load i15, ptr @fives
  %g.lanes = bitcast i15 %g to <3 x i5>
  %g1 = extractelement <3 x i5> %g.lanes, i32 1
  %g1.word = sext i5 %g1 to i64
  call void @show(i64 %g1.word)
  %h = load <3 x i24>, ptr getelementptr inbounds ({ i8, <3 x i24>, i8 }, ptr @odd, i32 0, i32 1)
  %h.wide = sext <3 x i24> %h to <3 x i64>
  %h0 = extractelement <3 x i64> %h.wide, i32 0
  %h1 = extractelement <3 x i64> %h.wide, i32 1
  %h2 = extractelement <3 x i64> %h.wide, i32 2
  call void @show(i64 %h0)
  call void @show(i64 %h1)
  call void @show(i64 %h2)
  call void @newline()
  ret void
}
define internal void @lanes() {
  %one = load i64, ptr @one
  %a = load <4 x i32>, ptr @four
  %x = extractelement <4 x i32> %a, i64 %one
  %x.word = sext i32 %x to i64
  call void @show(i64 %x.word)
  %three = add i64 %one, 2
  %b = insertelement <4 x i32> %a, i32 77, i64 %three
  call void @show4(<4 x i32> %b)
  %c = shufflevector <4 x i32> %a, <4 x i32> %b, <4 x i32> <i32 7, i32 0, i32 6, i32 1>
  call void @show4(<4 x i32> %c)
  %eight = shufflevector <4 x i32> %c, <4 x i32> %a, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 poison>
  %d = shufflevector <8 x i32> %eight, <8 x i32> poison, <4 x i32> <i32 6, i32 5, i32 4, i32 0>
  call void @show4(<4 x i32> %d)
  %e = shufflevector <4 x i32> %d, <4 x i32> poison, <4 x i32> zeroinitializer
  call void @show4(<4 x i32> %e)
  %f = call <4 x i32> @sum(<4 x i32> %a, <4 x i32> %c, i1 false)
  call void @show4(<4 x i32> %f)
  %index = insertelement <2 x i64> poison, i64 %one, i32 0
  %indices = insertelement <2 x i64> %index, i64 %three, i32 1
  %pointers = getelementptr i32, ptr @four, <2 x i64> %indices
  %p = extractelement <2 x ptr> %pointers, i32 1
  %q = load i32, ptr %p
  %q.word = sext i32 %q to i64
  call void @show(i64 %q.word)
  %ints = ptrtoint <2 x ptr> %pointers to <2 x i64>
  %ints.0 = extractelement <2 x i64> %ints, i32 0
  %ints.1 = extractelement <2 x i64> %ints, i32 1
  %apart = sub i64 %ints.1, %ints.0
  call void @show(i64 %apart)
  call void @newline()
  ret void
}
define internal void @loop() {
entry:
  %start = load <4 x i32>, ptr @other
  br label %again
again:
  %v = phi <4 x i32> [ %start, %entry ], [ %next, %again ]
  %w = phi <4 x i32> [ <i32 0, i32 1, i32 2, i32 3>, %entry ], [ %v, %again ]
  %n = phi i32 [ 0, %entry ], [ %m, %again ]
  %turned = shufflevector <4 x i32> %v, <4 x i32> %w, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  %next = add <4 x i32> %turned, %w
  %m = add i32 %n, 1
  %more = icmp ult i32 %m, 5
  br i1 %more, label %again, label %done
done:
  call void @show4(<4 x i32> %v)
  call void @show4(<4 x i32> %w)
  call void @show4(<4 x i32> %next)
  ret void
}
define internal void @intrinsics() {
  %a = load <4 x i32>, ptr @four
  %b = load <4 x i32>, ptr @other
  %max = call <4 x i32> @llvm.umax.v4i32(<4 x i32> %a, <4 x i32> %b)
  call void @show4(<4 x i32> %max)
  %abs = call <4 x i32> @llvm.abs.v4i32(<4 x i32> %a, i1 false)
  call void @show4(<4 x i32> %abs)
  %pop = call <4 x i32> @llvm.ctpop.v4i32(<4 x i32> %a)
  call void @show4(<4 x i32> %pop)
  %lead = call <4 x i32> @llvm.ctlz.v4i32(<4 x i32> %b, i1 false)
  call void @show4(<4 x i32> %lead)
  %swapped = call <4 x i32> @llvm.bswap.v4i32(<4 x i32> %b)
  call void @show4(<4 x i32> %swapped)
  %turned = call <4 x i32> @llvm.fshl.v4i32(<4 x i32> %a, <4 x i32> %a, <4 x i32> %b)
  call void @show4(<4 x i32> %turned)
  %limited = call <4 x i32> @llvm.sadd.sat.v4i32(<4 x i32> %a, <4 x i32> splat (i32 -2147483647))
  call void @show4(<4 x i32> %limited)
  %over = call { <4 x i32>, <4 x i1> } @llvm.smul.with.overflow.v4i32(<4 x i32> %a, <4 x i32> splat (i32 20000))
  %over.0 = extractvalue { <4 x i32>, <4 x i1> } %over, 0
  call void @show4(<4 x i32> %over.0)
  %over.1 = extractvalue { <4 x i32>, <4 x i1> } %over, 1
  %over.1.word = zext <4 x i1> %over.1 to <4 x i32>
  call void @show4(<4 x i32> %over.1.word)
  %all = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %a)
  %all.0 = insertelement <4 x i32> poison, i32 %all, i32 0
  %least = call i32 @llvm.vector.reduce.smin.v4i32(<4 x i32> %b)
  %all.1 = insertelement <4 x i32> %all.0, i32 %least, i32 1
  %product = call i32 @llvm.vector.reduce.mul.v4i32(<4 x i32> %b)
  %all.2 = insertelement <4 x i32> %all.1, i32 %product, i32 2
  %any = call i32 @llvm.vector.reduce.or.v4i32(<4 x i32> %b)
  %all.3 = insertelement <4 x i32> %all.2, i32 %any, i32 3
  call void @show4(<4 x i32> %all.3)
  %f = load <4 x float>, ptr @floats
  %total = call float @llvm.vector.reduce.fadd.v4f32(float 3.5, <4 x float> %f)
  %total.word = fptosi float %total to i64
  call void @show(i64 %total.word)
  %greatest = call float @llvm.vector.reduce.fmax.v4f32(<4 x float> %f)
  %greatest.word = fptosi float %greatest to i64
  call void @show(i64 %greatest.word)
  call void @newline()
  %reversed = call <4 x i32> @llvm.vector.reverse.v4i32(<4 x i32> %a)
  call void @show4(<4 x i32> %reversed)
  %lower = call <2 x i32> @llvm.vector.extract.v2i32.v4i32(<4 x i32> %a, i64 2)
  %upper = call <4 x i32> @llvm.vector.insert.v4i32.v2i32(<4 x i32> %b, <2 x i32> %lower, i64 0)
  call void @show4(<4 x i32> %upper)
  ret void
}
define internal void @masked() {
  %b = load <4 x i32>, ptr @other
  %some = icmp sgt <4 x i32> %b, splat (i32 2)
  %loaded = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr align 4 @four, <4 x i1> %some, <4 x i32> %b)
  call void @show4(<4 x i32> %loaded)
  store <4 x i32> <i32 1, i32 2, i32 3, i32 4>, ptr @room
  call void @llvm.masked.store.v4i32.p0(<4 x i32> splat (i32 8), ptr align 4 @room, <4 x i1> %some)
  %stored = load <4 x i32>, ptr @room
  call void @show4(<4 x i32> %stored)
  %pointers = getelementptr i32, ptr @four, <4 x i64> <i64 3, i64 2, i64 1, i64 0>
  %gathered = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> align 4 %pointers, <4 x i1> %some, <4 x i32> %b)
  call void @show4(<4 x i32> %gathered)
  call void @llvm.masked.scatter.v4i32.v4p0(<4 x i32> %b, <4 x ptr> align 4 %pointers, <4 x i1> %some)
  %scattered = load <4 x i32>, ptr @four
  call void @show4(<4 x i32> %scattered)
  ret void
}
define i32 @main() {
  call void @arithmetic()
  call void @floating()
  call void @reinterpreted()
  call void @packed()
  call void @lanes()
  call void @loop()
  call void @intrinsics()
  call void @masked()
  ret i32 0
}
declare <4 x float> @llvm.fabs.v4f32(<4 x float>)
declare <4 x float> @llvm.sqrt.v4f32(<4 x float>)
declare <4 x float> @llvm.fma.v4f32(<4 x float>, <4 x float>, <4 x float>)
declare i1 @llvm.vector.reduce.and.v8i1(<8 x i1>)
declare i8 @llvm.vector.reduce.add.v12i8(<12 x i8>)
declare i16 @llvm.ctpop.i16(i16)
declare <4 x i32> @llvm.umax.v4i32(<4 x i32>, <4 x i32>)
declare <4 x i32> @llvm.abs.v4i32(<4 x i32>, i1)
declare <4 x i32> @llvm.ctpop.v4i32(<4 x i32>)
declare <4 x i32> @llvm.ctlz.v4i32(<4 x i32>, i1)
declare <4 x i32> @llvm.bswap.v4i32(<4 x i32>)
declare <4 x i32> @llvm.fshl.v4i32(<4 x i32>, <4 x i32>, <4 x i32>)
declare <4 x i32> @llvm.sadd.sat.v4i32(<4 x i32>, <4 x i32>)
declare { <4 x i32>, <4 x i1> } @llvm.smul.with.overflow.v4i32(<4 x i32>, <4 x i32>)
declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
declare i32 @llvm.vector.reduce.smin.v4i32(<4 x i32>)
declare i32 @llvm.vector.reduce.mul.v4i32(<4 x i32>)
declare i32 @llvm.vector.reduce.or.v4i32(<4 x i32>)
declare float @llvm.vector.reduce.fadd.v4f32(float, <4 x float>)
declare float @llvm.vector.reduce.fmax.v4f32(<4 x float>)
declare <4 x i32> @llvm.vector.reverse.v4i32(<4 x i32>)
declare <2 x i32> @llvm.vector.extract.v2i32.v4i32(<4 x i32>, i64)
declare <4 x i32> @llvm.vector.insert.v4i32.v2i32(<4 x i32>, <2 x i32>, i64)
declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, <4 x i1>, <4 x i32>)
declare void @llvm.masked.store.v4i32.p0(<4 x i32>, ptr, <4 x i1>)
declare <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr>, <4 x i1>, <4 x i32>)
declare void @llvm.masked.scatter.v4i32.v4p0(<4 x i32>, <4 x ptr>, <4 x i1>)
