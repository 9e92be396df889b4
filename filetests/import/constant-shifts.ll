; test import
; Funnel shifts by constants, and "or" of operands that have no bit in common.
; out: fshl_8_0_two ea4c667acedc1a20
; out: fshl_8_0_same ea4c667acedc1a20
; out: fshr_8_0_two 55afc620b11f8cc0
; out: fshr_8_0_same ea4c667acedc1a20
; out: fshl_8_1_two 357875f2bed744cb
; out: fshl_8_1_same 65f796c277051a70
; out: fshr_8_1_two b2c0151653a63be0
; out: fshr_8_1_same 7526333d676e0d10
; out: fshl_8_5_two 815dd7ba631bb930
; out: fshl_8_5_same b09856b96fcabdd4
; out: fshr_8_5_two bcf5d7ea54385310
; out: fshr_8_5_same 930b23b50e12c367
; out: fshl_8_7_two b2c0151653a63be0
; out: fshl_8_7_same 7526333d676e0d10
; out: fshr_8_7_two 357875f2bed744cb
; out: fshr_8_7_same 65f796c277051a70
; out: fshl_8_8_two ea4c667acedc1a20
; out: fshl_8_8_same ea4c667acedc1a20
; out: fshr_8_8_two 55afc620b11f8cc0
; out: fshr_8_8_same ea4c667acedc1a20
; out: fshl_8_11_two bcf5d7ea54385310
; out: fshl_8_11_same 930b23b50e12c367
; out: fshr_8_11_two 815dd7ba631bb930
; out: fshr_8_11_same b09856b96fcabdd4
; out: fshl_16_0_two 53ec3b5cbfc37220
; out: fshl_16_0_same 53ec3b5cbfc37220
; out: fshr_16_0_two 10ef3e6d68df9ec0
; out: fshr_16_0_same 53ec3b5cbfc37220
; out: fshl_16_1_two 300befabed7d6143
; out: fshl_16_1_same e2995c8c16f70f93
; out: fshr_16_1_two 0a0d9b60679523e0
; out: fshr_16_1_same a9f61dae5fe1b910
; out: fshl_16_5_two f7e7dfe3d1c2ecc9
; out: fshl_16_5_same 30e04551db0f31e2
; out: fshr_16_5_two 6d5e87bd02405860
; out: fshr_16_5_same f16e7e388e6205a7
; out: fshl_16_15_two 0a0d9b60679523e0
; out: fshl_16_15_same a9f61dae5fe1b910
; out: fshr_16_15_two 300befabed7d6143
; out: fshr_16_15_same e2995c8c16f70f93
; out: fshl_16_16_two 53ec3b5cbfc37220
; out: fshl_16_16_same 53ec3b5cbfc37220
; out: fshr_16_16_two 10ef3e6d68df9ec0
; out: fshr_16_16_same 53ec3b5cbfc37220
; out: fshl_16_19_two 3e4399e10ce0dd63
; out: fshl_16_19_same 4d5de539866715e6
; out: fshr_16_19_two 98bb21385161b4b0
; out: fshr_16_19_same 15d1cc32df5a3214
; out: fshl_32_0_two b45961ea9b7f7220
; out: fshl_32_0_same b45961ea9b7f7220
; out: fshr_32_0_two 57a6f2d12bd19ec0
; out: fshr_32_0_same b45961ea9b7f7220
; out: fshl_32_1_two 05e82e2d84c5570a
; out: fshl_32_1_same f0405ba2da13040b
; out: fshr_32_1_two 4a781301378623e0
; out: fshr_32_1_same da2cb0f54dbfb910
; out: fshl_32_5_two 50889f391c83ddff
; out: fshl_32_5_same 6e9c2c9d3eb4bb1b
; out: fshr_32_5_two b5e38574d6ea9860
; out: fshr_32_5_same 70bcaf16a2e3b5a7
; out: fshl_32_31_two 4a781301378623e0
; out: fshl_32_31_same da2cb0f54dbfb910
; out: fshr_32_31_two 05e82e2d84c5570a
; out: fshr_32_31_same f0405ba2da13040b
; out: fshl_32_32_two b45961ea9b7f7220
; out: fshl_32_32_same b45961ea9b7f7220
; out: fshr_32_32_two 57a6f2d12bd19ec0
; out: fshr_32_32_same b45961ea9b7f7220
; out: fshl_32_35_two 14722efe9ed22847
; out: fshl_32_35_same db99a668f05dfd89
; out: fshr_32_35_two 9ecdde461d91f4b0
; out: fshr_32_35_same 73a71c63b7b3f214
; out: fshl_33_0_two 47741bc09b7f7220
; out: fshl_33_0_same 47741bc09b7f7220
; out: fshr_33_0_two 1300637c2bd19ec0
; out: fshr_33_0_same 47741bc09b7f7220
; out: fshl_33_1_two 4a8874a2bfddc727
; out: fshl_33_1_same 3674b492a4f7b766
; out: fshr_33_1_two c592cd37b78623e0
; out: fshr_33_1_same 23ba0de04dbfb910
; out: fshl_33_5_two ed90153eb778c622
; out: fshl_33_5_same 1a5d89a8ee1c514e
; out: fshr_33_5_two 3c2f7d910eea9860
; out: fshr_33_5_same 7ca1a42ff2e3b5a7
; out: fshl_33_32_two c592cd37b78623e0
; out: fshl_33_32_same 23ba0de04dbfb910
; out: fshr_33_32_two 4a8874a2bfddc727
; out: fshr_33_32_same 3674b492a4f7b766
; out: fshl_33_33_two 47741bc09b7f7220
; out: fshl_33_33_same 47741bc09b7f7220
; out: fshr_33_33_two 1300637c2bd19ec0
; out: fshr_33_33_same 47741bc09b7f7220
; out: fshl_33_36_two 14c9bc98b8f009c0
; out: fshl_33_36_same afbdcc16da289a2a
; out: fshr_33_36_two 2575bf99fd91f4b0
; out: fshr_33_36_same f8931287b7b3f214
; out: fshl_64_0_two 899f87ea9b7f7220
; out: fshl_64_0_same 899f87ea9b7f7220
; out: fshr_64_0_two fc86901c2bd19ec0
; out: fshr_64_0_same 899f87ea9b7f7220
; out: fshl_64_1_two 7069f0644819a67a
; out: fshl_64_1_same 565b37dfe07021c5
; out: fshr_64_1_two eae83357b78623e0
; out: fshr_64_1_same 44cfc3f54dbfb910
; out: fshl_64_5_two fec613a2476e1bdf
; out: fshl_64_5_same f969c4e394150ad6
; out: fshr_64_5_two 02a3a6eb0eea9860
; out: fshr_64_5_same eff8b6a002e3b5a7
; out: fshl_64_63_two eae83357b78623e0
; out: fshl_64_63_same 44cfc3f54dbfb910
; out: fshr_64_63_two 7069f0644819a67a
; out: fshr_64_63_same 565b37dfe07021c5
; out: fshl_64_64_two 899f87ea9b7f7220
; out: fshl_64_64_same 899f87ea9b7f7220
; out: fshr_64_64_two fc86901c2bd19ec0
; out: fshr_64_64_same 899f87ea9b7f7220
; out: fshl_64_67_two ac310f4bf813bf5d
; out: fshl_64_67_same 8cd8f06bc44961b4
; out: fshr_64_67_two 90e50a157d91f4b0
; out: fshr_64_67_same e9f1a0ed77b3f214
; out: disjoint_8 25abe034e5d58b80
; out: disjoint_32 3a81f42a16305280
; out: disjoint_64 b2c0f94816305280
; out: element 27bec56c1b500ca0
@numbers = private constant [8 x i16] [i16 11, i16 22, i16 33, i16 44, i16 55, i16 66, i16 77, i16 88]
@s0 = private constant [21 x i8] c"fshl_8_0_two %016lx\0A\00"
@s1 = private constant [22 x i8] c"fshl_8_0_same %016lx\0A\00"
@s2 = private constant [21 x i8] c"fshr_8_0_two %016lx\0A\00"
@s3 = private constant [22 x i8] c"fshr_8_0_same %016lx\0A\00"
@s4 = private constant [21 x i8] c"fshl_8_1_two %016lx\0A\00"
@s5 = private constant [22 x i8] c"fshl_8_1_same %016lx\0A\00"
@s6 = private constant [21 x i8] c"fshr_8_1_two %016lx\0A\00"
@s7 = private constant [22 x i8] c"fshr_8_1_same %016lx\0A\00"
@s8 = private constant [21 x i8] c"fshl_8_5_two %016lx\0A\00"
@s9 = private constant [22 x i8] c"fshl_8_5_same %016lx\0A\00"
@s10 = private constant [21 x i8] c"fshr_8_5_two %016lx\0A\00"
@s11 = private constant [22 x i8] c"fshr_8_5_same %016lx\0A\00"
@s12 = private constant [21 x i8] c"fshl_8_7_two %016lx\0A\00"
@s13 = private constant [22 x i8] c"fshl_8_7_same %016lx\0A\00"
@s14 = private constant [21 x i8] c"fshr_8_7_two %016lx\0A\00"
@s15 = private constant [22 x i8] c"fshr_8_7_same %016lx\0A\00"
@s16 = private constant [21 x i8] c"fshl_8_8_two %016lx\0A\00"
@s17 = private constant [22 x i8] c"fshl_8_8_same %016lx\0A\00"
@s18 = private constant [21 x i8] c"fshr_8_8_two %016lx\0A\00"
@s19 = private constant [22 x i8] c"fshr_8_8_same %016lx\0A\00"
@s20 = private constant [22 x i8] c"fshl_8_11_two %016lx\0A\00"
@s21 = private constant [23 x i8] c"fshl_8_11_same %016lx\0A\00"
@s22 = private constant [22 x i8] c"fshr_8_11_two %016lx\0A\00"
@s23 = private constant [23 x i8] c"fshr_8_11_same %016lx\0A\00"
@s24 = private constant [22 x i8] c"fshl_16_0_two %016lx\0A\00"
@s25 = private constant [23 x i8] c"fshl_16_0_same %016lx\0A\00"
@s26 = private constant [22 x i8] c"fshr_16_0_two %016lx\0A\00"
@s27 = private constant [23 x i8] c"fshr_16_0_same %016lx\0A\00"
@s28 = private constant [22 x i8] c"fshl_16_1_two %016lx\0A\00"
@s29 = private constant [23 x i8] c"fshl_16_1_same %016lx\0A\00"
@s30 = private constant [22 x i8] c"fshr_16_1_two %016lx\0A\00"
@s31 = private constant [23 x i8] c"fshr_16_1_same %016lx\0A\00"
@s32 = private constant [22 x i8] c"fshl_16_5_two %016lx\0A\00"
@s33 = private constant [23 x i8] c"fshl_16_5_same %016lx\0A\00"
@s34 = private constant [22 x i8] c"fshr_16_5_two %016lx\0A\00"
@s35 = private constant [23 x i8] c"fshr_16_5_same %016lx\0A\00"
@s36 = private constant [23 x i8] c"fshl_16_15_two %016lx\0A\00"
@s37 = private constant [24 x i8] c"fshl_16_15_same %016lx\0A\00"
@s38 = private constant [23 x i8] c"fshr_16_15_two %016lx\0A\00"
@s39 = private constant [24 x i8] c"fshr_16_15_same %016lx\0A\00"
@s40 = private constant [23 x i8] c"fshl_16_16_two %016lx\0A\00"
@s41 = private constant [24 x i8] c"fshl_16_16_same %016lx\0A\00"
@s42 = private constant [23 x i8] c"fshr_16_16_two %016lx\0A\00"
@s43 = private constant [24 x i8] c"fshr_16_16_same %016lx\0A\00"
@s44 = private constant [23 x i8] c"fshl_16_19_two %016lx\0A\00"
@s45 = private constant [24 x i8] c"fshl_16_19_same %016lx\0A\00"
@s46 = private constant [23 x i8] c"fshr_16_19_two %016lx\0A\00"
@s47 = private constant [24 x i8] c"fshr_16_19_same %016lx\0A\00"
@s48 = private constant [22 x i8] c"fshl_32_0_two %016lx\0A\00"
@s49 = private constant [23 x i8] c"fshl_32_0_same %016lx\0A\00"
@s50 = private constant [22 x i8] c"fshr_32_0_two %016lx\0A\00"
@s51 = private constant [23 x i8] c"fshr_32_0_same %016lx\0A\00"
@s52 = private constant [22 x i8] c"fshl_32_1_two %016lx\0A\00"
@s53 = private constant [23 x i8] c"fshl_32_1_same %016lx\0A\00"
@s54 = private constant [22 x i8] c"fshr_32_1_two %016lx\0A\00"
@s55 = private constant [23 x i8] c"fshr_32_1_same %016lx\0A\00"
@s56 = private constant [22 x i8] c"fshl_32_5_two %016lx\0A\00"
@s57 = private constant [23 x i8] c"fshl_32_5_same %016lx\0A\00"
@s58 = private constant [22 x i8] c"fshr_32_5_two %016lx\0A\00"
@s59 = private constant [23 x i8] c"fshr_32_5_same %016lx\0A\00"
@s60 = private constant [23 x i8] c"fshl_32_31_two %016lx\0A\00"
@s61 = private constant [24 x i8] c"fshl_32_31_same %016lx\0A\00"
@s62 = private constant [23 x i8] c"fshr_32_31_two %016lx\0A\00"
@s63 = private constant [24 x i8] c"fshr_32_31_same %016lx\0A\00"
@s64 = private constant [23 x i8] c"fshl_32_32_two %016lx\0A\00"
@s65 = private constant [24 x i8] c"fshl_32_32_same %016lx\0A\00"
@s66 = private constant [23 x i8] c"fshr_32_32_two %016lx\0A\00"
@s67 = private constant [24 x i8] c"fshr_32_32_same %016lx\0A\00"
@s68 = private constant [23 x i8] c"fshl_32_35_two %016lx\0A\00"
@s69 = private constant [24 x i8] c"fshl_32_35_same %016lx\0A\00"
@s70 = private constant [23 x i8] c"fshr_32_35_two %016lx\0A\00"
@s71 = private constant [24 x i8] c"fshr_32_35_same %016lx\0A\00"
@s72 = private constant [22 x i8] c"fshl_33_0_two %016lx\0A\00"
@s73 = private constant [23 x i8] c"fshl_33_0_same %016lx\0A\00"
@s74 = private constant [22 x i8] c"fshr_33_0_two %016lx\0A\00"
@s75 = private constant [23 x i8] c"fshr_33_0_same %016lx\0A\00"
@s76 = private constant [22 x i8] c"fshl_33_1_two %016lx\0A\00"
@s77 = private constant [23 x i8] c"fshl_33_1_same %016lx\0A\00"
@s78 = private constant [22 x i8] c"fshr_33_1_two %016lx\0A\00"
@s79 = private constant [23 x i8] c"fshr_33_1_same %016lx\0A\00"
@s80 = private constant [22 x i8] c"fshl_33_5_two %016lx\0A\00"
@s81 = private constant [23 x i8] c"fshl_33_5_same %016lx\0A\00"
@s82 = private constant [22 x i8] c"fshr_33_5_two %016lx\0A\00"
@s83 = private constant [23 x i8] c"fshr_33_5_same %016lx\0A\00"
@s84 = private constant [23 x i8] c"fshl_33_32_two %016lx\0A\00"
@s85 = private constant [24 x i8] c"fshl_33_32_same %016lx\0A\00"
@s86 = private constant [23 x i8] c"fshr_33_32_two %016lx\0A\00"
@s87 = private constant [24 x i8] c"fshr_33_32_same %016lx\0A\00"
@s88 = private constant [23 x i8] c"fshl_33_33_two %016lx\0A\00"
@s89 = private constant [24 x i8] c"fshl_33_33_same %016lx\0A\00"
@s90 = private constant [23 x i8] c"fshr_33_33_two %016lx\0A\00"
@s91 = private constant [24 x i8] c"fshr_33_33_same %016lx\0A\00"
@s92 = private constant [23 x i8] c"fshl_33_36_two %016lx\0A\00"
@s93 = private constant [24 x i8] c"fshl_33_36_same %016lx\0A\00"
@s94 = private constant [23 x i8] c"fshr_33_36_two %016lx\0A\00"
@s95 = private constant [24 x i8] c"fshr_33_36_same %016lx\0A\00"
@s96 = private constant [22 x i8] c"fshl_64_0_two %016lx\0A\00"
@s97 = private constant [23 x i8] c"fshl_64_0_same %016lx\0A\00"
@s98 = private constant [22 x i8] c"fshr_64_0_two %016lx\0A\00"
@s99 = private constant [23 x i8] c"fshr_64_0_same %016lx\0A\00"
@s100 = private constant [22 x i8] c"fshl_64_1_two %016lx\0A\00"
@s101 = private constant [23 x i8] c"fshl_64_1_same %016lx\0A\00"
@s102 = private constant [22 x i8] c"fshr_64_1_two %016lx\0A\00"
@s103 = private constant [23 x i8] c"fshr_64_1_same %016lx\0A\00"
@s104 = private constant [22 x i8] c"fshl_64_5_two %016lx\0A\00"
@s105 = private constant [23 x i8] c"fshl_64_5_same %016lx\0A\00"
@s106 = private constant [22 x i8] c"fshr_64_5_two %016lx\0A\00"
@s107 = private constant [23 x i8] c"fshr_64_5_same %016lx\0A\00"
@s108 = private constant [23 x i8] c"fshl_64_63_two %016lx\0A\00"
@s109 = private constant [24 x i8] c"fshl_64_63_same %016lx\0A\00"
@s110 = private constant [23 x i8] c"fshr_64_63_two %016lx\0A\00"
@s111 = private constant [24 x i8] c"fshr_64_63_same %016lx\0A\00"
@s112 = private constant [23 x i8] c"fshl_64_64_two %016lx\0A\00"
@s113 = private constant [24 x i8] c"fshl_64_64_same %016lx\0A\00"
@s114 = private constant [23 x i8] c"fshr_64_64_two %016lx\0A\00"
@s115 = private constant [24 x i8] c"fshr_64_64_same %016lx\0A\00"
@s116 = private constant [23 x i8] c"fshl_64_67_two %016lx\0A\00"
@s117 = private constant [24 x i8] c"fshl_64_67_same %016lx\0A\00"
@s118 = private constant [23 x i8] c"fshr_64_67_two %016lx\0A\00"
@s119 = private constant [24 x i8] c"fshr_64_67_same %016lx\0A\00"
@s120 = private constant [19 x i8] c"disjoint_8 %016lx\0A\00"
@s121 = private constant [20 x i8] c"disjoint_32 %016lx\0A\00"
@s122 = private constant [20 x i8] c"disjoint_64 %016lx\0A\00"
@s123 = private constant [16 x i8] c"element %016lx\0A\00"
declare i32 @printf(ptr, ...)
declare i8 @llvm.fshl.i8(i8, i8, i8)
declare i8 @llvm.fshr.i8(i8, i8, i8)
declare i16 @llvm.fshl.i16(i16, i16, i16)
declare i16 @llvm.fshr.i16(i16, i16, i16)
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare i32 @llvm.fshr.i32(i32, i32, i32)
declare i33 @llvm.fshl.i33(i33, i33, i33)
declare i33 @llvm.fshr.i33(i33, i33, i33)
declare i64 @llvm.fshl.i64(i64, i64, i64)
declare i64 @llvm.fshr.i64(i64, i64, i64)
define internal i64 @fshl_8_0_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %r = call i8 @llvm.fshl.i8(i8 %a, i8 %b, i8 0)
  %e = zext i8 %r to i64
  ret i64 %e
}
define internal i64 @fshl_8_0_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %r = call i8 @llvm.fshl.i8(i8 %a, i8 %a, i8 0)
  %e = zext i8 %r to i64
  ret i64 %e
}
define internal i64 @fshr_8_0_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %r = call i8 @llvm.fshr.i8(i8 %a, i8 %b, i8 0)
  %e = zext i8 %r to i64
  ret i64 %e
}
define internal i64 @fshr_8_0_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %r = call i8 @llvm.fshr.i8(i8 %a, i8 %a, i8 0)
  %e = zext i8 %r to i64
  ret i64 %e
}
define internal i64 @fshl_8_1_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %r = call i8 @llvm.fshl.i8(i8 %a, i8 %b, i8 1)
  %e = zext i8 %r to i64
  ret i64 %e
}
define internal i64 @fshl_8_1_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %r = call i8 @llvm.fshl.i8(i8 %a, i8 %a, i8 1)
  %e = zext i8 %r to i64
  ret i64 %e
}
define internal i64 @fshr_8_1_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %r = call i8 @llvm.fshr.i8(i8 %a, i8 %b, i8 1)
  %e = zext i8 %r to i64
  ret i64 %e
}
define internal i64 @fshr_8_1_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %r = call i8 @llvm.fshr.i8(i8 %a, i8 %a, i8 1)
  %e = zext i8 %r to i64
  ret i64 %e
}
define internal i64 @fshl_8_5_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %r = call i8 @llvm.fshl.i8(i8 %a, i8 %b, i8 5)
  %e = zext i8 %r to i64
  ret i64 %e
}
define internal i64 @fshl_8_5_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %r = call i8 @llvm.fshl.i8(i8 %a, i8 %a, i8 5)
  %e = zext i8 %r to i64
  ret i64 %e
}
define internal i64 @fshr_8_5_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %r = call i8 @llvm.fshr.i8(i8 %a, i8 %b, i8 5)
  %e = zext i8 %r to i64
  ret i64 %e
}
define internal i64 @fshr_8_5_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %r = call i8 @llvm.fshr.i8(i8 %a, i8 %a, i8 5)
  %e = zext i8 %r to i64
  ret i64 %e
}
define internal i64 @fshl_8_7_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %r = call i8 @llvm.fshl.i8(i8 %a, i8 %b, i8 7)
  %e = zext i8 %r to i64
  ret i64 %e
}
define internal i64 @fshl_8_7_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %r = call i8 @llvm.fshl.i8(i8 %a, i8 %a, i8 7)
  %e = zext i8 %r to i64
  ret i64 %e
}
define internal i64 @fshr_8_7_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %r = call i8 @llvm.fshr.i8(i8 %a, i8 %b, i8 7)
  %e = zext i8 %r to i64
  ret i64 %e
}
define internal i64 @fshr_8_7_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %r = call i8 @llvm.fshr.i8(i8 %a, i8 %a, i8 7)
  %e = zext i8 %r to i64
  ret i64 %e
}
define internal i64 @fshl_8_8_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %r = call i8 @llvm.fshl.i8(i8 %a, i8 %b, i8 8)
  %e = zext i8 %r to i64
  ret i64 %e
}
define internal i64 @fshl_8_8_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %r = call i8 @llvm.fshl.i8(i8 %a, i8 %a, i8 8)
  %e = zext i8 %r to i64
  ret i64 %e
}
define internal i64 @fshr_8_8_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %r = call i8 @llvm.fshr.i8(i8 %a, i8 %b, i8 8)
  %e = zext i8 %r to i64
  ret i64 %e
}
define internal i64 @fshr_8_8_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %r = call i8 @llvm.fshr.i8(i8 %a, i8 %a, i8 8)
  %e = zext i8 %r to i64
  ret i64 %e
}
define internal i64 @fshl_8_11_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %r = call i8 @llvm.fshl.i8(i8 %a, i8 %b, i8 11)
  %e = zext i8 %r to i64
  ret i64 %e
}
define internal i64 @fshl_8_11_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %r = call i8 @llvm.fshl.i8(i8 %a, i8 %a, i8 11)
  %e = zext i8 %r to i64
  ret i64 %e
}
define internal i64 @fshr_8_11_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %r = call i8 @llvm.fshr.i8(i8 %a, i8 %b, i8 11)
  %e = zext i8 %r to i64
  ret i64 %e
}
define internal i64 @fshr_8_11_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %r = call i8 @llvm.fshr.i8(i8 %a, i8 %a, i8 11)
  %e = zext i8 %r to i64
  ret i64 %e
}
define internal i64 @fshl_16_0_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %r = call i16 @llvm.fshl.i16(i16 %a, i16 %b, i16 0)
  %e = zext i16 %r to i64
  ret i64 %e
}
define internal i64 @fshl_16_0_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %r = call i16 @llvm.fshl.i16(i16 %a, i16 %a, i16 0)
  %e = zext i16 %r to i64
  ret i64 %e
}
define internal i64 @fshr_16_0_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %r = call i16 @llvm.fshr.i16(i16 %a, i16 %b, i16 0)
  %e = zext i16 %r to i64
  ret i64 %e
}
define internal i64 @fshr_16_0_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %r = call i16 @llvm.fshr.i16(i16 %a, i16 %a, i16 0)
  %e = zext i16 %r to i64
  ret i64 %e
}
define internal i64 @fshl_16_1_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %r = call i16 @llvm.fshl.i16(i16 %a, i16 %b, i16 1)
  %e = zext i16 %r to i64
  ret i64 %e
}
define internal i64 @fshl_16_1_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %r = call i16 @llvm.fshl.i16(i16 %a, i16 %a, i16 1)
  %e = zext i16 %r to i64
  ret i64 %e
}
define internal i64 @fshr_16_1_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %r = call i16 @llvm.fshr.i16(i16 %a, i16 %b, i16 1)
  %e = zext i16 %r to i64
  ret i64 %e
}
define internal i64 @fshr_16_1_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %r = call i16 @llvm.fshr.i16(i16 %a, i16 %a, i16 1)
  %e = zext i16 %r to i64
  ret i64 %e
}
define internal i64 @fshl_16_5_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %r = call i16 @llvm.fshl.i16(i16 %a, i16 %b, i16 5)
  %e = zext i16 %r to i64
  ret i64 %e
}
define internal i64 @fshl_16_5_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %r = call i16 @llvm.fshl.i16(i16 %a, i16 %a, i16 5)
  %e = zext i16 %r to i64
  ret i64 %e
}
define internal i64 @fshr_16_5_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %r = call i16 @llvm.fshr.i16(i16 %a, i16 %b, i16 5)
  %e = zext i16 %r to i64
  ret i64 %e
}
define internal i64 @fshr_16_5_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %r = call i16 @llvm.fshr.i16(i16 %a, i16 %a, i16 5)
  %e = zext i16 %r to i64
  ret i64 %e
}
define internal i64 @fshl_16_15_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %r = call i16 @llvm.fshl.i16(i16 %a, i16 %b, i16 15)
  %e = zext i16 %r to i64
  ret i64 %e
}
define internal i64 @fshl_16_15_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %r = call i16 @llvm.fshl.i16(i16 %a, i16 %a, i16 15)
  %e = zext i16 %r to i64
  ret i64 %e
}
define internal i64 @fshr_16_15_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %r = call i16 @llvm.fshr.i16(i16 %a, i16 %b, i16 15)
  %e = zext i16 %r to i64
  ret i64 %e
}
define internal i64 @fshr_16_15_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %r = call i16 @llvm.fshr.i16(i16 %a, i16 %a, i16 15)
  %e = zext i16 %r to i64
  ret i64 %e
}
define internal i64 @fshl_16_16_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %r = call i16 @llvm.fshl.i16(i16 %a, i16 %b, i16 16)
  %e = zext i16 %r to i64
  ret i64 %e
}
define internal i64 @fshl_16_16_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %r = call i16 @llvm.fshl.i16(i16 %a, i16 %a, i16 16)
  %e = zext i16 %r to i64
  ret i64 %e
}
define internal i64 @fshr_16_16_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %r = call i16 @llvm.fshr.i16(i16 %a, i16 %b, i16 16)
  %e = zext i16 %r to i64
  ret i64 %e
}
define internal i64 @fshr_16_16_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %r = call i16 @llvm.fshr.i16(i16 %a, i16 %a, i16 16)
  %e = zext i16 %r to i64
  ret i64 %e
}
define internal i64 @fshl_16_19_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %r = call i16 @llvm.fshl.i16(i16 %a, i16 %b, i16 19)
  %e = zext i16 %r to i64
  ret i64 %e
}
define internal i64 @fshl_16_19_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %r = call i16 @llvm.fshl.i16(i16 %a, i16 %a, i16 19)
  %e = zext i16 %r to i64
  ret i64 %e
}
define internal i64 @fshr_16_19_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %r = call i16 @llvm.fshr.i16(i16 %a, i16 %b, i16 19)
  %e = zext i16 %r to i64
  ret i64 %e
}
define internal i64 @fshr_16_19_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %r = call i16 @llvm.fshr.i16(i16 %a, i16 %a, i16 19)
  %e = zext i16 %r to i64
  ret i64 %e
}
define internal i64 @fshl_32_0_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %r = call i32 @llvm.fshl.i32(i32 %a, i32 %b, i32 0)
  %e = zext i32 %r to i64
  ret i64 %e
}
define internal i64 @fshl_32_0_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %r = call i32 @llvm.fshl.i32(i32 %a, i32 %a, i32 0)
  %e = zext i32 %r to i64
  ret i64 %e
}
define internal i64 @fshr_32_0_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %r = call i32 @llvm.fshr.i32(i32 %a, i32 %b, i32 0)
  %e = zext i32 %r to i64
  ret i64 %e
}
define internal i64 @fshr_32_0_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %r = call i32 @llvm.fshr.i32(i32 %a, i32 %a, i32 0)
  %e = zext i32 %r to i64
  ret i64 %e
}
define internal i64 @fshl_32_1_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %r = call i32 @llvm.fshl.i32(i32 %a, i32 %b, i32 1)
  %e = zext i32 %r to i64
  ret i64 %e
}
define internal i64 @fshl_32_1_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %r = call i32 @llvm.fshl.i32(i32 %a, i32 %a, i32 1)
  %e = zext i32 %r to i64
  ret i64 %e
}
define internal i64 @fshr_32_1_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %r = call i32 @llvm.fshr.i32(i32 %a, i32 %b, i32 1)
  %e = zext i32 %r to i64
  ret i64 %e
}
define internal i64 @fshr_32_1_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %r = call i32 @llvm.fshr.i32(i32 %a, i32 %a, i32 1)
  %e = zext i32 %r to i64
  ret i64 %e
}
define internal i64 @fshl_32_5_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %r = call i32 @llvm.fshl.i32(i32 %a, i32 %b, i32 5)
  %e = zext i32 %r to i64
  ret i64 %e
}
define internal i64 @fshl_32_5_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %r = call i32 @llvm.fshl.i32(i32 %a, i32 %a, i32 5)
  %e = zext i32 %r to i64
  ret i64 %e
}
define internal i64 @fshr_32_5_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %r = call i32 @llvm.fshr.i32(i32 %a, i32 %b, i32 5)
  %e = zext i32 %r to i64
  ret i64 %e
}
define internal i64 @fshr_32_5_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %r = call i32 @llvm.fshr.i32(i32 %a, i32 %a, i32 5)
  %e = zext i32 %r to i64
  ret i64 %e
}
define internal i64 @fshl_32_31_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %r = call i32 @llvm.fshl.i32(i32 %a, i32 %b, i32 31)
  %e = zext i32 %r to i64
  ret i64 %e
}
define internal i64 @fshl_32_31_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %r = call i32 @llvm.fshl.i32(i32 %a, i32 %a, i32 31)
  %e = zext i32 %r to i64
  ret i64 %e
}
define internal i64 @fshr_32_31_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %r = call i32 @llvm.fshr.i32(i32 %a, i32 %b, i32 31)
  %e = zext i32 %r to i64
  ret i64 %e
}
define internal i64 @fshr_32_31_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %r = call i32 @llvm.fshr.i32(i32 %a, i32 %a, i32 31)
  %e = zext i32 %r to i64
  ret i64 %e
}
define internal i64 @fshl_32_32_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %r = call i32 @llvm.fshl.i32(i32 %a, i32 %b, i32 32)
  %e = zext i32 %r to i64
  ret i64 %e
}
define internal i64 @fshl_32_32_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %r = call i32 @llvm.fshl.i32(i32 %a, i32 %a, i32 32)
  %e = zext i32 %r to i64
  ret i64 %e
}
define internal i64 @fshr_32_32_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %r = call i32 @llvm.fshr.i32(i32 %a, i32 %b, i32 32)
  %e = zext i32 %r to i64
  ret i64 %e
}
define internal i64 @fshr_32_32_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %r = call i32 @llvm.fshr.i32(i32 %a, i32 %a, i32 32)
  %e = zext i32 %r to i64
  ret i64 %e
}
define internal i64 @fshl_32_35_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %r = call i32 @llvm.fshl.i32(i32 %a, i32 %b, i32 35)
  %e = zext i32 %r to i64
  ret i64 %e
}
define internal i64 @fshl_32_35_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %r = call i32 @llvm.fshl.i32(i32 %a, i32 %a, i32 35)
  %e = zext i32 %r to i64
  ret i64 %e
}
define internal i64 @fshr_32_35_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %r = call i32 @llvm.fshr.i32(i32 %a, i32 %b, i32 35)
  %e = zext i32 %r to i64
  ret i64 %e
}
define internal i64 @fshr_32_35_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %r = call i32 @llvm.fshr.i32(i32 %a, i32 %a, i32 35)
  %e = zext i32 %r to i64
  ret i64 %e
}
define internal i64 @fshl_33_0_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %r = call i33 @llvm.fshl.i33(i33 %a, i33 %b, i33 0)
  %e = zext i33 %r to i64
  ret i64 %e
}
define internal i64 @fshl_33_0_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %r = call i33 @llvm.fshl.i33(i33 %a, i33 %a, i33 0)
  %e = zext i33 %r to i64
  ret i64 %e
}
define internal i64 @fshr_33_0_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %r = call i33 @llvm.fshr.i33(i33 %a, i33 %b, i33 0)
  %e = zext i33 %r to i64
  ret i64 %e
}
define internal i64 @fshr_33_0_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %r = call i33 @llvm.fshr.i33(i33 %a, i33 %a, i33 0)
  %e = zext i33 %r to i64
  ret i64 %e
}
define internal i64 @fshl_33_1_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %r = call i33 @llvm.fshl.i33(i33 %a, i33 %b, i33 1)
  %e = zext i33 %r to i64
  ret i64 %e
}
define internal i64 @fshl_33_1_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %r = call i33 @llvm.fshl.i33(i33 %a, i33 %a, i33 1)
  %e = zext i33 %r to i64
  ret i64 %e
}
define internal i64 @fshr_33_1_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %r = call i33 @llvm.fshr.i33(i33 %a, i33 %b, i33 1)
  %e = zext i33 %r to i64
  ret i64 %e
}
define internal i64 @fshr_33_1_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %r = call i33 @llvm.fshr.i33(i33 %a, i33 %a, i33 1)
  %e = zext i33 %r to i64
  ret i64 %e
}
define internal i64 @fshl_33_5_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %r = call i33 @llvm.fshl.i33(i33 %a, i33 %b, i33 5)
  %e = zext i33 %r to i64
  ret i64 %e
}
define internal i64 @fshl_33_5_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %r = call i33 @llvm.fshl.i33(i33 %a, i33 %a, i33 5)
  %e = zext i33 %r to i64
  ret i64 %e
}
define internal i64 @fshr_33_5_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %r = call i33 @llvm.fshr.i33(i33 %a, i33 %b, i33 5)
  %e = zext i33 %r to i64
  ret i64 %e
}
define internal i64 @fshr_33_5_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %r = call i33 @llvm.fshr.i33(i33 %a, i33 %a, i33 5)
  %e = zext i33 %r to i64
  ret i64 %e
}
define internal i64 @fshl_33_32_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %r = call i33 @llvm.fshl.i33(i33 %a, i33 %b, i33 32)
  %e = zext i33 %r to i64
  ret i64 %e
}
define internal i64 @fshl_33_32_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %r = call i33 @llvm.fshl.i33(i33 %a, i33 %a, i33 32)
  %e = zext i33 %r to i64
  ret i64 %e
}
define internal i64 @fshr_33_32_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %r = call i33 @llvm.fshr.i33(i33 %a, i33 %b, i33 32)
  %e = zext i33 %r to i64
  ret i64 %e
}
define internal i64 @fshr_33_32_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %r = call i33 @llvm.fshr.i33(i33 %a, i33 %a, i33 32)
  %e = zext i33 %r to i64
  ret i64 %e
}
define internal i64 @fshl_33_33_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %r = call i33 @llvm.fshl.i33(i33 %a, i33 %b, i33 33)
  %e = zext i33 %r to i64
  ret i64 %e
}
define internal i64 @fshl_33_33_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %r = call i33 @llvm.fshl.i33(i33 %a, i33 %a, i33 33)
  %e = zext i33 %r to i64
  ret i64 %e
}
define internal i64 @fshr_33_33_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %r = call i33 @llvm.fshr.i33(i33 %a, i33 %b, i33 33)
  %e = zext i33 %r to i64
  ret i64 %e
}
define internal i64 @fshr_33_33_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %r = call i33 @llvm.fshr.i33(i33 %a, i33 %a, i33 33)
  %e = zext i33 %r to i64
  ret i64 %e
}
define internal i64 @fshl_33_36_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %r = call i33 @llvm.fshl.i33(i33 %a, i33 %b, i33 36)
  %e = zext i33 %r to i64
  ret i64 %e
}
define internal i64 @fshl_33_36_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %r = call i33 @llvm.fshl.i33(i33 %a, i33 %a, i33 36)
  %e = zext i33 %r to i64
  ret i64 %e
}
define internal i64 @fshr_33_36_two(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %r = call i33 @llvm.fshr.i33(i33 %a, i33 %b, i33 36)
  %e = zext i33 %r to i64
  ret i64 %e
}
define internal i64 @fshr_33_36_same(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %r = call i33 @llvm.fshr.i33(i33 %a, i33 %a, i33 36)
  %e = zext i33 %r to i64
  ret i64 %e
}
define internal i64 @fshl_64_0_two(i64 %x, i64 %y) noinline {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %r = call i64 @llvm.fshl.i64(i64 %a, i64 %b, i64 0)
  %e = add i64 %r, 0
  ret i64 %e
}
define internal i64 @fshl_64_0_same(i64 %x, i64 %y) noinline {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %r = call i64 @llvm.fshl.i64(i64 %a, i64 %a, i64 0)
  %e = add i64 %r, 0
  ret i64 %e
}
define internal i64 @fshr_64_0_two(i64 %x, i64 %y) noinline {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %r = call i64 @llvm.fshr.i64(i64 %a, i64 %b, i64 0)
  %e = add i64 %r, 0
  ret i64 %e
}
define internal i64 @fshr_64_0_same(i64 %x, i64 %y) noinline {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %r = call i64 @llvm.fshr.i64(i64 %a, i64 %a, i64 0)
  %e = add i64 %r, 0
  ret i64 %e
}
define internal i64 @fshl_64_1_two(i64 %x, i64 %y) noinline {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %r = call i64 @llvm.fshl.i64(i64 %a, i64 %b, i64 1)
  %e = add i64 %r, 0
  ret i64 %e
}
define internal i64 @fshl_64_1_same(i64 %x, i64 %y) noinline {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %r = call i64 @llvm.fshl.i64(i64 %a, i64 %a, i64 1)
  %e = add i64 %r, 0
  ret i64 %e
}
define internal i64 @fshr_64_1_two(i64 %x, i64 %y) noinline {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %r = call i64 @llvm.fshr.i64(i64 %a, i64 %b, i64 1)
  %e = add i64 %r, 0
  ret i64 %e
}
define internal i64 @fshr_64_1_same(i64 %x, i64 %y) noinline {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %r = call i64 @llvm.fshr.i64(i64 %a, i64 %a, i64 1)
  %e = add i64 %r, 0
  ret i64 %e
}
define internal i64 @fshl_64_5_two(i64 %x, i64 %y) noinline {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %r = call i64 @llvm.fshl.i64(i64 %a, i64 %b, i64 5)
  %e = add i64 %r, 0
  ret i64 %e
}
define internal i64 @fshl_64_5_same(i64 %x, i64 %y) noinline {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %r = call i64 @llvm.fshl.i64(i64 %a, i64 %a, i64 5)
  %e = add i64 %r, 0
  ret i64 %e
}
define internal i64 @fshr_64_5_two(i64 %x, i64 %y) noinline {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %r = call i64 @llvm.fshr.i64(i64 %a, i64 %b, i64 5)
  %e = add i64 %r, 0
  ret i64 %e
}
define internal i64 @fshr_64_5_same(i64 %x, i64 %y) noinline {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %r = call i64 @llvm.fshr.i64(i64 %a, i64 %a, i64 5)
  %e = add i64 %r, 0
  ret i64 %e
}
define internal i64 @fshl_64_63_two(i64 %x, i64 %y) noinline {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %r = call i64 @llvm.fshl.i64(i64 %a, i64 %b, i64 63)
  %e = add i64 %r, 0
  ret i64 %e
}
define internal i64 @fshl_64_63_same(i64 %x, i64 %y) noinline {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %r = call i64 @llvm.fshl.i64(i64 %a, i64 %a, i64 63)
  %e = add i64 %r, 0
  ret i64 %e
}
define internal i64 @fshr_64_63_two(i64 %x, i64 %y) noinline {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %r = call i64 @llvm.fshr.i64(i64 %a, i64 %b, i64 63)
  %e = add i64 %r, 0
  ret i64 %e
}
define internal i64 @fshr_64_63_same(i64 %x, i64 %y) noinline {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %r = call i64 @llvm.fshr.i64(i64 %a, i64 %a, i64 63)
  %e = add i64 %r, 0
  ret i64 %e
}
define internal i64 @fshl_64_64_two(i64 %x, i64 %y) noinline {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %r = call i64 @llvm.fshl.i64(i64 %a, i64 %b, i64 64)
  %e = add i64 %r, 0
  ret i64 %e
}
define internal i64 @fshl_64_64_same(i64 %x, i64 %y) noinline {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %r = call i64 @llvm.fshl.i64(i64 %a, i64 %a, i64 64)
  %e = add i64 %r, 0
  ret i64 %e
}
define internal i64 @fshr_64_64_two(i64 %x, i64 %y) noinline {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %r = call i64 @llvm.fshr.i64(i64 %a, i64 %b, i64 64)
  %e = add i64 %r, 0
  ret i64 %e
}
define internal i64 @fshr_64_64_same(i64 %x, i64 %y) noinline {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %r = call i64 @llvm.fshr.i64(i64 %a, i64 %a, i64 64)
  %e = add i64 %r, 0
  ret i64 %e
}
define internal i64 @fshl_64_67_two(i64 %x, i64 %y) noinline {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %r = call i64 @llvm.fshl.i64(i64 %a, i64 %b, i64 67)
  %e = add i64 %r, 0
  ret i64 %e
}
define internal i64 @fshl_64_67_same(i64 %x, i64 %y) noinline {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %r = call i64 @llvm.fshl.i64(i64 %a, i64 %a, i64 67)
  %e = add i64 %r, 0
  ret i64 %e
}
define internal i64 @fshr_64_67_two(i64 %x, i64 %y) noinline {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %r = call i64 @llvm.fshr.i64(i64 %a, i64 %b, i64 67)
  %e = add i64 %r, 0
  ret i64 %e
}
define internal i64 @fshr_64_67_same(i64 %x, i64 %y) noinline {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %r = call i64 @llvm.fshr.i64(i64 %a, i64 %a, i64 67)
  %e = add i64 %r, 0
  ret i64 %e
}
define internal i64 @disjoint_8(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i8
  %b = shl i8 %a, 2
  %c = or disjoint i8 %b, 3
  %d = trunc i64 %y to i8
  %s = shl i8 %d, 4
  %u = and i8 %c, 15
  %r = or disjoint i8 %s, %u
  %v = xor i8 %r, %c
  %e = zext i8 %v to i64
  ret i64 %e
}
define internal i64 @disjoint_32(i64 %x, i64 %y) noinline {
  %a = trunc i64 %x to i32
  %b = shl i32 %a, 2
  %c = or disjoint i32 %b, 3
  %d = trunc i64 %y to i32
  %s = shl i32 %d, 4
  %u = and i32 %c, 15
  %r = or disjoint i32 %s, %u
  %v = xor i32 %r, %c
  %e = zext i32 %v to i64
  ret i64 %e
}
define internal i64 @disjoint_64(i64 %x, i64 %y) noinline {
  %a = add i64 %x, 0
  %b = shl i64 %a, 2
  %c = or disjoint i64 %b, 3
  %d = add i64 %y, 0
  %s = shl i64 %d, 4
  %u = and i64 %c, 15
  %r = or disjoint i64 %s, %u
  %v = xor i64 %r, %c
  %e = add i64 %v, 0
  ret i64 %e
}
define internal i64 @element(i64 %x, i64 %y) noinline {
  %i = and i64 %x, 6
  %j = or disjoint i64 %i, 1
  %p = getelementptr i16, ptr @numbers, i64 %j
  %v = load i16, ptr %p
  %e = zext i16 %v to i64
  ret i64 %e
}

; What a function returns for sixteen pairs of numbers.
define internal i64 @hash(ptr %f) noinline {
  br label %next
next:
  %i = phi i64 [ 0, %0 ], [ %k, %next ]
  %x = phi i64 [ 81985529216486895, %0 ], [ %z, %next ]
  %h = phi i64 [ 0, %0 ], [ %g, %next ]
  %m = mul i64 %x, 6364136223846793005
  %y = add i64 %m, 1442695040888963407
  %n = mul i64 %y, 6364136223846793005
  %z = add i64 %n, 1442695040888963407
  %r = call i64 %f(i64 %y, i64 %z)
  %q = mul i64 %h, 1099511628211
  %g = xor i64 %q, %r
  %k = add i64 %i, 1
  %c = icmp eq i64 %k, 16
  br i1 %c, label %end, label %next
end:
  ret i64 %g
}
define i32 @main() {
  %h0 = call i64 @hash(ptr @fshl_8_0_two)
  %p0 = call i32 (ptr, ...) @printf(ptr @s0, i64 %h0)
  %h1 = call i64 @hash(ptr @fshl_8_0_same)
  %p1 = call i32 (ptr, ...) @printf(ptr @s1, i64 %h1)
  %h2 = call i64 @hash(ptr @fshr_8_0_two)
  %p2 = call i32 (ptr, ...) @printf(ptr @s2, i64 %h2)
  %h3 = call i64 @hash(ptr @fshr_8_0_same)
  %p3 = call i32 (ptr, ...) @printf(ptr @s3, i64 %h3)
  %h4 = call i64 @hash(ptr @fshl_8_1_two)
  %p4 = call i32 (ptr, ...) @printf(ptr @s4, i64 %h4)
  %h5 = call i64 @hash(ptr @fshl_8_1_same)
  %p5 = call i32 (ptr, ...) @printf(ptr @s5, i64 %h5)
  %h6 = call i64 @hash(ptr @fshr_8_1_two)
  %p6 = call i32 (ptr, ...) @printf(ptr @s6, i64 %h6)
  %h7 = call i64 @hash(ptr @fshr_8_1_same)
  %p7 = call i32 (ptr, ...) @printf(ptr @s7, i64 %h7)
  %h8 = call i64 @hash(ptr @fshl_8_5_two)
  %p8 = call i32 (ptr, ...) @printf(ptr @s8, i64 %h8)
  %h9 = call i64 @hash(ptr @fshl_8_5_same)
  %p9 = call i32 (ptr, ...) @printf(ptr @s9, i64 %h9)
  %h10 = call i64 @hash(ptr @fshr_8_5_two)
  %p10 = call i32 (ptr, ...) @printf(ptr @s10, i64 %h10)
  %h11 = call i64 @hash(ptr @fshr_8_5_same)
  %p11 = call i32 (ptr, ...) @printf(ptr @s11, i64 %h11)
  %h12 = call i64 @hash(ptr @fshl_8_7_two)
  %p12 = call i32 (ptr, ...) @printf(ptr @s12, i64 %h12)
  %h13 = call i64 @hash(ptr @fshl_8_7_same)
  %p13 = call i32 (ptr, ...) @printf(ptr @s13, i64 %h13)
  %h14 = call i64 @hash(ptr @fshr_8_7_two)
  %p14 = call i32 (ptr, ...) @printf(ptr @s14, i64 %h14)
  %h15 = call i64 @hash(ptr @fshr_8_7_same)
  %p15 = call i32 (ptr, ...) @printf(ptr @s15, i64 %h15)
  %h16 = call i64 @hash(ptr @fshl_8_8_two)
  %p16 = call i32 (ptr, ...) @printf(ptr @s16, i64 %h16)
  %h17 = call i64 @hash(ptr @fshl_8_8_same)
  %p17 = call i32 (ptr, ...) @printf(ptr @s17, i64 %h17)
  %h18 = call i64 @hash(ptr @fshr_8_8_two)
  %p18 = call i32 (ptr, ...) @printf(ptr @s18, i64 %h18)
  %h19 = call i64 @hash(ptr @fshr_8_8_same)
  %p19 = call i32 (ptr, ...) @printf(ptr @s19, i64 %h19)
  %h20 = call i64 @hash(ptr @fshl_8_11_two)
  %p20 = call i32 (ptr, ...) @printf(ptr @s20, i64 %h20)
  %h21 = call i64 @hash(ptr @fshl_8_11_same)
  %p21 = call i32 (ptr, ...) @printf(ptr @s21, i64 %h21)
  %h22 = call i64 @hash(ptr @fshr_8_11_two)
  %p22 = call i32 (ptr, ...) @printf(ptr @s22, i64 %h22)
  %h23 = call i64 @hash(ptr @fshr_8_11_same)
  %p23 = call i32 (ptr, ...) @printf(ptr @s23, i64 %h23)
  %h24 = call i64 @hash(ptr @fshl_16_0_two)
  %p24 = call i32 (ptr, ...) @printf(ptr @s24, i64 %h24)
  %h25 = call i64 @hash(ptr @fshl_16_0_same)
  %p25 = call i32 (ptr, ...) @printf(ptr @s25, i64 %h25)
  %h26 = call i64 @hash(ptr @fshr_16_0_two)
  %p26 = call i32 (ptr, ...) @printf(ptr @s26, i64 %h26)
  %h27 = call i64 @hash(ptr @fshr_16_0_same)
  %p27 = call i32 (ptr, ...) @printf(ptr @s27, i64 %h27)
  %h28 = call i64 @hash(ptr @fshl_16_1_two)
  %p28 = call i32 (ptr, ...) @printf(ptr @s28, i64 %h28)
  %h29 = call i64 @hash(ptr @fshl_16_1_same)
  %p29 = call i32 (ptr, ...) @printf(ptr @s29, i64 %h29)
  %h30 = call i64 @hash(ptr @fshr_16_1_two)
  %p30 = call i32 (ptr, ...) @printf(ptr @s30, i64 %h30)
  %h31 = call i64 @hash(ptr @fshr_16_1_same)
  %p31 = call i32 (ptr, ...) @printf(ptr @s31, i64 %h31)
  %h32 = call i64 @hash(ptr @fshl_16_5_two)
  %p32 = call i32 (ptr, ...) @printf(ptr @s32, i64 %h32)
  %h33 = call i64 @hash(ptr @fshl_16_5_same)
  %p33 = call i32 (ptr, ...) @printf(ptr @s33, i64 %h33)
  %h34 = call i64 @hash(ptr @fshr_16_5_two)
  %p34 = call i32 (ptr, ...) @printf(ptr @s34, i64 %h34)
  %h35 = call i64 @hash(ptr @fshr_16_5_same)
  %p35 = call i32 (ptr, ...) @printf(ptr @s35, i64 %h35)
  %h36 = call i64 @hash(ptr @fshl_16_15_two)
  %p36 = call i32 (ptr, ...) @printf(ptr @s36, i64 %h36)
  %h37 = call i64 @hash(ptr @fshl_16_15_same)
  %p37 = call i32 (ptr, ...) @printf(ptr @s37, i64 %h37)
  %h38 = call i64 @hash(ptr @fshr_16_15_two)
  %p38 = call i32 (ptr, ...) @printf(ptr @s38, i64 %h38)
  %h39 = call i64 @hash(ptr @fshr_16_15_same)
  %p39 = call i32 (ptr, ...) @printf(ptr @s39, i64 %h39)
  %h40 = call i64 @hash(ptr @fshl_16_16_two)
  %p40 = call i32 (ptr, ...) @printf(ptr @s40, i64 %h40)
  %h41 = call i64 @hash(ptr @fshl_16_16_same)
  %p41 = call i32 (ptr, ...) @printf(ptr @s41, i64 %h41)
  %h42 = call i64 @hash(ptr @fshr_16_16_two)
  %p42 = call i32 (ptr, ...) @printf(ptr @s42, i64 %h42)
  %h43 = call i64 @hash(ptr @fshr_16_16_same)
  %p43 = call i32 (ptr, ...) @printf(ptr @s43, i64 %h43)
  %h44 = call i64 @hash(ptr @fshl_16_19_two)
  %p44 = call i32 (ptr, ...) @printf(ptr @s44, i64 %h44)
  %h45 = call i64 @hash(ptr @fshl_16_19_same)
  %p45 = call i32 (ptr, ...) @printf(ptr @s45, i64 %h45)
  %h46 = call i64 @hash(ptr @fshr_16_19_two)
  %p46 = call i32 (ptr, ...) @printf(ptr @s46, i64 %h46)
  %h47 = call i64 @hash(ptr @fshr_16_19_same)
  %p47 = call i32 (ptr, ...) @printf(ptr @s47, i64 %h47)
  %h48 = call i64 @hash(ptr @fshl_32_0_two)
  %p48 = call i32 (ptr, ...) @printf(ptr @s48, i64 %h48)
  %h49 = call i64 @hash(ptr @fshl_32_0_same)
  %p49 = call i32 (ptr, ...) @printf(ptr @s49, i64 %h49)
  %h50 = call i64 @hash(ptr @fshr_32_0_two)
  %p50 = call i32 (ptr, ...) @printf(ptr @s50, i64 %h50)
  %h51 = call i64 @hash(ptr @fshr_32_0_same)
  %p51 = call i32 (ptr, ...) @printf(ptr @s51, i64 %h51)
  %h52 = call i64 @hash(ptr @fshl_32_1_two)
  %p52 = call i32 (ptr, ...) @printf(ptr @s52, i64 %h52)
  %h53 = call i64 @hash(ptr @fshl_32_1_same)
  %p53 = call i32 (ptr, ...) @printf(ptr @s53, i64 %h53)
  %h54 = call i64 @hash(ptr @fshr_32_1_two)
  %p54 = call i32 (ptr, ...) @printf(ptr @s54, i64 %h54)
  %h55 = call i64 @hash(ptr @fshr_32_1_same)
  %p55 = call i32 (ptr, ...) @printf(ptr @s55, i64 %h55)
  %h56 = call i64 @hash(ptr @fshl_32_5_two)
  %p56 = call i32 (ptr, ...) @printf(ptr @s56, i64 %h56)
  %h57 = call i64 @hash(ptr @fshl_32_5_same)
  %p57 = call i32 (ptr, ...) @printf(ptr @s57, i64 %h57)
  %h58 = call i64 @hash(ptr @fshr_32_5_two)
  %p58 = call i32 (ptr, ...) @printf(ptr @s58, i64 %h58)
  %h59 = call i64 @hash(ptr @fshr_32_5_same)
  %p59 = call i32 (ptr, ...) @printf(ptr @s59, i64 %h59)
  %h60 = call i64 @hash(ptr @fshl_32_31_two)
  %p60 = call i32 (ptr, ...) @printf(ptr @s60, i64 %h60)
  %h61 = call i64 @hash(ptr @fshl_32_31_same)
  %p61 = call i32 (ptr, ...) @printf(ptr @s61, i64 %h61)
  %h62 = call i64 @hash(ptr @fshr_32_31_two)
  %p62 = call i32 (ptr, ...) @printf(ptr @s62, i64 %h62)
  %h63 = call i64 @hash(ptr @fshr_32_31_same)
  %p63 = call i32 (ptr, ...) @printf(ptr @s63, i64 %h63)
  %h64 = call i64 @hash(ptr @fshl_32_32_two)
  %p64 = call i32 (ptr, ...) @printf(ptr @s64, i64 %h64)
  %h65 = call i64 @hash(ptr @fshl_32_32_same)
  %p65 = call i32 (ptr, ...) @printf(ptr @s65, i64 %h65)
  %h66 = call i64 @hash(ptr @fshr_32_32_two)
  %p66 = call i32 (ptr, ...) @printf(ptr @s66, i64 %h66)
  %h67 = call i64 @hash(ptr @fshr_32_32_same)
  %p67 = call i32 (ptr, ...) @printf(ptr @s67, i64 %h67)
  %h68 = call i64 @hash(ptr @fshl_32_35_two)
  %p68 = call i32 (ptr, ...) @printf(ptr @s68, i64 %h68)
  %h69 = call i64 @hash(ptr @fshl_32_35_same)
  %p69 = call i32 (ptr, ...) @printf(ptr @s69, i64 %h69)
  %h70 = call i64 @hash(ptr @fshr_32_35_two)
  %p70 = call i32 (ptr, ...) @printf(ptr @s70, i64 %h70)
  %h71 = call i64 @hash(ptr @fshr_32_35_same)
  %p71 = call i32 (ptr, ...) @printf(ptr @s71, i64 %h71)
  %h72 = call i64 @hash(ptr @fshl_33_0_two)
  %p72 = call i32 (ptr, ...) @printf(ptr @s72, i64 %h72)
  %h73 = call i64 @hash(ptr @fshl_33_0_same)
  %p73 = call i32 (ptr, ...) @printf(ptr @s73, i64 %h73)
  %h74 = call i64 @hash(ptr @fshr_33_0_two)
  %p74 = call i32 (ptr, ...) @printf(ptr @s74, i64 %h74)
  %h75 = call i64 @hash(ptr @fshr_33_0_same)
  %p75 = call i32 (ptr, ...) @printf(ptr @s75, i64 %h75)
  %h76 = call i64 @hash(ptr @fshl_33_1_two)
  %p76 = call i32 (ptr, ...) @printf(ptr @s76, i64 %h76)
  %h77 = call i64 @hash(ptr @fshl_33_1_same)
  %p77 = call i32 (ptr, ...) @printf(ptr @s77, i64 %h77)
  %h78 = call i64 @hash(ptr @fshr_33_1_two)
  %p78 = call i32 (ptr, ...) @printf(ptr @s78, i64 %h78)
  %h79 = call i64 @hash(ptr @fshr_33_1_same)
  %p79 = call i32 (ptr, ...) @printf(ptr @s79, i64 %h79)
  %h80 = call i64 @hash(ptr @fshl_33_5_two)
  %p80 = call i32 (ptr, ...) @printf(ptr @s80, i64 %h80)
  %h81 = call i64 @hash(ptr @fshl_33_5_same)
  %p81 = call i32 (ptr, ...) @printf(ptr @s81, i64 %h81)
  %h82 = call i64 @hash(ptr @fshr_33_5_two)
  %p82 = call i32 (ptr, ...) @printf(ptr @s82, i64 %h82)
  %h83 = call i64 @hash(ptr @fshr_33_5_same)
  %p83 = call i32 (ptr, ...) @printf(ptr @s83, i64 %h83)
  %h84 = call i64 @hash(ptr @fshl_33_32_two)
  %p84 = call i32 (ptr, ...) @printf(ptr @s84, i64 %h84)
  %h85 = call i64 @hash(ptr @fshl_33_32_same)
  %p85 = call i32 (ptr, ...) @printf(ptr @s85, i64 %h85)
  %h86 = call i64 @hash(ptr @fshr_33_32_two)
  %p86 = call i32 (ptr, ...) @printf(ptr @s86, i64 %h86)
  %h87 = call i64 @hash(ptr @fshr_33_32_same)
  %p87 = call i32 (ptr, ...) @printf(ptr @s87, i64 %h87)
  %h88 = call i64 @hash(ptr @fshl_33_33_two)
  %p88 = call i32 (ptr, ...) @printf(ptr @s88, i64 %h88)
  %h89 = call i64 @hash(ptr @fshl_33_33_same)
  %p89 = call i32 (ptr, ...) @printf(ptr @s89, i64 %h89)
  %h90 = call i64 @hash(ptr @fshr_33_33_two)
  %p90 = call i32 (ptr, ...) @printf(ptr @s90, i64 %h90)
  %h91 = call i64 @hash(ptr @fshr_33_33_same)
  %p91 = call i32 (ptr, ...) @printf(ptr @s91, i64 %h91)
  %h92 = call i64 @hash(ptr @fshl_33_36_two)
  %p92 = call i32 (ptr, ...) @printf(ptr @s92, i64 %h92)
  %h93 = call i64 @hash(ptr @fshl_33_36_same)
  %p93 = call i32 (ptr, ...) @printf(ptr @s93, i64 %h93)
  %h94 = call i64 @hash(ptr @fshr_33_36_two)
  %p94 = call i32 (ptr, ...) @printf(ptr @s94, i64 %h94)
  %h95 = call i64 @hash(ptr @fshr_33_36_same)
  %p95 = call i32 (ptr, ...) @printf(ptr @s95, i64 %h95)
  %h96 = call i64 @hash(ptr @fshl_64_0_two)
  %p96 = call i32 (ptr, ...) @printf(ptr @s96, i64 %h96)
  %h97 = call i64 @hash(ptr @fshl_64_0_same)
  %p97 = call i32 (ptr, ...) @printf(ptr @s97, i64 %h97)
  %h98 = call i64 @hash(ptr @fshr_64_0_two)
  %p98 = call i32 (ptr, ...) @printf(ptr @s98, i64 %h98)
  %h99 = call i64 @hash(ptr @fshr_64_0_same)
  %p99 = call i32 (ptr, ...) @printf(ptr @s99, i64 %h99)
  %h100 = call i64 @hash(ptr @fshl_64_1_two)
  %p100 = call i32 (ptr, ...) @printf(ptr @s100, i64 %h100)
  %h101 = call i64 @hash(ptr @fshl_64_1_same)
  %p101 = call i32 (ptr, ...) @printf(ptr @s101, i64 %h101)
  %h102 = call i64 @hash(ptr @fshr_64_1_two)
  %p102 = call i32 (ptr, ...) @printf(ptr @s102, i64 %h102)
  %h103 = call i64 @hash(ptr @fshr_64_1_same)
  %p103 = call i32 (ptr, ...) @printf(ptr @s103, i64 %h103)
  %h104 = call i64 @hash(ptr @fshl_64_5_two)
  %p104 = call i32 (ptr, ...) @printf(ptr @s104, i64 %h104)
  %h105 = call i64 @hash(ptr @fshl_64_5_same)
  %p105 = call i32 (ptr, ...) @printf(ptr @s105, i64 %h105)
  %h106 = call i64 @hash(ptr @fshr_64_5_two)
  %p106 = call i32 (ptr, ...) @printf(ptr @s106, i64 %h106)
  %h107 = call i64 @hash(ptr @fshr_64_5_same)
  %p107 = call i32 (ptr, ...) @printf(ptr @s107, i64 %h107)
  %h108 = call i64 @hash(ptr @fshl_64_63_two)
  %p108 = call i32 (ptr, ...) @printf(ptr @s108, i64 %h108)
  %h109 = call i64 @hash(ptr @fshl_64_63_same)
  %p109 = call i32 (ptr, ...) @printf(ptr @s109, i64 %h109)
  %h110 = call i64 @hash(ptr @fshr_64_63_two)
  %p110 = call i32 (ptr, ...) @printf(ptr @s110, i64 %h110)
  %h111 = call i64 @hash(ptr @fshr_64_63_same)
  %p111 = call i32 (ptr, ...) @printf(ptr @s111, i64 %h111)
  %h112 = call i64 @hash(ptr @fshl_64_64_two)
  %p112 = call i32 (ptr, ...) @printf(ptr @s112, i64 %h112)
  %h113 = call i64 @hash(ptr @fshl_64_64_same)
  %p113 = call i32 (ptr, ...) @printf(ptr @s113, i64 %h113)
  %h114 = call i64 @hash(ptr @fshr_64_64_two)
  %p114 = call i32 (ptr, ...) @printf(ptr @s114, i64 %h114)
  %h115 = call i64 @hash(ptr @fshr_64_64_same)
  %p115 = call i32 (ptr, ...) @printf(ptr @s115, i64 %h115)
  %h116 = call i64 @hash(ptr @fshl_64_67_two)
  %p116 = call i32 (ptr, ...) @printf(ptr @s116, i64 %h116)
  %h117 = call i64 @hash(ptr @fshl_64_67_same)
  %p117 = call i32 (ptr, ...) @printf(ptr @s117, i64 %h117)
  %h118 = call i64 @hash(ptr @fshr_64_67_two)
  %p118 = call i32 (ptr, ...) @printf(ptr @s118, i64 %h118)
  %h119 = call i64 @hash(ptr @fshr_64_67_same)
  %p119 = call i32 (ptr, ...) @printf(ptr @s119, i64 %h119)
  %h120 = call i64 @hash(ptr @disjoint_8)
  %p120 = call i32 (ptr, ...) @printf(ptr @s120, i64 %h120)
  %h121 = call i64 @hash(ptr @disjoint_32)
  %p121 = call i32 (ptr, ...) @printf(ptr @s121, i64 %h121)
  %h122 = call i64 @hash(ptr @disjoint_64)
  %p122 = call i32 (ptr, ...) @printf(ptr @s122, i64 %h122)
  %h123 = call i64 @hash(ptr @element)
  %p123 = call i32 (ptr, ...) @printf(ptr @s123, i64 %h123)
  ret i32 0
}
