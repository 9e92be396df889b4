; test import
; Intrinsics of integers of more than 64 bits, products of odd widths with their overflow, and integers of more than 128 bits.
; What is printed: for each width and operation a digest of the results for 13 times 13 operands.
; out: saddo i65 9452702dceba1eac
; out: uaddo i65 a6e4b9cd71722a28
; out: ssubo i65 e5e9fb7df068334a
; out: usubo i65 763b3c69ce046ac8
; out: smulo i65 2c8be3882d0abefe
; out: umulo i65 add847867a865dd0
; out: sadd.sat i65 aa6c1c1b4f49b521
; out: uadd.sat i65 f11c83f65c3bf539
; out: ssub.sat i65 ec7a247ced64b49e
; out: usub.sat i65 9e7ee33a0d04e058
; out: smax i65 2c77b1740fd2879d
; out: smin i65 afeb201fb78a5d37
; out: umax i65 8af083cd8d1c0651
; out: umin i65 1c38043774f4dd17
; out: ctpop i65 c1c13a87977b7bdd
; out: bitreverse i65 8099d2a3af47ca55
; out: ctlz i65 261320f7b37dd3aa
; out: cttz i65 c42fd06e479b7529
; out: abs i65 c1bbd654f89e6f6e
; out: fshl i65 2d65a63b545eef7f
; out: fshr i65 a561df421b833940
; out: switch i65 37399d5ff7d9dde7
; out: saddo i100 361621677ca91999
; out: uaddo i100 a9f1c52ea1d4f600
; out: ssubo i100 5023caf9a6994cdd
; out: usubo i100 f21dec35c58c5d0c
; out: smulo i100 926294ea6b8daf6d
; out: umulo i100 ef421452f9c50307
; out: sadd.sat i100 d6e72286f4b8257b
; out: uadd.sat i100 979c704f28412333
; out: ssub.sat i100 e022b5656e35be03
; out: usub.sat i100 a9e17f3fb9a138b5
; out: smax i100 e35a39f138b852f0
; out: smin i100 f61ffaec85098598
; out: umax i100 ec203dab64c35d7e
; out: umin i100 85405057333c597a
; out: ctpop i100 2492847cb6adbeda
; out: bitreverse i100 9941b4e35ddd5ce9
; out: ctlz i100 8d023dca628747b6
; out: cttz i100 f3e6e072bfd33fc7
; out: abs i100 e3ff9403f12a2c2f
; out: fshl i100 099342cddcc6d8e2
; out: fshr i100 41116b82d5fe77d2
; out: switch i100 15546332c82361ac
; out: saddo i128 aeb563184e1029e6
; out: uaddo i128 59275b170c2ccaa7
; out: ssubo i128 c374d44963c093c8
; out: usubo i128 42caa0c26192f609
; out: smulo i128 0d0d4066aa341d1e
; out: umulo i128 1108504b8b924ece
; out: sadd.sat i128 f6511e337ed49982
; out: uadd.sat i128 ec16e14f30d0c1e3
; out: ssub.sat i128 82a5cf3f273459bb
; out: usub.sat i128 da22194d453946f4
; out: smax i128 249dc69f5ad0665a
; out: smin i128 79697c2a543943d5
; out: umax i128 967c6808b5cb1108
; out: umin i128 d35661867f3bc1b3
; out: ctpop i128 c0875cddcdc0107d
; out: bitreverse i128 08c5769c77a8d796
; out: bswap i128 439ec2dd9ee0ca02
; out: ctlz i128 77f8e8ab9a4d0769
; out: cttz i128 405333f972283b18
; out: abs i128 2f134ea86a7a04d0
; out: fshl i128 3ba9f81d54b65814
; out: fshr i128 13003d16a06a20d7
; out: switch i128 15546332c82361ac
; out: smulo i40 ce145cc3019d7989
; out: umulo i40 8a0fe2a62002786d
; out: saddo i40 db480905acdcb7b6
; out: usubo i40 626a5e9273a2599d
; out: smulo i63 c2731c1ff1bebc35
; out: umulo i63 7ad2fd7082c4d269
; out: saddo i63 2adebc9f8af78546
; out: usubo i63 49656eb146f174f9
; out: add i129 08456bd6af6553c8
; out: sub i129 32c4036f3948af68
; out: mul i129 bf94aa17d2bec236
; out: and i129 a846823a1c9d1789
; out: or i129 3c8c676cf5490387
; out: xor i129 12dea3fdb89b46fd
; out: shl i129 f03998b3367cb17b
; out: shlc i129 32bb871d0b4d6b7d
; out: lshr i129 135db53270697c5d
; out: lshrc i129 8c1609204d7b4eb1
; out: ashr i129 03ff4b0d4d20493b
; out: ashrc i129 b7fc90d16f9ed232
; out: eq i129 e98931738a8f0808
; out: ne i129 584f84d74233fe57
; out: ugt i129 235c382f6a9e9b96
; out: uge i129 55a9c69e3b2553e9
; out: ult i129 7ee7f0803ca1a3fe
; out: ule i129 154ed54491758011
; out: sgt i129 46d4fc20fcbbe2d0
; out: sge i129 83bd899c29f68547
; out: slt i129 ba8c0918a6fbdc48
; out: sle i129 2fbfdcf93e66d2bf
; out: smax i129 373d69fdac31f103
; out: umin i129 6f06ebbd659a08a5
; out: memory i129 98d6a46b1bc9ad34
; out: add i200 4352274cf4339964
; out: sub i200 52e7d75a0b833ebc
; out: mul i200 9388d016ed00d773
; out: and i200 0f0a94a9953f03bb
; out: or i200 12c57137653490a5
; out: xor i200 1d6e5bcad26e11d5
; out: shl i200 5d708cd41d9041bc
; out: shlc i200 025a16428b865737
; out: lshr i200 c95eb12b903bf352
; out: lshrc i200 00485f712d38c8e0
; out: ashr i200 fd9a8c5007c6ee5c
; out: ashrc i200 c7473613cc24e7b3
; out: eq i200 e98931738a8f0808
; out: ne i200 584f84d74233fe57
; out: ugt i200 eee29a326a7210b6
; out: uge i200 a99f162a48e59889
; out: ult i200 42a7044e7a76e63e
; out: ule i200 319eca3ee3913391
; out: sgt i200 329681b23d0d0550
; out: sge i200 a8061f895260f0c7
; out: slt i200 2baca31bc13cd828
; out: sle i200 a9897afb471ab95f
; out: smax i200 36140efbd0bba2fe
; out: umin i200 f8cd3c1f7e33455e
; out: memory i200 776d1adf514650f7
; out: add i256 146982edf768436b
; out: sub i256 fde9b5263310c56b
; out: mul i256 2d902e8acc9fb933
; out: and i256 f06b4178c5923c27
; out: or i256 56051b6b8f1f4dfe
; out: xor i256 75df912def3973d6
; out: shl i256 ea8b44fe9a9d764f
; out: shlc i256 88752e1be376c73f
; out: lshr i256 8d06a9ac6eefc256
; out: lshrc i256 8a2f26c4cdaa9943
; out: ashr i256 ec4486448ecaf500
; out: ashrc i256 229297463f68a99c
; out: eq i256 e98931738a8f0808
; out: ne i256 584f84d74233fe57
; out: ugt i256 eee29a326a7210b6
; out: uge i256 a99f162a48e59889
; out: ult i256 42a7044e7a76e63e
; out: ule i256 319eca3ee3913391
; out: sgt i256 329681b23d0d0550
; out: sge i256 a8061f895260f0c7
; out: slt i256 2baca31bc13cd828
; out: sle i256 a9897afb471ab95f
; out: smax i256 188f0dda189b30fb
; out: umin i256 bdf703a138e5485a
; out: memory i256 a0dbc0feb59855bc
@values = internal constant [13 x i64] [i64 0, i64 1, i64 2, i64 7, i64 -1, i64 -7, i64 127, i64 -128, i64 81985529216486895, i64 -81985529216486895, i64 9223372036854775807, i64 -9223372036854775808, i64 6148914691236517205]
@format = internal constant [18 x i8] c"%s i%d %016llx\0A\00\00\00"
declare i32 @printf(ptr, ...)

define internal i64 @saddo_65(i64 %x, i64 %y) {
  %xs = sext i64 %x to i65
  %yz = zext i64 %y to i65
  %xh = shl i65 %xs, 21
  %a = xor i65 %xh, %yz
  %yh = shl i65 %yz, 1
  %b = add i65 %yh, %xs
  %p = call { i65, i1 } @llvm.sadd.with.overflow.i65(i65 %a, i65 %b)
  %q = extractvalue { i65, i1 } %p, 0
  %o = extractvalue { i65, i1 } %p, 1
  %z = zext i1 %o to i65
  %r0 = shl i65 %q, 1
  %r = xor i65 %r0, %z
  %l = trunc i65 %r to i64
  %h0 = ashr i65 %r, 64
  %h = trunc i65 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @uaddo_65(i64 %x, i64 %y) {
  %xs = sext i64 %x to i65
  %yz = zext i64 %y to i65
  %xh = shl i65 %xs, 21
  %a = xor i65 %xh, %yz
  %yh = shl i65 %yz, 1
  %b = add i65 %yh, %xs
  %p = call { i65, i1 } @llvm.uadd.with.overflow.i65(i65 %a, i65 %b)
  %q = extractvalue { i65, i1 } %p, 0
  %o = extractvalue { i65, i1 } %p, 1
  %z = zext i1 %o to i65
  %r0 = shl i65 %q, 1
  %r = xor i65 %r0, %z
  %l = trunc i65 %r to i64
  %h0 = ashr i65 %r, 64
  %h = trunc i65 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @ssubo_65(i64 %x, i64 %y) {
  %xs = sext i64 %x to i65
  %yz = zext i64 %y to i65
  %xh = shl i65 %xs, 21
  %a = xor i65 %xh, %yz
  %yh = shl i65 %yz, 1
  %b = add i65 %yh, %xs
  %p = call { i65, i1 } @llvm.ssub.with.overflow.i65(i65 %a, i65 %b)
  %q = extractvalue { i65, i1 } %p, 0
  %o = extractvalue { i65, i1 } %p, 1
  %z = zext i1 %o to i65
  %r0 = shl i65 %q, 1
  %r = xor i65 %r0, %z
  %l = trunc i65 %r to i64
  %h0 = ashr i65 %r, 64
  %h = trunc i65 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @usubo_65(i64 %x, i64 %y) {
  %xs = sext i64 %x to i65
  %yz = zext i64 %y to i65
  %xh = shl i65 %xs, 21
  %a = xor i65 %xh, %yz
  %yh = shl i65 %yz, 1
  %b = add i65 %yh, %xs
  %p = call { i65, i1 } @llvm.usub.with.overflow.i65(i65 %a, i65 %b)
  %q = extractvalue { i65, i1 } %p, 0
  %o = extractvalue { i65, i1 } %p, 1
  %z = zext i1 %o to i65
  %r0 = shl i65 %q, 1
  %r = xor i65 %r0, %z
  %l = trunc i65 %r to i64
  %h0 = ashr i65 %r, 64
  %h = trunc i65 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @smulo_65(i64 %x, i64 %y) {
  %xs = sext i64 %x to i65
  %yz = zext i64 %y to i65
  %xh = shl i65 %xs, 21
  %a = xor i65 %xh, %yz
  %yh = shl i65 %yz, 1
  %b = add i65 %yh, %xs
  %p = call { i65, i1 } @llvm.smul.with.overflow.i65(i65 %a, i65 %b)
  %q = extractvalue { i65, i1 } %p, 0
  %o = extractvalue { i65, i1 } %p, 1
  %z = zext i1 %o to i65
  %r0 = shl i65 %q, 1
  %r = xor i65 %r0, %z
  %l = trunc i65 %r to i64
  %h0 = ashr i65 %r, 64
  %h = trunc i65 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @umulo_65(i64 %x, i64 %y) {
  %xs = sext i64 %x to i65
  %yz = zext i64 %y to i65
  %xh = shl i65 %xs, 21
  %a = xor i65 %xh, %yz
  %yh = shl i65 %yz, 1
  %b = add i65 %yh, %xs
  %p = call { i65, i1 } @llvm.umul.with.overflow.i65(i65 %a, i65 %b)
  %q = extractvalue { i65, i1 } %p, 0
  %o = extractvalue { i65, i1 } %p, 1
  %z = zext i1 %o to i65
  %r0 = shl i65 %q, 1
  %r = xor i65 %r0, %z
  %l = trunc i65 %r to i64
  %h0 = ashr i65 %r, 64
  %h = trunc i65 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @sadd.sat_65(i64 %x, i64 %y) {
  %xs = sext i64 %x to i65
  %yz = zext i64 %y to i65
  %xh = shl i65 %xs, 21
  %a = xor i65 %xh, %yz
  %yh = shl i65 %yz, 1
  %b = add i65 %yh, %xs
  %r = call i65 @llvm.sadd.sat.i65(i65 %a, i65 %b)
  %l = trunc i65 %r to i64
  %h0 = ashr i65 %r, 64
  %h = trunc i65 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @uadd.sat_65(i64 %x, i64 %y) {
  %xs = sext i64 %x to i65
  %yz = zext i64 %y to i65
  %xh = shl i65 %xs, 21
  %a = xor i65 %xh, %yz
  %yh = shl i65 %yz, 1
  %b = add i65 %yh, %xs
  %r = call i65 @llvm.uadd.sat.i65(i65 %a, i65 %b)
  %l = trunc i65 %r to i64
  %h0 = ashr i65 %r, 64
  %h = trunc i65 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @ssub.sat_65(i64 %x, i64 %y) {
  %xs = sext i64 %x to i65
  %yz = zext i64 %y to i65
  %xh = shl i65 %xs, 21
  %a = xor i65 %xh, %yz
  %yh = shl i65 %yz, 1
  %b = add i65 %yh, %xs
  %r = call i65 @llvm.ssub.sat.i65(i65 %a, i65 %b)
  %l = trunc i65 %r to i64
  %h0 = ashr i65 %r, 64
  %h = trunc i65 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @usub.sat_65(i64 %x, i64 %y) {
  %xs = sext i64 %x to i65
  %yz = zext i64 %y to i65
  %xh = shl i65 %xs, 21
  %a = xor i65 %xh, %yz
  %yh = shl i65 %yz, 1
  %b = add i65 %yh, %xs
  %r = call i65 @llvm.usub.sat.i65(i65 %a, i65 %b)
  %l = trunc i65 %r to i64
  %h0 = ashr i65 %r, 64
  %h = trunc i65 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @smax_65(i64 %x, i64 %y) {
  %xs = sext i64 %x to i65
  %yz = zext i64 %y to i65
  %xh = shl i65 %xs, 21
  %a = xor i65 %xh, %yz
  %yh = shl i65 %yz, 1
  %b = add i65 %yh, %xs
  %r = call i65 @llvm.smax.i65(i65 %a, i65 %b)
  %l = trunc i65 %r to i64
  %h0 = ashr i65 %r, 64
  %h = trunc i65 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @smin_65(i64 %x, i64 %y) {
  %xs = sext i64 %x to i65
  %yz = zext i64 %y to i65
  %xh = shl i65 %xs, 21
  %a = xor i65 %xh, %yz
  %yh = shl i65 %yz, 1
  %b = add i65 %yh, %xs
  %r = call i65 @llvm.smin.i65(i65 %a, i65 %b)
  %l = trunc i65 %r to i64
  %h0 = ashr i65 %r, 64
  %h = trunc i65 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @umax_65(i64 %x, i64 %y) {
  %xs = sext i64 %x to i65
  %yz = zext i64 %y to i65
  %xh = shl i65 %xs, 21
  %a = xor i65 %xh, %yz
  %yh = shl i65 %yz, 1
  %b = add i65 %yh, %xs
  %r = call i65 @llvm.umax.i65(i65 %a, i65 %b)
  %l = trunc i65 %r to i64
  %h0 = ashr i65 %r, 64
  %h = trunc i65 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @umin_65(i64 %x, i64 %y) {
  %xs = sext i64 %x to i65
  %yz = zext i64 %y to i65
  %xh = shl i65 %xs, 21
  %a = xor i65 %xh, %yz
  %yh = shl i65 %yz, 1
  %b = add i65 %yh, %xs
  %r = call i65 @llvm.umin.i65(i65 %a, i65 %b)
  %l = trunc i65 %r to i64
  %h0 = ashr i65 %r, 64
  %h = trunc i65 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @ctpop_65(i64 %x, i64 %y) {
  %xs = sext i64 %x to i65
  %yz = zext i64 %y to i65
  %xh = shl i65 %xs, 21
  %a = xor i65 %xh, %yz
  %yh = shl i65 %yz, 1
  %b = add i65 %yh, %xs
  %r = call i65 @llvm.ctpop.i65(i65 %a)
  %l = trunc i65 %r to i64
  %h0 = ashr i65 %r, 64
  %h = trunc i65 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @bitreverse_65(i64 %x, i64 %y) {
  %xs = sext i64 %x to i65
  %yz = zext i64 %y to i65
  %xh = shl i65 %xs, 21
  %a = xor i65 %xh, %yz
  %yh = shl i65 %yz, 1
  %b = add i65 %yh, %xs
  %r = call i65 @llvm.bitreverse.i65(i65 %a)
  %l = trunc i65 %r to i64
  %h0 = ashr i65 %r, 64
  %h = trunc i65 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @ctlz_65(i64 %x, i64 %y) {
  %xs = sext i64 %x to i65
  %yz = zext i64 %y to i65
  %xh = shl i65 %xs, 21
  %a = xor i65 %xh, %yz
  %yh = shl i65 %yz, 1
  %b = add i65 %yh, %xs
  %r = call i65 @llvm.ctlz.i65(i65 %a, i1 false)
  %l = trunc i65 %r to i64
  %h0 = ashr i65 %r, 64
  %h = trunc i65 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @cttz_65(i64 %x, i64 %y) {
  %xs = sext i64 %x to i65
  %yz = zext i64 %y to i65
  %xh = shl i65 %xs, 21
  %a = xor i65 %xh, %yz
  %yh = shl i65 %yz, 1
  %b = add i65 %yh, %xs
  %r = call i65 @llvm.cttz.i65(i65 %a, i1 false)
  %l = trunc i65 %r to i64
  %h0 = ashr i65 %r, 64
  %h = trunc i65 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @abs_65(i64 %x, i64 %y) {
  %xs = sext i64 %x to i65
  %yz = zext i64 %y to i65
  %xh = shl i65 %xs, 21
  %a = xor i65 %xh, %yz
  %yh = shl i65 %yz, 1
  %b = add i65 %yh, %xs
  %r = call i65 @llvm.abs.i65(i65 %a, i1 false)
  %l = trunc i65 %r to i64
  %h0 = ashr i65 %r, 64
  %h = trunc i65 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @fshl_65(i64 %x, i64 %y) {
  %xs = sext i64 %x to i65
  %yz = zext i64 %y to i65
  %xh = shl i65 %xs, 21
  %a = xor i65 %xh, %yz
  %yh = shl i65 %yz, 1
  %b = add i65 %yh, %xs
  %r = call i65 @llvm.fshl.i65(i65 %a, i65 %b, i65 %yz)
  %l = trunc i65 %r to i64
  %h0 = ashr i65 %r, 64
  %h = trunc i65 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @fshr_65(i64 %x, i64 %y) {
  %xs = sext i64 %x to i65
  %yz = zext i64 %y to i65
  %xh = shl i65 %xs, 21
  %a = xor i65 %xh, %yz
  %yh = shl i65 %yz, 1
  %b = add i65 %yh, %xs
  %r = call i65 @llvm.fshr.i65(i65 %a, i65 %b, i65 %yz)
  %l = trunc i65 %r to i64
  %h0 = ashr i65 %r, 64
  %h = trunc i65 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @switch_65(i64 %x, i64 %y) {
  %xs = sext i64 %x to i65
  %yz = zext i64 %y to i65
  %xh = shl i65 %xs, 21
  %a = xor i65 %xh, %yz
  %yh = shl i65 %yz, 1
  %b = add i65 %yh, %xs
  %c = icmp eq i65 %a, %b
  %r = zext i1 %c to i65
  %l = trunc i65 %r to i64
  %h0 = ashr i65 %r, 64
  %h = trunc i65 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @saddo_100(i64 %x, i64 %y) {
  %xs = sext i64 %x to i100
  %yz = zext i64 %y to i100
  %xh = shl i100 %xs, 33
  %a = xor i100 %xh, %yz
  %yh = shl i100 %yz, 1
  %b = add i100 %yh, %xs
  %p = call { i100, i1 } @llvm.sadd.with.overflow.i100(i100 %a, i100 %b)
  %q = extractvalue { i100, i1 } %p, 0
  %o = extractvalue { i100, i1 } %p, 1
  %z = zext i1 %o to i100
  %r0 = shl i100 %q, 1
  %r = xor i100 %r0, %z
  %l = trunc i100 %r to i64
  %h0 = ashr i100 %r, 64
  %h = trunc i100 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @uaddo_100(i64 %x, i64 %y) {
  %xs = sext i64 %x to i100
  %yz = zext i64 %y to i100
  %xh = shl i100 %xs, 33
  %a = xor i100 %xh, %yz
  %yh = shl i100 %yz, 1
  %b = add i100 %yh, %xs
  %p = call { i100, i1 } @llvm.uadd.with.overflow.i100(i100 %a, i100 %b)
  %q = extractvalue { i100, i1 } %p, 0
  %o = extractvalue { i100, i1 } %p, 1
  %z = zext i1 %o to i100
  %r0 = shl i100 %q, 1
  %r = xor i100 %r0, %z
  %l = trunc i100 %r to i64
  %h0 = ashr i100 %r, 64
  %h = trunc i100 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @ssubo_100(i64 %x, i64 %y) {
  %xs = sext i64 %x to i100
  %yz = zext i64 %y to i100
  %xh = shl i100 %xs, 33
  %a = xor i100 %xh, %yz
  %yh = shl i100 %yz, 1
  %b = add i100 %yh, %xs
  %p = call { i100, i1 } @llvm.ssub.with.overflow.i100(i100 %a, i100 %b)
  %q = extractvalue { i100, i1 } %p, 0
  %o = extractvalue { i100, i1 } %p, 1
  %z = zext i1 %o to i100
  %r0 = shl i100 %q, 1
  %r = xor i100 %r0, %z
  %l = trunc i100 %r to i64
  %h0 = ashr i100 %r, 64
  %h = trunc i100 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @usubo_100(i64 %x, i64 %y) {
  %xs = sext i64 %x to i100
  %yz = zext i64 %y to i100
  %xh = shl i100 %xs, 33
  %a = xor i100 %xh, %yz
  %yh = shl i100 %yz, 1
  %b = add i100 %yh, %xs
  %p = call { i100, i1 } @llvm.usub.with.overflow.i100(i100 %a, i100 %b)
  %q = extractvalue { i100, i1 } %p, 0
  %o = extractvalue { i100, i1 } %p, 1
  %z = zext i1 %o to i100
  %r0 = shl i100 %q, 1
  %r = xor i100 %r0, %z
  %l = trunc i100 %r to i64
  %h0 = ashr i100 %r, 64
  %h = trunc i100 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @smulo_100(i64 %x, i64 %y) {
  %xs = sext i64 %x to i100
  %yz = zext i64 %y to i100
  %xh = shl i100 %xs, 33
  %a = xor i100 %xh, %yz
  %yh = shl i100 %yz, 1
  %b = add i100 %yh, %xs
  %p = call { i100, i1 } @llvm.smul.with.overflow.i100(i100 %a, i100 %b)
  %q = extractvalue { i100, i1 } %p, 0
  %o = extractvalue { i100, i1 } %p, 1
  %z = zext i1 %o to i100
  %r0 = shl i100 %q, 1
  %r = xor i100 %r0, %z
  %l = trunc i100 %r to i64
  %h0 = ashr i100 %r, 64
  %h = trunc i100 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @umulo_100(i64 %x, i64 %y) {
  %xs = sext i64 %x to i100
  %yz = zext i64 %y to i100
  %xh = shl i100 %xs, 33
  %a = xor i100 %xh, %yz
  %yh = shl i100 %yz, 1
  %b = add i100 %yh, %xs
  %p = call { i100, i1 } @llvm.umul.with.overflow.i100(i100 %a, i100 %b)
  %q = extractvalue { i100, i1 } %p, 0
  %o = extractvalue { i100, i1 } %p, 1
  %z = zext i1 %o to i100
  %r0 = shl i100 %q, 1
  %r = xor i100 %r0, %z
  %l = trunc i100 %r to i64
  %h0 = ashr i100 %r, 64
  %h = trunc i100 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @sadd.sat_100(i64 %x, i64 %y) {
  %xs = sext i64 %x to i100
  %yz = zext i64 %y to i100
  %xh = shl i100 %xs, 33
  %a = xor i100 %xh, %yz
  %yh = shl i100 %yz, 1
  %b = add i100 %yh, %xs
  %r = call i100 @llvm.sadd.sat.i100(i100 %a, i100 %b)
  %l = trunc i100 %r to i64
  %h0 = ashr i100 %r, 64
  %h = trunc i100 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @uadd.sat_100(i64 %x, i64 %y) {
  %xs = sext i64 %x to i100
  %yz = zext i64 %y to i100
  %xh = shl i100 %xs, 33
  %a = xor i100 %xh, %yz
  %yh = shl i100 %yz, 1
  %b = add i100 %yh, %xs
  %r = call i100 @llvm.uadd.sat.i100(i100 %a, i100 %b)
  %l = trunc i100 %r to i64
  %h0 = ashr i100 %r, 64
  %h = trunc i100 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @ssub.sat_100(i64 %x, i64 %y) {
  %xs = sext i64 %x to i100
  %yz = zext i64 %y to i100
  %xh = shl i100 %xs, 33
  %a = xor i100 %xh, %yz
  %yh = shl i100 %yz, 1
  %b = add i100 %yh, %xs
  %r = call i100 @llvm.ssub.sat.i100(i100 %a, i100 %b)
  %l = trunc i100 %r to i64
  %h0 = ashr i100 %r, 64
  %h = trunc i100 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @usub.sat_100(i64 %x, i64 %y) {
  %xs = sext i64 %x to i100
  %yz = zext i64 %y to i100
  %xh = shl i100 %xs, 33
  %a = xor i100 %xh, %yz
  %yh = shl i100 %yz, 1
  %b = add i100 %yh, %xs
  %r = call i100 @llvm.usub.sat.i100(i100 %a, i100 %b)
  %l = trunc i100 %r to i64
  %h0 = ashr i100 %r, 64
  %h = trunc i100 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @smax_100(i64 %x, i64 %y) {
  %xs = sext i64 %x to i100
  %yz = zext i64 %y to i100
  %xh = shl i100 %xs, 33
  %a = xor i100 %xh, %yz
  %yh = shl i100 %yz, 1
  %b = add i100 %yh, %xs
  %r = call i100 @llvm.smax.i100(i100 %a, i100 %b)
  %l = trunc i100 %r to i64
  %h0 = ashr i100 %r, 64
  %h = trunc i100 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @smin_100(i64 %x, i64 %y) {
  %xs = sext i64 %x to i100
  %yz = zext i64 %y to i100
  %xh = shl i100 %xs, 33
  %a = xor i100 %xh, %yz
  %yh = shl i100 %yz, 1
  %b = add i100 %yh, %xs
  %r = call i100 @llvm.smin.i100(i100 %a, i100 %b)
  %l = trunc i100 %r to i64
  %h0 = ashr i100 %r, 64
  %h = trunc i100 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @umax_100(i64 %x, i64 %y) {
  %xs = sext i64 %x to i100
  %yz = zext i64 %y to i100
  %xh = shl i100 %xs, 33
  %a = xor i100 %xh, %yz
  %yh = shl i100 %yz, 1
  %b = add i100 %yh, %xs
  %r = call i100 @llvm.umax.i100(i100 %a, i100 %b)
  %l = trunc i100 %r to i64
  %h0 = ashr i100 %r, 64
  %h = trunc i100 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @umin_100(i64 %x, i64 %y) {
  %xs = sext i64 %x to i100
  %yz = zext i64 %y to i100
  %xh = shl i100 %xs, 33
  %a = xor i100 %xh, %yz
  %yh = shl i100 %yz, 1
  %b = add i100 %yh, %xs
  %r = call i100 @llvm.umin.i100(i100 %a, i100 %b)
  %l = trunc i100 %r to i64
  %h0 = ashr i100 %r, 64
  %h = trunc i100 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @ctpop_100(i64 %x, i64 %y) {
  %xs = sext i64 %x to i100
  %yz = zext i64 %y to i100
  %xh = shl i100 %xs, 33
  %a = xor i100 %xh, %yz
  %yh = shl i100 %yz, 1
  %b = add i100 %yh, %xs
  %r = call i100 @llvm.ctpop.i100(i100 %a)
  %l = trunc i100 %r to i64
  %h0 = ashr i100 %r, 64
  %h = trunc i100 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @bitreverse_100(i64 %x, i64 %y) {
  %xs = sext i64 %x to i100
  %yz = zext i64 %y to i100
  %xh = shl i100 %xs, 33
  %a = xor i100 %xh, %yz
  %yh = shl i100 %yz, 1
  %b = add i100 %yh, %xs
  %r = call i100 @llvm.bitreverse.i100(i100 %a)
  %l = trunc i100 %r to i64
  %h0 = ashr i100 %r, 64
  %h = trunc i100 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @ctlz_100(i64 %x, i64 %y) {
  %xs = sext i64 %x to i100
  %yz = zext i64 %y to i100
  %xh = shl i100 %xs, 33
  %a = xor i100 %xh, %yz
  %yh = shl i100 %yz, 1
  %b = add i100 %yh, %xs
  %r = call i100 @llvm.ctlz.i100(i100 %a, i1 false)
  %l = trunc i100 %r to i64
  %h0 = ashr i100 %r, 64
  %h = trunc i100 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @cttz_100(i64 %x, i64 %y) {
  %xs = sext i64 %x to i100
  %yz = zext i64 %y to i100
  %xh = shl i100 %xs, 33
  %a = xor i100 %xh, %yz
  %yh = shl i100 %yz, 1
  %b = add i100 %yh, %xs
  %r = call i100 @llvm.cttz.i100(i100 %a, i1 false)
  %l = trunc i100 %r to i64
  %h0 = ashr i100 %r, 64
  %h = trunc i100 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @abs_100(i64 %x, i64 %y) {
  %xs = sext i64 %x to i100
  %yz = zext i64 %y to i100
  %xh = shl i100 %xs, 33
  %a = xor i100 %xh, %yz
  %yh = shl i100 %yz, 1
  %b = add i100 %yh, %xs
  %r = call i100 @llvm.abs.i100(i100 %a, i1 false)
  %l = trunc i100 %r to i64
  %h0 = ashr i100 %r, 64
  %h = trunc i100 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @fshl_100(i64 %x, i64 %y) {
  %xs = sext i64 %x to i100
  %yz = zext i64 %y to i100
  %xh = shl i100 %xs, 33
  %a = xor i100 %xh, %yz
  %yh = shl i100 %yz, 1
  %b = add i100 %yh, %xs
  %r = call i100 @llvm.fshl.i100(i100 %a, i100 %b, i100 %yz)
  %l = trunc i100 %r to i64
  %h0 = ashr i100 %r, 64
  %h = trunc i100 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @fshr_100(i64 %x, i64 %y) {
  %xs = sext i64 %x to i100
  %yz = zext i64 %y to i100
  %xh = shl i100 %xs, 33
  %a = xor i100 %xh, %yz
  %yh = shl i100 %yz, 1
  %b = add i100 %yh, %xs
  %r = call i100 @llvm.fshr.i100(i100 %a, i100 %b, i100 %yz)
  %l = trunc i100 %r to i64
  %h0 = ashr i100 %r, 64
  %h = trunc i100 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @switch_100(i64 %x, i64 %y) {
  %xs = sext i64 %x to i100
  %yz = zext i64 %y to i100
  %xh = shl i100 %xs, 33
  %a = xor i100 %xh, %yz
  %yh = shl i100 %yz, 1
  %b = add i100 %yh, %xs
  %c = icmp eq i100 %a, %b
  %r = zext i1 %c to i100
  %l = trunc i100 %r to i64
  %h0 = ashr i100 %r, 64
  %h = trunc i100 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @saddo_128(i64 %x, i64 %y) {
  %xs = sext i64 %x to i128
  %yz = zext i64 %y to i128
  %xh = shl i128 %xs, 42
  %a = xor i128 %xh, %yz
  %yh = shl i128 %yz, 1
  %b = add i128 %yh, %xs
  %p = call { i128, i1 } @llvm.sadd.with.overflow.i128(i128 %a, i128 %b)
  %q = extractvalue { i128, i1 } %p, 0
  %o = extractvalue { i128, i1 } %p, 1
  %z = zext i1 %o to i128
  %r0 = shl i128 %q, 1
  %r = xor i128 %r0, %z
  %l = trunc i128 %r to i64
  %h0 = ashr i128 %r, 64
  %h = trunc i128 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @uaddo_128(i64 %x, i64 %y) {
  %xs = sext i64 %x to i128
  %yz = zext i64 %y to i128
  %xh = shl i128 %xs, 42
  %a = xor i128 %xh, %yz
  %yh = shl i128 %yz, 1
  %b = add i128 %yh, %xs
  %p = call { i128, i1 } @llvm.uadd.with.overflow.i128(i128 %a, i128 %b)
  %q = extractvalue { i128, i1 } %p, 0
  %o = extractvalue { i128, i1 } %p, 1
  %z = zext i1 %o to i128
  %r0 = shl i128 %q, 1
  %r = xor i128 %r0, %z
  %l = trunc i128 %r to i64
  %h0 = ashr i128 %r, 64
  %h = trunc i128 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @ssubo_128(i64 %x, i64 %y) {
  %xs = sext i64 %x to i128
  %yz = zext i64 %y to i128
  %xh = shl i128 %xs, 42
  %a = xor i128 %xh, %yz
  %yh = shl i128 %yz, 1
  %b = add i128 %yh, %xs
  %p = call { i128, i1 } @llvm.ssub.with.overflow.i128(i128 %a, i128 %b)
  %q = extractvalue { i128, i1 } %p, 0
  %o = extractvalue { i128, i1 } %p, 1
  %z = zext i1 %o to i128
  %r0 = shl i128 %q, 1
  %r = xor i128 %r0, %z
  %l = trunc i128 %r to i64
  %h0 = ashr i128 %r, 64
  %h = trunc i128 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @usubo_128(i64 %x, i64 %y) {
  %xs = sext i64 %x to i128
  %yz = zext i64 %y to i128
  %xh = shl i128 %xs, 42
  %a = xor i128 %xh, %yz
  %yh = shl i128 %yz, 1
  %b = add i128 %yh, %xs
  %p = call { i128, i1 } @llvm.usub.with.overflow.i128(i128 %a, i128 %b)
  %q = extractvalue { i128, i1 } %p, 0
  %o = extractvalue { i128, i1 } %p, 1
  %z = zext i1 %o to i128
  %r0 = shl i128 %q, 1
  %r = xor i128 %r0, %z
  %l = trunc i128 %r to i64
  %h0 = ashr i128 %r, 64
  %h = trunc i128 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @smulo_128(i64 %x, i64 %y) {
  %xs = sext i64 %x to i128
  %yz = zext i64 %y to i128
  %xh = shl i128 %xs, 42
  %a = xor i128 %xh, %yz
  %yh = shl i128 %yz, 1
  %b = add i128 %yh, %xs
  %p = call { i128, i1 } @llvm.smul.with.overflow.i128(i128 %a, i128 %b)
  %q = extractvalue { i128, i1 } %p, 0
  %o = extractvalue { i128, i1 } %p, 1
  %z = zext i1 %o to i128
  %r0 = shl i128 %q, 1
  %r = xor i128 %r0, %z
  %l = trunc i128 %r to i64
  %h0 = ashr i128 %r, 64
  %h = trunc i128 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @umulo_128(i64 %x, i64 %y) {
  %xs = sext i64 %x to i128
  %yz = zext i64 %y to i128
  %xh = shl i128 %xs, 42
  %a = xor i128 %xh, %yz
  %yh = shl i128 %yz, 1
  %b = add i128 %yh, %xs
  %p = call { i128, i1 } @llvm.umul.with.overflow.i128(i128 %a, i128 %b)
  %q = extractvalue { i128, i1 } %p, 0
  %o = extractvalue { i128, i1 } %p, 1
  %z = zext i1 %o to i128
  %r0 = shl i128 %q, 1
  %r = xor i128 %r0, %z
  %l = trunc i128 %r to i64
  %h0 = ashr i128 %r, 64
  %h = trunc i128 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @sadd.sat_128(i64 %x, i64 %y) {
  %xs = sext i64 %x to i128
  %yz = zext i64 %y to i128
  %xh = shl i128 %xs, 42
  %a = xor i128 %xh, %yz
  %yh = shl i128 %yz, 1
  %b = add i128 %yh, %xs
  %r = call i128 @llvm.sadd.sat.i128(i128 %a, i128 %b)
  %l = trunc i128 %r to i64
  %h0 = ashr i128 %r, 64
  %h = trunc i128 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @uadd.sat_128(i64 %x, i64 %y) {
  %xs = sext i64 %x to i128
  %yz = zext i64 %y to i128
  %xh = shl i128 %xs, 42
  %a = xor i128 %xh, %yz
  %yh = shl i128 %yz, 1
  %b = add i128 %yh, %xs
  %r = call i128 @llvm.uadd.sat.i128(i128 %a, i128 %b)
  %l = trunc i128 %r to i64
  %h0 = ashr i128 %r, 64
  %h = trunc i128 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @ssub.sat_128(i64 %x, i64 %y) {
  %xs = sext i64 %x to i128
  %yz = zext i64 %y to i128
  %xh = shl i128 %xs, 42
  %a = xor i128 %xh, %yz
  %yh = shl i128 %yz, 1
  %b = add i128 %yh, %xs
  %r = call i128 @llvm.ssub.sat.i128(i128 %a, i128 %b)
  %l = trunc i128 %r to i64
  %h0 = ashr i128 %r, 64
  %h = trunc i128 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @usub.sat_128(i64 %x, i64 %y) {
  %xs = sext i64 %x to i128
  %yz = zext i64 %y to i128
  %xh = shl i128 %xs, 42
  %a = xor i128 %xh, %yz
  %yh = shl i128 %yz, 1
  %b = add i128 %yh, %xs
  %r = call i128 @llvm.usub.sat.i128(i128 %a, i128 %b)
  %l = trunc i128 %r to i64
  %h0 = ashr i128 %r, 64
  %h = trunc i128 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @smax_128(i64 %x, i64 %y) {
  %xs = sext i64 %x to i128
  %yz = zext i64 %y to i128
  %xh = shl i128 %xs, 42
  %a = xor i128 %xh, %yz
  %yh = shl i128 %yz, 1
  %b = add i128 %yh, %xs
  %r = call i128 @llvm.smax.i128(i128 %a, i128 %b)
  %l = trunc i128 %r to i64
  %h0 = ashr i128 %r, 64
  %h = trunc i128 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @smin_128(i64 %x, i64 %y) {
  %xs = sext i64 %x to i128
  %yz = zext i64 %y to i128
  %xh = shl i128 %xs, 42
  %a = xor i128 %xh, %yz
  %yh = shl i128 %yz, 1
  %b = add i128 %yh, %xs
  %r = call i128 @llvm.smin.i128(i128 %a, i128 %b)
  %l = trunc i128 %r to i64
  %h0 = ashr i128 %r, 64
  %h = trunc i128 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @umax_128(i64 %x, i64 %y) {
  %xs = sext i64 %x to i128
  %yz = zext i64 %y to i128
  %xh = shl i128 %xs, 42
  %a = xor i128 %xh, %yz
  %yh = shl i128 %yz, 1
  %b = add i128 %yh, %xs
  %r = call i128 @llvm.umax.i128(i128 %a, i128 %b)
  %l = trunc i128 %r to i64
  %h0 = ashr i128 %r, 64
  %h = trunc i128 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @umin_128(i64 %x, i64 %y) {
  %xs = sext i64 %x to i128
  %yz = zext i64 %y to i128
  %xh = shl i128 %xs, 42
  %a = xor i128 %xh, %yz
  %yh = shl i128 %yz, 1
  %b = add i128 %yh, %xs
  %r = call i128 @llvm.umin.i128(i128 %a, i128 %b)
  %l = trunc i128 %r to i64
  %h0 = ashr i128 %r, 64
  %h = trunc i128 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @ctpop_128(i64 %x, i64 %y) {
  %xs = sext i64 %x to i128
  %yz = zext i64 %y to i128
  %xh = shl i128 %xs, 42
  %a = xor i128 %xh, %yz
  %yh = shl i128 %yz, 1
  %b = add i128 %yh, %xs
  %r = call i128 @llvm.ctpop.i128(i128 %a)
  %l = trunc i128 %r to i64
  %h0 = ashr i128 %r, 64
  %h = trunc i128 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @bitreverse_128(i64 %x, i64 %y) {
  %xs = sext i64 %x to i128
  %yz = zext i64 %y to i128
  %xh = shl i128 %xs, 42
  %a = xor i128 %xh, %yz
  %yh = shl i128 %yz, 1
  %b = add i128 %yh, %xs
  %r = call i128 @llvm.bitreverse.i128(i128 %a)
  %l = trunc i128 %r to i64
  %h0 = ashr i128 %r, 64
  %h = trunc i128 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @bswap_128(i64 %x, i64 %y) {
  %xs = sext i64 %x to i128
  %yz = zext i64 %y to i128
  %xh = shl i128 %xs, 42
  %a = xor i128 %xh, %yz
  %yh = shl i128 %yz, 1
  %b = add i128 %yh, %xs
  %r = call i128 @llvm.bswap.i128(i128 %a)
  %l = trunc i128 %r to i64
  %h0 = ashr i128 %r, 64
  %h = trunc i128 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @ctlz_128(i64 %x, i64 %y) {
  %xs = sext i64 %x to i128
  %yz = zext i64 %y to i128
  %xh = shl i128 %xs, 42
  %a = xor i128 %xh, %yz
  %yh = shl i128 %yz, 1
  %b = add i128 %yh, %xs
  %r = call i128 @llvm.ctlz.i128(i128 %a, i1 false)
  %l = trunc i128 %r to i64
  %h0 = ashr i128 %r, 64
  %h = trunc i128 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @cttz_128(i64 %x, i64 %y) {
  %xs = sext i64 %x to i128
  %yz = zext i64 %y to i128
  %xh = shl i128 %xs, 42
  %a = xor i128 %xh, %yz
  %yh = shl i128 %yz, 1
  %b = add i128 %yh, %xs
  %r = call i128 @llvm.cttz.i128(i128 %a, i1 false)
  %l = trunc i128 %r to i64
  %h0 = ashr i128 %r, 64
  %h = trunc i128 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @abs_128(i64 %x, i64 %y) {
  %xs = sext i64 %x to i128
  %yz = zext i64 %y to i128
  %xh = shl i128 %xs, 42
  %a = xor i128 %xh, %yz
  %yh = shl i128 %yz, 1
  %b = add i128 %yh, %xs
  %r = call i128 @llvm.abs.i128(i128 %a, i1 false)
  %l = trunc i128 %r to i64
  %h0 = ashr i128 %r, 64
  %h = trunc i128 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @fshl_128(i64 %x, i64 %y) {
  %xs = sext i64 %x to i128
  %yz = zext i64 %y to i128
  %xh = shl i128 %xs, 42
  %a = xor i128 %xh, %yz
  %yh = shl i128 %yz, 1
  %b = add i128 %yh, %xs
  %r = call i128 @llvm.fshl.i128(i128 %a, i128 %b, i128 %yz)
  %l = trunc i128 %r to i64
  %h0 = ashr i128 %r, 64
  %h = trunc i128 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @fshr_128(i64 %x, i64 %y) {
  %xs = sext i64 %x to i128
  %yz = zext i64 %y to i128
  %xh = shl i128 %xs, 42
  %a = xor i128 %xh, %yz
  %yh = shl i128 %yz, 1
  %b = add i128 %yh, %xs
  %r = call i128 @llvm.fshr.i128(i128 %a, i128 %b, i128 %yz)
  %l = trunc i128 %r to i64
  %h0 = ashr i128 %r, 64
  %h = trunc i128 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @switch_128(i64 %x, i64 %y) {
  %xs = sext i64 %x to i128
  %yz = zext i64 %y to i128
  %xh = shl i128 %xs, 42
  %a = xor i128 %xh, %yz
  %yh = shl i128 %yz, 1
  %b = add i128 %yh, %xs
  %c = icmp eq i128 %a, %b
  %r = zext i1 %c to i128
  %l = trunc i128 %r to i64
  %h0 = ashr i128 %r, 64
  %h = trunc i128 %h0 to i64
  %g = add i64 0, 0
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @smulo_40(i64 %x, i64 %y) {
  %a = trunc i64 %x to i40
  %b = trunc i64 %y to i40
  %p = call { i40, i1 } @llvm.smul.with.overflow.i40(i40 %a, i40 %b)
  %q = extractvalue { i40, i1 } %p, 0
  %o = extractvalue { i40, i1 } %p, 1
  %z = zext i1 %o to i64
  %s = sext i40 %q to i64
  %m = mul i64 %s, 3
  %e = xor i64 %m, %z
  ret i64 %e
}
define internal i64 @umulo_40(i64 %x, i64 %y) {
  %a = trunc i64 %x to i40
  %b = trunc i64 %y to i40
  %p = call { i40, i1 } @llvm.umul.with.overflow.i40(i40 %a, i40 %b)
  %q = extractvalue { i40, i1 } %p, 0
  %o = extractvalue { i40, i1 } %p, 1
  %z = zext i1 %o to i64
  %s = sext i40 %q to i64
  %m = mul i64 %s, 3
  %e = xor i64 %m, %z
  ret i64 %e
}
define internal i64 @saddo_40(i64 %x, i64 %y) {
  %a = trunc i64 %x to i40
  %b = trunc i64 %y to i40
  %p = call { i40, i1 } @llvm.sadd.with.overflow.i40(i40 %a, i40 %b)
  %q = extractvalue { i40, i1 } %p, 0
  %o = extractvalue { i40, i1 } %p, 1
  %z = zext i1 %o to i64
  %s = sext i40 %q to i64
  %m = mul i64 %s, 3
  %e = xor i64 %m, %z
  ret i64 %e
}
define internal i64 @usubo_40(i64 %x, i64 %y) {
  %a = trunc i64 %x to i40
  %b = trunc i64 %y to i40
  %p = call { i40, i1 } @llvm.usub.with.overflow.i40(i40 %a, i40 %b)
  %q = extractvalue { i40, i1 } %p, 0
  %o = extractvalue { i40, i1 } %p, 1
  %z = zext i1 %o to i64
  %s = sext i40 %q to i64
  %m = mul i64 %s, 3
  %e = xor i64 %m, %z
  ret i64 %e
}
define internal i64 @smulo_63(i64 %x, i64 %y) {
  %a = trunc i64 %x to i63
  %b = trunc i64 %y to i63
  %p = call { i63, i1 } @llvm.smul.with.overflow.i63(i63 %a, i63 %b)
  %q = extractvalue { i63, i1 } %p, 0
  %o = extractvalue { i63, i1 } %p, 1
  %z = zext i1 %o to i64
  %s = sext i63 %q to i64
  %m = mul i64 %s, 3
  %e = xor i64 %m, %z
  ret i64 %e
}
define internal i64 @umulo_63(i64 %x, i64 %y) {
  %a = trunc i64 %x to i63
  %b = trunc i64 %y to i63
  %p = call { i63, i1 } @llvm.umul.with.overflow.i63(i63 %a, i63 %b)
  %q = extractvalue { i63, i1 } %p, 0
  %o = extractvalue { i63, i1 } %p, 1
  %z = zext i1 %o to i64
  %s = sext i63 %q to i64
  %m = mul i64 %s, 3
  %e = xor i64 %m, %z
  ret i64 %e
}
define internal i64 @saddo_63(i64 %x, i64 %y) {
  %a = trunc i64 %x to i63
  %b = trunc i64 %y to i63
  %p = call { i63, i1 } @llvm.sadd.with.overflow.i63(i63 %a, i63 %b)
  %q = extractvalue { i63, i1 } %p, 0
  %o = extractvalue { i63, i1 } %p, 1
  %z = zext i1 %o to i64
  %s = sext i63 %q to i64
  %m = mul i64 %s, 3
  %e = xor i64 %m, %z
  ret i64 %e
}
define internal i64 @usubo_63(i64 %x, i64 %y) {
  %a = trunc i64 %x to i63
  %b = trunc i64 %y to i63
  %p = call { i63, i1 } @llvm.usub.with.overflow.i63(i63 %a, i63 %b)
  %q = extractvalue { i63, i1 } %p, 0
  %o = extractvalue { i63, i1 } %p, 1
  %z = zext i1 %o to i64
  %s = sext i63 %q to i64
  %m = mul i64 %s, 3
  %e = xor i64 %m, %z
  ret i64 %e
}
define internal i64 @add_129(i64 %x, i64 %y) {
  %xs = sext i64 %x to i129
  %yz = zext i64 %y to i129
  %xh = shl i129 %xs, 43
  %a = xor i129 %xh, %yz
  %yh = shl i129 %yz, 1
  %b = add i129 %yh, %xs
  %r = add i129 %a, %b
  %l = trunc i129 %r to i64
  %h0 = ashr i129 %r, 64
  %h = trunc i129 %h0 to i64
  %g0 = ashr i129 %r, 128
  %g = trunc i129 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @sub_129(i64 %x, i64 %y) {
  %xs = sext i64 %x to i129
  %yz = zext i64 %y to i129
  %xh = shl i129 %xs, 43
  %a = xor i129 %xh, %yz
  %yh = shl i129 %yz, 1
  %b = add i129 %yh, %xs
  %r = sub i129 %a, %b
  %l = trunc i129 %r to i64
  %h0 = ashr i129 %r, 64
  %h = trunc i129 %h0 to i64
  %g0 = ashr i129 %r, 128
  %g = trunc i129 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @mul_129(i64 %x, i64 %y) {
  %xs = sext i64 %x to i129
  %yz = zext i64 %y to i129
  %xh = shl i129 %xs, 43
  %a = xor i129 %xh, %yz
  %yh = shl i129 %yz, 1
  %b = add i129 %yh, %xs
  %r = mul i129 %a, %b
  %l = trunc i129 %r to i64
  %h0 = ashr i129 %r, 64
  %h = trunc i129 %h0 to i64
  %g0 = ashr i129 %r, 128
  %g = trunc i129 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @and_129(i64 %x, i64 %y) {
  %xs = sext i64 %x to i129
  %yz = zext i64 %y to i129
  %xh = shl i129 %xs, 43
  %a = xor i129 %xh, %yz
  %yh = shl i129 %yz, 1
  %b = add i129 %yh, %xs
  %r = and i129 %a, %b
  %l = trunc i129 %r to i64
  %h0 = ashr i129 %r, 64
  %h = trunc i129 %h0 to i64
  %g0 = ashr i129 %r, 128
  %g = trunc i129 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @or_129(i64 %x, i64 %y) {
  %xs = sext i64 %x to i129
  %yz = zext i64 %y to i129
  %xh = shl i129 %xs, 43
  %a = xor i129 %xh, %yz
  %yh = shl i129 %yz, 1
  %b = add i129 %yh, %xs
  %r = or i129 %a, %b
  %l = trunc i129 %r to i64
  %h0 = ashr i129 %r, 64
  %h = trunc i129 %h0 to i64
  %g0 = ashr i129 %r, 128
  %g = trunc i129 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @xor_129(i64 %x, i64 %y) {
  %xs = sext i64 %x to i129
  %yz = zext i64 %y to i129
  %xh = shl i129 %xs, 43
  %a = xor i129 %xh, %yz
  %yh = shl i129 %yz, 1
  %b = add i129 %yh, %xs
  %r = xor i129 %a, %b
  %l = trunc i129 %r to i64
  %h0 = ashr i129 %r, 64
  %h = trunc i129 %h0 to i64
  %g0 = ashr i129 %r, 128
  %g = trunc i129 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @shl_129(i64 %x, i64 %y) {
  %xs = sext i64 %x to i129
  %yz = zext i64 %y to i129
  %xh = shl i129 %xs, 43
  %a = xor i129 %xh, %yz
  %yh = shl i129 %yz, 1
  %b = add i129 %yh, %xs
  %c0 = and i129 %yz, 127
  %r = shl i129 %a, %c0
  %l = trunc i129 %r to i64
  %h0 = ashr i129 %r, 64
  %h = trunc i129 %h0 to i64
  %g0 = ashr i129 %r, 128
  %g = trunc i129 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @shlc_129(i64 %x, i64 %y) {
  %xs = sext i64 %x to i129
  %yz = zext i64 %y to i129
  %xh = shl i129 %xs, 43
  %a = xor i129 %xh, %yz
  %yh = shl i129 %yz, 1
  %b = add i129 %yh, %xs
  %s = shl i129 %a, 29
  %r = xor i129 %s, -618970019642690137449562112
  %l = trunc i129 %r to i64
  %h0 = ashr i129 %r, 64
  %h = trunc i129 %h0 to i64
  %g0 = ashr i129 %r, 128
  %g = trunc i129 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @lshr_129(i64 %x, i64 %y) {
  %xs = sext i64 %x to i129
  %yz = zext i64 %y to i129
  %xh = shl i129 %xs, 43
  %a = xor i129 %xh, %yz
  %yh = shl i129 %yz, 1
  %b = add i129 %yh, %xs
  %c0 = and i129 %yz, 127
  %r = lshr i129 %a, %c0
  %l = trunc i129 %r to i64
  %h0 = ashr i129 %r, 64
  %h = trunc i129 %h0 to i64
  %g0 = ashr i129 %r, 128
  %g = trunc i129 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @lshrc_129(i64 %x, i64 %y) {
  %xs = sext i64 %x to i129
  %yz = zext i64 %y to i129
  %xh = shl i129 %xs, 43
  %a = xor i129 %xh, %yz
  %yh = shl i129 %yz, 1
  %b = add i129 %yh, %xs
  %s = lshr i129 %a, 29
  %r = xor i129 %s, -618970019642690137449562112
  %l = trunc i129 %r to i64
  %h0 = ashr i129 %r, 64
  %h = trunc i129 %h0 to i64
  %g0 = ashr i129 %r, 128
  %g = trunc i129 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @ashr_129(i64 %x, i64 %y) {
  %xs = sext i64 %x to i129
  %yz = zext i64 %y to i129
  %xh = shl i129 %xs, 43
  %a = xor i129 %xh, %yz
  %yh = shl i129 %yz, 1
  %b = add i129 %yh, %xs
  %c0 = and i129 %yz, 127
  %r = ashr i129 %a, %c0
  %l = trunc i129 %r to i64
  %h0 = ashr i129 %r, 64
  %h = trunc i129 %h0 to i64
  %g0 = ashr i129 %r, 128
  %g = trunc i129 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @ashrc_129(i64 %x, i64 %y) {
  %xs = sext i64 %x to i129
  %yz = zext i64 %y to i129
  %xh = shl i129 %xs, 43
  %a = xor i129 %xh, %yz
  %yh = shl i129 %yz, 1
  %b = add i129 %yh, %xs
  %s = ashr i129 %a, 29
  %r = xor i129 %s, -618970019642690137449562112
  %l = trunc i129 %r to i64
  %h0 = ashr i129 %r, 64
  %h = trunc i129 %h0 to i64
  %g0 = ashr i129 %r, 128
  %g = trunc i129 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @eq_129(i64 %x, i64 %y) {
  %xs = sext i64 %x to i129
  %yz = zext i64 %y to i129
  %xh = shl i129 %xs, 43
  %a = xor i129 %xh, %yz
  %yh = shl i129 %yz, 1
  %b = add i129 %yh, %xs
  %c = icmp eq i129 %a, %b
  %r = sext i1 %c to i129
  %l = trunc i129 %r to i64
  %h0 = ashr i129 %r, 64
  %h = trunc i129 %h0 to i64
  %g0 = ashr i129 %r, 128
  %g = trunc i129 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @ne_129(i64 %x, i64 %y) {
  %xs = sext i64 %x to i129
  %yz = zext i64 %y to i129
  %xh = shl i129 %xs, 43
  %a = xor i129 %xh, %yz
  %yh = shl i129 %yz, 1
  %b = add i129 %yh, %xs
  %c = icmp ne i129 %a, %b
  %r = sext i1 %c to i129
  %l = trunc i129 %r to i64
  %h0 = ashr i129 %r, 64
  %h = trunc i129 %h0 to i64
  %g0 = ashr i129 %r, 128
  %g = trunc i129 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @ugt_129(i64 %x, i64 %y) {
  %xs = sext i64 %x to i129
  %yz = zext i64 %y to i129
  %xh = shl i129 %xs, 43
  %a = xor i129 %xh, %yz
  %yh = shl i129 %yz, 1
  %b = add i129 %yh, %xs
  %c = icmp ugt i129 %a, %b
  %r = sext i1 %c to i129
  %l = trunc i129 %r to i64
  %h0 = ashr i129 %r, 64
  %h = trunc i129 %h0 to i64
  %g0 = ashr i129 %r, 128
  %g = trunc i129 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @uge_129(i64 %x, i64 %y) {
  %xs = sext i64 %x to i129
  %yz = zext i64 %y to i129
  %xh = shl i129 %xs, 43
  %a = xor i129 %xh, %yz
  %yh = shl i129 %yz, 1
  %b = add i129 %yh, %xs
  %c = icmp uge i129 %a, %b
  %r = sext i1 %c to i129
  %l = trunc i129 %r to i64
  %h0 = ashr i129 %r, 64
  %h = trunc i129 %h0 to i64
  %g0 = ashr i129 %r, 128
  %g = trunc i129 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @ult_129(i64 %x, i64 %y) {
  %xs = sext i64 %x to i129
  %yz = zext i64 %y to i129
  %xh = shl i129 %xs, 43
  %a = xor i129 %xh, %yz
  %yh = shl i129 %yz, 1
  %b = add i129 %yh, %xs
  %c = icmp ult i129 %a, %b
  %r = sext i1 %c to i129
  %l = trunc i129 %r to i64
  %h0 = ashr i129 %r, 64
  %h = trunc i129 %h0 to i64
  %g0 = ashr i129 %r, 128
  %g = trunc i129 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @ule_129(i64 %x, i64 %y) {
  %xs = sext i64 %x to i129
  %yz = zext i64 %y to i129
  %xh = shl i129 %xs, 43
  %a = xor i129 %xh, %yz
  %yh = shl i129 %yz, 1
  %b = add i129 %yh, %xs
  %c = icmp ule i129 %a, %b
  %r = sext i1 %c to i129
  %l = trunc i129 %r to i64
  %h0 = ashr i129 %r, 64
  %h = trunc i129 %h0 to i64
  %g0 = ashr i129 %r, 128
  %g = trunc i129 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @sgt_129(i64 %x, i64 %y) {
  %xs = sext i64 %x to i129
  %yz = zext i64 %y to i129
  %xh = shl i129 %xs, 43
  %a = xor i129 %xh, %yz
  %yh = shl i129 %yz, 1
  %b = add i129 %yh, %xs
  %c = icmp sgt i129 %a, %b
  %r = sext i1 %c to i129
  %l = trunc i129 %r to i64
  %h0 = ashr i129 %r, 64
  %h = trunc i129 %h0 to i64
  %g0 = ashr i129 %r, 128
  %g = trunc i129 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @sge_129(i64 %x, i64 %y) {
  %xs = sext i64 %x to i129
  %yz = zext i64 %y to i129
  %xh = shl i129 %xs, 43
  %a = xor i129 %xh, %yz
  %yh = shl i129 %yz, 1
  %b = add i129 %yh, %xs
  %c = icmp sge i129 %a, %b
  %r = sext i1 %c to i129
  %l = trunc i129 %r to i64
  %h0 = ashr i129 %r, 64
  %h = trunc i129 %h0 to i64
  %g0 = ashr i129 %r, 128
  %g = trunc i129 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @slt_129(i64 %x, i64 %y) {
  %xs = sext i64 %x to i129
  %yz = zext i64 %y to i129
  %xh = shl i129 %xs, 43
  %a = xor i129 %xh, %yz
  %yh = shl i129 %yz, 1
  %b = add i129 %yh, %xs
  %c = icmp slt i129 %a, %b
  %r = sext i1 %c to i129
  %l = trunc i129 %r to i64
  %h0 = ashr i129 %r, 64
  %h = trunc i129 %h0 to i64
  %g0 = ashr i129 %r, 128
  %g = trunc i129 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @sle_129(i64 %x, i64 %y) {
  %xs = sext i64 %x to i129
  %yz = zext i64 %y to i129
  %xh = shl i129 %xs, 43
  %a = xor i129 %xh, %yz
  %yh = shl i129 %yz, 1
  %b = add i129 %yh, %xs
  %c = icmp sle i129 %a, %b
  %r = sext i1 %c to i129
  %l = trunc i129 %r to i64
  %h0 = ashr i129 %r, 64
  %h = trunc i129 %h0 to i64
  %g0 = ashr i129 %r, 128
  %g = trunc i129 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @smax_129(i64 %x, i64 %y) {
  %xs = sext i64 %x to i129
  %yz = zext i64 %y to i129
  %xh = shl i129 %xs, 43
  %a = xor i129 %xh, %yz
  %yh = shl i129 %yz, 1
  %b = add i129 %yh, %xs
  %r = call i129 @llvm.smax.i129(i129 %a, i129 %b)
  %l = trunc i129 %r to i64
  %h0 = ashr i129 %r, 64
  %h = trunc i129 %h0 to i64
  %g0 = ashr i129 %r, 128
  %g = trunc i129 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @umin_129(i64 %x, i64 %y) {
  %xs = sext i64 %x to i129
  %yz = zext i64 %y to i129
  %xh = shl i129 %xs, 43
  %a = xor i129 %xh, %yz
  %yh = shl i129 %yz, 1
  %b = add i129 %yh, %xs
  %r = call i129 @llvm.umin.i129(i129 %a, i129 %b)
  %l = trunc i129 %r to i64
  %h0 = ashr i129 %r, 64
  %h = trunc i129 %h0 to i64
  %g0 = ashr i129 %r, 128
  %g = trunc i129 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
@place129 = internal global { i8, i129 } { i8 1, i129 340279863765433470221773291859782125607 }
define internal i64 @memory_129(i64 %x, i64 %y) {
  %xs = sext i64 %x to i129
  %yz = zext i64 %y to i129
  %xh = shl i129 %xs, 43
  %a = xor i129 %xh, %yz
  %yh = shl i129 %yz, 1
  %b = add i129 %yh, %xs
  %p = getelementptr { i8, i129 }, ptr @place129, i32 0, i32 1
  %o = load i129, ptr %p
  store i129 %a, ptr %p
  %n = load i129, ptr %p
  store i129 %b, ptr %p
  %r = xor i129 %o, %n
  %l = trunc i129 %r to i64
  %h0 = ashr i129 %r, 64
  %h = trunc i129 %h0 to i64
  %g0 = ashr i129 %r, 128
  %g = trunc i129 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @add_200(i64 %x, i64 %y) {
  %xs = sext i64 %x to i200
  %yz = zext i64 %y to i200
  %xh = shl i200 %xs, 66
  %a = xor i200 %xh, %yz
  %yh = shl i200 %yz, 1
  %b = add i200 %yh, %xs
  %r = add i200 %a, %b
  %l = trunc i200 %r to i64
  %h0 = ashr i200 %r, 64
  %h = trunc i200 %h0 to i64
  %g0 = ashr i200 %r, 128
  %g = trunc i200 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @sub_200(i64 %x, i64 %y) {
  %xs = sext i64 %x to i200
  %yz = zext i64 %y to i200
  %xh = shl i200 %xs, 66
  %a = xor i200 %xh, %yz
  %yh = shl i200 %yz, 1
  %b = add i200 %yh, %xs
  %r = sub i200 %a, %b
  %l = trunc i200 %r to i64
  %h0 = ashr i200 %r, 64
  %h = trunc i200 %h0 to i64
  %g0 = ashr i200 %r, 128
  %g = trunc i200 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @mul_200(i64 %x, i64 %y) {
  %xs = sext i64 %x to i200
  %yz = zext i64 %y to i200
  %xh = shl i200 %xs, 66
  %a = xor i200 %xh, %yz
  %yh = shl i200 %yz, 1
  %b = add i200 %yh, %xs
  %r = mul i200 %a, %b
  %l = trunc i200 %r to i64
  %h0 = ashr i200 %r, 64
  %h = trunc i200 %h0 to i64
  %g0 = ashr i200 %r, 128
  %g = trunc i200 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @and_200(i64 %x, i64 %y) {
  %xs = sext i64 %x to i200
  %yz = zext i64 %y to i200
  %xh = shl i200 %xs, 66
  %a = xor i200 %xh, %yz
  %yh = shl i200 %yz, 1
  %b = add i200 %yh, %xs
  %r = and i200 %a, %b
  %l = trunc i200 %r to i64
  %h0 = ashr i200 %r, 64
  %h = trunc i200 %h0 to i64
  %g0 = ashr i200 %r, 128
  %g = trunc i200 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @or_200(i64 %x, i64 %y) {
  %xs = sext i64 %x to i200
  %yz = zext i64 %y to i200
  %xh = shl i200 %xs, 66
  %a = xor i200 %xh, %yz
  %yh = shl i200 %yz, 1
  %b = add i200 %yh, %xs
  %r = or i200 %a, %b
  %l = trunc i200 %r to i64
  %h0 = ashr i200 %r, 64
  %h = trunc i200 %h0 to i64
  %g0 = ashr i200 %r, 128
  %g = trunc i200 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @xor_200(i64 %x, i64 %y) {
  %xs = sext i64 %x to i200
  %yz = zext i64 %y to i200
  %xh = shl i200 %xs, 66
  %a = xor i200 %xh, %yz
  %yh = shl i200 %yz, 1
  %b = add i200 %yh, %xs
  %r = xor i200 %a, %b
  %l = trunc i200 %r to i64
  %h0 = ashr i200 %r, 64
  %h = trunc i200 %h0 to i64
  %g0 = ashr i200 %r, 128
  %g = trunc i200 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @shl_200(i64 %x, i64 %y) {
  %xs = sext i64 %x to i200
  %yz = zext i64 %y to i200
  %xh = shl i200 %xs, 66
  %a = xor i200 %xh, %yz
  %yh = shl i200 %yz, 1
  %b = add i200 %yh, %xs
  %c0 = and i200 %yz, 127
  %r = shl i200 %a, %c0
  %l = trunc i200 %r to i64
  %h0 = ashr i200 %r, 64
  %h = trunc i200 %h0 to i64
  %g0 = ashr i200 %r, 128
  %g = trunc i200 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @shlc_200(i64 %x, i64 %y) {
  %xs = sext i64 %x to i200
  %yz = zext i64 %y to i200
  %xh = shl i200 %xs, 66
  %a = xor i200 %xh, %yz
  %yh = shl i200 %yz, 1
  %b = add i200 %yh, %xs
  %s = shl i200 %a, 100
  %r = xor i200 %s, -1461501637330902918203684832716283019655932542976
  %l = trunc i200 %r to i64
  %h0 = ashr i200 %r, 64
  %h = trunc i200 %h0 to i64
  %g0 = ashr i200 %r, 128
  %g = trunc i200 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @lshr_200(i64 %x, i64 %y) {
  %xs = sext i64 %x to i200
  %yz = zext i64 %y to i200
  %xh = shl i200 %xs, 66
  %a = xor i200 %xh, %yz
  %yh = shl i200 %yz, 1
  %b = add i200 %yh, %xs
  %c0 = and i200 %yz, 127
  %r = lshr i200 %a, %c0
  %l = trunc i200 %r to i64
  %h0 = ashr i200 %r, 64
  %h = trunc i200 %h0 to i64
  %g0 = ashr i200 %r, 128
  %g = trunc i200 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @lshrc_200(i64 %x, i64 %y) {
  %xs = sext i64 %x to i200
  %yz = zext i64 %y to i200
  %xh = shl i200 %xs, 66
  %a = xor i200 %xh, %yz
  %yh = shl i200 %yz, 1
  %b = add i200 %yh, %xs
  %s = lshr i200 %a, 100
  %r = xor i200 %s, -1461501637330902918203684832716283019655932542976
  %l = trunc i200 %r to i64
  %h0 = ashr i200 %r, 64
  %h = trunc i200 %h0 to i64
  %g0 = ashr i200 %r, 128
  %g = trunc i200 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @ashr_200(i64 %x, i64 %y) {
  %xs = sext i64 %x to i200
  %yz = zext i64 %y to i200
  %xh = shl i200 %xs, 66
  %a = xor i200 %xh, %yz
  %yh = shl i200 %yz, 1
  %b = add i200 %yh, %xs
  %c0 = and i200 %yz, 127
  %r = ashr i200 %a, %c0
  %l = trunc i200 %r to i64
  %h0 = ashr i200 %r, 64
  %h = trunc i200 %h0 to i64
  %g0 = ashr i200 %r, 128
  %g = trunc i200 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @ashrc_200(i64 %x, i64 %y) {
  %xs = sext i64 %x to i200
  %yz = zext i64 %y to i200
  %xh = shl i200 %xs, 66
  %a = xor i200 %xh, %yz
  %yh = shl i200 %yz, 1
  %b = add i200 %yh, %xs
  %s = ashr i200 %a, 100
  %r = xor i200 %s, -1461501637330902918203684832716283019655932542976
  %l = trunc i200 %r to i64
  %h0 = ashr i200 %r, 64
  %h = trunc i200 %h0 to i64
  %g0 = ashr i200 %r, 128
  %g = trunc i200 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @eq_200(i64 %x, i64 %y) {
  %xs = sext i64 %x to i200
  %yz = zext i64 %y to i200
  %xh = shl i200 %xs, 66
  %a = xor i200 %xh, %yz
  %yh = shl i200 %yz, 1
  %b = add i200 %yh, %xs
  %c = icmp eq i200 %a, %b
  %r = sext i1 %c to i200
  %l = trunc i200 %r to i64
  %h0 = ashr i200 %r, 64
  %h = trunc i200 %h0 to i64
  %g0 = ashr i200 %r, 128
  %g = trunc i200 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @ne_200(i64 %x, i64 %y) {
  %xs = sext i64 %x to i200
  %yz = zext i64 %y to i200
  %xh = shl i200 %xs, 66
  %a = xor i200 %xh, %yz
  %yh = shl i200 %yz, 1
  %b = add i200 %yh, %xs
  %c = icmp ne i200 %a, %b
  %r = sext i1 %c to i200
  %l = trunc i200 %r to i64
  %h0 = ashr i200 %r, 64
  %h = trunc i200 %h0 to i64
  %g0 = ashr i200 %r, 128
  %g = trunc i200 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @ugt_200(i64 %x, i64 %y) {
  %xs = sext i64 %x to i200
  %yz = zext i64 %y to i200
  %xh = shl i200 %xs, 66
  %a = xor i200 %xh, %yz
  %yh = shl i200 %yz, 1
  %b = add i200 %yh, %xs
  %c = icmp ugt i200 %a, %b
  %r = sext i1 %c to i200
  %l = trunc i200 %r to i64
  %h0 = ashr i200 %r, 64
  %h = trunc i200 %h0 to i64
  %g0 = ashr i200 %r, 128
  %g = trunc i200 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @uge_200(i64 %x, i64 %y) {
  %xs = sext i64 %x to i200
  %yz = zext i64 %y to i200
  %xh = shl i200 %xs, 66
  %a = xor i200 %xh, %yz
  %yh = shl i200 %yz, 1
  %b = add i200 %yh, %xs
  %c = icmp uge i200 %a, %b
  %r = sext i1 %c to i200
  %l = trunc i200 %r to i64
  %h0 = ashr i200 %r, 64
  %h = trunc i200 %h0 to i64
  %g0 = ashr i200 %r, 128
  %g = trunc i200 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @ult_200(i64 %x, i64 %y) {
  %xs = sext i64 %x to i200
  %yz = zext i64 %y to i200
  %xh = shl i200 %xs, 66
  %a = xor i200 %xh, %yz
  %yh = shl i200 %yz, 1
  %b = add i200 %yh, %xs
  %c = icmp ult i200 %a, %b
  %r = sext i1 %c to i200
  %l = trunc i200 %r to i64
  %h0 = ashr i200 %r, 64
  %h = trunc i200 %h0 to i64
  %g0 = ashr i200 %r, 128
  %g = trunc i200 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @ule_200(i64 %x, i64 %y) {
  %xs = sext i64 %x to i200
  %yz = zext i64 %y to i200
  %xh = shl i200 %xs, 66
  %a = xor i200 %xh, %yz
  %yh = shl i200 %yz, 1
  %b = add i200 %yh, %xs
  %c = icmp ule i200 %a, %b
  %r = sext i1 %c to i200
  %l = trunc i200 %r to i64
  %h0 = ashr i200 %r, 64
  %h = trunc i200 %h0 to i64
  %g0 = ashr i200 %r, 128
  %g = trunc i200 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @sgt_200(i64 %x, i64 %y) {
  %xs = sext i64 %x to i200
  %yz = zext i64 %y to i200
  %xh = shl i200 %xs, 66
  %a = xor i200 %xh, %yz
  %yh = shl i200 %yz, 1
  %b = add i200 %yh, %xs
  %c = icmp sgt i200 %a, %b
  %r = sext i1 %c to i200
  %l = trunc i200 %r to i64
  %h0 = ashr i200 %r, 64
  %h = trunc i200 %h0 to i64
  %g0 = ashr i200 %r, 128
  %g = trunc i200 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @sge_200(i64 %x, i64 %y) {
  %xs = sext i64 %x to i200
  %yz = zext i64 %y to i200
  %xh = shl i200 %xs, 66
  %a = xor i200 %xh, %yz
  %yh = shl i200 %yz, 1
  %b = add i200 %yh, %xs
  %c = icmp sge i200 %a, %b
  %r = sext i1 %c to i200
  %l = trunc i200 %r to i64
  %h0 = ashr i200 %r, 64
  %h = trunc i200 %h0 to i64
  %g0 = ashr i200 %r, 128
  %g = trunc i200 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @slt_200(i64 %x, i64 %y) {
  %xs = sext i64 %x to i200
  %yz = zext i64 %y to i200
  %xh = shl i200 %xs, 66
  %a = xor i200 %xh, %yz
  %yh = shl i200 %yz, 1
  %b = add i200 %yh, %xs
  %c = icmp slt i200 %a, %b
  %r = sext i1 %c to i200
  %l = trunc i200 %r to i64
  %h0 = ashr i200 %r, 64
  %h = trunc i200 %h0 to i64
  %g0 = ashr i200 %r, 128
  %g = trunc i200 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @sle_200(i64 %x, i64 %y) {
  %xs = sext i64 %x to i200
  %yz = zext i64 %y to i200
  %xh = shl i200 %xs, 66
  %a = xor i200 %xh, %yz
  %yh = shl i200 %yz, 1
  %b = add i200 %yh, %xs
  %c = icmp sle i200 %a, %b
  %r = sext i1 %c to i200
  %l = trunc i200 %r to i64
  %h0 = ashr i200 %r, 64
  %h = trunc i200 %h0 to i64
  %g0 = ashr i200 %r, 128
  %g = trunc i200 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @smax_200(i64 %x, i64 %y) {
  %xs = sext i64 %x to i200
  %yz = zext i64 %y to i200
  %xh = shl i200 %xs, 66
  %a = xor i200 %xh, %yz
  %yh = shl i200 %yz, 1
  %b = add i200 %yh, %xs
  %r = call i200 @llvm.smax.i200(i200 %a, i200 %b)
  %l = trunc i200 %r to i64
  %h0 = ashr i200 %r, 64
  %h = trunc i200 %h0 to i64
  %g0 = ashr i200 %r, 128
  %g = trunc i200 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @umin_200(i64 %x, i64 %y) {
  %xs = sext i64 %x to i200
  %yz = zext i64 %y to i200
  %xh = shl i200 %xs, 66
  %a = xor i200 %xh, %yz
  %yh = shl i200 %yz, 1
  %b = add i200 %yh, %xs
  %r = call i200 @llvm.umin.i200(i200 %a, i200 %b)
  %l = trunc i200 %r to i64
  %h0 = ashr i200 %r, 64
  %h = trunc i200 %h0 to i64
  %g0 = ashr i200 %r, 128
  %g = trunc i200 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
@place200 = internal global { i8, i200 } { i8 1, i200 803469022129495137770981043667425796267859895575824431564839 }
define internal i64 @memory_200(i64 %x, i64 %y) {
  %xs = sext i64 %x to i200
  %yz = zext i64 %y to i200
  %xh = shl i200 %xs, 66
  %a = xor i200 %xh, %yz
  %yh = shl i200 %yz, 1
  %b = add i200 %yh, %xs
  %p = getelementptr { i8, i200 }, ptr @place200, i32 0, i32 1
  %o = load i200, ptr %p
  store i200 %a, ptr %p
  %n = load i200, ptr %p
  store i200 %b, ptr %p
  %r = xor i200 %o, %n
  %l = trunc i200 %r to i64
  %h0 = ashr i200 %r, 64
  %h = trunc i200 %h0 to i64
  %g0 = ashr i200 %r, 128
  %g = trunc i200 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @add_256(i64 %x, i64 %y) {
  %xs = sext i64 %x to i256
  %yz = zext i64 %y to i256
  %xh = shl i256 %xs, 85
  %a = xor i256 %xh, %yz
  %yh = shl i256 %yz, 1
  %b = add i256 %yh, %xs
  %r = add i256 %a, %b
  %l = trunc i256 %r to i64
  %h0 = ashr i256 %r, 64
  %h = trunc i256 %h0 to i64
  %g0 = ashr i256 %r, 128
  %g = trunc i256 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @sub_256(i64 %x, i64 %y) {
  %xs = sext i64 %x to i256
  %yz = zext i64 %y to i256
  %xh = shl i256 %xs, 85
  %a = xor i256 %xh, %yz
  %yh = shl i256 %yz, 1
  %b = add i256 %yh, %xs
  %r = sub i256 %a, %b
  %l = trunc i256 %r to i64
  %h0 = ashr i256 %r, 64
  %h = trunc i256 %h0 to i64
  %g0 = ashr i256 %r, 128
  %g = trunc i256 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @mul_256(i64 %x, i64 %y) {
  %xs = sext i64 %x to i256
  %yz = zext i64 %y to i256
  %xh = shl i256 %xs, 85
  %a = xor i256 %xh, %yz
  %yh = shl i256 %yz, 1
  %b = add i256 %yh, %xs
  %r = mul i256 %a, %b
  %l = trunc i256 %r to i64
  %h0 = ashr i256 %r, 64
  %h = trunc i256 %h0 to i64
  %g0 = ashr i256 %r, 128
  %g = trunc i256 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @and_256(i64 %x, i64 %y) {
  %xs = sext i64 %x to i256
  %yz = zext i64 %y to i256
  %xh = shl i256 %xs, 85
  %a = xor i256 %xh, %yz
  %yh = shl i256 %yz, 1
  %b = add i256 %yh, %xs
  %r = and i256 %a, %b
  %l = trunc i256 %r to i64
  %h0 = ashr i256 %r, 64
  %h = trunc i256 %h0 to i64
  %g0 = ashr i256 %r, 128
  %g = trunc i256 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @or_256(i64 %x, i64 %y) {
  %xs = sext i64 %x to i256
  %yz = zext i64 %y to i256
  %xh = shl i256 %xs, 85
  %a = xor i256 %xh, %yz
  %yh = shl i256 %yz, 1
  %b = add i256 %yh, %xs
  %r = or i256 %a, %b
  %l = trunc i256 %r to i64
  %h0 = ashr i256 %r, 64
  %h = trunc i256 %h0 to i64
  %g0 = ashr i256 %r, 128
  %g = trunc i256 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @xor_256(i64 %x, i64 %y) {
  %xs = sext i64 %x to i256
  %yz = zext i64 %y to i256
  %xh = shl i256 %xs, 85
  %a = xor i256 %xh, %yz
  %yh = shl i256 %yz, 1
  %b = add i256 %yh, %xs
  %r = xor i256 %a, %b
  %l = trunc i256 %r to i64
  %h0 = ashr i256 %r, 64
  %h = trunc i256 %h0 to i64
  %g0 = ashr i256 %r, 128
  %g = trunc i256 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @shl_256(i64 %x, i64 %y) {
  %xs = sext i64 %x to i256
  %yz = zext i64 %y to i256
  %xh = shl i256 %xs, 85
  %a = xor i256 %xh, %yz
  %yh = shl i256 %yz, 1
  %b = add i256 %yh, %xs
  %c0 = and i256 %yz, 127
  %r = shl i256 %a, %c0
  %l = trunc i256 %r to i64
  %h0 = ashr i256 %r, 64
  %h = trunc i256 %h0 to i64
  %g0 = ashr i256 %r, 128
  %g = trunc i256 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @shlc_256(i64 %x, i64 %y) {
  %xs = sext i64 %x to i256
  %yz = zext i64 %y to i256
  %xh = shl i256 %xs, 85
  %a = xor i256 %xh, %yz
  %yh = shl i256 %yz, 1
  %b = add i256 %yh, %xs
  %s = shl i256 %a, 156
  %r = xor i256 %s, -105312291668557186697918027683670432318895095400549111254310977536
  %l = trunc i256 %r to i64
  %h0 = ashr i256 %r, 64
  %h = trunc i256 %h0 to i64
  %g0 = ashr i256 %r, 128
  %g = trunc i256 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @lshr_256(i64 %x, i64 %y) {
  %xs = sext i64 %x to i256
  %yz = zext i64 %y to i256
  %xh = shl i256 %xs, 85
  %a = xor i256 %xh, %yz
  %yh = shl i256 %yz, 1
  %b = add i256 %yh, %xs
  %c0 = and i256 %yz, 127
  %r = lshr i256 %a, %c0
  %l = trunc i256 %r to i64
  %h0 = ashr i256 %r, 64
  %h = trunc i256 %h0 to i64
  %g0 = ashr i256 %r, 128
  %g = trunc i256 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @lshrc_256(i64 %x, i64 %y) {
  %xs = sext i64 %x to i256
  %yz = zext i64 %y to i256
  %xh = shl i256 %xs, 85
  %a = xor i256 %xh, %yz
  %yh = shl i256 %yz, 1
  %b = add i256 %yh, %xs
  %s = lshr i256 %a, 156
  %r = xor i256 %s, -105312291668557186697918027683670432318895095400549111254310977536
  %l = trunc i256 %r to i64
  %h0 = ashr i256 %r, 64
  %h = trunc i256 %h0 to i64
  %g0 = ashr i256 %r, 128
  %g = trunc i256 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @ashr_256(i64 %x, i64 %y) {
  %xs = sext i64 %x to i256
  %yz = zext i64 %y to i256
  %xh = shl i256 %xs, 85
  %a = xor i256 %xh, %yz
  %yh = shl i256 %yz, 1
  %b = add i256 %yh, %xs
  %c0 = and i256 %yz, 127
  %r = ashr i256 %a, %c0
  %l = trunc i256 %r to i64
  %h0 = ashr i256 %r, 64
  %h = trunc i256 %h0 to i64
  %g0 = ashr i256 %r, 128
  %g = trunc i256 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @ashrc_256(i64 %x, i64 %y) {
  %xs = sext i64 %x to i256
  %yz = zext i64 %y to i256
  %xh = shl i256 %xs, 85
  %a = xor i256 %xh, %yz
  %yh = shl i256 %yz, 1
  %b = add i256 %yh, %xs
  %s = ashr i256 %a, 156
  %r = xor i256 %s, -105312291668557186697918027683670432318895095400549111254310977536
  %l = trunc i256 %r to i64
  %h0 = ashr i256 %r, 64
  %h = trunc i256 %h0 to i64
  %g0 = ashr i256 %r, 128
  %g = trunc i256 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @eq_256(i64 %x, i64 %y) {
  %xs = sext i64 %x to i256
  %yz = zext i64 %y to i256
  %xh = shl i256 %xs, 85
  %a = xor i256 %xh, %yz
  %yh = shl i256 %yz, 1
  %b = add i256 %yh, %xs
  %c = icmp eq i256 %a, %b
  %r = sext i1 %c to i256
  %l = trunc i256 %r to i64
  %h0 = ashr i256 %r, 64
  %h = trunc i256 %h0 to i64
  %g0 = ashr i256 %r, 128
  %g = trunc i256 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @ne_256(i64 %x, i64 %y) {
  %xs = sext i64 %x to i256
  %yz = zext i64 %y to i256
  %xh = shl i256 %xs, 85
  %a = xor i256 %xh, %yz
  %yh = shl i256 %yz, 1
  %b = add i256 %yh, %xs
  %c = icmp ne i256 %a, %b
  %r = sext i1 %c to i256
  %l = trunc i256 %r to i64
  %h0 = ashr i256 %r, 64
  %h = trunc i256 %h0 to i64
  %g0 = ashr i256 %r, 128
  %g = trunc i256 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @ugt_256(i64 %x, i64 %y) {
  %xs = sext i64 %x to i256
  %yz = zext i64 %y to i256
  %xh = shl i256 %xs, 85
  %a = xor i256 %xh, %yz
  %yh = shl i256 %yz, 1
  %b = add i256 %yh, %xs
  %c = icmp ugt i256 %a, %b
  %r = sext i1 %c to i256
  %l = trunc i256 %r to i64
  %h0 = ashr i256 %r, 64
  %h = trunc i256 %h0 to i64
  %g0 = ashr i256 %r, 128
  %g = trunc i256 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @uge_256(i64 %x, i64 %y) {
  %xs = sext i64 %x to i256
  %yz = zext i64 %y to i256
  %xh = shl i256 %xs, 85
  %a = xor i256 %xh, %yz
  %yh = shl i256 %yz, 1
  %b = add i256 %yh, %xs
  %c = icmp uge i256 %a, %b
  %r = sext i1 %c to i256
  %l = trunc i256 %r to i64
  %h0 = ashr i256 %r, 64
  %h = trunc i256 %h0 to i64
  %g0 = ashr i256 %r, 128
  %g = trunc i256 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @ult_256(i64 %x, i64 %y) {
  %xs = sext i64 %x to i256
  %yz = zext i64 %y to i256
  %xh = shl i256 %xs, 85
  %a = xor i256 %xh, %yz
  %yh = shl i256 %yz, 1
  %b = add i256 %yh, %xs
  %c = icmp ult i256 %a, %b
  %r = sext i1 %c to i256
  %l = trunc i256 %r to i64
  %h0 = ashr i256 %r, 64
  %h = trunc i256 %h0 to i64
  %g0 = ashr i256 %r, 128
  %g = trunc i256 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @ule_256(i64 %x, i64 %y) {
  %xs = sext i64 %x to i256
  %yz = zext i64 %y to i256
  %xh = shl i256 %xs, 85
  %a = xor i256 %xh, %yz
  %yh = shl i256 %yz, 1
  %b = add i256 %yh, %xs
  %c = icmp ule i256 %a, %b
  %r = sext i1 %c to i256
  %l = trunc i256 %r to i64
  %h0 = ashr i256 %r, 64
  %h = trunc i256 %h0 to i64
  %g0 = ashr i256 %r, 128
  %g = trunc i256 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @sgt_256(i64 %x, i64 %y) {
  %xs = sext i64 %x to i256
  %yz = zext i64 %y to i256
  %xh = shl i256 %xs, 85
  %a = xor i256 %xh, %yz
  %yh = shl i256 %yz, 1
  %b = add i256 %yh, %xs
  %c = icmp sgt i256 %a, %b
  %r = sext i1 %c to i256
  %l = trunc i256 %r to i64
  %h0 = ashr i256 %r, 64
  %h = trunc i256 %h0 to i64
  %g0 = ashr i256 %r, 128
  %g = trunc i256 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @sge_256(i64 %x, i64 %y) {
  %xs = sext i64 %x to i256
  %yz = zext i64 %y to i256
  %xh = shl i256 %xs, 85
  %a = xor i256 %xh, %yz
  %yh = shl i256 %yz, 1
  %b = add i256 %yh, %xs
  %c = icmp sge i256 %a, %b
  %r = sext i1 %c to i256
  %l = trunc i256 %r to i64
  %h0 = ashr i256 %r, 64
  %h = trunc i256 %h0 to i64
  %g0 = ashr i256 %r, 128
  %g = trunc i256 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @slt_256(i64 %x, i64 %y) {
  %xs = sext i64 %x to i256
  %yz = zext i64 %y to i256
  %xh = shl i256 %xs, 85
  %a = xor i256 %xh, %yz
  %yh = shl i256 %yz, 1
  %b = add i256 %yh, %xs
  %c = icmp slt i256 %a, %b
  %r = sext i1 %c to i256
  %l = trunc i256 %r to i64
  %h0 = ashr i256 %r, 64
  %h = trunc i256 %h0 to i64
  %g0 = ashr i256 %r, 128
  %g = trunc i256 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @sle_256(i64 %x, i64 %y) {
  %xs = sext i64 %x to i256
  %yz = zext i64 %y to i256
  %xh = shl i256 %xs, 85
  %a = xor i256 %xh, %yz
  %yh = shl i256 %yz, 1
  %b = add i256 %yh, %xs
  %c = icmp sle i256 %a, %b
  %r = sext i1 %c to i256
  %l = trunc i256 %r to i64
  %h0 = ashr i256 %r, 64
  %h = trunc i256 %h0 to i64
  %g0 = ashr i256 %r, 128
  %g = trunc i256 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @smax_256(i64 %x, i64 %y) {
  %xs = sext i64 %x to i256
  %yz = zext i64 %y to i256
  %xh = shl i256 %xs, 85
  %a = xor i256 %xh, %yz
  %yh = shl i256 %yz, 1
  %b = add i256 %yh, %xs
  %r = call i256 @llvm.smax.i256(i256 %a, i256 %b)
  %l = trunc i256 %r to i64
  %h0 = ashr i256 %r, 64
  %h = trunc i256 %h0 to i64
  %g0 = ashr i256 %r, 128
  %g = trunc i256 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @umin_256(i64 %x, i64 %y) {
  %xs = sext i64 %x to i256
  %yz = zext i64 %y to i256
  %xh = shl i256 %xs, 85
  %a = xor i256 %xh, %yz
  %yh = shl i256 %yz, 1
  %b = add i256 %yh, %xs
  %r = call i256 @llvm.umin.i256(i256 %a, i256 %b)
  %l = trunc i256 %r to i64
  %h0 = ashr i256 %r, 64
  %h = trunc i256 %h0 to i64
  %g0 = ashr i256 %r, 128
  %g = trunc i256 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
@place256 = internal global { i8, i256 } { i8 1, i256 57896044618658097711785492504343953926634989829664777026487190688384578734119 }
define internal i64 @memory_256(i64 %x, i64 %y) {
  %xs = sext i64 %x to i256
  %yz = zext i64 %y to i256
  %xh = shl i256 %xs, 85
  %a = xor i256 %xh, %yz
  %yh = shl i256 %yz, 1
  %b = add i256 %yh, %xs
  %p = getelementptr { i8, i256 }, ptr @place256, i32 0, i32 1
  %o = load i256, ptr %p
  store i256 %a, ptr %p
  %n = load i256, ptr %p
  store i256 %b, ptr %p
  %r = xor i256 %o, %n
  %l = trunc i256 %r to i64
  %h0 = ashr i256 %r, 64
  %h = trunc i256 %h0 to i64
  %g0 = ashr i256 %r, 128
  %g = trunc i256 %g0 to i64
  %hm = mul i64 %h, 5
  %gm = mul i64 %g, 7
  %e0 = xor i64 %l, %hm
  %e = xor i64 %e0, %gm
  ret i64 %e
}
define internal i64 @digest(ptr %f) {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i1, %next ]
  %hash = phi i64 [ -3750763034362895579, %entry ], [ %hash2, %next ]
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %j1, %inner ]
  %hash1 = phi i64 [ %hash, %outer ], [ %hash2, %inner ]
  %px = getelementptr i64, ptr @values, i64 %i
  %x = load i64, ptr %px
  %py = getelementptr i64, ptr @values, i64 %j
  %y = load i64, ptr %py
  %v = call i64 %f(i64 %x, i64 %y)
  %m = xor i64 %hash1, %v
  %hash2 = mul i64 %m, 1099511628211
  %j1 = add i64 %j, 1
  %c = icmp ult i64 %j1, 13
  br i1 %c, label %inner, label %next
next:
  %i1 = add i64 %i, 1
  %d = icmp ult i64 %i1, 13
  br i1 %d, label %outer, label %done
done:
  ret i64 %hash2
}
@name.abs = internal constant [4 x i8] c"abs\00"
@name.add = internal constant [4 x i8] c"add\00"
@name.and = internal constant [4 x i8] c"and\00"
@name.ashr = internal constant [5 x i8] c"ashr\00"
@name.ashrc = internal constant [6 x i8] c"ashrc\00"
@name.bitreverse = internal constant [11 x i8] c"bitreverse\00"
@name.bswap = internal constant [6 x i8] c"bswap\00"
@name.ctlz = internal constant [5 x i8] c"ctlz\00"
@name.ctpop = internal constant [6 x i8] c"ctpop\00"
@name.cttz = internal constant [5 x i8] c"cttz\00"
@name.eq = internal constant [3 x i8] c"eq\00"
@name.fshl = internal constant [5 x i8] c"fshl\00"
@name.fshr = internal constant [5 x i8] c"fshr\00"
@name.lshr = internal constant [5 x i8] c"lshr\00"
@name.lshrc = internal constant [6 x i8] c"lshrc\00"
@name.memory = internal constant [7 x i8] c"memory\00"
@name.mul = internal constant [4 x i8] c"mul\00"
@name.ne = internal constant [3 x i8] c"ne\00"
@name.or = internal constant [3 x i8] c"or\00"
@name.sadd.sat = internal constant [9 x i8] c"sadd.sat\00"
@name.saddo = internal constant [6 x i8] c"saddo\00"
@name.sge = internal constant [4 x i8] c"sge\00"
@name.sgt = internal constant [4 x i8] c"sgt\00"
@name.shl = internal constant [4 x i8] c"shl\00"
@name.shlc = internal constant [5 x i8] c"shlc\00"
@name.sle = internal constant [4 x i8] c"sle\00"
@name.slt = internal constant [4 x i8] c"slt\00"
@name.smax = internal constant [5 x i8] c"smax\00"
@name.smin = internal constant [5 x i8] c"smin\00"
@name.smulo = internal constant [6 x i8] c"smulo\00"
@name.ssub.sat = internal constant [9 x i8] c"ssub.sat\00"
@name.ssubo = internal constant [6 x i8] c"ssubo\00"
@name.sub = internal constant [4 x i8] c"sub\00"
@name.switch = internal constant [7 x i8] c"switch\00"
@name.uadd.sat = internal constant [9 x i8] c"uadd.sat\00"
@name.uaddo = internal constant [6 x i8] c"uaddo\00"
@name.uge = internal constant [4 x i8] c"uge\00"
@name.ugt = internal constant [4 x i8] c"ugt\00"
@name.ule = internal constant [4 x i8] c"ule\00"
@name.ult = internal constant [4 x i8] c"ult\00"
@name.umax = internal constant [5 x i8] c"umax\00"
@name.umin = internal constant [5 x i8] c"umin\00"
@name.umulo = internal constant [6 x i8] c"umulo\00"
@name.usub.sat = internal constant [9 x i8] c"usub.sat\00"
@name.usubo = internal constant [6 x i8] c"usubo\00"
@name.xor = internal constant [4 x i8] c"xor\00"
declare i100 @llvm.abs.i100(i100, i1)
declare i100 @llvm.bitreverse.i100(i100)
declare i100 @llvm.ctlz.i100(i100, i1)
declare i100 @llvm.ctpop.i100(i100)
declare i100 @llvm.cttz.i100(i100, i1)
declare i100 @llvm.fshl.i100(i100, i100, i100)
declare i100 @llvm.fshr.i100(i100, i100, i100)
declare i100 @llvm.sadd.sat.i100(i100, i100)
declare i100 @llvm.smax.i100(i100, i100)
declare i100 @llvm.smin.i100(i100, i100)
declare i100 @llvm.ssub.sat.i100(i100, i100)
declare i100 @llvm.uadd.sat.i100(i100, i100)
declare i100 @llvm.umax.i100(i100, i100)
declare i100 @llvm.umin.i100(i100, i100)
declare i100 @llvm.usub.sat.i100(i100, i100)
declare i128 @llvm.abs.i128(i128, i1)
declare i128 @llvm.bitreverse.i128(i128)
declare i128 @llvm.bswap.i128(i128)
declare i128 @llvm.ctlz.i128(i128, i1)
declare i128 @llvm.ctpop.i128(i128)
declare i128 @llvm.cttz.i128(i128, i1)
declare i128 @llvm.fshl.i128(i128, i128, i128)
declare i128 @llvm.fshr.i128(i128, i128, i128)
declare i128 @llvm.sadd.sat.i128(i128, i128)
declare i128 @llvm.smax.i128(i128, i128)
declare i128 @llvm.smin.i128(i128, i128)
declare i128 @llvm.ssub.sat.i128(i128, i128)
declare i128 @llvm.uadd.sat.i128(i128, i128)
declare i128 @llvm.umax.i128(i128, i128)
declare i128 @llvm.umin.i128(i128, i128)
declare i128 @llvm.usub.sat.i128(i128, i128)
declare i129 @llvm.smax.i129(i129, i129)
declare i129 @llvm.umin.i129(i129, i129)
declare i200 @llvm.smax.i200(i200, i200)
declare i200 @llvm.umin.i200(i200, i200)
declare i256 @llvm.smax.i256(i256, i256)
declare i256 @llvm.umin.i256(i256, i256)
declare i65 @llvm.abs.i65(i65, i1)
declare i65 @llvm.bitreverse.i65(i65)
declare i65 @llvm.ctlz.i65(i65, i1)
declare i65 @llvm.ctpop.i65(i65)
declare i65 @llvm.cttz.i65(i65, i1)
declare i65 @llvm.fshl.i65(i65, i65, i65)
declare i65 @llvm.fshr.i65(i65, i65, i65)
declare i65 @llvm.sadd.sat.i65(i65, i65)
declare i65 @llvm.smax.i65(i65, i65)
declare i65 @llvm.smin.i65(i65, i65)
declare i65 @llvm.ssub.sat.i65(i65, i65)
declare i65 @llvm.uadd.sat.i65(i65, i65)
declare i65 @llvm.umax.i65(i65, i65)
declare i65 @llvm.umin.i65(i65, i65)
declare i65 @llvm.usub.sat.i65(i65, i65)
declare { i100, i1 } @llvm.sadd.with.overflow.i100(i100, i100)
declare { i100, i1 } @llvm.smul.with.overflow.i100(i100, i100)
declare { i100, i1 } @llvm.ssub.with.overflow.i100(i100, i100)
declare { i100, i1 } @llvm.uadd.with.overflow.i100(i100, i100)
declare { i100, i1 } @llvm.umul.with.overflow.i100(i100, i100)
declare { i100, i1 } @llvm.usub.with.overflow.i100(i100, i100)
declare { i128, i1 } @llvm.sadd.with.overflow.i128(i128, i128)
declare { i128, i1 } @llvm.smul.with.overflow.i128(i128, i128)
declare { i128, i1 } @llvm.ssub.with.overflow.i128(i128, i128)
declare { i128, i1 } @llvm.uadd.with.overflow.i128(i128, i128)
declare { i128, i1 } @llvm.umul.with.overflow.i128(i128, i128)
declare { i128, i1 } @llvm.usub.with.overflow.i128(i128, i128)
declare { i40, i1 } @llvm.sadd.with.overflow.i40(i40, i40)
declare { i40, i1 } @llvm.smul.with.overflow.i40(i40, i40)
declare { i40, i1 } @llvm.umul.with.overflow.i40(i40, i40)
declare { i40, i1 } @llvm.usub.with.overflow.i40(i40, i40)
declare { i63, i1 } @llvm.sadd.with.overflow.i63(i63, i63)
declare { i63, i1 } @llvm.smul.with.overflow.i63(i63, i63)
declare { i63, i1 } @llvm.umul.with.overflow.i63(i63, i63)
declare { i63, i1 } @llvm.usub.with.overflow.i63(i63, i63)
declare { i65, i1 } @llvm.sadd.with.overflow.i65(i65, i65)
declare { i65, i1 } @llvm.smul.with.overflow.i65(i65, i65)
declare { i65, i1 } @llvm.ssub.with.overflow.i65(i65, i65)
declare { i65, i1 } @llvm.uadd.with.overflow.i65(i65, i65)
declare { i65, i1 } @llvm.umul.with.overflow.i65(i65, i65)
declare { i65, i1 } @llvm.usub.with.overflow.i65(i65, i65)
define i32 @main() {
  %d0 = call i64 @digest(ptr @saddo_65)
  %p0 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.saddo, i32 65, i64 %d0)
  %d1 = call i64 @digest(ptr @uaddo_65)
  %p1 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.uaddo, i32 65, i64 %d1)
  %d2 = call i64 @digest(ptr @ssubo_65)
  %p2 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ssubo, i32 65, i64 %d2)
  %d3 = call i64 @digest(ptr @usubo_65)
  %p3 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.usubo, i32 65, i64 %d3)
  %d4 = call i64 @digest(ptr @smulo_65)
  %p4 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.smulo, i32 65, i64 %d4)
  %d5 = call i64 @digest(ptr @umulo_65)
  %p5 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.umulo, i32 65, i64 %d5)
  %d6 = call i64 @digest(ptr @sadd.sat_65)
  %p6 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sadd.sat, i32 65, i64 %d6)
  %d7 = call i64 @digest(ptr @uadd.sat_65)
  %p7 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.uadd.sat, i32 65, i64 %d7)
  %d8 = call i64 @digest(ptr @ssub.sat_65)
  %p8 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ssub.sat, i32 65, i64 %d8)
  %d9 = call i64 @digest(ptr @usub.sat_65)
  %p9 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.usub.sat, i32 65, i64 %d9)
  %d10 = call i64 @digest(ptr @smax_65)
  %p10 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.smax, i32 65, i64 %d10)
  %d11 = call i64 @digest(ptr @smin_65)
  %p11 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.smin, i32 65, i64 %d11)
  %d12 = call i64 @digest(ptr @umax_65)
  %p12 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.umax, i32 65, i64 %d12)
  %d13 = call i64 @digest(ptr @umin_65)
  %p13 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.umin, i32 65, i64 %d13)
  %d14 = call i64 @digest(ptr @ctpop_65)
  %p14 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ctpop, i32 65, i64 %d14)
  %d15 = call i64 @digest(ptr @bitreverse_65)
  %p15 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.bitreverse, i32 65, i64 %d15)
  %d16 = call i64 @digest(ptr @ctlz_65)
  %p16 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ctlz, i32 65, i64 %d16)
  %d17 = call i64 @digest(ptr @cttz_65)
  %p17 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.cttz, i32 65, i64 %d17)
  %d18 = call i64 @digest(ptr @abs_65)
  %p18 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.abs, i32 65, i64 %d18)
  %d19 = call i64 @digest(ptr @fshl_65)
  %p19 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.fshl, i32 65, i64 %d19)
  %d20 = call i64 @digest(ptr @fshr_65)
  %p20 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.fshr, i32 65, i64 %d20)
  %d21 = call i64 @digest(ptr @switch_65)
  %p21 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.switch, i32 65, i64 %d21)
  %d22 = call i64 @digest(ptr @saddo_100)
  %p22 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.saddo, i32 100, i64 %d22)
  %d23 = call i64 @digest(ptr @uaddo_100)
  %p23 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.uaddo, i32 100, i64 %d23)
  %d24 = call i64 @digest(ptr @ssubo_100)
  %p24 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ssubo, i32 100, i64 %d24)
  %d25 = call i64 @digest(ptr @usubo_100)
  %p25 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.usubo, i32 100, i64 %d25)
  %d26 = call i64 @digest(ptr @smulo_100)
  %p26 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.smulo, i32 100, i64 %d26)
  %d27 = call i64 @digest(ptr @umulo_100)
  %p27 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.umulo, i32 100, i64 %d27)
  %d28 = call i64 @digest(ptr @sadd.sat_100)
  %p28 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sadd.sat, i32 100, i64 %d28)
  %d29 = call i64 @digest(ptr @uadd.sat_100)
  %p29 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.uadd.sat, i32 100, i64 %d29)
  %d30 = call i64 @digest(ptr @ssub.sat_100)
  %p30 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ssub.sat, i32 100, i64 %d30)
  %d31 = call i64 @digest(ptr @usub.sat_100)
  %p31 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.usub.sat, i32 100, i64 %d31)
  %d32 = call i64 @digest(ptr @smax_100)
  %p32 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.smax, i32 100, i64 %d32)
  %d33 = call i64 @digest(ptr @smin_100)
  %p33 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.smin, i32 100, i64 %d33)
  %d34 = call i64 @digest(ptr @umax_100)
  %p34 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.umax, i32 100, i64 %d34)
  %d35 = call i64 @digest(ptr @umin_100)
  %p35 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.umin, i32 100, i64 %d35)
  %d36 = call i64 @digest(ptr @ctpop_100)
  %p36 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ctpop, i32 100, i64 %d36)
  %d37 = call i64 @digest(ptr @bitreverse_100)
  %p37 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.bitreverse, i32 100, i64 %d37)
  %d38 = call i64 @digest(ptr @ctlz_100)
  %p38 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ctlz, i32 100, i64 %d38)
  %d39 = call i64 @digest(ptr @cttz_100)
  %p39 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.cttz, i32 100, i64 %d39)
  %d40 = call i64 @digest(ptr @abs_100)
  %p40 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.abs, i32 100, i64 %d40)
  %d41 = call i64 @digest(ptr @fshl_100)
  %p41 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.fshl, i32 100, i64 %d41)
  %d42 = call i64 @digest(ptr @fshr_100)
  %p42 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.fshr, i32 100, i64 %d42)
  %d43 = call i64 @digest(ptr @switch_100)
  %p43 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.switch, i32 100, i64 %d43)
  %d44 = call i64 @digest(ptr @saddo_128)
  %p44 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.saddo, i32 128, i64 %d44)
  %d45 = call i64 @digest(ptr @uaddo_128)
  %p45 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.uaddo, i32 128, i64 %d45)
  %d46 = call i64 @digest(ptr @ssubo_128)
  %p46 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ssubo, i32 128, i64 %d46)
  %d47 = call i64 @digest(ptr @usubo_128)
  %p47 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.usubo, i32 128, i64 %d47)
  %d48 = call i64 @digest(ptr @smulo_128)
  %p48 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.smulo, i32 128, i64 %d48)
  %d49 = call i64 @digest(ptr @umulo_128)
  %p49 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.umulo, i32 128, i64 %d49)
  %d50 = call i64 @digest(ptr @sadd.sat_128)
  %p50 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sadd.sat, i32 128, i64 %d50)
  %d51 = call i64 @digest(ptr @uadd.sat_128)
  %p51 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.uadd.sat, i32 128, i64 %d51)
  %d52 = call i64 @digest(ptr @ssub.sat_128)
  %p52 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ssub.sat, i32 128, i64 %d52)
  %d53 = call i64 @digest(ptr @usub.sat_128)
  %p53 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.usub.sat, i32 128, i64 %d53)
  %d54 = call i64 @digest(ptr @smax_128)
  %p54 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.smax, i32 128, i64 %d54)
  %d55 = call i64 @digest(ptr @smin_128)
  %p55 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.smin, i32 128, i64 %d55)
  %d56 = call i64 @digest(ptr @umax_128)
  %p56 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.umax, i32 128, i64 %d56)
  %d57 = call i64 @digest(ptr @umin_128)
  %p57 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.umin, i32 128, i64 %d57)
  %d58 = call i64 @digest(ptr @ctpop_128)
  %p58 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ctpop, i32 128, i64 %d58)
  %d59 = call i64 @digest(ptr @bitreverse_128)
  %p59 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.bitreverse, i32 128, i64 %d59)
  %d60 = call i64 @digest(ptr @bswap_128)
  %p60 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.bswap, i32 128, i64 %d60)
  %d61 = call i64 @digest(ptr @ctlz_128)
  %p61 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ctlz, i32 128, i64 %d61)
  %d62 = call i64 @digest(ptr @cttz_128)
  %p62 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.cttz, i32 128, i64 %d62)
  %d63 = call i64 @digest(ptr @abs_128)
  %p63 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.abs, i32 128, i64 %d63)
  %d64 = call i64 @digest(ptr @fshl_128)
  %p64 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.fshl, i32 128, i64 %d64)
  %d65 = call i64 @digest(ptr @fshr_128)
  %p65 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.fshr, i32 128, i64 %d65)
  %d66 = call i64 @digest(ptr @switch_128)
  %p66 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.switch, i32 128, i64 %d66)
  %d67 = call i64 @digest(ptr @smulo_40)
  %p67 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.smulo, i32 40, i64 %d67)
  %d68 = call i64 @digest(ptr @umulo_40)
  %p68 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.umulo, i32 40, i64 %d68)
  %d69 = call i64 @digest(ptr @saddo_40)
  %p69 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.saddo, i32 40, i64 %d69)
  %d70 = call i64 @digest(ptr @usubo_40)
  %p70 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.usubo, i32 40, i64 %d70)
  %d71 = call i64 @digest(ptr @smulo_63)
  %p71 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.smulo, i32 63, i64 %d71)
  %d72 = call i64 @digest(ptr @umulo_63)
  %p72 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.umulo, i32 63, i64 %d72)
  %d73 = call i64 @digest(ptr @saddo_63)
  %p73 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.saddo, i32 63, i64 %d73)
  %d74 = call i64 @digest(ptr @usubo_63)
  %p74 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.usubo, i32 63, i64 %d74)
  %d75 = call i64 @digest(ptr @add_129)
  %p75 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.add, i32 129, i64 %d75)
  %d76 = call i64 @digest(ptr @sub_129)
  %p76 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sub, i32 129, i64 %d76)
  %d77 = call i64 @digest(ptr @mul_129)
  %p77 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.mul, i32 129, i64 %d77)
  %d78 = call i64 @digest(ptr @and_129)
  %p78 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.and, i32 129, i64 %d78)
  %d79 = call i64 @digest(ptr @or_129)
  %p79 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.or, i32 129, i64 %d79)
  %d80 = call i64 @digest(ptr @xor_129)
  %p80 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.xor, i32 129, i64 %d80)
  %d81 = call i64 @digest(ptr @shl_129)
  %p81 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.shl, i32 129, i64 %d81)
  %d82 = call i64 @digest(ptr @shlc_129)
  %p82 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.shlc, i32 129, i64 %d82)
  %d83 = call i64 @digest(ptr @lshr_129)
  %p83 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.lshr, i32 129, i64 %d83)
  %d84 = call i64 @digest(ptr @lshrc_129)
  %p84 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.lshrc, i32 129, i64 %d84)
  %d85 = call i64 @digest(ptr @ashr_129)
  %p85 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ashr, i32 129, i64 %d85)
  %d86 = call i64 @digest(ptr @ashrc_129)
  %p86 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ashrc, i32 129, i64 %d86)
  %d87 = call i64 @digest(ptr @eq_129)
  %p87 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.eq, i32 129, i64 %d87)
  %d88 = call i64 @digest(ptr @ne_129)
  %p88 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ne, i32 129, i64 %d88)
  %d89 = call i64 @digest(ptr @ugt_129)
  %p89 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ugt, i32 129, i64 %d89)
  %d90 = call i64 @digest(ptr @uge_129)
  %p90 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.uge, i32 129, i64 %d90)
  %d91 = call i64 @digest(ptr @ult_129)
  %p91 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ult, i32 129, i64 %d91)
  %d92 = call i64 @digest(ptr @ule_129)
  %p92 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ule, i32 129, i64 %d92)
  %d93 = call i64 @digest(ptr @sgt_129)
  %p93 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sgt, i32 129, i64 %d93)
  %d94 = call i64 @digest(ptr @sge_129)
  %p94 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sge, i32 129, i64 %d94)
  %d95 = call i64 @digest(ptr @slt_129)
  %p95 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.slt, i32 129, i64 %d95)
  %d96 = call i64 @digest(ptr @sle_129)
  %p96 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sle, i32 129, i64 %d96)
  %d97 = call i64 @digest(ptr @smax_129)
  %p97 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.smax, i32 129, i64 %d97)
  %d98 = call i64 @digest(ptr @umin_129)
  %p98 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.umin, i32 129, i64 %d98)
  %d99 = call i64 @digest(ptr @memory_129)
  %p99 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.memory, i32 129, i64 %d99)
  %d100 = call i64 @digest(ptr @add_200)
  %p100 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.add, i32 200, i64 %d100)
  %d101 = call i64 @digest(ptr @sub_200)
  %p101 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sub, i32 200, i64 %d101)
  %d102 = call i64 @digest(ptr @mul_200)
  %p102 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.mul, i32 200, i64 %d102)
  %d103 = call i64 @digest(ptr @and_200)
  %p103 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.and, i32 200, i64 %d103)
  %d104 = call i64 @digest(ptr @or_200)
  %p104 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.or, i32 200, i64 %d104)
  %d105 = call i64 @digest(ptr @xor_200)
  %p105 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.xor, i32 200, i64 %d105)
  %d106 = call i64 @digest(ptr @shl_200)
  %p106 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.shl, i32 200, i64 %d106)
  %d107 = call i64 @digest(ptr @shlc_200)
  %p107 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.shlc, i32 200, i64 %d107)
  %d108 = call i64 @digest(ptr @lshr_200)
  %p108 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.lshr, i32 200, i64 %d108)
  %d109 = call i64 @digest(ptr @lshrc_200)
  %p109 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.lshrc, i32 200, i64 %d109)
  %d110 = call i64 @digest(ptr @ashr_200)
  %p110 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ashr, i32 200, i64 %d110)
  %d111 = call i64 @digest(ptr @ashrc_200)
  %p111 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ashrc, i32 200, i64 %d111)
  %d112 = call i64 @digest(ptr @eq_200)
  %p112 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.eq, i32 200, i64 %d112)
  %d113 = call i64 @digest(ptr @ne_200)
  %p113 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ne, i32 200, i64 %d113)
  %d114 = call i64 @digest(ptr @ugt_200)
  %p114 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ugt, i32 200, i64 %d114)
  %d115 = call i64 @digest(ptr @uge_200)
  %p115 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.uge, i32 200, i64 %d115)
  %d116 = call i64 @digest(ptr @ult_200)
  %p116 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ult, i32 200, i64 %d116)
  %d117 = call i64 @digest(ptr @ule_200)
  %p117 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ule, i32 200, i64 %d117)
  %d118 = call i64 @digest(ptr @sgt_200)
  %p118 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sgt, i32 200, i64 %d118)
  %d119 = call i64 @digest(ptr @sge_200)
  %p119 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sge, i32 200, i64 %d119)
  %d120 = call i64 @digest(ptr @slt_200)
  %p120 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.slt, i32 200, i64 %d120)
  %d121 = call i64 @digest(ptr @sle_200)
  %p121 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sle, i32 200, i64 %d121)
  %d122 = call i64 @digest(ptr @smax_200)
  %p122 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.smax, i32 200, i64 %d122)
  %d123 = call i64 @digest(ptr @umin_200)
  %p123 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.umin, i32 200, i64 %d123)
  %d124 = call i64 @digest(ptr @memory_200)
  %p124 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.memory, i32 200, i64 %d124)
  %d125 = call i64 @digest(ptr @add_256)
  %p125 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.add, i32 256, i64 %d125)
  %d126 = call i64 @digest(ptr @sub_256)
  %p126 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sub, i32 256, i64 %d126)
  %d127 = call i64 @digest(ptr @mul_256)
  %p127 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.mul, i32 256, i64 %d127)
  %d128 = call i64 @digest(ptr @and_256)
  %p128 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.and, i32 256, i64 %d128)
  %d129 = call i64 @digest(ptr @or_256)
  %p129 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.or, i32 256, i64 %d129)
  %d130 = call i64 @digest(ptr @xor_256)
  %p130 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.xor, i32 256, i64 %d130)
  %d131 = call i64 @digest(ptr @shl_256)
  %p131 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.shl, i32 256, i64 %d131)
  %d132 = call i64 @digest(ptr @shlc_256)
  %p132 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.shlc, i32 256, i64 %d132)
  %d133 = call i64 @digest(ptr @lshr_256)
  %p133 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.lshr, i32 256, i64 %d133)
  %d134 = call i64 @digest(ptr @lshrc_256)
  %p134 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.lshrc, i32 256, i64 %d134)
  %d135 = call i64 @digest(ptr @ashr_256)
  %p135 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ashr, i32 256, i64 %d135)
  %d136 = call i64 @digest(ptr @ashrc_256)
  %p136 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ashrc, i32 256, i64 %d136)
  %d137 = call i64 @digest(ptr @eq_256)
  %p137 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.eq, i32 256, i64 %d137)
  %d138 = call i64 @digest(ptr @ne_256)
  %p138 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ne, i32 256, i64 %d138)
  %d139 = call i64 @digest(ptr @ugt_256)
  %p139 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ugt, i32 256, i64 %d139)
  %d140 = call i64 @digest(ptr @uge_256)
  %p140 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.uge, i32 256, i64 %d140)
  %d141 = call i64 @digest(ptr @ult_256)
  %p141 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ult, i32 256, i64 %d141)
  %d142 = call i64 @digest(ptr @ule_256)
  %p142 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ule, i32 256, i64 %d142)
  %d143 = call i64 @digest(ptr @sgt_256)
  %p143 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sgt, i32 256, i64 %d143)
  %d144 = call i64 @digest(ptr @sge_256)
  %p144 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sge, i32 256, i64 %d144)
  %d145 = call i64 @digest(ptr @slt_256)
  %p145 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.slt, i32 256, i64 %d145)
  %d146 = call i64 @digest(ptr @sle_256)
  %p146 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sle, i32 256, i64 %d146)
  %d147 = call i64 @digest(ptr @smax_256)
  %p147 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.smax, i32 256, i64 %d147)
  %d148 = call i64 @digest(ptr @umin_256)
  %p148 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.umin, i32 256, i64 %d148)
  %d149 = call i64 @digest(ptr @memory_256)
  %p149 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.memory, i32 256, i64 %d149)
  ret i32 0
}
