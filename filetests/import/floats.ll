; test import
; Floating values: comparisons, arithmetic, conversions.
; out: oeq_float 088814330084ff26
; out: ogt_float 5e519e53975b5f41
; out: oge_float 09b2ca3155972ed6
; out: olt_float 86af48db1f288519
; out: ole_float 635ede6443d6269e
; out: one_float bc62f33abf261159
; out: ord_float b3b8eb965c591846
; out: uno_float e638cfd205496161
; out: ueq_float 3746b965f8b1fcae
; out: ugt_float 4f69d7c278a1a6f1
; out: uge_float 02ec95f5a9a735b6
; out: ult_float 5e0e7ac0e8be4f31
; out: ule_float 0271949400f58a26
; out: une_float 5a015287e221a461
; out: true_float df368b340be040be
; out: false_float 7d4f86a713ed9e39
; out: br_oeq_float e09dda6ba049b936
; out: br_ogt_float c696f020ff0869a3
; out: br_oge_float 4d0bfb43b5c7c8de
; out: br_olt_float 7a6a65532d66462b
; out: br_ole_float 093cfbc38bcef606
; out: br_one_float 23034ade0cd6b033
; out: br_ord_float 5d5f1b4a0f45c296
; out: br_uno_float d99d4325e04a01ab
; out: br_ueq_float effb05389591ff6e
; out: br_ugt_float 631a9b9086e390d3
; out: br_uge_float 771c5c81c45eb7de
; out: br_ult_float 6cb993f7613ac263
; out: br_ule_float 03ba837ff484bc1e
; out: br_une_float 70726d9fbb50663b
; out: fadd_float e167a074591ae0e9
; out: fsub_float ebc45247b5adf2c5
; out: fmul_float 4381e4b413f20bb2
; out: fdiv_float 3ec26bfdc59c7bad
; out: frem_float fb3e60056a035754
; out: minnum_float e50b603442d178c9
; out: maxnum_float 5189f4928243dc29
; out: copysign_float 337fdf60746bf009
; out: fabs_float bdb118d2d91ae0e9
; out: sqrt_float c57dc882849d1f6c
; out: floor_float 5ee7951f48e2d2eb
; out: ceil_float be2668043d679417
; out: trunc_float 40b886bc10e79417
; out: rint_float affb72395c055ff3
; out: round_float d9b173920e87a0eb
; out: fmuladd_float 9b75869c23cce84a
; out: fptosi_sat_8_float 9e2088c395af4163
; out: sitofp_8_float 2224eb3235cb9e39
; out: fptoui_sat_8_float 2d2e8678a40cede5
; out: uitofp_8_float e600c345a22e9e39
; out: fptosi_sat_16_float 90d3221c8265d8a3
; out: sitofp_16_float 2b6d7c22152d8039
; out: fptoui_sat_16_float 2d2e8678a40cede5
; out: uitofp_16_float 79f3a2b8c9944339
; out: fptosi_sat_32_float e6fc6802e7d1691f
; out: sitofp_32_float ed2b1c71710f2181
; out: fptoui_sat_32_float 2d2e8678a40cede5
; out: uitofp_32_float a73d43b815cad8c3
; out: fptosi_sat_64_float 364f4f2038d1691f
; out: sitofp_64_float 612bd6c22cf6aac1
; out: fptoui_sat_64_float 2d2e8678a40cede5
; out: uitofp_64_float e93a78efd50c4772
; out: oeq_double 088814330084ff26
; out: ogt_double 5e519e53975b5f41
; out: oge_double 09b2ca3155972ed6
; out: olt_double 86af48db1f288519
; out: ole_double 635ede6443d6269e
; out: one_double bc62f33abf261159
; out: ord_double b3b8eb965c591846
; out: uno_double e638cfd205496161
; out: ueq_double 3746b965f8b1fcae
; out: ugt_double 4f69d7c278a1a6f1
; out: uge_double 02ec95f5a9a735b6
; out: ult_double 5e0e7ac0e8be4f31
; out: ule_double 0271949400f58a26
; out: une_double 5a015287e221a461
; out: true_double df368b340be040be
; out: false_double 7d4f86a713ed9e39
; out: br_oeq_double e09dda6ba049b936
; out: br_ogt_double c696f020ff0869a3
; out: br_oge_double 4d0bfb43b5c7c8de
; out: br_olt_double 7a6a65532d66462b
; out: br_ole_double 093cfbc38bcef606
; out: br_one_double 23034ade0cd6b033
; out: br_ord_double 5d5f1b4a0f45c296
; out: br_uno_double d99d4325e04a01ab
; out: br_ueq_double effb05389591ff6e
; out: br_ugt_double 631a9b9086e390d3
; out: br_uge_double 771c5c81c45eb7de
; out: br_ult_double 6cb993f7613ac263
; out: br_ule_double 03ba837ff484bc1e
; out: br_une_double 70726d9fbb50663b
; out: fadd_double 04654f471b83b99c
; out: fsub_double 8c9523c5cfc4fd8d
; out: fmul_double 12a188bf4be04c27
; out: fdiv_double 1a0d046d74d53573
; out: frem_double 6311278de440dd88
; out: minnum_double 90d9b624b681d5d5
; out: maxnum_double 979d3e8b3d8da7f1
; out: copysign_double ba09329c0727b4db
; out: fabs_double 84654f471b83b99c
; out: sqrt_double eff9a9c5eb08fdcb
; out: floor_double a8282c1afa2b6a61
; out: ceil_double a93736b2d202a041
; out: trunc_double 444736b2d202a041
; out: rint_double 68ab1349740ff241
; out: round_double 68ab1349740ff241
; out: fmuladd_double a0151c4ab19fe0c2
; out: fptosi_sat_8_double 9e2088c395af4163
; out: sitofp_8_double 0e7246a713ed9e39
; out: fptoui_sat_8_double 2d2e8678a40cede5
; out: uitofp_8_double f2e166a713ed9e39
; out: fptosi_sat_16_double 90d3221c8265d8a3
; out: sitofp_16_double 65936fe713ed9e39
; out: fptoui_sat_16_double 2d2e8678a40cede5
; out: uitofp_16_double 902b44c713ed9e39
; out: fptosi_sat_32_double e6fc6802e7d1691f
; out: sitofp_32_double 6235d34200ad9e39
; out: fptoui_sat_32_double 2d2e8678a40cede5
; out: uitofp_32_double ee52da654ead9e39
; out: fptosi_sat_64_double eb5934b79fdcde3f
; out: sitofp_64_double 07d2f8ed09edefbb
; out: fptoui_sat_64_double 2d2e8678a40cede5
; out: uitofp_64_double 977b0f10403a7356
; out: fptoui_64 32f42fbec21c15d8
; out: fpext 5fae024b4529c3f7
; out: negated 9eaf745207820c9a
; Floating values from integers: some are NaN, infinite or -0.
define internal double @of(i64 %x) {
  %odd = and i64 %x, 7
  switch i64 %odd, label %plain [ i64 4, label %nan
    i64 7, label %tiny ]
plain:
  %d = sitofp i64 %x to double
  ret double %d
nan:
  ret double 0x7FF8000000000000
tiny:
  %t = sitofp i64 %x to double
  %s = fmul double %t, 1.250000e-03
  %n = fneg double %s
  ret double %n
}
define internal i64 @oeq_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %r = fcmp oeq float %a, %b
  %z = zext i1 %r to i64
  ret i64 %z
}
define internal i64 @ogt_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %r = fcmp ogt float %a, %b
  %z = zext i1 %r to i64
  ret i64 %z
}
define internal i64 @oge_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %r = fcmp oge float %a, %b
  %z = zext i1 %r to i64
  ret i64 %z
}
define internal i64 @olt_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %r = fcmp olt float %a, %b
  %z = zext i1 %r to i64
  ret i64 %z
}
define internal i64 @ole_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %r = fcmp ole float %a, %b
  %z = zext i1 %r to i64
  ret i64 %z
}
define internal i64 @one_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %r = fcmp one float %a, %b
  %z = zext i1 %r to i64
  ret i64 %z
}
define internal i64 @ord_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %r = fcmp ord float %a, %b
  %z = zext i1 %r to i64
  ret i64 %z
}
define internal i64 @uno_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %r = fcmp uno float %a, %b
  %z = zext i1 %r to i64
  ret i64 %z
}
define internal i64 @ueq_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %r = fcmp ueq float %a, %b
  %z = zext i1 %r to i64
  ret i64 %z
}
define internal i64 @ugt_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %r = fcmp ugt float %a, %b
  %z = zext i1 %r to i64
  ret i64 %z
}
define internal i64 @uge_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %r = fcmp uge float %a, %b
  %z = zext i1 %r to i64
  ret i64 %z
}
define internal i64 @ult_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %r = fcmp ult float %a, %b
  %z = zext i1 %r to i64
  ret i64 %z
}
define internal i64 @ule_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %r = fcmp ule float %a, %b
  %z = zext i1 %r to i64
  ret i64 %z
}
define internal i64 @une_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %r = fcmp une float %a, %b
  %z = zext i1 %r to i64
  ret i64 %z
}
define internal i64 @true_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %r = fcmp true float %a, %b
  %z = zext i1 %r to i64
  ret i64 %z
}
define internal i64 @false_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %r = fcmp false float %a, %b
  %z = zext i1 %r to i64
  ret i64 %z
}
define internal i64 @br_oeq_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %c = fcmp oeq float %a, %b
  br i1 %c, label %yes, label %no
yes:
  br label %no
no:
  %r = phi i64 [ 1, %yes ], [ 2, %0 ]
  ret i64 %r
}
define internal i64 @br_ogt_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %c = fcmp ogt float %a, %b
  br i1 %c, label %yes, label %no
yes:
  br label %no
no:
  %r = phi i64 [ 1, %yes ], [ 2, %0 ]
  ret i64 %r
}
define internal i64 @br_oge_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %c = fcmp oge float %a, %b
  br i1 %c, label %yes, label %no
yes:
  br label %no
no:
  %r = phi i64 [ 1, %yes ], [ 2, %0 ]
  ret i64 %r
}
define internal i64 @br_olt_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %c = fcmp olt float %a, %b
  br i1 %c, label %yes, label %no
yes:
  br label %no
no:
  %r = phi i64 [ 1, %yes ], [ 2, %0 ]
  ret i64 %r
}
define internal i64 @br_ole_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %c = fcmp ole float %a, %b
  br i1 %c, label %yes, label %no
yes:
  br label %no
no:
  %r = phi i64 [ 1, %yes ], [ 2, %0 ]
  ret i64 %r
}
define internal i64 @br_one_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %c = fcmp one float %a, %b
  br i1 %c, label %yes, label %no
yes:
  br label %no
no:
  %r = phi i64 [ 1, %yes ], [ 2, %0 ]
  ret i64 %r
}
define internal i64 @br_ord_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %c = fcmp ord float %a, %b
  br i1 %c, label %yes, label %no
yes:
  br label %no
no:
  %r = phi i64 [ 1, %yes ], [ 2, %0 ]
  ret i64 %r
}
define internal i64 @br_uno_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %c = fcmp uno float %a, %b
  br i1 %c, label %yes, label %no
yes:
  br label %no
no:
  %r = phi i64 [ 1, %yes ], [ 2, %0 ]
  ret i64 %r
}
define internal i64 @br_ueq_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %c = fcmp ueq float %a, %b
  br i1 %c, label %yes, label %no
yes:
  br label %no
no:
  %r = phi i64 [ 1, %yes ], [ 2, %0 ]
  ret i64 %r
}
define internal i64 @br_ugt_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %c = fcmp ugt float %a, %b
  br i1 %c, label %yes, label %no
yes:
  br label %no
no:
  %r = phi i64 [ 1, %yes ], [ 2, %0 ]
  ret i64 %r
}
define internal i64 @br_uge_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %c = fcmp uge float %a, %b
  br i1 %c, label %yes, label %no
yes:
  br label %no
no:
  %r = phi i64 [ 1, %yes ], [ 2, %0 ]
  ret i64 %r
}
define internal i64 @br_ult_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %c = fcmp ult float %a, %b
  br i1 %c, label %yes, label %no
yes:
  br label %no
no:
  %r = phi i64 [ 1, %yes ], [ 2, %0 ]
  ret i64 %r
}
define internal i64 @br_ule_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %c = fcmp ule float %a, %b
  br i1 %c, label %yes, label %no
yes:
  br label %no
no:
  %r = phi i64 [ 1, %yes ], [ 2, %0 ]
  ret i64 %r
}
define internal i64 @br_une_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %c = fcmp une float %a, %b
  br i1 %c, label %yes, label %no
yes:
  br label %no
no:
  %r = phi i64 [ 1, %yes ], [ 2, %0 ]
  ret i64 %r
}
define internal i64 @fadd_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %r = fadd float %a, %b
  %u = fcmp uno float %r, %r
  %bits = bitcast float %r to i32
  %bz = zext i32 %bits to i64
  %z = select i1 %u, i64 77, i64 %bz
  ret i64 %z
}
define internal i64 @fsub_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %r = fsub float %a, %b
  %u = fcmp uno float %r, %r
  %bits = bitcast float %r to i32
  %bz = zext i32 %bits to i64
  %z = select i1 %u, i64 77, i64 %bz
  ret i64 %z
}
define internal i64 @fmul_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %r = fmul float %a, %b
  %u = fcmp uno float %r, %r
  %bits = bitcast float %r to i32
  %bz = zext i32 %bits to i64
  %z = select i1 %u, i64 77, i64 %bz
  ret i64 %z
}
define internal i64 @fdiv_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %r = fdiv float %a, %b
  %u = fcmp uno float %r, %r
  %bits = bitcast float %r to i32
  %bz = zext i32 %bits to i64
  %z = select i1 %u, i64 77, i64 %bz
  ret i64 %z
}
define internal i64 @frem_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %r = frem float %a, %b
  %u = fcmp uno float %r, %r
  %bits = bitcast float %r to i32
  %bz = zext i32 %bits to i64
  %z = select i1 %u, i64 77, i64 %bz
  ret i64 %z
}
define internal i64 @minnum_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %e = fcmp oeq float %a, %b
  %q = call float @llvm.minnum.f32(float %a, float %b)
  %r = select i1 %e, float 1.0, float %q
  %u = fcmp uno float %r, %r
  %bits = bitcast float %r to i32
  %bz = zext i32 %bits to i64
  %z = select i1 %u, i64 77, i64 %bz
  ret i64 %z
}
define internal i64 @maxnum_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %e = fcmp oeq float %a, %b
  %q = call float @llvm.maxnum.f32(float %a, float %b)
  %r = select i1 %e, float 1.0, float %q
  %u = fcmp uno float %r, %r
  %bits = bitcast float %r to i32
  %bz = zext i32 %bits to i64
  %z = select i1 %u, i64 77, i64 %bz
  ret i64 %z
}
define internal i64 @copysign_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %e = fcmp oeq float %a, %b
  %q = call float @llvm.copysign.f32(float %a, float %b)
  %r = select i1 %e, float 1.0, float %q
  %u = fcmp uno float %r, %r
  %bits = bitcast float %r to i32
  %bz = zext i32 %bits to i64
  %z = select i1 %u, i64 77, i64 %bz
  ret i64 %z
}
define internal i64 @fabs_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %s = fadd float %a, %b
  %r = call float @llvm.fabs.f32(float %s)
  %u = fcmp uno float %r, %r
  %bits = bitcast float %r to i32
  %bz = zext i32 %bits to i64
  %z = select i1 %u, i64 77, i64 %bz
  ret i64 %z
}
define internal i64 @sqrt_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %s = fadd float %a, %b
  %r = call float @llvm.sqrt.f32(float %s)
  %u = fcmp uno float %r, %r
  %bits = bitcast float %r to i32
  %bz = zext i32 %bits to i64
  %z = select i1 %u, i64 77, i64 %bz
  ret i64 %z
}
define internal i64 @floor_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %s = fadd float %a, %b
  %r = call float @llvm.floor.f32(float %s)
  %u = fcmp uno float %r, %r
  %bits = bitcast float %r to i32
  %bz = zext i32 %bits to i64
  %z = select i1 %u, i64 77, i64 %bz
  ret i64 %z
}
define internal i64 @ceil_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %s = fadd float %a, %b
  %r = call float @llvm.ceil.f32(float %s)
  %u = fcmp uno float %r, %r
  %bits = bitcast float %r to i32
  %bz = zext i32 %bits to i64
  %z = select i1 %u, i64 77, i64 %bz
  ret i64 %z
}
define internal i64 @trunc_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %s = fadd float %a, %b
  %r = call float @llvm.trunc.f32(float %s)
  %u = fcmp uno float %r, %r
  %bits = bitcast float %r to i32
  %bz = zext i32 %bits to i64
  %z = select i1 %u, i64 77, i64 %bz
  ret i64 %z
}
define internal i64 @rint_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %s = fadd float %a, %b
  %r = call float @llvm.rint.f32(float %s)
  %u = fcmp uno float %r, %r
  %bits = bitcast float %r to i32
  %bz = zext i32 %bits to i64
  %z = select i1 %u, i64 77, i64 %bz
  ret i64 %z
}
define internal i64 @round_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %s = fadd float %a, %b
  %r = call float @llvm.round.f32(float %s)
  %u = fcmp uno float %r, %r
  %bits = bitcast float %r to i32
  %bz = zext i32 %bits to i64
  %z = select i1 %u, i64 77, i64 %bz
  ret i64 %z
}
define internal i64 @fmuladd_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %r = call float @llvm.fmuladd.f32(float %a, float 2.0, float %b)
  %u = fcmp uno float %r, %r
  %bits = bitcast float %r to i32
  %bz = zext i32 %bits to i64
  %z = select i1 %u, i64 77, i64 %bz
  ret i64 %z
}
define internal i64 @fptosi_sat_8_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %q = fmul float %a, 1.5
  %r = call i8 @llvm.fptosi.sat.i8.f32(float %q)
  %z = sext i8 %r to i64
  ret i64 %z
}
define internal i64 @sitofp_8_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %i = trunc i64 %x to i8
  %r = sitofp i8 %i to float
  %u = fcmp uno float %r, %r
  %bits = bitcast float %r to i32
  %bz = zext i32 %bits to i64
  %z = select i1 %u, i64 77, i64 %bz
  ret i64 %z
}
define internal i64 @fptoui_sat_8_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %q = fmul float %a, 1.5
  %r = call i8 @llvm.fptoui.sat.i8.f32(float %q)
  %z = sext i8 %r to i64
  ret i64 %z
}
define internal i64 @uitofp_8_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %i = trunc i64 %x to i8
  %r = uitofp i8 %i to float
  %u = fcmp uno float %r, %r
  %bits = bitcast float %r to i32
  %bz = zext i32 %bits to i64
  %z = select i1 %u, i64 77, i64 %bz
  ret i64 %z
}
define internal i64 @fptosi_sat_16_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %q = fmul float %a, 1.5
  %r = call i16 @llvm.fptosi.sat.i16.f32(float %q)
  %z = sext i16 %r to i64
  ret i64 %z
}
define internal i64 @sitofp_16_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %i = trunc i64 %x to i16
  %r = sitofp i16 %i to float
  %u = fcmp uno float %r, %r
  %bits = bitcast float %r to i32
  %bz = zext i32 %bits to i64
  %z = select i1 %u, i64 77, i64 %bz
  ret i64 %z
}
define internal i64 @fptoui_sat_16_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %q = fmul float %a, 1.5
  %r = call i16 @llvm.fptoui.sat.i16.f32(float %q)
  %z = sext i16 %r to i64
  ret i64 %z
}
define internal i64 @uitofp_16_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %i = trunc i64 %x to i16
  %r = uitofp i16 %i to float
  %u = fcmp uno float %r, %r
  %bits = bitcast float %r to i32
  %bz = zext i32 %bits to i64
  %z = select i1 %u, i64 77, i64 %bz
  ret i64 %z
}
define internal i64 @fptosi_sat_32_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %q = fmul float %a, 1.5
  %r = call i32 @llvm.fptosi.sat.i32.f32(float %q)
  %z = sext i32 %r to i64
  ret i64 %z
}
define internal i64 @sitofp_32_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %i = trunc i64 %x to i32
  %r = sitofp i32 %i to float
  %u = fcmp uno float %r, %r
  %bits = bitcast float %r to i32
  %bz = zext i32 %bits to i64
  %z = select i1 %u, i64 77, i64 %bz
  ret i64 %z
}
define internal i64 @fptoui_sat_32_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %q = fmul float %a, 1.5
  %r = call i32 @llvm.fptoui.sat.i32.f32(float %q)
  %z = sext i32 %r to i64
  ret i64 %z
}
define internal i64 @uitofp_32_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %i = trunc i64 %x to i32
  %r = uitofp i32 %i to float
  %u = fcmp uno float %r, %r
  %bits = bitcast float %r to i32
  %bz = zext i32 %bits to i64
  %z = select i1 %u, i64 77, i64 %bz
  ret i64 %z
}
define internal i64 @fptosi_sat_64_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %q = fmul float %a, 1.5
  %r = call i64 @llvm.fptosi.sat.i64.f32(float %q)
  ret i64 %r
}
define internal i64 @sitofp_64_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %i = add i64 %x, 0
  %r = sitofp i64 %i to float
  %u = fcmp uno float %r, %r
  %bits = bitcast float %r to i32
  %bz = zext i32 %bits to i64
  %z = select i1 %u, i64 77, i64 %bz
  ret i64 %z
}
define internal i64 @fptoui_sat_64_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %q = fmul float %a, 1.5
  %r = call i64 @llvm.fptoui.sat.i64.f32(float %q)
  ret i64 %r
}
define internal i64 @uitofp_64_float(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %i = add i64 %x, 0
  %r = uitofp i64 %i to float
  %u = fcmp uno float %r, %r
  %bits = bitcast float %r to i32
  %bz = zext i32 %bits to i64
  %z = select i1 %u, i64 77, i64 %bz
  ret i64 %z
}
define internal i64 @oeq_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %r = fcmp oeq double %a, %b
  %z = zext i1 %r to i64
  ret i64 %z
}
define internal i64 @ogt_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %r = fcmp ogt double %a, %b
  %z = zext i1 %r to i64
  ret i64 %z
}
define internal i64 @oge_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %r = fcmp oge double %a, %b
  %z = zext i1 %r to i64
  ret i64 %z
}
define internal i64 @olt_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %r = fcmp olt double %a, %b
  %z = zext i1 %r to i64
  ret i64 %z
}
define internal i64 @ole_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %r = fcmp ole double %a, %b
  %z = zext i1 %r to i64
  ret i64 %z
}
define internal i64 @one_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %r = fcmp one double %a, %b
  %z = zext i1 %r to i64
  ret i64 %z
}
define internal i64 @ord_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %r = fcmp ord double %a, %b
  %z = zext i1 %r to i64
  ret i64 %z
}
define internal i64 @uno_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %r = fcmp uno double %a, %b
  %z = zext i1 %r to i64
  ret i64 %z
}
define internal i64 @ueq_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %r = fcmp ueq double %a, %b
  %z = zext i1 %r to i64
  ret i64 %z
}
define internal i64 @ugt_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %r = fcmp ugt double %a, %b
  %z = zext i1 %r to i64
  ret i64 %z
}
define internal i64 @uge_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %r = fcmp uge double %a, %b
  %z = zext i1 %r to i64
  ret i64 %z
}
define internal i64 @ult_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %r = fcmp ult double %a, %b
  %z = zext i1 %r to i64
  ret i64 %z
}
define internal i64 @ule_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %r = fcmp ule double %a, %b
  %z = zext i1 %r to i64
  ret i64 %z
}
define internal i64 @une_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %r = fcmp une double %a, %b
  %z = zext i1 %r to i64
  ret i64 %z
}
define internal i64 @true_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %r = fcmp true double %a, %b
  %z = zext i1 %r to i64
  ret i64 %z
}
define internal i64 @false_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %r = fcmp false double %a, %b
  %z = zext i1 %r to i64
  ret i64 %z
}
define internal i64 @br_oeq_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %c = fcmp oeq double %a, %b
  br i1 %c, label %yes, label %no
yes:
  br label %no
no:
  %r = phi i64 [ 1, %yes ], [ 2, %0 ]
  ret i64 %r
}
define internal i64 @br_ogt_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %c = fcmp ogt double %a, %b
  br i1 %c, label %yes, label %no
yes:
  br label %no
no:
  %r = phi i64 [ 1, %yes ], [ 2, %0 ]
  ret i64 %r
}
define internal i64 @br_oge_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %c = fcmp oge double %a, %b
  br i1 %c, label %yes, label %no
yes:
  br label %no
no:
  %r = phi i64 [ 1, %yes ], [ 2, %0 ]
  ret i64 %r
}
define internal i64 @br_olt_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %c = fcmp olt double %a, %b
  br i1 %c, label %yes, label %no
yes:
  br label %no
no:
  %r = phi i64 [ 1, %yes ], [ 2, %0 ]
  ret i64 %r
}
define internal i64 @br_ole_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %c = fcmp ole double %a, %b
  br i1 %c, label %yes, label %no
yes:
  br label %no
no:
  %r = phi i64 [ 1, %yes ], [ 2, %0 ]
  ret i64 %r
}
define internal i64 @br_one_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %c = fcmp one double %a, %b
  br i1 %c, label %yes, label %no
yes:
  br label %no
no:
  %r = phi i64 [ 1, %yes ], [ 2, %0 ]
  ret i64 %r
}
define internal i64 @br_ord_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %c = fcmp ord double %a, %b
  br i1 %c, label %yes, label %no
yes:
  br label %no
no:
  %r = phi i64 [ 1, %yes ], [ 2, %0 ]
  ret i64 %r
}
define internal i64 @br_uno_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %c = fcmp uno double %a, %b
  br i1 %c, label %yes, label %no
yes:
  br label %no
no:
  %r = phi i64 [ 1, %yes ], [ 2, %0 ]
  ret i64 %r
}
define internal i64 @br_ueq_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %c = fcmp ueq double %a, %b
  br i1 %c, label %yes, label %no
yes:
  br label %no
no:
  %r = phi i64 [ 1, %yes ], [ 2, %0 ]
  ret i64 %r
}
define internal i64 @br_ugt_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %c = fcmp ugt double %a, %b
  br i1 %c, label %yes, label %no
yes:
  br label %no
no:
  %r = phi i64 [ 1, %yes ], [ 2, %0 ]
  ret i64 %r
}
define internal i64 @br_uge_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %c = fcmp uge double %a, %b
  br i1 %c, label %yes, label %no
yes:
  br label %no
no:
  %r = phi i64 [ 1, %yes ], [ 2, %0 ]
  ret i64 %r
}
define internal i64 @br_ult_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %c = fcmp ult double %a, %b
  br i1 %c, label %yes, label %no
yes:
  br label %no
no:
  %r = phi i64 [ 1, %yes ], [ 2, %0 ]
  ret i64 %r
}
define internal i64 @br_ule_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %c = fcmp ule double %a, %b
  br i1 %c, label %yes, label %no
yes:
  br label %no
no:
  %r = phi i64 [ 1, %yes ], [ 2, %0 ]
  ret i64 %r
}
define internal i64 @br_une_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %c = fcmp une double %a, %b
  br i1 %c, label %yes, label %no
yes:
  br label %no
no:
  %r = phi i64 [ 1, %yes ], [ 2, %0 ]
  ret i64 %r
}
define internal i64 @fadd_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %r = fadd double %a, %b
  %u = fcmp uno double %r, %r
  %bits = bitcast double %r to i64
  %z = select i1 %u, i64 77, i64 %bits
  ret i64 %z
}
define internal i64 @fsub_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %r = fsub double %a, %b
  %u = fcmp uno double %r, %r
  %bits = bitcast double %r to i64
  %z = select i1 %u, i64 77, i64 %bits
  ret i64 %z
}
define internal i64 @fmul_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %r = fmul double %a, %b
  %u = fcmp uno double %r, %r
  %bits = bitcast double %r to i64
  %z = select i1 %u, i64 77, i64 %bits
  ret i64 %z
}
define internal i64 @fdiv_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %r = fdiv double %a, %b
  %u = fcmp uno double %r, %r
  %bits = bitcast double %r to i64
  %z = select i1 %u, i64 77, i64 %bits
  ret i64 %z
}
define internal i64 @frem_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %r = frem double %a, %b
  %u = fcmp uno double %r, %r
  %bits = bitcast double %r to i64
  %z = select i1 %u, i64 77, i64 %bits
  ret i64 %z
}
define internal i64 @minnum_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %e = fcmp oeq double %a, %b
  %q = call double @llvm.minnum.f64(double %a, double %b)
  %r = select i1 %e, double 1.0, double %q
  %u = fcmp uno double %r, %r
  %bits = bitcast double %r to i64
  %z = select i1 %u, i64 77, i64 %bits
  ret i64 %z
}
define internal i64 @maxnum_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %e = fcmp oeq double %a, %b
  %q = call double @llvm.maxnum.f64(double %a, double %b)
  %r = select i1 %e, double 1.0, double %q
  %u = fcmp uno double %r, %r
  %bits = bitcast double %r to i64
  %z = select i1 %u, i64 77, i64 %bits
  ret i64 %z
}
define internal i64 @copysign_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %e = fcmp oeq double %a, %b
  %q = call double @llvm.copysign.f64(double %a, double %b)
  %r = select i1 %e, double 1.0, double %q
  %u = fcmp uno double %r, %r
  %bits = bitcast double %r to i64
  %z = select i1 %u, i64 77, i64 %bits
  ret i64 %z
}
define internal i64 @fabs_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %s = fadd double %a, %b
  %r = call double @llvm.fabs.f64(double %s)
  %u = fcmp uno double %r, %r
  %bits = bitcast double %r to i64
  %z = select i1 %u, i64 77, i64 %bits
  ret i64 %z
}
define internal i64 @sqrt_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %s = fadd double %a, %b
  %r = call double @llvm.sqrt.f64(double %s)
  %u = fcmp uno double %r, %r
  %bits = bitcast double %r to i64
  %z = select i1 %u, i64 77, i64 %bits
  ret i64 %z
}
define internal i64 @floor_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %s = fadd double %a, %b
  %r = call double @llvm.floor.f64(double %s)
  %u = fcmp uno double %r, %r
  %bits = bitcast double %r to i64
  %z = select i1 %u, i64 77, i64 %bits
  ret i64 %z
}
define internal i64 @ceil_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %s = fadd double %a, %b
  %r = call double @llvm.ceil.f64(double %s)
  %u = fcmp uno double %r, %r
  %bits = bitcast double %r to i64
  %z = select i1 %u, i64 77, i64 %bits
  ret i64 %z
}
define internal i64 @trunc_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %s = fadd double %a, %b
  %r = call double @llvm.trunc.f64(double %s)
  %u = fcmp uno double %r, %r
  %bits = bitcast double %r to i64
  %z = select i1 %u, i64 77, i64 %bits
  ret i64 %z
}
define internal i64 @rint_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %s = fadd double %a, %b
  %r = call double @llvm.rint.f64(double %s)
  %u = fcmp uno double %r, %r
  %bits = bitcast double %r to i64
  %z = select i1 %u, i64 77, i64 %bits
  ret i64 %z
}
define internal i64 @round_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %s = fadd double %a, %b
  %r = call double @llvm.round.f64(double %s)
  %u = fcmp uno double %r, %r
  %bits = bitcast double %r to i64
  %z = select i1 %u, i64 77, i64 %bits
  ret i64 %z
}
define internal i64 @fmuladd_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %r = call double @llvm.fmuladd.f64(double %a, double 2.0, double %b)
  %u = fcmp uno double %r, %r
  %bits = bitcast double %r to i64
  %z = select i1 %u, i64 77, i64 %bits
  ret i64 %z
}
define internal i64 @fptosi_sat_8_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %q = fmul double %a, 1.5
  %r = call i8 @llvm.fptosi.sat.i8.f64(double %q)
  %z = sext i8 %r to i64
  ret i64 %z
}
define internal i64 @sitofp_8_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %i = trunc i64 %x to i8
  %r = sitofp i8 %i to double
  %u = fcmp uno double %r, %r
  %bits = bitcast double %r to i64
  %z = select i1 %u, i64 77, i64 %bits
  ret i64 %z
}
define internal i64 @fptoui_sat_8_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %q = fmul double %a, 1.5
  %r = call i8 @llvm.fptoui.sat.i8.f64(double %q)
  %z = sext i8 %r to i64
  ret i64 %z
}
define internal i64 @uitofp_8_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %i = trunc i64 %x to i8
  %r = uitofp i8 %i to double
  %u = fcmp uno double %r, %r
  %bits = bitcast double %r to i64
  %z = select i1 %u, i64 77, i64 %bits
  ret i64 %z
}
define internal i64 @fptosi_sat_16_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %q = fmul double %a, 1.5
  %r = call i16 @llvm.fptosi.sat.i16.f64(double %q)
  %z = sext i16 %r to i64
  ret i64 %z
}
define internal i64 @sitofp_16_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %i = trunc i64 %x to i16
  %r = sitofp i16 %i to double
  %u = fcmp uno double %r, %r
  %bits = bitcast double %r to i64
  %z = select i1 %u, i64 77, i64 %bits
  ret i64 %z
}
define internal i64 @fptoui_sat_16_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %q = fmul double %a, 1.5
  %r = call i16 @llvm.fptoui.sat.i16.f64(double %q)
  %z = sext i16 %r to i64
  ret i64 %z
}
define internal i64 @uitofp_16_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %i = trunc i64 %x to i16
  %r = uitofp i16 %i to double
  %u = fcmp uno double %r, %r
  %bits = bitcast double %r to i64
  %z = select i1 %u, i64 77, i64 %bits
  ret i64 %z
}
define internal i64 @fptosi_sat_32_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %q = fmul double %a, 1.5
  %r = call i32 @llvm.fptosi.sat.i32.f64(double %q)
  %z = sext i32 %r to i64
  ret i64 %z
}
define internal i64 @sitofp_32_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %i = trunc i64 %x to i32
  %r = sitofp i32 %i to double
  %u = fcmp uno double %r, %r
  %bits = bitcast double %r to i64
  %z = select i1 %u, i64 77, i64 %bits
  ret i64 %z
}
define internal i64 @fptoui_sat_32_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %q = fmul double %a, 1.5
  %r = call i32 @llvm.fptoui.sat.i32.f64(double %q)
  %z = sext i32 %r to i64
  ret i64 %z
}
define internal i64 @uitofp_32_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %i = trunc i64 %x to i32
  %r = uitofp i32 %i to double
  %u = fcmp uno double %r, %r
  %bits = bitcast double %r to i64
  %z = select i1 %u, i64 77, i64 %bits
  ret i64 %z
}
define internal i64 @fptosi_sat_64_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %q = fmul double %a, 1.5
  %r = call i64 @llvm.fptosi.sat.i64.f64(double %q)
  ret i64 %r
}
define internal i64 @sitofp_64_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %i = add i64 %x, 0
  %r = sitofp i64 %i to double
  %u = fcmp uno double %r, %r
  %bits = bitcast double %r to i64
  %z = select i1 %u, i64 77, i64 %bits
  ret i64 %z
}
define internal i64 @fptoui_sat_64_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %q = fmul double %a, 1.5
  %r = call i64 @llvm.fptoui.sat.i64.f64(double %q)
  ret i64 %r
}
define internal i64 @uitofp_64_double(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %i = add i64 %x, 0
  %r = uitofp i64 %i to double
  %u = fcmp uno double %r, %r
  %bits = bitcast double %r to i64
  %z = select i1 %u, i64 77, i64 %bits
  ret i64 %z
}
define internal i64 @fptoui_64(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %big = fcmp oge double %a, 0.0
  %ok = fcmp olt double %a, 1.8e19
  %both = and i1 %big, %ok
  %safe = select i1 %both, double %a, double 0x43E8000000000000
  %r = fptoui double %safe to i64
  ret i64 %r
}
define internal i64 @fpext(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fptrunc double %a0 to float
  %b = fptrunc double %b0 to float
  %r = fpext float %a to double
  %u = fcmp uno double %r, %r
  %bits = bitcast double %r to i64
  %z = select i1 %u, i64 77, i64 %bits
  ret i64 %z
}
define internal i64 @negated(i64 %x, i64 %y) {
  %a0 = call double @of(i64 %x)
  %b0 = call double @of(i64 %y)
  %a = fadd double %a0, -0.0
  %b = fadd double %b0, -0.0
  %r = fneg double %a
  %u = fcmp uno double %r, %r
  %bits = bitcast double %r to i64
  %z = select i1 %u, i64 77, i64 %bits
  ret i64 %z
}
@values = internal constant [19 x i64] [i64 0, i64 1, i64 2, i64 -1, i64 -2, i64 100, i64 -100, i64 127, i64 -128, i64 255, i64 32767, i64 -32768, i64 2147483647, i64 -2147483648, i64 4294967295, i64 81985529216486895, i64 -81985529216486895, i64 9223372036854775807, i64 -9223372036854775808]
define internal i64 @digest(ptr %f) {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i1, %next ]
  %h0 = phi i64 [ 1469598103934665603, %entry ], [ %h2, %next ]
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %j1, %inner ]
  %h1 = phi i64 [ %h0, %outer ], [ %h2, %inner ]
  %pi = getelementptr [19 x i64], ptr @values, i64 0, i64 %i
  %pj = getelementptr [19 x i64], ptr @values, i64 0, i64 %j
  %x = load i64, ptr %pi
  %y = load i64, ptr %pj
  %v = call i64 %f(i64 %x, i64 %y)
  %hx = xor i64 %h1, %v
  %h2 = mul i64 %hx, 1099511628211
  %j1 = add i64 %j, 1
  %c = icmp ult i64 %j1, 19
  br i1 %c, label %inner, label %next
next:
  %i1 = add i64 %i, 1
  %c1 = icmp ult i64 %i1, 19
  br i1 %c1, label %outer, label %done
done:
  ret i64 %h2
}
@format = internal constant [15 x i8] c"%s %016llx\0A\00\00\00\00"
declare i32 @printf(ptr, ...)
@name.oeq_float = internal constant [10 x i8] c"oeq_float\00"
@name.ogt_float = internal constant [10 x i8] c"ogt_float\00"
@name.oge_float = internal constant [10 x i8] c"oge_float\00"
@name.olt_float = internal constant [10 x i8] c"olt_float\00"
@name.ole_float = internal constant [10 x i8] c"ole_float\00"
@name.one_float = internal constant [10 x i8] c"one_float\00"
@name.ord_float = internal constant [10 x i8] c"ord_float\00"
@name.uno_float = internal constant [10 x i8] c"uno_float\00"
@name.ueq_float = internal constant [10 x i8] c"ueq_float\00"
@name.ugt_float = internal constant [10 x i8] c"ugt_float\00"
@name.uge_float = internal constant [10 x i8] c"uge_float\00"
@name.ult_float = internal constant [10 x i8] c"ult_float\00"
@name.ule_float = internal constant [10 x i8] c"ule_float\00"
@name.une_float = internal constant [10 x i8] c"une_float\00"
@name.true_float = internal constant [11 x i8] c"true_float\00"
@name.false_float = internal constant [12 x i8] c"false_float\00"
@name.br_oeq_float = internal constant [13 x i8] c"br_oeq_float\00"
@name.br_ogt_float = internal constant [13 x i8] c"br_ogt_float\00"
@name.br_oge_float = internal constant [13 x i8] c"br_oge_float\00"
@name.br_olt_float = internal constant [13 x i8] c"br_olt_float\00"
@name.br_ole_float = internal constant [13 x i8] c"br_ole_float\00"
@name.br_one_float = internal constant [13 x i8] c"br_one_float\00"
@name.br_ord_float = internal constant [13 x i8] c"br_ord_float\00"
@name.br_uno_float = internal constant [13 x i8] c"br_uno_float\00"
@name.br_ueq_float = internal constant [13 x i8] c"br_ueq_float\00"
@name.br_ugt_float = internal constant [13 x i8] c"br_ugt_float\00"
@name.br_uge_float = internal constant [13 x i8] c"br_uge_float\00"
@name.br_ult_float = internal constant [13 x i8] c"br_ult_float\00"
@name.br_ule_float = internal constant [13 x i8] c"br_ule_float\00"
@name.br_une_float = internal constant [13 x i8] c"br_une_float\00"
@name.fadd_float = internal constant [11 x i8] c"fadd_float\00"
@name.fsub_float = internal constant [11 x i8] c"fsub_float\00"
@name.fmul_float = internal constant [11 x i8] c"fmul_float\00"
@name.fdiv_float = internal constant [11 x i8] c"fdiv_float\00"
@name.frem_float = internal constant [11 x i8] c"frem_float\00"
@name.minnum_float = internal constant [13 x i8] c"minnum_float\00"
@name.maxnum_float = internal constant [13 x i8] c"maxnum_float\00"
@name.copysign_float = internal constant [15 x i8] c"copysign_float\00"
@name.fabs_float = internal constant [11 x i8] c"fabs_float\00"
@name.sqrt_float = internal constant [11 x i8] c"sqrt_float\00"
@name.floor_float = internal constant [12 x i8] c"floor_float\00"
@name.ceil_float = internal constant [11 x i8] c"ceil_float\00"
@name.trunc_float = internal constant [12 x i8] c"trunc_float\00"
@name.rint_float = internal constant [11 x i8] c"rint_float\00"
@name.round_float = internal constant [12 x i8] c"round_float\00"
@name.fmuladd_float = internal constant [14 x i8] c"fmuladd_float\00"
@name.fptosi_sat_8_float = internal constant [19 x i8] c"fptosi_sat_8_float\00"
@name.sitofp_8_float = internal constant [15 x i8] c"sitofp_8_float\00"
@name.fptoui_sat_8_float = internal constant [19 x i8] c"fptoui_sat_8_float\00"
@name.uitofp_8_float = internal constant [15 x i8] c"uitofp_8_float\00"
@name.fptosi_sat_16_float = internal constant [20 x i8] c"fptosi_sat_16_float\00"
@name.sitofp_16_float = internal constant [16 x i8] c"sitofp_16_float\00"
@name.fptoui_sat_16_float = internal constant [20 x i8] c"fptoui_sat_16_float\00"
@name.uitofp_16_float = internal constant [16 x i8] c"uitofp_16_float\00"
@name.fptosi_sat_32_float = internal constant [20 x i8] c"fptosi_sat_32_float\00"
@name.sitofp_32_float = internal constant [16 x i8] c"sitofp_32_float\00"
@name.fptoui_sat_32_float = internal constant [20 x i8] c"fptoui_sat_32_float\00"
@name.uitofp_32_float = internal constant [16 x i8] c"uitofp_32_float\00"
@name.fptosi_sat_64_float = internal constant [20 x i8] c"fptosi_sat_64_float\00"
@name.sitofp_64_float = internal constant [16 x i8] c"sitofp_64_float\00"
@name.fptoui_sat_64_float = internal constant [20 x i8] c"fptoui_sat_64_float\00"
@name.uitofp_64_float = internal constant [16 x i8] c"uitofp_64_float\00"
@name.oeq_double = internal constant [11 x i8] c"oeq_double\00"
@name.ogt_double = internal constant [11 x i8] c"ogt_double\00"
@name.oge_double = internal constant [11 x i8] c"oge_double\00"
@name.olt_double = internal constant [11 x i8] c"olt_double\00"
@name.ole_double = internal constant [11 x i8] c"ole_double\00"
@name.one_double = internal constant [11 x i8] c"one_double\00"
@name.ord_double = internal constant [11 x i8] c"ord_double\00"
@name.uno_double = internal constant [11 x i8] c"uno_double\00"
@name.ueq_double = internal constant [11 x i8] c"ueq_double\00"
@name.ugt_double = internal constant [11 x i8] c"ugt_double\00"
@name.uge_double = internal constant [11 x i8] c"uge_double\00"
@name.ult_double = internal constant [11 x i8] c"ult_double\00"
@name.ule_double = internal constant [11 x i8] c"ule_double\00"
@name.une_double = internal constant [11 x i8] c"une_double\00"
@name.true_double = internal constant [12 x i8] c"true_double\00"
@name.false_double = internal constant [13 x i8] c"false_double\00"
@name.br_oeq_double = internal constant [14 x i8] c"br_oeq_double\00"
@name.br_ogt_double = internal constant [14 x i8] c"br_ogt_double\00"
@name.br_oge_double = internal constant [14 x i8] c"br_oge_double\00"
@name.br_olt_double = internal constant [14 x i8] c"br_olt_double\00"
@name.br_ole_double = internal constant [14 x i8] c"br_ole_double\00"
@name.br_one_double = internal constant [14 x i8] c"br_one_double\00"
@name.br_ord_double = internal constant [14 x i8] c"br_ord_double\00"
@name.br_uno_double = internal constant [14 x i8] c"br_uno_double\00"
@name.br_ueq_double = internal constant [14 x i8] c"br_ueq_double\00"
@name.br_ugt_double = internal constant [14 x i8] c"br_ugt_double\00"
@name.br_uge_double = internal constant [14 x i8] c"br_uge_double\00"
@name.br_ult_double = internal constant [14 x i8] c"br_ult_double\00"
@name.br_ule_double = internal constant [14 x i8] c"br_ule_double\00"
@name.br_une_double = internal constant [14 x i8] c"br_une_double\00"
@name.fadd_double = internal constant [12 x i8] c"fadd_double\00"
@name.fsub_double = internal constant [12 x i8] c"fsub_double\00"
@name.fmul_double = internal constant [12 x i8] c"fmul_double\00"
@name.fdiv_double = internal constant [12 x i8] c"fdiv_double\00"
@name.frem_double = internal constant [12 x i8] c"frem_double\00"
@name.minnum_double = internal constant [14 x i8] c"minnum_double\00"
@name.maxnum_double = internal constant [14 x i8] c"maxnum_double\00"
@name.copysign_double = internal constant [16 x i8] c"copysign_double\00"
@name.fabs_double = internal constant [12 x i8] c"fabs_double\00"
@name.sqrt_double = internal constant [12 x i8] c"sqrt_double\00"
@name.floor_double = internal constant [13 x i8] c"floor_double\00"
@name.ceil_double = internal constant [12 x i8] c"ceil_double\00"
@name.trunc_double = internal constant [13 x i8] c"trunc_double\00"
@name.rint_double = internal constant [12 x i8] c"rint_double\00"
@name.round_double = internal constant [13 x i8] c"round_double\00"
@name.fmuladd_double = internal constant [15 x i8] c"fmuladd_double\00"
@name.fptosi_sat_8_double = internal constant [20 x i8] c"fptosi_sat_8_double\00"
@name.sitofp_8_double = internal constant [16 x i8] c"sitofp_8_double\00"
@name.fptoui_sat_8_double = internal constant [20 x i8] c"fptoui_sat_8_double\00"
@name.uitofp_8_double = internal constant [16 x i8] c"uitofp_8_double\00"
@name.fptosi_sat_16_double = internal constant [21 x i8] c"fptosi_sat_16_double\00"
@name.sitofp_16_double = internal constant [17 x i8] c"sitofp_16_double\00"
@name.fptoui_sat_16_double = internal constant [21 x i8] c"fptoui_sat_16_double\00"
@name.uitofp_16_double = internal constant [17 x i8] c"uitofp_16_double\00"
@name.fptosi_sat_32_double = internal constant [21 x i8] c"fptosi_sat_32_double\00"
@name.sitofp_32_double = internal constant [17 x i8] c"sitofp_32_double\00"
@name.fptoui_sat_32_double = internal constant [21 x i8] c"fptoui_sat_32_double\00"
@name.uitofp_32_double = internal constant [17 x i8] c"uitofp_32_double\00"
@name.fptosi_sat_64_double = internal constant [21 x i8] c"fptosi_sat_64_double\00"
@name.sitofp_64_double = internal constant [17 x i8] c"sitofp_64_double\00"
@name.fptoui_sat_64_double = internal constant [21 x i8] c"fptoui_sat_64_double\00"
@name.uitofp_64_double = internal constant [17 x i8] c"uitofp_64_double\00"
@name.fptoui_64 = internal constant [10 x i8] c"fptoui_64\00"
@name.fpext = internal constant [6 x i8] c"fpext\00"
@name.negated = internal constant [8 x i8] c"negated\00"
define i32 @main() {
  %d0 = call i64 @digest(ptr @oeq_float)
  %p0 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.oeq_float, i64 %d0)
  %d1 = call i64 @digest(ptr @ogt_float)
  %p1 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ogt_float, i64 %d1)
  %d2 = call i64 @digest(ptr @oge_float)
  %p2 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.oge_float, i64 %d2)
  %d3 = call i64 @digest(ptr @olt_float)
  %p3 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.olt_float, i64 %d3)
  %d4 = call i64 @digest(ptr @ole_float)
  %p4 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ole_float, i64 %d4)
  %d5 = call i64 @digest(ptr @one_float)
  %p5 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.one_float, i64 %d5)
  %d6 = call i64 @digest(ptr @ord_float)
  %p6 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ord_float, i64 %d6)
  %d7 = call i64 @digest(ptr @uno_float)
  %p7 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.uno_float, i64 %d7)
  %d8 = call i64 @digest(ptr @ueq_float)
  %p8 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ueq_float, i64 %d8)
  %d9 = call i64 @digest(ptr @ugt_float)
  %p9 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ugt_float, i64 %d9)
  %d10 = call i64 @digest(ptr @uge_float)
  %p10 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.uge_float, i64 %d10)
  %d11 = call i64 @digest(ptr @ult_float)
  %p11 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ult_float, i64 %d11)
  %d12 = call i64 @digest(ptr @ule_float)
  %p12 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ule_float, i64 %d12)
  %d13 = call i64 @digest(ptr @une_float)
  %p13 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.une_float, i64 %d13)
  %d14 = call i64 @digest(ptr @true_float)
  %p14 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.true_float, i64 %d14)
  %d15 = call i64 @digest(ptr @false_float)
  %p15 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.false_float, i64 %d15)
  %d16 = call i64 @digest(ptr @br_oeq_float)
  %p16 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.br_oeq_float, i64 %d16)
  %d17 = call i64 @digest(ptr @br_ogt_float)
  %p17 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.br_ogt_float, i64 %d17)
  %d18 = call i64 @digest(ptr @br_oge_float)
  %p18 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.br_oge_float, i64 %d18)
  %d19 = call i64 @digest(ptr @br_olt_float)
  %p19 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.br_olt_float, i64 %d19)
  %d20 = call i64 @digest(ptr @br_ole_float)
  %p20 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.br_ole_float, i64 %d20)
  %d21 = call i64 @digest(ptr @br_one_float)
  %p21 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.br_one_float, i64 %d21)
  %d22 = call i64 @digest(ptr @br_ord_float)
  %p22 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.br_ord_float, i64 %d22)
  %d23 = call i64 @digest(ptr @br_uno_float)
  %p23 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.br_uno_float, i64 %d23)
  %d24 = call i64 @digest(ptr @br_ueq_float)
  %p24 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.br_ueq_float, i64 %d24)
  %d25 = call i64 @digest(ptr @br_ugt_float)
  %p25 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.br_ugt_float, i64 %d25)
  %d26 = call i64 @digest(ptr @br_uge_float)
  %p26 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.br_uge_float, i64 %d26)
  %d27 = call i64 @digest(ptr @br_ult_float)
  %p27 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.br_ult_float, i64 %d27)
  %d28 = call i64 @digest(ptr @br_ule_float)
  %p28 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.br_ule_float, i64 %d28)
  %d29 = call i64 @digest(ptr @br_une_float)
  %p29 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.br_une_float, i64 %d29)
  %d30 = call i64 @digest(ptr @fadd_float)
  %p30 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.fadd_float, i64 %d30)
  %d31 = call i64 @digest(ptr @fsub_float)
  %p31 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.fsub_float, i64 %d31)
  %d32 = call i64 @digest(ptr @fmul_float)
  %p32 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.fmul_float, i64 %d32)
  %d33 = call i64 @digest(ptr @fdiv_float)
  %p33 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.fdiv_float, i64 %d33)
  %d34 = call i64 @digest(ptr @frem_float)
  %p34 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.frem_float, i64 %d34)
  %d35 = call i64 @digest(ptr @minnum_float)
  %p35 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.minnum_float, i64 %d35)
  %d36 = call i64 @digest(ptr @maxnum_float)
  %p36 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.maxnum_float, i64 %d36)
  %d37 = call i64 @digest(ptr @copysign_float)
  %p37 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.copysign_float, i64 %d37)
  %d38 = call i64 @digest(ptr @fabs_float)
  %p38 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.fabs_float, i64 %d38)
  %d39 = call i64 @digest(ptr @sqrt_float)
  %p39 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sqrt_float, i64 %d39)
  %d40 = call i64 @digest(ptr @floor_float)
  %p40 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.floor_float, i64 %d40)
  %d41 = call i64 @digest(ptr @ceil_float)
  %p41 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ceil_float, i64 %d41)
  %d42 = call i64 @digest(ptr @trunc_float)
  %p42 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.trunc_float, i64 %d42)
  %d43 = call i64 @digest(ptr @rint_float)
  %p43 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.rint_float, i64 %d43)
  %d44 = call i64 @digest(ptr @round_float)
  %p44 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.round_float, i64 %d44)
  %d45 = call i64 @digest(ptr @fmuladd_float)
  %p45 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.fmuladd_float, i64 %d45)
  %d46 = call i64 @digest(ptr @fptosi_sat_8_float)
  %p46 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.fptosi_sat_8_float, i64 %d46)
  %d47 = call i64 @digest(ptr @sitofp_8_float)
  %p47 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sitofp_8_float, i64 %d47)
  %d48 = call i64 @digest(ptr @fptoui_sat_8_float)
  %p48 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.fptoui_sat_8_float, i64 %d48)
  %d49 = call i64 @digest(ptr @uitofp_8_float)
  %p49 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.uitofp_8_float, i64 %d49)
  %d50 = call i64 @digest(ptr @fptosi_sat_16_float)
  %p50 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.fptosi_sat_16_float, i64 %d50)
  %d51 = call i64 @digest(ptr @sitofp_16_float)
  %p51 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sitofp_16_float, i64 %d51)
  %d52 = call i64 @digest(ptr @fptoui_sat_16_float)
  %p52 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.fptoui_sat_16_float, i64 %d52)
  %d53 = call i64 @digest(ptr @uitofp_16_float)
  %p53 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.uitofp_16_float, i64 %d53)
  %d54 = call i64 @digest(ptr @fptosi_sat_32_float)
  %p54 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.fptosi_sat_32_float, i64 %d54)
  %d55 = call i64 @digest(ptr @sitofp_32_float)
  %p55 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sitofp_32_float, i64 %d55)
  %d56 = call i64 @digest(ptr @fptoui_sat_32_float)
  %p56 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.fptoui_sat_32_float, i64 %d56)
  %d57 = call i64 @digest(ptr @uitofp_32_float)
  %p57 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.uitofp_32_float, i64 %d57)
  %d58 = call i64 @digest(ptr @fptosi_sat_64_float)
  %p58 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.fptosi_sat_64_float, i64 %d58)
  %d59 = call i64 @digest(ptr @sitofp_64_float)
  %p59 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sitofp_64_float, i64 %d59)
  %d60 = call i64 @digest(ptr @fptoui_sat_64_float)
  %p60 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.fptoui_sat_64_float, i64 %d60)
  %d61 = call i64 @digest(ptr @uitofp_64_float)
  %p61 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.uitofp_64_float, i64 %d61)
  %d62 = call i64 @digest(ptr @oeq_double)
  %p62 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.oeq_double, i64 %d62)
  %d63 = call i64 @digest(ptr @ogt_double)
  %p63 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ogt_double, i64 %d63)
  %d64 = call i64 @digest(ptr @oge_double)
  %p64 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.oge_double, i64 %d64)
  %d65 = call i64 @digest(ptr @olt_double)
  %p65 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.olt_double, i64 %d65)
  %d66 = call i64 @digest(ptr @ole_double)
  %p66 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ole_double, i64 %d66)
  %d67 = call i64 @digest(ptr @one_double)
  %p67 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.one_double, i64 %d67)
  %d68 = call i64 @digest(ptr @ord_double)
  %p68 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ord_double, i64 %d68)
  %d69 = call i64 @digest(ptr @uno_double)
  %p69 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.uno_double, i64 %d69)
  %d70 = call i64 @digest(ptr @ueq_double)
  %p70 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ueq_double, i64 %d70)
  %d71 = call i64 @digest(ptr @ugt_double)
  %p71 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ugt_double, i64 %d71)
  %d72 = call i64 @digest(ptr @uge_double)
  %p72 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.uge_double, i64 %d72)
  %d73 = call i64 @digest(ptr @ult_double)
  %p73 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ult_double, i64 %d73)
  %d74 = call i64 @digest(ptr @ule_double)
  %p74 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ule_double, i64 %d74)
  %d75 = call i64 @digest(ptr @une_double)
  %p75 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.une_double, i64 %d75)
  %d76 = call i64 @digest(ptr @true_double)
  %p76 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.true_double, i64 %d76)
  %d77 = call i64 @digest(ptr @false_double)
  %p77 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.false_double, i64 %d77)
  %d78 = call i64 @digest(ptr @br_oeq_double)
  %p78 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.br_oeq_double, i64 %d78)
  %d79 = call i64 @digest(ptr @br_ogt_double)
  %p79 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.br_ogt_double, i64 %d79)
  %d80 = call i64 @digest(ptr @br_oge_double)
  %p80 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.br_oge_double, i64 %d80)
  %d81 = call i64 @digest(ptr @br_olt_double)
  %p81 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.br_olt_double, i64 %d81)
  %d82 = call i64 @digest(ptr @br_ole_double)
  %p82 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.br_ole_double, i64 %d82)
  %d83 = call i64 @digest(ptr @br_one_double)
  %p83 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.br_one_double, i64 %d83)
  %d84 = call i64 @digest(ptr @br_ord_double)
  %p84 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.br_ord_double, i64 %d84)
  %d85 = call i64 @digest(ptr @br_uno_double)
  %p85 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.br_uno_double, i64 %d85)
  %d86 = call i64 @digest(ptr @br_ueq_double)
  %p86 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.br_ueq_double, i64 %d86)
  %d87 = call i64 @digest(ptr @br_ugt_double)
  %p87 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.br_ugt_double, i64 %d87)
  %d88 = call i64 @digest(ptr @br_uge_double)
  %p88 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.br_uge_double, i64 %d88)
  %d89 = call i64 @digest(ptr @br_ult_double)
  %p89 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.br_ult_double, i64 %d89)
  %d90 = call i64 @digest(ptr @br_ule_double)
  %p90 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.br_ule_double, i64 %d90)
  %d91 = call i64 @digest(ptr @br_une_double)
  %p91 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.br_une_double, i64 %d91)
  %d92 = call i64 @digest(ptr @fadd_double)
  %p92 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.fadd_double, i64 %d92)
  %d93 = call i64 @digest(ptr @fsub_double)
  %p93 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.fsub_double, i64 %d93)
  %d94 = call i64 @digest(ptr @fmul_double)
  %p94 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.fmul_double, i64 %d94)
  %d95 = call i64 @digest(ptr @fdiv_double)
  %p95 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.fdiv_double, i64 %d95)
  %d96 = call i64 @digest(ptr @frem_double)
  %p96 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.frem_double, i64 %d96)
  %d97 = call i64 @digest(ptr @minnum_double)
  %p97 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.minnum_double, i64 %d97)
  %d98 = call i64 @digest(ptr @maxnum_double)
  %p98 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.maxnum_double, i64 %d98)
  %d99 = call i64 @digest(ptr @copysign_double)
  %p99 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.copysign_double, i64 %d99)
  %d100 = call i64 @digest(ptr @fabs_double)
  %p100 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.fabs_double, i64 %d100)
  %d101 = call i64 @digest(ptr @sqrt_double)
  %p101 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sqrt_double, i64 %d101)
  %d102 = call i64 @digest(ptr @floor_double)
  %p102 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.floor_double, i64 %d102)
  %d103 = call i64 @digest(ptr @ceil_double)
  %p103 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ceil_double, i64 %d103)
  %d104 = call i64 @digest(ptr @trunc_double)
  %p104 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.trunc_double, i64 %d104)
  %d105 = call i64 @digest(ptr @rint_double)
  %p105 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.rint_double, i64 %d105)
  %d106 = call i64 @digest(ptr @round_double)
  %p106 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.round_double, i64 %d106)
  %d107 = call i64 @digest(ptr @fmuladd_double)
  %p107 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.fmuladd_double, i64 %d107)
  %d108 = call i64 @digest(ptr @fptosi_sat_8_double)
  %p108 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.fptosi_sat_8_double, i64 %d108)
  %d109 = call i64 @digest(ptr @sitofp_8_double)
  %p109 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sitofp_8_double, i64 %d109)
  %d110 = call i64 @digest(ptr @fptoui_sat_8_double)
  %p110 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.fptoui_sat_8_double, i64 %d110)
  %d111 = call i64 @digest(ptr @uitofp_8_double)
  %p111 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.uitofp_8_double, i64 %d111)
  %d112 = call i64 @digest(ptr @fptosi_sat_16_double)
  %p112 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.fptosi_sat_16_double, i64 %d112)
  %d113 = call i64 @digest(ptr @sitofp_16_double)
  %p113 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sitofp_16_double, i64 %d113)
  %d114 = call i64 @digest(ptr @fptoui_sat_16_double)
  %p114 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.fptoui_sat_16_double, i64 %d114)
  %d115 = call i64 @digest(ptr @uitofp_16_double)
  %p115 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.uitofp_16_double, i64 %d115)
  %d116 = call i64 @digest(ptr @fptosi_sat_32_double)
  %p116 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.fptosi_sat_32_double, i64 %d116)
  %d117 = call i64 @digest(ptr @sitofp_32_double)
  %p117 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sitofp_32_double, i64 %d117)
  %d118 = call i64 @digest(ptr @fptoui_sat_32_double)
  %p118 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.fptoui_sat_32_double, i64 %d118)
  %d119 = call i64 @digest(ptr @uitofp_32_double)
  %p119 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.uitofp_32_double, i64 %d119)
  %d120 = call i64 @digest(ptr @fptosi_sat_64_double)
  %p120 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.fptosi_sat_64_double, i64 %d120)
  %d121 = call i64 @digest(ptr @sitofp_64_double)
  %p121 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sitofp_64_double, i64 %d121)
  %d122 = call i64 @digest(ptr @fptoui_sat_64_double)
  %p122 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.fptoui_sat_64_double, i64 %d122)
  %d123 = call i64 @digest(ptr @uitofp_64_double)
  %p123 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.uitofp_64_double, i64 %d123)
  %d124 = call i64 @digest(ptr @fptoui_64)
  %p124 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.fptoui_64, i64 %d124)
  %d125 = call i64 @digest(ptr @fpext)
  %p125 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.fpext, i64 %d125)
  %d126 = call i64 @digest(ptr @negated)
  %p126 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.negated, i64 %d126)
  ret i32 0
}
declare double @llvm.ceil.f64(double)
declare double @llvm.copysign.f64(double, double)
declare double @llvm.fabs.f64(double)
declare double @llvm.floor.f64(double)
declare double @llvm.fmuladd.f64(double, double, double)
declare double @llvm.maxnum.f64(double, double)
declare double @llvm.minnum.f64(double, double)
declare double @llvm.rint.f64(double)
declare double @llvm.round.f64(double)
declare double @llvm.sqrt.f64(double)
declare double @llvm.trunc.f64(double)
declare float @llvm.ceil.f32(float)
declare float @llvm.copysign.f32(float, float)
declare float @llvm.fabs.f32(float)
declare float @llvm.floor.f32(float)
declare float @llvm.fmuladd.f32(float, float, float)
declare float @llvm.maxnum.f32(float, float)
declare float @llvm.minnum.f32(float, float)
declare float @llvm.rint.f32(float)
declare float @llvm.round.f32(float)
declare float @llvm.sqrt.f32(float)
declare float @llvm.trunc.f32(float)
declare i16 @llvm.fptosi.sat.i16.f32(float)
declare i16 @llvm.fptosi.sat.i16.f64(double)
declare i16 @llvm.fptoui.sat.i16.f32(float)
declare i16 @llvm.fptoui.sat.i16.f64(double)
declare i32 @llvm.fptosi.sat.i32.f32(float)
declare i32 @llvm.fptosi.sat.i32.f64(double)
declare i32 @llvm.fptoui.sat.i32.f32(float)
declare i32 @llvm.fptoui.sat.i32.f64(double)
declare i64 @llvm.fptosi.sat.i64.f32(float)
declare i64 @llvm.fptosi.sat.i64.f64(double)
declare i64 @llvm.fptoui.sat.i64.f32(float)
declare i64 @llvm.fptoui.sat.i64.f64(double)
declare i8 @llvm.fptosi.sat.i8.f32(float)
declare i8 @llvm.fptosi.sat.i8.f64(double)
declare i8 @llvm.fptoui.sat.i8.f32(float)
declare i8 @llvm.fptoui.sat.i8.f64(double)
