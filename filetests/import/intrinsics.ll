; test import
; Intrinsics of integers.
; out: smax_8 1087e3764ce1ce65
; out: smin_8 42ff9956c27b84cd
; out: umax_8 a2699037dd5b241d
; out: umin_8 ead82d03c7e16ba5
; out: saddo_8 125c6e21b8e960d9
; out: uaddo_8 c5ee1fff6fddb925
; out: ssubo_8 1959d18becf7e113
; out: usubo_8 099e531b7e7abde7
; out: smulo_8 0df66ff6222bc8f1
; out: umulo_8 a2ba590f53cd256e
; out: saddsat_8 4ef9bf9c8ca0c4f7
; out: uaddsat_8 728a019b62891663
; out: ssubsat_8 57880f3be5f8a57c
; out: usubsat_8 7b9100de2ea2124f
; out: fshl_8 796e0f8d3f7a7a98
; out: fshr_8 00dcd2b1e12bee27
; out: ucmp_8 1591fcd3f3f5f455
; out: scmp_8 30acb91637cfb001
; out: ctpop_8 c39211b78a370b49
; out: ctlz_8 35efae1e05e7dcfb
; out: cttz_8 08ca8f2c91117328
; out: abs_8 f1340c1cc166c2eb
; out: bitreverse_8 22067f710c4ea039
; out: smax_16 dcfdd477e815502d
; out: smin_16 c4dbb4c0794a5b89
; out: umax_16 a8ba32d2b0442535
; out: umin_16 680c076a1bdd48b5
; out: saddo_16 8034d0ef999b2821
; out: uaddo_16 1b2b753db86df0a6
; out: ssubo_16 6f19f7a4ad02f9ee
; out: usubo_16 9e5888faef349d91
; out: smulo_16 d6addb5d730a55c2
; out: umulo_16 7ac9b24bbbc87a42
; out: saddsat_16 0aed153e30989122
; out: uaddsat_16 ca6aec24b2ff3572
; out: ssubsat_16 9cf758dd45eb53d5
; out: usubsat_16 2c210fa335b7679b
; out: fshl_16 8d504740f5f69b97
; out: fshr_16 7a257d7315dfcad6
; out: ucmp_16 2b717520809def79
; out: scmp_16 928247da5227c425
; out: ctpop_16 c4daf20f25a9fe45
; out: ctlz_16 05c9f9c129481e57
; out: cttz_16 179fb7473e560821
; out: abs_16 e990811db7d8632b
; out: bitreverse_16 0ef3f452d7d2c0c5
; out: bswap_16 4ed2f0477244eee1
; out: smax_32 920acf3f37ab53d9
; out: smin_32 2ffd444fa1a56755
; out: umax_32 2be92d2f7a8db539
; out: umin_32 59422bdc06c27985
; out: saddo_32 12b8e0c5a6a31fd1
; out: uaddo_32 890516267246dcc2
; out: ssubo_32 5aeca5aee790be82
; out: usubo_32 06b3fb5a3c9848d6
; out: smulo_32 08ec09f8c76031bd
; out: umulo_32 5b633c407912a80a
; out: saddsat_32 c9eedf1a32601a2f
; out: uaddsat_32 49dffc0d8e9a02d8
; out: ssubsat_32 408dc4a15942274a
; out: usubsat_32 f0f43ecdff95d2b9
; out: fshl_32 c733a70379cbe8ab
; out: fshr_32 ad60781d7cc8ab99
; out: ucmp_32 c80a627c3a52034f
; out: scmp_32 7d2ddf7357620af7
; out: ctpop_32 8f9f492519e2d911
; out: ctlz_32 71c9cb4698d67621
; out: cttz_32 c65809710794e950
; out: abs_32 09bee676a70cbf41
; out: bitreverse_32 a170146f08b2f459
; out: bswap_32 d8abcdbd5de7bb05
; out: smax_64 1727534649e93ef5
; out: smin_64 7e248ca761a57e31
; out: umax_64 6ef0cba02835777d
; out: umin_64 a509a117f12cb711
; out: saddo_64 a659f5d5fe451809
; out: uaddo_64 b01fc7519f988ad5
; out: ssubo_64 9942c267c8c443e1
; out: usubo_64 61ac2a94da4acaa2
; out: smulo_64 77863bf70fac9802
; out: umulo_64 982e7a399a2d234d
; out: saddsat_64 6ec8253adfd0847e
; out: uaddsat_64 aa2eb749d3d6b819
; out: ssubsat_64 00f8a53f740756b7
; out: usubsat_64 966c4f53c79edd6f
; out: fshl_64 f9b10ced10ce00a8
; out: fshr_64 0d95d26220721d38
; out: ucmp_64 34bb4a1ff96716df
; out: scmp_64 1e5c2a7dc6f45e8b
; out: ctpop_64 08a7dc6a2d6648dd
; out: ctlz_64 36d85798e990913c
; out: cttz_64 2b2e021c97cdbcb1
; out: abs_64 66326b865aafd999
; out: bitreverse_64 ff759412d27f2875
; out: bswap_64 b637a002d9570dd5
; out: smax_128 3b19eb3e0c0e5723
; out: smin_128 8336d393eb13c66e
; out: umax_128 fc478e62b235f90a
; out: umin_128 492f6cde99edfd13
; out: saddo_128 2eb0af2cd061a2d3
; out: uaddo_128 3fa2f29d3c174e73
; out: ssubo_128 cd02b4e37db293d5
; out: usubo_128 efdd1675dec81d7f
; out: ctpop_128 29755fba17e4527f
; out: ctlz_128 2ef6b256c8adf196
; out: cttz_128 bf0f9fe988d5ecfc
; out: abs_128 68dcdf36062dc5da
; out: bitreverse_128 2205adbb8b843db4
; out: bswap_128 8c89f5cd6d161396
define internal i64 @smax_8(i64 %x, i64 %y) {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %r = call i8 @llvm.smax.i8(i8 %a, i8 %b)
  %z = zext i8 %r to i64
  ret i64 %z
}
define internal i64 @smin_8(i64 %x, i64 %y) {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %r = call i8 @llvm.smin.i8(i8 %a, i8 %b)
  %z = zext i8 %r to i64
  ret i64 %z
}
define internal i64 @umax_8(i64 %x, i64 %y) {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %r = call i8 @llvm.umax.i8(i8 %a, i8 %b)
  %z = zext i8 %r to i64
  ret i64 %z
}
define internal i64 @umin_8(i64 %x, i64 %y) {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %r = call i8 @llvm.umin.i8(i8 %a, i8 %b)
  %z = zext i8 %r to i64
  ret i64 %z
}
define internal i64 @saddo_8(i64 %x, i64 %y) {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %p = call { i8, i1 } @llvm.sadd.with.overflow.i8(i8 %a, i8 %b)
  %v = extractvalue { i8, i1 } %p, 0
  %o = extractvalue { i8, i1 } %p, 1
  %oz = zext i1 %o to i8
  %o2 = mul i8 %oz, 77
  %r = xor i8 %v, %o2
  %z = zext i8 %r to i64
  ret i64 %z
}
define internal i64 @uaddo_8(i64 %x, i64 %y) {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %p = call { i8, i1 } @llvm.uadd.with.overflow.i8(i8 %a, i8 %b)
  %v = extractvalue { i8, i1 } %p, 0
  %o = extractvalue { i8, i1 } %p, 1
  %oz = zext i1 %o to i8
  %o2 = mul i8 %oz, 77
  %r = xor i8 %v, %o2
  %z = zext i8 %r to i64
  ret i64 %z
}
define internal i64 @ssubo_8(i64 %x, i64 %y) {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %p = call { i8, i1 } @llvm.ssub.with.overflow.i8(i8 %a, i8 %b)
  %v = extractvalue { i8, i1 } %p, 0
  %o = extractvalue { i8, i1 } %p, 1
  %oz = zext i1 %o to i8
  %o2 = mul i8 %oz, 77
  %r = xor i8 %v, %o2
  %z = zext i8 %r to i64
  ret i64 %z
}
define internal i64 @usubo_8(i64 %x, i64 %y) {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %p = call { i8, i1 } @llvm.usub.with.overflow.i8(i8 %a, i8 %b)
  %v = extractvalue { i8, i1 } %p, 0
  %o = extractvalue { i8, i1 } %p, 1
  %oz = zext i1 %o to i8
  %o2 = mul i8 %oz, 77
  %r = xor i8 %v, %o2
  %z = zext i8 %r to i64
  ret i64 %z
}
define internal i64 @smulo_8(i64 %x, i64 %y) {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %p = call { i8, i1 } @llvm.smul.with.overflow.i8(i8 %a, i8 %b)
  %v = extractvalue { i8, i1 } %p, 0
  %o = extractvalue { i8, i1 } %p, 1
  %oz = zext i1 %o to i8
  %o2 = mul i8 %oz, 77
  %r = xor i8 %v, %o2
  %z = zext i8 %r to i64
  ret i64 %z
}
define internal i64 @umulo_8(i64 %x, i64 %y) {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %p = call { i8, i1 } @llvm.umul.with.overflow.i8(i8 %a, i8 %b)
  %v = extractvalue { i8, i1 } %p, 0
  %o = extractvalue { i8, i1 } %p, 1
  %oz = zext i1 %o to i8
  %o2 = mul i8 %oz, 77
  %r = xor i8 %v, %o2
  %z = zext i8 %r to i64
  ret i64 %z
}
define internal i64 @saddsat_8(i64 %x, i64 %y) {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %r = call i8 @llvm.sadd.sat.i8(i8 %a, i8 %b)
  %z = zext i8 %r to i64
  ret i64 %z
}
define internal i64 @uaddsat_8(i64 %x, i64 %y) {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %r = call i8 @llvm.uadd.sat.i8(i8 %a, i8 %b)
  %z = zext i8 %r to i64
  ret i64 %z
}
define internal i64 @ssubsat_8(i64 %x, i64 %y) {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %r = call i8 @llvm.ssub.sat.i8(i8 %a, i8 %b)
  %z = zext i8 %r to i64
  ret i64 %z
}
define internal i64 @usubsat_8(i64 %x, i64 %y) {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %r = call i8 @llvm.usub.sat.i8(i8 %a, i8 %b)
  %z = zext i8 %r to i64
  ret i64 %z
}
define internal i64 @fshl_8(i64 %x, i64 %y) {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %k = mul i8 %b, 7
  %r = call i8 @llvm.fshl.i8(i8 %a, i8 %b, i8 %k)
  %z = zext i8 %r to i64
  ret i64 %z
}
define internal i64 @fshr_8(i64 %x, i64 %y) {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %k = mul i8 %b, 7
  %r = call i8 @llvm.fshr.i8(i8 %a, i8 %b, i8 %k)
  %z = zext i8 %r to i64
  ret i64 %z
}
define internal i64 @ucmp_8(i64 %x, i64 %y) {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %r = call i8 @llvm.ucmp.i8.i8(i8 %a, i8 %b)
  %z = zext i8 %r to i64
  ret i64 %z
}
define internal i64 @scmp_8(i64 %x, i64 %y) {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %r = call i8 @llvm.scmp.i8.i8(i8 %a, i8 %b)
  %z = zext i8 %r to i64
  ret i64 %z
}
define internal i64 @ctpop_8(i64 %x, i64 %y) {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %q = xor i8 %a, %b
  %r = call i8 @llvm.ctpop.i8(i8 %q)
  %z = zext i8 %r to i64
  ret i64 %z
}
define internal i64 @ctlz_8(i64 %x, i64 %y) {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %q = and i8 %a, %b
  %r = call i8 @llvm.ctlz.i8(i8 %q, i1 false)
  %z = zext i8 %r to i64
  ret i64 %z
}
define internal i64 @cttz_8(i64 %x, i64 %y) {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %q = and i8 %a, %b
  %r = call i8 @llvm.cttz.i8(i8 %q, i1 false)
  %z = zext i8 %r to i64
  ret i64 %z
}
define internal i64 @abs_8(i64 %x, i64 %y) {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %q = and i8 %a, %b
  %r = call i8 @llvm.abs.i8(i8 %q, i1 false)
  %z = zext i8 %r to i64
  ret i64 %z
}
define internal i64 @bitreverse_8(i64 %x, i64 %y) {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %q = xor i8 %a, %b
  %r = call i8 @llvm.bitreverse.i8(i8 %q)
  %z = zext i8 %r to i64
  ret i64 %z
}
define internal i64 @smax_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %r = call i16 @llvm.smax.i16(i16 %a, i16 %b)
  %z = zext i16 %r to i64
  ret i64 %z
}
define internal i64 @smin_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %r = call i16 @llvm.smin.i16(i16 %a, i16 %b)
  %z = zext i16 %r to i64
  ret i64 %z
}
define internal i64 @umax_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %r = call i16 @llvm.umax.i16(i16 %a, i16 %b)
  %z = zext i16 %r to i64
  ret i64 %z
}
define internal i64 @umin_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %r = call i16 @llvm.umin.i16(i16 %a, i16 %b)
  %z = zext i16 %r to i64
  ret i64 %z
}
define internal i64 @saddo_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %p = call { i16, i1 } @llvm.sadd.with.overflow.i16(i16 %a, i16 %b)
  %v = extractvalue { i16, i1 } %p, 0
  %o = extractvalue { i16, i1 } %p, 1
  %oz = zext i1 %o to i16
  %o2 = mul i16 %oz, 77
  %r = xor i16 %v, %o2
  %z = zext i16 %r to i64
  ret i64 %z
}
define internal i64 @uaddo_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %p = call { i16, i1 } @llvm.uadd.with.overflow.i16(i16 %a, i16 %b)
  %v = extractvalue { i16, i1 } %p, 0
  %o = extractvalue { i16, i1 } %p, 1
  %oz = zext i1 %o to i16
  %o2 = mul i16 %oz, 77
  %r = xor i16 %v, %o2
  %z = zext i16 %r to i64
  ret i64 %z
}
define internal i64 @ssubo_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %p = call { i16, i1 } @llvm.ssub.with.overflow.i16(i16 %a, i16 %b)
  %v = extractvalue { i16, i1 } %p, 0
  %o = extractvalue { i16, i1 } %p, 1
  %oz = zext i1 %o to i16
  %o2 = mul i16 %oz, 77
  %r = xor i16 %v, %o2
  %z = zext i16 %r to i64
  ret i64 %z
}
define internal i64 @usubo_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %p = call { i16, i1 } @llvm.usub.with.overflow.i16(i16 %a, i16 %b)
  %v = extractvalue { i16, i1 } %p, 0
  %o = extractvalue { i16, i1 } %p, 1
  %oz = zext i1 %o to i16
  %o2 = mul i16 %oz, 77
  %r = xor i16 %v, %o2
  %z = zext i16 %r to i64
  ret i64 %z
}
define internal i64 @smulo_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %p = call { i16, i1 } @llvm.smul.with.overflow.i16(i16 %a, i16 %b)
  %v = extractvalue { i16, i1 } %p, 0
  %o = extractvalue { i16, i1 } %p, 1
  %oz = zext i1 %o to i16
  %o2 = mul i16 %oz, 77
  %r = xor i16 %v, %o2
  %z = zext i16 %r to i64
  ret i64 %z
}
define internal i64 @umulo_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %p = call { i16, i1 } @llvm.umul.with.overflow.i16(i16 %a, i16 %b)
  %v = extractvalue { i16, i1 } %p, 0
  %o = extractvalue { i16, i1 } %p, 1
  %oz = zext i1 %o to i16
  %o2 = mul i16 %oz, 77
  %r = xor i16 %v, %o2
  %z = zext i16 %r to i64
  ret i64 %z
}
define internal i64 @saddsat_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %r = call i16 @llvm.sadd.sat.i16(i16 %a, i16 %b)
  %z = zext i16 %r to i64
  ret i64 %z
}
define internal i64 @uaddsat_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %r = call i16 @llvm.uadd.sat.i16(i16 %a, i16 %b)
  %z = zext i16 %r to i64
  ret i64 %z
}
define internal i64 @ssubsat_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %r = call i16 @llvm.ssub.sat.i16(i16 %a, i16 %b)
  %z = zext i16 %r to i64
  ret i64 %z
}
define internal i64 @usubsat_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %r = call i16 @llvm.usub.sat.i16(i16 %a, i16 %b)
  %z = zext i16 %r to i64
  ret i64 %z
}
define internal i64 @fshl_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %k = mul i16 %b, 7
  %r = call i16 @llvm.fshl.i16(i16 %a, i16 %b, i16 %k)
  %z = zext i16 %r to i64
  ret i64 %z
}
define internal i64 @fshr_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %k = mul i16 %b, 7
  %r = call i16 @llvm.fshr.i16(i16 %a, i16 %b, i16 %k)
  %z = zext i16 %r to i64
  ret i64 %z
}
define internal i64 @ucmp_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %r = call i16 @llvm.ucmp.i16.i16(i16 %a, i16 %b)
  %z = zext i16 %r to i64
  ret i64 %z
}
define internal i64 @scmp_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %r = call i16 @llvm.scmp.i16.i16(i16 %a, i16 %b)
  %z = zext i16 %r to i64
  ret i64 %z
}
define internal i64 @ctpop_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %q = xor i16 %a, %b
  %r = call i16 @llvm.ctpop.i16(i16 %q)
  %z = zext i16 %r to i64
  ret i64 %z
}
define internal i64 @ctlz_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %q = and i16 %a, %b
  %r = call i16 @llvm.ctlz.i16(i16 %q, i1 false)
  %z = zext i16 %r to i64
  ret i64 %z
}
define internal i64 @cttz_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %q = and i16 %a, %b
  %r = call i16 @llvm.cttz.i16(i16 %q, i1 false)
  %z = zext i16 %r to i64
  ret i64 %z
}
define internal i64 @abs_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %q = and i16 %a, %b
  %r = call i16 @llvm.abs.i16(i16 %q, i1 false)
  %z = zext i16 %r to i64
  ret i64 %z
}
define internal i64 @bitreverse_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %q = xor i16 %a, %b
  %r = call i16 @llvm.bitreverse.i16(i16 %q)
  %z = zext i16 %r to i64
  ret i64 %z
}
define internal i64 @bswap_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %q = xor i16 %a, %b
  %r = call i16 @llvm.bswap.i16(i16 %q)
  %z = zext i16 %r to i64
  ret i64 %z
}
define internal i64 @smax_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %r = call i32 @llvm.smax.i32(i32 %a, i32 %b)
  %z = zext i32 %r to i64
  ret i64 %z
}
define internal i64 @smin_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %r = call i32 @llvm.smin.i32(i32 %a, i32 %b)
  %z = zext i32 %r to i64
  ret i64 %z
}
define internal i64 @umax_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %r = call i32 @llvm.umax.i32(i32 %a, i32 %b)
  %z = zext i32 %r to i64
  ret i64 %z
}
define internal i64 @umin_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %r = call i32 @llvm.umin.i32(i32 %a, i32 %b)
  %z = zext i32 %r to i64
  ret i64 %z
}
define internal i64 @saddo_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %p = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %a, i32 %b)
  %v = extractvalue { i32, i1 } %p, 0
  %o = extractvalue { i32, i1 } %p, 1
  %oz = zext i1 %o to i32
  %o2 = mul i32 %oz, 77
  %r = xor i32 %v, %o2
  %z = zext i32 %r to i64
  ret i64 %z
}
define internal i64 @uaddo_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %p = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %a, i32 %b)
  %v = extractvalue { i32, i1 } %p, 0
  %o = extractvalue { i32, i1 } %p, 1
  %oz = zext i1 %o to i32
  %o2 = mul i32 %oz, 77
  %r = xor i32 %v, %o2
  %z = zext i32 %r to i64
  ret i64 %z
}
define internal i64 @ssubo_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %p = call { i32, i1 } @llvm.ssub.with.overflow.i32(i32 %a, i32 %b)
  %v = extractvalue { i32, i1 } %p, 0
  %o = extractvalue { i32, i1 } %p, 1
  %oz = zext i1 %o to i32
  %o2 = mul i32 %oz, 77
  %r = xor i32 %v, %o2
  %z = zext i32 %r to i64
  ret i64 %z
}
define internal i64 @usubo_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %p = call { i32, i1 } @llvm.usub.with.overflow.i32(i32 %a, i32 %b)
  %v = extractvalue { i32, i1 } %p, 0
  %o = extractvalue { i32, i1 } %p, 1
  %oz = zext i1 %o to i32
  %o2 = mul i32 %oz, 77
  %r = xor i32 %v, %o2
  %z = zext i32 %r to i64
  ret i64 %z
}
define internal i64 @smulo_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %p = call { i32, i1 } @llvm.smul.with.overflow.i32(i32 %a, i32 %b)
  %v = extractvalue { i32, i1 } %p, 0
  %o = extractvalue { i32, i1 } %p, 1
  %oz = zext i1 %o to i32
  %o2 = mul i32 %oz, 77
  %r = xor i32 %v, %o2
  %z = zext i32 %r to i64
  ret i64 %z
}
define internal i64 @umulo_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %p = call { i32, i1 } @llvm.umul.with.overflow.i32(i32 %a, i32 %b)
  %v = extractvalue { i32, i1 } %p, 0
  %o = extractvalue { i32, i1 } %p, 1
  %oz = zext i1 %o to i32
  %o2 = mul i32 %oz, 77
  %r = xor i32 %v, %o2
  %z = zext i32 %r to i64
  ret i64 %z
}
define internal i64 @saddsat_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %r = call i32 @llvm.sadd.sat.i32(i32 %a, i32 %b)
  %z = zext i32 %r to i64
  ret i64 %z
}
define internal i64 @uaddsat_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %r = call i32 @llvm.uadd.sat.i32(i32 %a, i32 %b)
  %z = zext i32 %r to i64
  ret i64 %z
}
define internal i64 @ssubsat_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %r = call i32 @llvm.ssub.sat.i32(i32 %a, i32 %b)
  %z = zext i32 %r to i64
  ret i64 %z
}
define internal i64 @usubsat_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %r = call i32 @llvm.usub.sat.i32(i32 %a, i32 %b)
  %z = zext i32 %r to i64
  ret i64 %z
}
define internal i64 @fshl_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %k = mul i32 %b, 7
  %r = call i32 @llvm.fshl.i32(i32 %a, i32 %b, i32 %k)
  %z = zext i32 %r to i64
  ret i64 %z
}
define internal i64 @fshr_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %k = mul i32 %b, 7
  %r = call i32 @llvm.fshr.i32(i32 %a, i32 %b, i32 %k)
  %z = zext i32 %r to i64
  ret i64 %z
}
define internal i64 @ucmp_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %r = call i32 @llvm.ucmp.i32.i32(i32 %a, i32 %b)
  %z = zext i32 %r to i64
  ret i64 %z
}
define internal i64 @scmp_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %r = call i32 @llvm.scmp.i32.i32(i32 %a, i32 %b)
  %z = zext i32 %r to i64
  ret i64 %z
}
define internal i64 @ctpop_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %q = xor i32 %a, %b
  %r = call i32 @llvm.ctpop.i32(i32 %q)
  %z = zext i32 %r to i64
  ret i64 %z
}
define internal i64 @ctlz_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %q = and i32 %a, %b
  %r = call i32 @llvm.ctlz.i32(i32 %q, i1 false)
  %z = zext i32 %r to i64
  ret i64 %z
}
define internal i64 @cttz_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %q = and i32 %a, %b
  %r = call i32 @llvm.cttz.i32(i32 %q, i1 false)
  %z = zext i32 %r to i64
  ret i64 %z
}
define internal i64 @abs_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %q = and i32 %a, %b
  %r = call i32 @llvm.abs.i32(i32 %q, i1 false)
  %z = zext i32 %r to i64
  ret i64 %z
}
define internal i64 @bitreverse_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %q = xor i32 %a, %b
  %r = call i32 @llvm.bitreverse.i32(i32 %q)
  %z = zext i32 %r to i64
  ret i64 %z
}
define internal i64 @bswap_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %q = xor i32 %a, %b
  %r = call i32 @llvm.bswap.i32(i32 %q)
  %z = zext i32 %r to i64
  ret i64 %z
}
define internal i64 @smax_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %r = call i64 @llvm.smax.i64(i64 %a, i64 %b)
  ret i64 %r
}
define internal i64 @smin_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %r = call i64 @llvm.smin.i64(i64 %a, i64 %b)
  ret i64 %r
}
define internal i64 @umax_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %r = call i64 @llvm.umax.i64(i64 %a, i64 %b)
  ret i64 %r
}
define internal i64 @umin_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %r = call i64 @llvm.umin.i64(i64 %a, i64 %b)
  ret i64 %r
}
define internal i64 @saddo_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %p = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 %a, i64 %b)
  %v = extractvalue { i64, i1 } %p, 0
  %o = extractvalue { i64, i1 } %p, 1
  %oz = zext i1 %o to i64
  %o2 = mul i64 %oz, 77
  %r = xor i64 %v, %o2
  ret i64 %r
}
define internal i64 @uaddo_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %p = call { i64, i1 } @llvm.uadd.with.overflow.i64(i64 %a, i64 %b)
  %v = extractvalue { i64, i1 } %p, 0
  %o = extractvalue { i64, i1 } %p, 1
  %oz = zext i1 %o to i64
  %o2 = mul i64 %oz, 77
  %r = xor i64 %v, %o2
  ret i64 %r
}
define internal i64 @ssubo_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %p = call { i64, i1 } @llvm.ssub.with.overflow.i64(i64 %a, i64 %b)
  %v = extractvalue { i64, i1 } %p, 0
  %o = extractvalue { i64, i1 } %p, 1
  %oz = zext i1 %o to i64
  %o2 = mul i64 %oz, 77
  %r = xor i64 %v, %o2
  ret i64 %r
}
define internal i64 @usubo_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %p = call { i64, i1 } @llvm.usub.with.overflow.i64(i64 %a, i64 %b)
  %v = extractvalue { i64, i1 } %p, 0
  %o = extractvalue { i64, i1 } %p, 1
  %oz = zext i1 %o to i64
  %o2 = mul i64 %oz, 77
  %r = xor i64 %v, %o2
  ret i64 %r
}
define internal i64 @smulo_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %p = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %a, i64 %b)
  %v = extractvalue { i64, i1 } %p, 0
  %o = extractvalue { i64, i1 } %p, 1
  %oz = zext i1 %o to i64
  %o2 = mul i64 %oz, 77
  %r = xor i64 %v, %o2
  ret i64 %r
}
define internal i64 @umulo_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %p = call { i64, i1 } @llvm.umul.with.overflow.i64(i64 %a, i64 %b)
  %v = extractvalue { i64, i1 } %p, 0
  %o = extractvalue { i64, i1 } %p, 1
  %oz = zext i1 %o to i64
  %o2 = mul i64 %oz, 77
  %r = xor i64 %v, %o2
  ret i64 %r
}
define internal i64 @saddsat_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %r = call i64 @llvm.sadd.sat.i64(i64 %a, i64 %b)
  ret i64 %r
}
define internal i64 @uaddsat_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %r = call i64 @llvm.uadd.sat.i64(i64 %a, i64 %b)
  ret i64 %r
}
define internal i64 @ssubsat_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %r = call i64 @llvm.ssub.sat.i64(i64 %a, i64 %b)
  ret i64 %r
}
define internal i64 @usubsat_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %r = call i64 @llvm.usub.sat.i64(i64 %a, i64 %b)
  ret i64 %r
}
define internal i64 @fshl_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %k = mul i64 %b, 7
  %r = call i64 @llvm.fshl.i64(i64 %a, i64 %b, i64 %k)
  ret i64 %r
}
define internal i64 @fshr_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %k = mul i64 %b, 7
  %r = call i64 @llvm.fshr.i64(i64 %a, i64 %b, i64 %k)
  ret i64 %r
}
define internal i64 @ucmp_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %r = call i64 @llvm.ucmp.i64.i64(i64 %a, i64 %b)
  ret i64 %r
}
define internal i64 @scmp_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %r = call i64 @llvm.scmp.i64.i64(i64 %a, i64 %b)
  ret i64 %r
}
define internal i64 @ctpop_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %q = xor i64 %a, %b
  %r = call i64 @llvm.ctpop.i64(i64 %q)
  ret i64 %r
}
define internal i64 @ctlz_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %q = and i64 %a, %b
  %r = call i64 @llvm.ctlz.i64(i64 %q, i1 false)
  ret i64 %r
}
define internal i64 @cttz_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %q = and i64 %a, %b
  %r = call i64 @llvm.cttz.i64(i64 %q, i1 false)
  ret i64 %r
}
define internal i64 @abs_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %q = and i64 %a, %b
  %r = call i64 @llvm.abs.i64(i64 %q, i1 false)
  ret i64 %r
}
define internal i64 @bitreverse_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %q = xor i64 %a, %b
  %r = call i64 @llvm.bitreverse.i64(i64 %q)
  ret i64 %r
}
define internal i64 @bswap_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %q = xor i64 %a, %b
  %r = call i64 @llvm.bswap.i64(i64 %q)
  ret i64 %r
}
define internal i64 @smax_128(i64 %x, i64 %y) {
  %as = sext i64 %x to i128
  %ah = shl i128 %as, 37
  %bs = sext i64 %y to i128
  %a = xor i128 %ah, %bs
  %bh = shl i128 %bs, 64
  %b = add i128 %bh, %as
  %r = call i128 @llvm.smax.i128(i128 %a, i128 %b)
  %rh = lshr i128 %r, 64
  %rx = mul i128 %rh, 3
  %rr = xor i128 %rx, %r
  %z = trunc i128 %rr to i64
  ret i64 %z
}
define internal i64 @smin_128(i64 %x, i64 %y) {
  %as = sext i64 %x to i128
  %ah = shl i128 %as, 37
  %bs = sext i64 %y to i128
  %a = xor i128 %ah, %bs
  %bh = shl i128 %bs, 64
  %b = add i128 %bh, %as
  %r = call i128 @llvm.smin.i128(i128 %a, i128 %b)
  %rh = lshr i128 %r, 64
  %rx = mul i128 %rh, 3
  %rr = xor i128 %rx, %r
  %z = trunc i128 %rr to i64
  ret i64 %z
}
define internal i64 @umax_128(i64 %x, i64 %y) {
  %as = sext i64 %x to i128
  %ah = shl i128 %as, 37
  %bs = sext i64 %y to i128
  %a = xor i128 %ah, %bs
  %bh = shl i128 %bs, 64
  %b = add i128 %bh, %as
  %r = call i128 @llvm.umax.i128(i128 %a, i128 %b)
  %rh = lshr i128 %r, 64
  %rx = mul i128 %rh, 3
  %rr = xor i128 %rx, %r
  %z = trunc i128 %rr to i64
  ret i64 %z
}
define internal i64 @umin_128(i64 %x, i64 %y) {
  %as = sext i64 %x to i128
  %ah = shl i128 %as, 37
  %bs = sext i64 %y to i128
  %a = xor i128 %ah, %bs
  %bh = shl i128 %bs, 64
  %b = add i128 %bh, %as
  %r = call i128 @llvm.umin.i128(i128 %a, i128 %b)
  %rh = lshr i128 %r, 64
  %rx = mul i128 %rh, 3
  %rr = xor i128 %rx, %r
  %z = trunc i128 %rr to i64
  ret i64 %z
}
define internal i64 @saddo_128(i64 %x, i64 %y) {
  %as = sext i64 %x to i128
  %ah = shl i128 %as, 37
  %bs = sext i64 %y to i128
  %a = xor i128 %ah, %bs
  %bh = shl i128 %bs, 64
  %b = add i128 %bh, %as
  %p = call { i128, i1 } @llvm.sadd.with.overflow.i128(i128 %a, i128 %b)
  %v = extractvalue { i128, i1 } %p, 0
  %o = extractvalue { i128, i1 } %p, 1
  %oz = zext i1 %o to i128
  %o2 = mul i128 %oz, 77
  %r = xor i128 %v, %o2
  %rh = lshr i128 %r, 64
  %rx = mul i128 %rh, 3
  %rr = xor i128 %rx, %r
  %z = trunc i128 %rr to i64
  ret i64 %z
}
define internal i64 @uaddo_128(i64 %x, i64 %y) {
  %as = sext i64 %x to i128
  %ah = shl i128 %as, 37
  %bs = sext i64 %y to i128
  %a = xor i128 %ah, %bs
  %bh = shl i128 %bs, 64
  %b = add i128 %bh, %as
  %p = call { i128, i1 } @llvm.uadd.with.overflow.i128(i128 %a, i128 %b)
  %v = extractvalue { i128, i1 } %p, 0
  %o = extractvalue { i128, i1 } %p, 1
  %oz = zext i1 %o to i128
  %o2 = mul i128 %oz, 77
  %r = xor i128 %v, %o2
  %rh = lshr i128 %r, 64
  %rx = mul i128 %rh, 3
  %rr = xor i128 %rx, %r
  %z = trunc i128 %rr to i64
  ret i64 %z
}
define internal i64 @ssubo_128(i64 %x, i64 %y) {
  %as = sext i64 %x to i128
  %ah = shl i128 %as, 37
  %bs = sext i64 %y to i128
  %a = xor i128 %ah, %bs
  %bh = shl i128 %bs, 64
  %b = add i128 %bh, %as
  %p = call { i128, i1 } @llvm.ssub.with.overflow.i128(i128 %a, i128 %b)
  %v = extractvalue { i128, i1 } %p, 0
  %o = extractvalue { i128, i1 } %p, 1
  %oz = zext i1 %o to i128
  %o2 = mul i128 %oz, 77
  %r = xor i128 %v, %o2
  %rh = lshr i128 %r, 64
  %rx = mul i128 %rh, 3
  %rr = xor i128 %rx, %r
  %z = trunc i128 %rr to i64
  ret i64 %z
}
define internal i64 @usubo_128(i64 %x, i64 %y) {
  %as = sext i64 %x to i128
  %ah = shl i128 %as, 37
  %bs = sext i64 %y to i128
  %a = xor i128 %ah, %bs
  %bh = shl i128 %bs, 64
  %b = add i128 %bh, %as
  %p = call { i128, i1 } @llvm.usub.with.overflow.i128(i128 %a, i128 %b)
  %v = extractvalue { i128, i1 } %p, 0
  %o = extractvalue { i128, i1 } %p, 1
  %oz = zext i1 %o to i128
  %o2 = mul i128 %oz, 77
  %r = xor i128 %v, %o2
  %rh = lshr i128 %r, 64
  %rx = mul i128 %rh, 3
  %rr = xor i128 %rx, %r
  %z = trunc i128 %rr to i64
  ret i64 %z
}
define internal i64 @ctpop_128(i64 %x, i64 %y) {
  %as = sext i64 %x to i128
  %ah = shl i128 %as, 37
  %bs = sext i64 %y to i128
  %a = xor i128 %ah, %bs
  %bh = shl i128 %bs, 64
  %b = add i128 %bh, %as
  %q = xor i128 %a, %b
  %r = call i128 @llvm.ctpop.i128(i128 %q)
  %rh = lshr i128 %r, 64
  %rx = mul i128 %rh, 3
  %rr = xor i128 %rx, %r
  %z = trunc i128 %rr to i64
  ret i64 %z
}
define internal i64 @ctlz_128(i64 %x, i64 %y) {
  %as = sext i64 %x to i128
  %ah = shl i128 %as, 37
  %bs = sext i64 %y to i128
  %a = xor i128 %ah, %bs
  %bh = shl i128 %bs, 64
  %b = add i128 %bh, %as
  %q = and i128 %a, %b
  %r = call i128 @llvm.ctlz.i128(i128 %q, i1 false)
  %rh = lshr i128 %r, 64
  %rx = mul i128 %rh, 3
  %rr = xor i128 %rx, %r
  %z = trunc i128 %rr to i64
  ret i64 %z
}
define internal i64 @cttz_128(i64 %x, i64 %y) {
  %as = sext i64 %x to i128
  %ah = shl i128 %as, 37
  %bs = sext i64 %y to i128
  %a = xor i128 %ah, %bs
  %bh = shl i128 %bs, 64
  %b = add i128 %bh, %as
  %q = and i128 %a, %b
  %r = call i128 @llvm.cttz.i128(i128 %q, i1 false)
  %rh = lshr i128 %r, 64
  %rx = mul i128 %rh, 3
  %rr = xor i128 %rx, %r
  %z = trunc i128 %rr to i64
  ret i64 %z
}
define internal i64 @abs_128(i64 %x, i64 %y) {
  %as = sext i64 %x to i128
  %ah = shl i128 %as, 37
  %bs = sext i64 %y to i128
  %a = xor i128 %ah, %bs
  %bh = shl i128 %bs, 64
  %b = add i128 %bh, %as
  %q = and i128 %a, %b
  %r = call i128 @llvm.abs.i128(i128 %q, i1 false)
  %rh = lshr i128 %r, 64
  %rx = mul i128 %rh, 3
  %rr = xor i128 %rx, %r
  %z = trunc i128 %rr to i64
  ret i64 %z
}
define internal i64 @bitreverse_128(i64 %x, i64 %y) {
  %as = sext i64 %x to i128
  %ah = shl i128 %as, 37
  %bs = sext i64 %y to i128
  %a = xor i128 %ah, %bs
  %bh = shl i128 %bs, 64
  %b = add i128 %bh, %as
  %q = xor i128 %a, %b
  %r = call i128 @llvm.bitreverse.i128(i128 %q)
  %rh = lshr i128 %r, 64
  %rx = mul i128 %rh, 3
  %rr = xor i128 %rx, %r
  %z = trunc i128 %rr to i64
  ret i64 %z
}
define internal i64 @bswap_128(i64 %x, i64 %y) {
  %as = sext i64 %x to i128
  %ah = shl i128 %as, 37
  %bs = sext i64 %y to i128
  %a = xor i128 %ah, %bs
  %bh = shl i128 %bs, 64
  %b = add i128 %bh, %as
  %q = xor i128 %a, %b
  %r = call i128 @llvm.bswap.i128(i128 %q)
  %rh = lshr i128 %r, 64
  %rx = mul i128 %rh, 3
  %rr = xor i128 %rx, %r
  %z = trunc i128 %rr to i64
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
@name.smax_8 = internal constant [7 x i8] c"smax_8\00"
@name.smin_8 = internal constant [7 x i8] c"smin_8\00"
@name.umax_8 = internal constant [7 x i8] c"umax_8\00"
@name.umin_8 = internal constant [7 x i8] c"umin_8\00"
@name.saddo_8 = internal constant [8 x i8] c"saddo_8\00"
@name.uaddo_8 = internal constant [8 x i8] c"uaddo_8\00"
@name.ssubo_8 = internal constant [8 x i8] c"ssubo_8\00"
@name.usubo_8 = internal constant [8 x i8] c"usubo_8\00"
@name.smulo_8 = internal constant [8 x i8] c"smulo_8\00"
@name.umulo_8 = internal constant [8 x i8] c"umulo_8\00"
@name.saddsat_8 = internal constant [10 x i8] c"saddsat_8\00"
@name.uaddsat_8 = internal constant [10 x i8] c"uaddsat_8\00"
@name.ssubsat_8 = internal constant [10 x i8] c"ssubsat_8\00"
@name.usubsat_8 = internal constant [10 x i8] c"usubsat_8\00"
@name.fshl_8 = internal constant [7 x i8] c"fshl_8\00"
@name.fshr_8 = internal constant [7 x i8] c"fshr_8\00"
@name.ucmp_8 = internal constant [7 x i8] c"ucmp_8\00"
@name.scmp_8 = internal constant [7 x i8] c"scmp_8\00"
@name.ctpop_8 = internal constant [8 x i8] c"ctpop_8\00"
@name.ctlz_8 = internal constant [7 x i8] c"ctlz_8\00"
@name.cttz_8 = internal constant [7 x i8] c"cttz_8\00"
@name.abs_8 = internal constant [6 x i8] c"abs_8\00"
@name.bitreverse_8 = internal constant [13 x i8] c"bitreverse_8\00"
@name.smax_16 = internal constant [8 x i8] c"smax_16\00"
@name.smin_16 = internal constant [8 x i8] c"smin_16\00"
@name.umax_16 = internal constant [8 x i8] c"umax_16\00"
@name.umin_16 = internal constant [8 x i8] c"umin_16\00"
@name.saddo_16 = internal constant [9 x i8] c"saddo_16\00"
@name.uaddo_16 = internal constant [9 x i8] c"uaddo_16\00"
@name.ssubo_16 = internal constant [9 x i8] c"ssubo_16\00"
@name.usubo_16 = internal constant [9 x i8] c"usubo_16\00"
@name.smulo_16 = internal constant [9 x i8] c"smulo_16\00"
@name.umulo_16 = internal constant [9 x i8] c"umulo_16\00"
@name.saddsat_16 = internal constant [11 x i8] c"saddsat_16\00"
@name.uaddsat_16 = internal constant [11 x i8] c"uaddsat_16\00"
@name.ssubsat_16 = internal constant [11 x i8] c"ssubsat_16\00"
@name.usubsat_16 = internal constant [11 x i8] c"usubsat_16\00"
@name.fshl_16 = internal constant [8 x i8] c"fshl_16\00"
@name.fshr_16 = internal constant [8 x i8] c"fshr_16\00"
@name.ucmp_16 = internal constant [8 x i8] c"ucmp_16\00"
@name.scmp_16 = internal constant [8 x i8] c"scmp_16\00"
@name.ctpop_16 = internal constant [9 x i8] c"ctpop_16\00"
@name.ctlz_16 = internal constant [8 x i8] c"ctlz_16\00"
@name.cttz_16 = internal constant [8 x i8] c"cttz_16\00"
@name.abs_16 = internal constant [7 x i8] c"abs_16\00"
@name.bitreverse_16 = internal constant [14 x i8] c"bitreverse_16\00"
@name.bswap_16 = internal constant [9 x i8] c"bswap_16\00"
@name.smax_32 = internal constant [8 x i8] c"smax_32\00"
@name.smin_32 = internal constant [8 x i8] c"smin_32\00"
@name.umax_32 = internal constant [8 x i8] c"umax_32\00"
@name.umin_32 = internal constant [8 x i8] c"umin_32\00"
@name.saddo_32 = internal constant [9 x i8] c"saddo_32\00"
@name.uaddo_32 = internal constant [9 x i8] c"uaddo_32\00"
@name.ssubo_32 = internal constant [9 x i8] c"ssubo_32\00"
@name.usubo_32 = internal constant [9 x i8] c"usubo_32\00"
@name.smulo_32 = internal constant [9 x i8] c"smulo_32\00"
@name.umulo_32 = internal constant [9 x i8] c"umulo_32\00"
@name.saddsat_32 = internal constant [11 x i8] c"saddsat_32\00"
@name.uaddsat_32 = internal constant [11 x i8] c"uaddsat_32\00"
@name.ssubsat_32 = internal constant [11 x i8] c"ssubsat_32\00"
@name.usubsat_32 = internal constant [11 x i8] c"usubsat_32\00"
@name.fshl_32 = internal constant [8 x i8] c"fshl_32\00"
@name.fshr_32 = internal constant [8 x i8] c"fshr_32\00"
@name.ucmp_32 = internal constant [8 x i8] c"ucmp_32\00"
@name.scmp_32 = internal constant [8 x i8] c"scmp_32\00"
@name.ctpop_32 = internal constant [9 x i8] c"ctpop_32\00"
@name.ctlz_32 = internal constant [8 x i8] c"ctlz_32\00"
@name.cttz_32 = internal constant [8 x i8] c"cttz_32\00"
@name.abs_32 = internal constant [7 x i8] c"abs_32\00"
@name.bitreverse_32 = internal constant [14 x i8] c"bitreverse_32\00"
@name.bswap_32 = internal constant [9 x i8] c"bswap_32\00"
@name.smax_64 = internal constant [8 x i8] c"smax_64\00"
@name.smin_64 = internal constant [8 x i8] c"smin_64\00"
@name.umax_64 = internal constant [8 x i8] c"umax_64\00"
@name.umin_64 = internal constant [8 x i8] c"umin_64\00"
@name.saddo_64 = internal constant [9 x i8] c"saddo_64\00"
@name.uaddo_64 = internal constant [9 x i8] c"uaddo_64\00"
@name.ssubo_64 = internal constant [9 x i8] c"ssubo_64\00"
@name.usubo_64 = internal constant [9 x i8] c"usubo_64\00"
@name.smulo_64 = internal constant [9 x i8] c"smulo_64\00"
@name.umulo_64 = internal constant [9 x i8] c"umulo_64\00"
@name.saddsat_64 = internal constant [11 x i8] c"saddsat_64\00"
@name.uaddsat_64 = internal constant [11 x i8] c"uaddsat_64\00"
@name.ssubsat_64 = internal constant [11 x i8] c"ssubsat_64\00"
@name.usubsat_64 = internal constant [11 x i8] c"usubsat_64\00"
@name.fshl_64 = internal constant [8 x i8] c"fshl_64\00"
@name.fshr_64 = internal constant [8 x i8] c"fshr_64\00"
@name.ucmp_64 = internal constant [8 x i8] c"ucmp_64\00"
@name.scmp_64 = internal constant [8 x i8] c"scmp_64\00"
@name.ctpop_64 = internal constant [9 x i8] c"ctpop_64\00"
@name.ctlz_64 = internal constant [8 x i8] c"ctlz_64\00"
@name.cttz_64 = internal constant [8 x i8] c"cttz_64\00"
@name.abs_64 = internal constant [7 x i8] c"abs_64\00"
@name.bitreverse_64 = internal constant [14 x i8] c"bitreverse_64\00"
@name.bswap_64 = internal constant [9 x i8] c"bswap_64\00"
@name.smax_128 = internal constant [9 x i8] c"smax_128\00"
@name.smin_128 = internal constant [9 x i8] c"smin_128\00"
@name.umax_128 = internal constant [9 x i8] c"umax_128\00"
@name.umin_128 = internal constant [9 x i8] c"umin_128\00"
@name.saddo_128 = internal constant [10 x i8] c"saddo_128\00"
@name.uaddo_128 = internal constant [10 x i8] c"uaddo_128\00"
@name.ssubo_128 = internal constant [10 x i8] c"ssubo_128\00"
@name.usubo_128 = internal constant [10 x i8] c"usubo_128\00"
@name.ctpop_128 = internal constant [10 x i8] c"ctpop_128\00"
@name.ctlz_128 = internal constant [9 x i8] c"ctlz_128\00"
@name.cttz_128 = internal constant [9 x i8] c"cttz_128\00"
@name.abs_128 = internal constant [8 x i8] c"abs_128\00"
@name.bitreverse_128 = internal constant [15 x i8] c"bitreverse_128\00"
@name.bswap_128 = internal constant [10 x i8] c"bswap_128\00"
define i32 @main() {
  %d0 = call i64 @digest(ptr @smax_8)
  %p0 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.smax_8, i64 %d0)
  %d1 = call i64 @digest(ptr @smin_8)
  %p1 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.smin_8, i64 %d1)
  %d2 = call i64 @digest(ptr @umax_8)
  %p2 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.umax_8, i64 %d2)
  %d3 = call i64 @digest(ptr @umin_8)
  %p3 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.umin_8, i64 %d3)
  %d4 = call i64 @digest(ptr @saddo_8)
  %p4 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.saddo_8, i64 %d4)
  %d5 = call i64 @digest(ptr @uaddo_8)
  %p5 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.uaddo_8, i64 %d5)
  %d6 = call i64 @digest(ptr @ssubo_8)
  %p6 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ssubo_8, i64 %d6)
  %d7 = call i64 @digest(ptr @usubo_8)
  %p7 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.usubo_8, i64 %d7)
  %d8 = call i64 @digest(ptr @smulo_8)
  %p8 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.smulo_8, i64 %d8)
  %d9 = call i64 @digest(ptr @umulo_8)
  %p9 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.umulo_8, i64 %d9)
  %d10 = call i64 @digest(ptr @saddsat_8)
  %p10 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.saddsat_8, i64 %d10)
  %d11 = call i64 @digest(ptr @uaddsat_8)
  %p11 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.uaddsat_8, i64 %d11)
  %d12 = call i64 @digest(ptr @ssubsat_8)
  %p12 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ssubsat_8, i64 %d12)
  %d13 = call i64 @digest(ptr @usubsat_8)
  %p13 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.usubsat_8, i64 %d13)
  %d14 = call i64 @digest(ptr @fshl_8)
  %p14 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.fshl_8, i64 %d14)
  %d15 = call i64 @digest(ptr @fshr_8)
  %p15 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.fshr_8, i64 %d15)
  %d16 = call i64 @digest(ptr @ucmp_8)
  %p16 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ucmp_8, i64 %d16)
  %d17 = call i64 @digest(ptr @scmp_8)
  %p17 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.scmp_8, i64 %d17)
  %d18 = call i64 @digest(ptr @ctpop_8)
  %p18 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ctpop_8, i64 %d18)
  %d19 = call i64 @digest(ptr @ctlz_8)
  %p19 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ctlz_8, i64 %d19)
  %d20 = call i64 @digest(ptr @cttz_8)
  %p20 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.cttz_8, i64 %d20)
  %d21 = call i64 @digest(ptr @abs_8)
  %p21 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.abs_8, i64 %d21)
  %d22 = call i64 @digest(ptr @bitreverse_8)
  %p22 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.bitreverse_8, i64 %d22)
  %d23 = call i64 @digest(ptr @smax_16)
  %p23 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.smax_16, i64 %d23)
  %d24 = call i64 @digest(ptr @smin_16)
  %p24 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.smin_16, i64 %d24)
  %d25 = call i64 @digest(ptr @umax_16)
  %p25 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.umax_16, i64 %d25)
  %d26 = call i64 @digest(ptr @umin_16)
  %p26 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.umin_16, i64 %d26)
  %d27 = call i64 @digest(ptr @saddo_16)
  %p27 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.saddo_16, i64 %d27)
  %d28 = call i64 @digest(ptr @uaddo_16)
  %p28 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.uaddo_16, i64 %d28)
  %d29 = call i64 @digest(ptr @ssubo_16)
  %p29 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ssubo_16, i64 %d29)
  %d30 = call i64 @digest(ptr @usubo_16)
  %p30 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.usubo_16, i64 %d30)
  %d31 = call i64 @digest(ptr @smulo_16)
  %p31 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.smulo_16, i64 %d31)
  %d32 = call i64 @digest(ptr @umulo_16)
  %p32 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.umulo_16, i64 %d32)
  %d33 = call i64 @digest(ptr @saddsat_16)
  %p33 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.saddsat_16, i64 %d33)
  %d34 = call i64 @digest(ptr @uaddsat_16)
  %p34 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.uaddsat_16, i64 %d34)
  %d35 = call i64 @digest(ptr @ssubsat_16)
  %p35 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ssubsat_16, i64 %d35)
  %d36 = call i64 @digest(ptr @usubsat_16)
  %p36 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.usubsat_16, i64 %d36)
  %d37 = call i64 @digest(ptr @fshl_16)
  %p37 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.fshl_16, i64 %d37)
  %d38 = call i64 @digest(ptr @fshr_16)
  %p38 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.fshr_16, i64 %d38)
  %d39 = call i64 @digest(ptr @ucmp_16)
  %p39 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ucmp_16, i64 %d39)
  %d40 = call i64 @digest(ptr @scmp_16)
  %p40 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.scmp_16, i64 %d40)
  %d41 = call i64 @digest(ptr @ctpop_16)
  %p41 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ctpop_16, i64 %d41)
  %d42 = call i64 @digest(ptr @ctlz_16)
  %p42 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ctlz_16, i64 %d42)
  %d43 = call i64 @digest(ptr @cttz_16)
  %p43 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.cttz_16, i64 %d43)
  %d44 = call i64 @digest(ptr @abs_16)
  %p44 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.abs_16, i64 %d44)
  %d45 = call i64 @digest(ptr @bitreverse_16)
  %p45 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.bitreverse_16, i64 %d45)
  %d46 = call i64 @digest(ptr @bswap_16)
  %p46 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.bswap_16, i64 %d46)
  %d47 = call i64 @digest(ptr @smax_32)
  %p47 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.smax_32, i64 %d47)
  %d48 = call i64 @digest(ptr @smin_32)
  %p48 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.smin_32, i64 %d48)
  %d49 = call i64 @digest(ptr @umax_32)
  %p49 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.umax_32, i64 %d49)
  %d50 = call i64 @digest(ptr @umin_32)
  %p50 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.umin_32, i64 %d50)
  %d51 = call i64 @digest(ptr @saddo_32)
  %p51 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.saddo_32, i64 %d51)
  %d52 = call i64 @digest(ptr @uaddo_32)
  %p52 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.uaddo_32, i64 %d52)
  %d53 = call i64 @digest(ptr @ssubo_32)
  %p53 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ssubo_32, i64 %d53)
  %d54 = call i64 @digest(ptr @usubo_32)
  %p54 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.usubo_32, i64 %d54)
  %d55 = call i64 @digest(ptr @smulo_32)
  %p55 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.smulo_32, i64 %d55)
  %d56 = call i64 @digest(ptr @umulo_32)
  %p56 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.umulo_32, i64 %d56)
  %d57 = call i64 @digest(ptr @saddsat_32)
  %p57 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.saddsat_32, i64 %d57)
  %d58 = call i64 @digest(ptr @uaddsat_32)
  %p58 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.uaddsat_32, i64 %d58)
  %d59 = call i64 @digest(ptr @ssubsat_32)
  %p59 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ssubsat_32, i64 %d59)
  %d60 = call i64 @digest(ptr @usubsat_32)
  %p60 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.usubsat_32, i64 %d60)
  %d61 = call i64 @digest(ptr @fshl_32)
  %p61 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.fshl_32, i64 %d61)
  %d62 = call i64 @digest(ptr @fshr_32)
  %p62 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.fshr_32, i64 %d62)
  %d63 = call i64 @digest(ptr @ucmp_32)
  %p63 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ucmp_32, i64 %d63)
  %d64 = call i64 @digest(ptr @scmp_32)
  %p64 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.scmp_32, i64 %d64)
  %d65 = call i64 @digest(ptr @ctpop_32)
  %p65 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ctpop_32, i64 %d65)
  %d66 = call i64 @digest(ptr @ctlz_32)
  %p66 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ctlz_32, i64 %d66)
  %d67 = call i64 @digest(ptr @cttz_32)
  %p67 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.cttz_32, i64 %d67)
  %d68 = call i64 @digest(ptr @abs_32)
  %p68 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.abs_32, i64 %d68)
  %d69 = call i64 @digest(ptr @bitreverse_32)
  %p69 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.bitreverse_32, i64 %d69)
  %d70 = call i64 @digest(ptr @bswap_32)
  %p70 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.bswap_32, i64 %d70)
  %d71 = call i64 @digest(ptr @smax_64)
  %p71 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.smax_64, i64 %d71)
  %d72 = call i64 @digest(ptr @smin_64)
  %p72 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.smin_64, i64 %d72)
  %d73 = call i64 @digest(ptr @umax_64)
  %p73 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.umax_64, i64 %d73)
  %d74 = call i64 @digest(ptr @umin_64)
  %p74 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.umin_64, i64 %d74)
  %d75 = call i64 @digest(ptr @saddo_64)
  %p75 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.saddo_64, i64 %d75)
  %d76 = call i64 @digest(ptr @uaddo_64)
  %p76 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.uaddo_64, i64 %d76)
  %d77 = call i64 @digest(ptr @ssubo_64)
  %p77 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ssubo_64, i64 %d77)
  %d78 = call i64 @digest(ptr @usubo_64)
  %p78 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.usubo_64, i64 %d78)
  %d79 = call i64 @digest(ptr @smulo_64)
  %p79 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.smulo_64, i64 %d79)
  %d80 = call i64 @digest(ptr @umulo_64)
  %p80 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.umulo_64, i64 %d80)
  %d81 = call i64 @digest(ptr @saddsat_64)
  %p81 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.saddsat_64, i64 %d81)
  %d82 = call i64 @digest(ptr @uaddsat_64)
  %p82 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.uaddsat_64, i64 %d82)
  %d83 = call i64 @digest(ptr @ssubsat_64)
  %p83 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ssubsat_64, i64 %d83)
  %d84 = call i64 @digest(ptr @usubsat_64)
  %p84 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.usubsat_64, i64 %d84)
  %d85 = call i64 @digest(ptr @fshl_64)
  %p85 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.fshl_64, i64 %d85)
  %d86 = call i64 @digest(ptr @fshr_64)
  %p86 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.fshr_64, i64 %d86)
  %d87 = call i64 @digest(ptr @ucmp_64)
  %p87 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ucmp_64, i64 %d87)
  %d88 = call i64 @digest(ptr @scmp_64)
  %p88 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.scmp_64, i64 %d88)
  %d89 = call i64 @digest(ptr @ctpop_64)
  %p89 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ctpop_64, i64 %d89)
  %d90 = call i64 @digest(ptr @ctlz_64)
  %p90 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ctlz_64, i64 %d90)
  %d91 = call i64 @digest(ptr @cttz_64)
  %p91 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.cttz_64, i64 %d91)
  %d92 = call i64 @digest(ptr @abs_64)
  %p92 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.abs_64, i64 %d92)
  %d93 = call i64 @digest(ptr @bitreverse_64)
  %p93 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.bitreverse_64, i64 %d93)
  %d94 = call i64 @digest(ptr @bswap_64)
  %p94 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.bswap_64, i64 %d94)
  %d95 = call i64 @digest(ptr @smax_128)
  %p95 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.smax_128, i64 %d95)
  %d96 = call i64 @digest(ptr @smin_128)
  %p96 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.smin_128, i64 %d96)
  %d97 = call i64 @digest(ptr @umax_128)
  %p97 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.umax_128, i64 %d97)
  %d98 = call i64 @digest(ptr @umin_128)
  %p98 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.umin_128, i64 %d98)
  %d99 = call i64 @digest(ptr @saddo_128)
  %p99 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.saddo_128, i64 %d99)
  %d100 = call i64 @digest(ptr @uaddo_128)
  %p100 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.uaddo_128, i64 %d100)
  %d101 = call i64 @digest(ptr @ssubo_128)
  %p101 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ssubo_128, i64 %d101)
  %d102 = call i64 @digest(ptr @usubo_128)
  %p102 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.usubo_128, i64 %d102)
  %d103 = call i64 @digest(ptr @ctpop_128)
  %p103 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ctpop_128, i64 %d103)
  %d104 = call i64 @digest(ptr @ctlz_128)
  %p104 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ctlz_128, i64 %d104)
  %d105 = call i64 @digest(ptr @cttz_128)
  %p105 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.cttz_128, i64 %d105)
  %d106 = call i64 @digest(ptr @abs_128)
  %p106 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.abs_128, i64 %d106)
  %d107 = call i64 @digest(ptr @bitreverse_128)
  %p107 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.bitreverse_128, i64 %d107)
  %d108 = call i64 @digest(ptr @bswap_128)
  %p108 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.bswap_128, i64 %d108)
  ret i32 0
}
declare i128 @llvm.abs.i128(i128, i1)
declare i128 @llvm.bitreverse.i128(i128)
declare i128 @llvm.bswap.i128(i128)
declare i128 @llvm.ctlz.i128(i128, i1)
declare i128 @llvm.ctpop.i128(i128)
declare i128 @llvm.cttz.i128(i128, i1)
declare i128 @llvm.smax.i128(i128, i128)
declare i128 @llvm.smin.i128(i128, i128)
declare i128 @llvm.umax.i128(i128, i128)
declare i128 @llvm.umin.i128(i128, i128)
declare i16 @llvm.abs.i16(i16, i1)
declare i16 @llvm.bitreverse.i16(i16)
declare i16 @llvm.bswap.i16(i16)
declare i16 @llvm.ctlz.i16(i16, i1)
declare i16 @llvm.ctpop.i16(i16)
declare i16 @llvm.cttz.i16(i16, i1)
declare i16 @llvm.fshl.i16(i16, i16, i16)
declare i16 @llvm.fshr.i16(i16, i16, i16)
declare i16 @llvm.sadd.sat.i16(i16, i16)
declare i16 @llvm.scmp.i16.i16(i16, i16)
declare i16 @llvm.smax.i16(i16, i16)
declare i16 @llvm.smin.i16(i16, i16)
declare i16 @llvm.ssub.sat.i16(i16, i16)
declare i16 @llvm.uadd.sat.i16(i16, i16)
declare i16 @llvm.ucmp.i16.i16(i16, i16)
declare i16 @llvm.umax.i16(i16, i16)
declare i16 @llvm.umin.i16(i16, i16)
declare i16 @llvm.usub.sat.i16(i16, i16)
declare i32 @llvm.abs.i32(i32, i1)
declare i32 @llvm.bitreverse.i32(i32)
declare i32 @llvm.bswap.i32(i32)
declare i32 @llvm.ctlz.i32(i32, i1)
declare i32 @llvm.ctpop.i32(i32)
declare i32 @llvm.cttz.i32(i32, i1)
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare i32 @llvm.fshr.i32(i32, i32, i32)
declare i32 @llvm.sadd.sat.i32(i32, i32)
declare i32 @llvm.scmp.i32.i32(i32, i32)
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.smin.i32(i32, i32)
declare i32 @llvm.ssub.sat.i32(i32, i32)
declare i32 @llvm.uadd.sat.i32(i32, i32)
declare i32 @llvm.ucmp.i32.i32(i32, i32)
declare i32 @llvm.umax.i32(i32, i32)
declare i32 @llvm.umin.i32(i32, i32)
declare i32 @llvm.usub.sat.i32(i32, i32)
declare i64 @llvm.abs.i64(i64, i1)
declare i64 @llvm.bitreverse.i64(i64)
declare i64 @llvm.bswap.i64(i64)
declare i64 @llvm.ctlz.i64(i64, i1)
declare i64 @llvm.ctpop.i64(i64)
declare i64 @llvm.cttz.i64(i64, i1)
declare i64 @llvm.fshl.i64(i64, i64, i64)
declare i64 @llvm.fshr.i64(i64, i64, i64)
declare i64 @llvm.sadd.sat.i64(i64, i64)
declare i64 @llvm.scmp.i64.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.ssub.sat.i64(i64, i64)
declare i64 @llvm.uadd.sat.i64(i64, i64)
declare i64 @llvm.ucmp.i64.i64(i64, i64)
declare i64 @llvm.umax.i64(i64, i64)
declare i64 @llvm.umin.i64(i64, i64)
declare i64 @llvm.usub.sat.i64(i64, i64)
declare i8 @llvm.abs.i8(i8, i1)
declare i8 @llvm.bitreverse.i8(i8)
declare i8 @llvm.ctlz.i8(i8, i1)
declare i8 @llvm.ctpop.i8(i8)
declare i8 @llvm.cttz.i8(i8, i1)
declare i8 @llvm.fshl.i8(i8, i8, i8)
declare i8 @llvm.fshr.i8(i8, i8, i8)
declare i8 @llvm.sadd.sat.i8(i8, i8)
declare i8 @llvm.scmp.i8.i8(i8, i8)
declare i8 @llvm.smax.i8(i8, i8)
declare i8 @llvm.smin.i8(i8, i8)
declare i8 @llvm.ssub.sat.i8(i8, i8)
declare i8 @llvm.uadd.sat.i8(i8, i8)
declare i8 @llvm.ucmp.i8.i8(i8, i8)
declare i8 @llvm.umax.i8(i8, i8)
declare i8 @llvm.umin.i8(i8, i8)
declare i8 @llvm.usub.sat.i8(i8, i8)
declare { i128, i1 } @llvm.sadd.with.overflow.i128(i128, i128)
declare { i128, i1 } @llvm.ssub.with.overflow.i128(i128, i128)
declare { i128, i1 } @llvm.uadd.with.overflow.i128(i128, i128)
declare { i128, i1 } @llvm.usub.with.overflow.i128(i128, i128)
declare { i16, i1 } @llvm.sadd.with.overflow.i16(i16, i16)
declare { i16, i1 } @llvm.smul.with.overflow.i16(i16, i16)
declare { i16, i1 } @llvm.ssub.with.overflow.i16(i16, i16)
declare { i16, i1 } @llvm.uadd.with.overflow.i16(i16, i16)
declare { i16, i1 } @llvm.umul.with.overflow.i16(i16, i16)
declare { i16, i1 } @llvm.usub.with.overflow.i16(i16, i16)
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)
declare { i32, i1 } @llvm.smul.with.overflow.i32(i32, i32)
declare { i32, i1 } @llvm.ssub.with.overflow.i32(i32, i32)
declare { i32, i1 } @llvm.uadd.with.overflow.i32(i32, i32)
declare { i32, i1 } @llvm.umul.with.overflow.i32(i32, i32)
declare { i32, i1 } @llvm.usub.with.overflow.i32(i32, i32)
declare { i64, i1 } @llvm.sadd.with.overflow.i64(i64, i64)
declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64)
declare { i64, i1 } @llvm.ssub.with.overflow.i64(i64, i64)
declare { i64, i1 } @llvm.uadd.with.overflow.i64(i64, i64)
declare { i64, i1 } @llvm.umul.with.overflow.i64(i64, i64)
declare { i64, i1 } @llvm.usub.with.overflow.i64(i64, i64)
declare { i8, i1 } @llvm.sadd.with.overflow.i8(i8, i8)
declare { i8, i1 } @llvm.smul.with.overflow.i8(i8, i8)
declare { i8, i1 } @llvm.ssub.with.overflow.i8(i8, i8)
declare { i8, i1 } @llvm.uadd.with.overflow.i8(i8, i8)
declare { i8, i1 } @llvm.umul.with.overflow.i8(i8, i8)
declare { i8, i1 } @llvm.usub.with.overflow.i8(i8, i8)
