; test import
; Operations on integers of odd widths.
; What is printed: for each width and operation a digest of the results for 26 times 26 operands.
; out: add i7 215c23bcf4e5ee1b
; out: sub i7 9f0e07cfa1b16d2b
; out: mul i7 5d497b96d62389f3
; out: udiv i7 58c19a209f191d9f
; out: sdiv i7 380977c335b839ab
; out: urem i7 63037581cfcaf2cb
; out: srem i7 deffda241d94db9f
; out: shl i7 f04bdb1745ec0673
; out: lshr i7 873fcc387a15ee01
; out: ashr i7 7030ad02c1751f61
; out: and i7 e695566779eed2db
; out: or i7 cc3cb4309f7a3773
; out: xor i7 cb89d4bdb805be2b
; out: eq i7 091a2920aac37aab
; out: ne i7 512adf3374327a6b
; out: ugt i7 e2cc6c175102e34b
; out: uge i7 dd8f57cf55517223
; out: ult i7 70a6d8504d9ba5a3
; out: ule i7 ec00086a94e7ebbb
; out: sgt i7 58a29d763a13a453
; out: sge i7 fcabe802231f928b
; out: slt i7 97e617429a21866b
; out: sle i7 1fb402567c5b1c03
; out: add i24 9eb756ee69cbb41b
; out: sub i24 c40b30ba0138892b
; out: mul i24 94892937cf3222f3
; out: udiv i24 f54c7ea8feb15c03
; out: sdiv i24 29fee96dd1db70d9
; out: urem i24 5a6e20605b76141b
; out: srem i24 e646c2ffb57a9761
; out: shl i24 8fe1fcea3714ef43
; out: lshr i24 cdbf253616327c6d
; out: ashr i24 9fa5c63791977a0d
; out: and i24 e5814c7f74bf725b
; out: or i24 5edbae1fef8284f3
; out: xor i24 c8443dc5bac8672b
; out: eq i24 0355d77732c468e3
; out: ne i24 2b4013c35250c923
; out: ugt i24 2f6c02a9af65bacb
; out: uge i24 9fe3205a1d4e48db
; out: ult i24 09744d3d4ab83abb
; out: ule i24 af3af2fe68fcc23b
; out: sgt i24 3a1530587e5fadf3
; out: sge i24 2209c6da5e6af6d3
; out: slt i24 ff0ab0fee29e84d3
; out: sle i24 fa7f8cc735106e23
; out: add i33 87e9ca41fdcbb41b
; out: sub i33 9e2a9517d938892b
; out: mul i33 dd8ede638e3222f3
; out: udiv i33 367bb9af771cc0c9
; out: sdiv i33 ee29122c8f19f84f
; out: urem i33 048a6a0c42e6f4e1
; out: srem i33 09534919ba2d482b
; out: shl i33 4fab625b19606403
; out: lshr i33 49e6407e0c837701
; out: ashr i33 97d53b06e0247e21
; out: and i33 b96a5a4e5bbf725b
; out: or i33 5d697bff588284f3
; out: xor i33 938499a9f6c8672b
; out: eq i33 83a974d623f077b3
; out: ne i33 a8d6b0205c9d10a3
; out: ugt i33 c4567caccde240ef
; out: uge i33 9a0c1d95314aebef
; out: ult i33 16541e976bd3952f
; out: ule i33 a279f89bfe9d078f
; out: sgt i33 f2ec73acb5df7857
; out: sge i33 484e89eb5562e957
; out: slt i33 7c4d7195ab172c17
; out: sle i33 cb902224c2e2e497
; out: add i48 40563cf3fdcbb41b
; out: sub i48 d96c90e9d938892b
; out: mul i48 cfa34ed58e3222f3
; out: udiv i48 8fc3388b356a1a9d
; out: sdiv i48 25c0d2087ae62d45
; out: urem i48 a145b1941cfa4951
; out: srem i48 9956c88eaf70dd95
; out: shl i48 b2353e6a2d485753
; out: lshr i48 91be87b1846037d3
; out: ashr i48 4b41bae4001437d3
; out: and i48 160bc29c5bbf725b
; out: or i48 ff2f75d9588284f3
; out: xor i48 40d56759f6c8672b
; out: eq i48 83a974d623f077b3
; out: ne i48 a8d6b0205c9d10a3
; out: ugt i48 a9d0a80454407abf
; out: uge i48 a9ce1f928b03a9bf
; out: ult i48 f18a2a949d42f8ff
; out: ule i48 1624711a58e14e5f
; out: sgt i48 51c4fe147647f43f
; out: sge i48 06b8de1fd6c9d78f
; out: slt i48 bc49d920664b920f
; out: sle i48 8cfbc8e00df08a7f
@values = internal constant [26 x i64] [i64 0, i64 1, i64 2, i64 3, i64 5, i64 7, i64 -1, i64 -2, i64 -7, i64 100, i64 127, i64 128, i64 -128, i64 255, i64 256, i64 32767, i64 -32768, i64 65535, i64 2147483647, i64 -2147483648, i64 4294967295, i64 81985529216486895, i64 -81985529216486895, i64 9223372036854775807, i64 -9223372036854775808, i64 6148914691236517205]
@format = internal constant [18 x i8] c"%s i%d %016llx\0A\00\00\00"
declare i32 @printf(ptr, ...)

define internal i64 @add_7(i64 %x, i64 %y) {
  %a = trunc i64 %x to i7
  %b = trunc i64 %y to i7
  %d = add i7 %b, 0
  %r = add i7 %a, %d
  %s = sext i7 %r to i64
  %z = zext i7 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sub_7(i64 %x, i64 %y) {
  %a = trunc i64 %x to i7
  %b = trunc i64 %y to i7
  %d = add i7 %b, 0
  %r = sub i7 %a, %d
  %s = sext i7 %r to i64
  %z = zext i7 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @mul_7(i64 %x, i64 %y) {
  %a = trunc i64 %x to i7
  %b = trunc i64 %y to i7
  %d = add i7 %b, 0
  %r = mul i7 %a, %d
  %s = sext i7 %r to i64
  %z = zext i7 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @udiv_7(i64 %x, i64 %y) {
  %a = trunc i64 %x to i7
  %b = trunc i64 %y to i7
  %d = or i7 %b, 1
  %r = udiv i7 %a, %d
  %s = sext i7 %r to i64
  %z = zext i7 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sdiv_7(i64 %x, i64 %y) {
  %a = trunc i64 %x to i7
  %b = trunc i64 %y to i7
  %c = and i7 %b, 31
  %d = or i7 %c, 1
  %r = sdiv i7 %a, %d
  %s = sext i7 %r to i64
  %z = zext i7 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @urem_7(i64 %x, i64 %y) {
  %a = trunc i64 %x to i7
  %b = trunc i64 %y to i7
  %d = or i7 %b, 1
  %r = urem i7 %a, %d
  %s = sext i7 %r to i64
  %z = zext i7 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @srem_7(i64 %x, i64 %y) {
  %a = trunc i64 %x to i7
  %b = trunc i64 %y to i7
  %c = and i7 %b, 31
  %d = or i7 %c, 1
  %r = srem i7 %a, %d
  %s = sext i7 %r to i64
  %z = zext i7 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @shl_7(i64 %x, i64 %y) {
  %a = trunc i64 %x to i7
  %b = trunc i64 %y to i7
  %d = urem i7 %b, 7
  %r = shl i7 %a, %d
  %s = sext i7 %r to i64
  %z = zext i7 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @lshr_7(i64 %x, i64 %y) {
  %a = trunc i64 %x to i7
  %b = trunc i64 %y to i7
  %d = urem i7 %b, 7
  %r = lshr i7 %a, %d
  %s = sext i7 %r to i64
  %z = zext i7 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ashr_7(i64 %x, i64 %y) {
  %a = trunc i64 %x to i7
  %b = trunc i64 %y to i7
  %d = urem i7 %b, 7
  %r = ashr i7 %a, %d
  %s = sext i7 %r to i64
  %z = zext i7 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @and_7(i64 %x, i64 %y) {
  %a = trunc i64 %x to i7
  %b = trunc i64 %y to i7
  %d = add i7 %b, 0
  %r = and i7 %a, %d
  %s = sext i7 %r to i64
  %z = zext i7 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @or_7(i64 %x, i64 %y) {
  %a = trunc i64 %x to i7
  %b = trunc i64 %y to i7
  %d = add i7 %b, 0
  %r = or i7 %a, %d
  %s = sext i7 %r to i64
  %z = zext i7 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @xor_7(i64 %x, i64 %y) {
  %a = trunc i64 %x to i7
  %b = trunc i64 %y to i7
  %d = add i7 %b, 0
  %r = xor i7 %a, %d
  %s = sext i7 %r to i64
  %z = zext i7 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @eq_7(i64 %x, i64 %y) {
  %a = trunc i64 %x to i7
  %b = trunc i64 %y to i7
  %r = icmp eq i7 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ne_7(i64 %x, i64 %y) {
  %a = trunc i64 %x to i7
  %b = trunc i64 %y to i7
  %r = icmp ne i7 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ugt_7(i64 %x, i64 %y) {
  %a = trunc i64 %x to i7
  %b = trunc i64 %y to i7
  %r = icmp ugt i7 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @uge_7(i64 %x, i64 %y) {
  %a = trunc i64 %x to i7
  %b = trunc i64 %y to i7
  %r = icmp uge i7 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ult_7(i64 %x, i64 %y) {
  %a = trunc i64 %x to i7
  %b = trunc i64 %y to i7
  %r = icmp ult i7 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ule_7(i64 %x, i64 %y) {
  %a = trunc i64 %x to i7
  %b = trunc i64 %y to i7
  %r = icmp ule i7 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sgt_7(i64 %x, i64 %y) {
  %a = trunc i64 %x to i7
  %b = trunc i64 %y to i7
  %r = icmp sgt i7 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sge_7(i64 %x, i64 %y) {
  %a = trunc i64 %x to i7
  %b = trunc i64 %y to i7
  %r = icmp sge i7 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @slt_7(i64 %x, i64 %y) {
  %a = trunc i64 %x to i7
  %b = trunc i64 %y to i7
  %r = icmp slt i7 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sle_7(i64 %x, i64 %y) {
  %a = trunc i64 %x to i7
  %b = trunc i64 %y to i7
  %r = icmp sle i7 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @add_24(i64 %x, i64 %y) {
  %a = trunc i64 %x to i24
  %b = trunc i64 %y to i24
  %d = add i24 %b, 0
  %r = add i24 %a, %d
  %s = sext i24 %r to i64
  %z = zext i24 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sub_24(i64 %x, i64 %y) {
  %a = trunc i64 %x to i24
  %b = trunc i64 %y to i24
  %d = add i24 %b, 0
  %r = sub i24 %a, %d
  %s = sext i24 %r to i64
  %z = zext i24 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @mul_24(i64 %x, i64 %y) {
  %a = trunc i64 %x to i24
  %b = trunc i64 %y to i24
  %d = add i24 %b, 0
  %r = mul i24 %a, %d
  %s = sext i24 %r to i64
  %z = zext i24 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @udiv_24(i64 %x, i64 %y) {
  %a = trunc i64 %x to i24
  %b = trunc i64 %y to i24
  %d = or i24 %b, 1
  %r = udiv i24 %a, %d
  %s = sext i24 %r to i64
  %z = zext i24 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sdiv_24(i64 %x, i64 %y) {
  %a = trunc i64 %x to i24
  %b = trunc i64 %y to i24
  %c = and i24 %b, 31
  %d = or i24 %c, 1
  %r = sdiv i24 %a, %d
  %s = sext i24 %r to i64
  %z = zext i24 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @urem_24(i64 %x, i64 %y) {
  %a = trunc i64 %x to i24
  %b = trunc i64 %y to i24
  %d = or i24 %b, 1
  %r = urem i24 %a, %d
  %s = sext i24 %r to i64
  %z = zext i24 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @srem_24(i64 %x, i64 %y) {
  %a = trunc i64 %x to i24
  %b = trunc i64 %y to i24
  %c = and i24 %b, 31
  %d = or i24 %c, 1
  %r = srem i24 %a, %d
  %s = sext i24 %r to i64
  %z = zext i24 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @shl_24(i64 %x, i64 %y) {
  %a = trunc i64 %x to i24
  %b = trunc i64 %y to i24
  %d = urem i24 %b, 24
  %r = shl i24 %a, %d
  %s = sext i24 %r to i64
  %z = zext i24 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @lshr_24(i64 %x, i64 %y) {
  %a = trunc i64 %x to i24
  %b = trunc i64 %y to i24
  %d = urem i24 %b, 24
  %r = lshr i24 %a, %d
  %s = sext i24 %r to i64
  %z = zext i24 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ashr_24(i64 %x, i64 %y) {
  %a = trunc i64 %x to i24
  %b = trunc i64 %y to i24
  %d = urem i24 %b, 24
  %r = ashr i24 %a, %d
  %s = sext i24 %r to i64
  %z = zext i24 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @and_24(i64 %x, i64 %y) {
  %a = trunc i64 %x to i24
  %b = trunc i64 %y to i24
  %d = add i24 %b, 0
  %r = and i24 %a, %d
  %s = sext i24 %r to i64
  %z = zext i24 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @or_24(i64 %x, i64 %y) {
  %a = trunc i64 %x to i24
  %b = trunc i64 %y to i24
  %d = add i24 %b, 0
  %r = or i24 %a, %d
  %s = sext i24 %r to i64
  %z = zext i24 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @xor_24(i64 %x, i64 %y) {
  %a = trunc i64 %x to i24
  %b = trunc i64 %y to i24
  %d = add i24 %b, 0
  %r = xor i24 %a, %d
  %s = sext i24 %r to i64
  %z = zext i24 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @eq_24(i64 %x, i64 %y) {
  %a = trunc i64 %x to i24
  %b = trunc i64 %y to i24
  %r = icmp eq i24 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ne_24(i64 %x, i64 %y) {
  %a = trunc i64 %x to i24
  %b = trunc i64 %y to i24
  %r = icmp ne i24 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ugt_24(i64 %x, i64 %y) {
  %a = trunc i64 %x to i24
  %b = trunc i64 %y to i24
  %r = icmp ugt i24 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @uge_24(i64 %x, i64 %y) {
  %a = trunc i64 %x to i24
  %b = trunc i64 %y to i24
  %r = icmp uge i24 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ult_24(i64 %x, i64 %y) {
  %a = trunc i64 %x to i24
  %b = trunc i64 %y to i24
  %r = icmp ult i24 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ule_24(i64 %x, i64 %y) {
  %a = trunc i64 %x to i24
  %b = trunc i64 %y to i24
  %r = icmp ule i24 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sgt_24(i64 %x, i64 %y) {
  %a = trunc i64 %x to i24
  %b = trunc i64 %y to i24
  %r = icmp sgt i24 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sge_24(i64 %x, i64 %y) {
  %a = trunc i64 %x to i24
  %b = trunc i64 %y to i24
  %r = icmp sge i24 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @slt_24(i64 %x, i64 %y) {
  %a = trunc i64 %x to i24
  %b = trunc i64 %y to i24
  %r = icmp slt i24 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sle_24(i64 %x, i64 %y) {
  %a = trunc i64 %x to i24
  %b = trunc i64 %y to i24
  %r = icmp sle i24 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @add_33(i64 %x, i64 %y) {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %d = add i33 %b, 0
  %r = add i33 %a, %d
  %s = sext i33 %r to i64
  %z = zext i33 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sub_33(i64 %x, i64 %y) {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %d = add i33 %b, 0
  %r = sub i33 %a, %d
  %s = sext i33 %r to i64
  %z = zext i33 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @mul_33(i64 %x, i64 %y) {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %d = add i33 %b, 0
  %r = mul i33 %a, %d
  %s = sext i33 %r to i64
  %z = zext i33 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @udiv_33(i64 %x, i64 %y) {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %d = or i33 %b, 1
  %r = udiv i33 %a, %d
  %s = sext i33 %r to i64
  %z = zext i33 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sdiv_33(i64 %x, i64 %y) {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %c = and i33 %b, 31
  %d = or i33 %c, 1
  %r = sdiv i33 %a, %d
  %s = sext i33 %r to i64
  %z = zext i33 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @urem_33(i64 %x, i64 %y) {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %d = or i33 %b, 1
  %r = urem i33 %a, %d
  %s = sext i33 %r to i64
  %z = zext i33 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @srem_33(i64 %x, i64 %y) {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %c = and i33 %b, 31
  %d = or i33 %c, 1
  %r = srem i33 %a, %d
  %s = sext i33 %r to i64
  %z = zext i33 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @shl_33(i64 %x, i64 %y) {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %d = urem i33 %b, 33
  %r = shl i33 %a, %d
  %s = sext i33 %r to i64
  %z = zext i33 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @lshr_33(i64 %x, i64 %y) {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %d = urem i33 %b, 33
  %r = lshr i33 %a, %d
  %s = sext i33 %r to i64
  %z = zext i33 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ashr_33(i64 %x, i64 %y) {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %d = urem i33 %b, 33
  %r = ashr i33 %a, %d
  %s = sext i33 %r to i64
  %z = zext i33 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @and_33(i64 %x, i64 %y) {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %d = add i33 %b, 0
  %r = and i33 %a, %d
  %s = sext i33 %r to i64
  %z = zext i33 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @or_33(i64 %x, i64 %y) {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %d = add i33 %b, 0
  %r = or i33 %a, %d
  %s = sext i33 %r to i64
  %z = zext i33 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @xor_33(i64 %x, i64 %y) {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %d = add i33 %b, 0
  %r = xor i33 %a, %d
  %s = sext i33 %r to i64
  %z = zext i33 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @eq_33(i64 %x, i64 %y) {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %r = icmp eq i33 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ne_33(i64 %x, i64 %y) {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %r = icmp ne i33 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ugt_33(i64 %x, i64 %y) {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %r = icmp ugt i33 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @uge_33(i64 %x, i64 %y) {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %r = icmp uge i33 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ult_33(i64 %x, i64 %y) {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %r = icmp ult i33 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ule_33(i64 %x, i64 %y) {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %r = icmp ule i33 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sgt_33(i64 %x, i64 %y) {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %r = icmp sgt i33 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sge_33(i64 %x, i64 %y) {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %r = icmp sge i33 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @slt_33(i64 %x, i64 %y) {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %r = icmp slt i33 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sle_33(i64 %x, i64 %y) {
  %a = trunc i64 %x to i33
  %b = trunc i64 %y to i33
  %r = icmp sle i33 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @add_48(i64 %x, i64 %y) {
  %a = trunc i64 %x to i48
  %b = trunc i64 %y to i48
  %d = add i48 %b, 0
  %r = add i48 %a, %d
  %s = sext i48 %r to i64
  %z = zext i48 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sub_48(i64 %x, i64 %y) {
  %a = trunc i64 %x to i48
  %b = trunc i64 %y to i48
  %d = add i48 %b, 0
  %r = sub i48 %a, %d
  %s = sext i48 %r to i64
  %z = zext i48 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @mul_48(i64 %x, i64 %y) {
  %a = trunc i64 %x to i48
  %b = trunc i64 %y to i48
  %d = add i48 %b, 0
  %r = mul i48 %a, %d
  %s = sext i48 %r to i64
  %z = zext i48 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @udiv_48(i64 %x, i64 %y) {
  %a = trunc i64 %x to i48
  %b = trunc i64 %y to i48
  %d = or i48 %b, 1
  %r = udiv i48 %a, %d
  %s = sext i48 %r to i64
  %z = zext i48 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sdiv_48(i64 %x, i64 %y) {
  %a = trunc i64 %x to i48
  %b = trunc i64 %y to i48
  %c = and i48 %b, 31
  %d = or i48 %c, 1
  %r = sdiv i48 %a, %d
  %s = sext i48 %r to i64
  %z = zext i48 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @urem_48(i64 %x, i64 %y) {
  %a = trunc i64 %x to i48
  %b = trunc i64 %y to i48
  %d = or i48 %b, 1
  %r = urem i48 %a, %d
  %s = sext i48 %r to i64
  %z = zext i48 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @srem_48(i64 %x, i64 %y) {
  %a = trunc i64 %x to i48
  %b = trunc i64 %y to i48
  %c = and i48 %b, 31
  %d = or i48 %c, 1
  %r = srem i48 %a, %d
  %s = sext i48 %r to i64
  %z = zext i48 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @shl_48(i64 %x, i64 %y) {
  %a = trunc i64 %x to i48
  %b = trunc i64 %y to i48
  %d = urem i48 %b, 48
  %r = shl i48 %a, %d
  %s = sext i48 %r to i64
  %z = zext i48 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @lshr_48(i64 %x, i64 %y) {
  %a = trunc i64 %x to i48
  %b = trunc i64 %y to i48
  %d = urem i48 %b, 48
  %r = lshr i48 %a, %d
  %s = sext i48 %r to i64
  %z = zext i48 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ashr_48(i64 %x, i64 %y) {
  %a = trunc i64 %x to i48
  %b = trunc i64 %y to i48
  %d = urem i48 %b, 48
  %r = ashr i48 %a, %d
  %s = sext i48 %r to i64
  %z = zext i48 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @and_48(i64 %x, i64 %y) {
  %a = trunc i64 %x to i48
  %b = trunc i64 %y to i48
  %d = add i48 %b, 0
  %r = and i48 %a, %d
  %s = sext i48 %r to i64
  %z = zext i48 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @or_48(i64 %x, i64 %y) {
  %a = trunc i64 %x to i48
  %b = trunc i64 %y to i48
  %d = add i48 %b, 0
  %r = or i48 %a, %d
  %s = sext i48 %r to i64
  %z = zext i48 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @xor_48(i64 %x, i64 %y) {
  %a = trunc i64 %x to i48
  %b = trunc i64 %y to i48
  %d = add i48 %b, 0
  %r = xor i48 %a, %d
  %s = sext i48 %r to i64
  %z = zext i48 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @eq_48(i64 %x, i64 %y) {
  %a = trunc i64 %x to i48
  %b = trunc i64 %y to i48
  %r = icmp eq i48 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ne_48(i64 %x, i64 %y) {
  %a = trunc i64 %x to i48
  %b = trunc i64 %y to i48
  %r = icmp ne i48 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ugt_48(i64 %x, i64 %y) {
  %a = trunc i64 %x to i48
  %b = trunc i64 %y to i48
  %r = icmp ugt i48 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @uge_48(i64 %x, i64 %y) {
  %a = trunc i64 %x to i48
  %b = trunc i64 %y to i48
  %r = icmp uge i48 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ult_48(i64 %x, i64 %y) {
  %a = trunc i64 %x to i48
  %b = trunc i64 %y to i48
  %r = icmp ult i48 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ule_48(i64 %x, i64 %y) {
  %a = trunc i64 %x to i48
  %b = trunc i64 %y to i48
  %r = icmp ule i48 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sgt_48(i64 %x, i64 %y) {
  %a = trunc i64 %x to i48
  %b = trunc i64 %y to i48
  %r = icmp sgt i48 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sge_48(i64 %x, i64 %y) {
  %a = trunc i64 %x to i48
  %b = trunc i64 %y to i48
  %r = icmp sge i48 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @slt_48(i64 %x, i64 %y) {
  %a = trunc i64 %x to i48
  %b = trunc i64 %y to i48
  %r = icmp slt i48 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sle_48(i64 %x, i64 %y) {
  %a = trunc i64 %x to i48
  %b = trunc i64 %y to i48
  %r = icmp sle i48 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
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
  %pi = getelementptr [26 x i64], ptr @values, i64 0, i64 %i
  %pj = getelementptr [26 x i64], ptr @values, i64 0, i64 %j
  %x = load i64, ptr %pi
  %y = load i64, ptr %pj
  %v = call i64 %f(i64 %x, i64 %y)
  %hx = xor i64 %h1, %v
  %h2 = mul i64 %hx, 1099511628211
  %j1 = add i64 %j, 1
  %c = icmp ult i64 %j1, 26
  br i1 %c, label %inner, label %next
next:
  %i1 = add i64 %i, 1
  %c1 = icmp ult i64 %i1, 26
  br i1 %c1, label %outer, label %done
done:
  ret i64 %h2
}
@name.add = internal constant [4 x i8] c"add\00"
@name.and = internal constant [4 x i8] c"and\00"
@name.ashr = internal constant [5 x i8] c"ashr\00"
@name.eq = internal constant [3 x i8] c"eq\00"
@name.lshr = internal constant [5 x i8] c"lshr\00"
@name.mul = internal constant [4 x i8] c"mul\00"
@name.ne = internal constant [3 x i8] c"ne\00"
@name.or = internal constant [3 x i8] c"or\00"
@name.sdiv = internal constant [5 x i8] c"sdiv\00"
@name.sge = internal constant [4 x i8] c"sge\00"
@name.sgt = internal constant [4 x i8] c"sgt\00"
@name.shl = internal constant [4 x i8] c"shl\00"
@name.sle = internal constant [4 x i8] c"sle\00"
@name.slt = internal constant [4 x i8] c"slt\00"
@name.srem = internal constant [5 x i8] c"srem\00"
@name.sub = internal constant [4 x i8] c"sub\00"
@name.udiv = internal constant [5 x i8] c"udiv\00"
@name.uge = internal constant [4 x i8] c"uge\00"
@name.ugt = internal constant [4 x i8] c"ugt\00"
@name.ule = internal constant [4 x i8] c"ule\00"
@name.ult = internal constant [4 x i8] c"ult\00"
@name.urem = internal constant [5 x i8] c"urem\00"
@name.xor = internal constant [4 x i8] c"xor\00"
define i32 @main() {
  %d0 = call i64 @digest(ptr @add_7)
  %p0 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.add, i32 7, i64 %d0)
  %d1 = call i64 @digest(ptr @sub_7)
  %p1 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sub, i32 7, i64 %d1)
  %d2 = call i64 @digest(ptr @mul_7)
  %p2 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.mul, i32 7, i64 %d2)
  %d3 = call i64 @digest(ptr @udiv_7)
  %p3 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.udiv, i32 7, i64 %d3)
  %d4 = call i64 @digest(ptr @sdiv_7)
  %p4 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sdiv, i32 7, i64 %d4)
  %d5 = call i64 @digest(ptr @urem_7)
  %p5 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.urem, i32 7, i64 %d5)
  %d6 = call i64 @digest(ptr @srem_7)
  %p6 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.srem, i32 7, i64 %d6)
  %d7 = call i64 @digest(ptr @shl_7)
  %p7 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.shl, i32 7, i64 %d7)
  %d8 = call i64 @digest(ptr @lshr_7)
  %p8 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.lshr, i32 7, i64 %d8)
  %d9 = call i64 @digest(ptr @ashr_7)
  %p9 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ashr, i32 7, i64 %d9)
  %d10 = call i64 @digest(ptr @and_7)
  %p10 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.and, i32 7, i64 %d10)
  %d11 = call i64 @digest(ptr @or_7)
  %p11 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.or, i32 7, i64 %d11)
  %d12 = call i64 @digest(ptr @xor_7)
  %p12 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.xor, i32 7, i64 %d12)
  %d13 = call i64 @digest(ptr @eq_7)
  %p13 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.eq, i32 7, i64 %d13)
  %d14 = call i64 @digest(ptr @ne_7)
  %p14 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ne, i32 7, i64 %d14)
  %d15 = call i64 @digest(ptr @ugt_7)
  %p15 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ugt, i32 7, i64 %d15)
  %d16 = call i64 @digest(ptr @uge_7)
  %p16 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.uge, i32 7, i64 %d16)
  %d17 = call i64 @digest(ptr @ult_7)
  %p17 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ult, i32 7, i64 %d17)
  %d18 = call i64 @digest(ptr @ule_7)
  %p18 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ule, i32 7, i64 %d18)
  %d19 = call i64 @digest(ptr @sgt_7)
  %p19 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sgt, i32 7, i64 %d19)
  %d20 = call i64 @digest(ptr @sge_7)
  %p20 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sge, i32 7, i64 %d20)
  %d21 = call i64 @digest(ptr @slt_7)
  %p21 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.slt, i32 7, i64 %d21)
  %d22 = call i64 @digest(ptr @sle_7)
  %p22 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sle, i32 7, i64 %d22)
  %d23 = call i64 @digest(ptr @add_24)
  %p23 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.add, i32 24, i64 %d23)
  %d24 = call i64 @digest(ptr @sub_24)
  %p24 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sub, i32 24, i64 %d24)
  %d25 = call i64 @digest(ptr @mul_24)
  %p25 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.mul, i32 24, i64 %d25)
  %d26 = call i64 @digest(ptr @udiv_24)
  %p26 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.udiv, i32 24, i64 %d26)
  %d27 = call i64 @digest(ptr @sdiv_24)
  %p27 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sdiv, i32 24, i64 %d27)
  %d28 = call i64 @digest(ptr @urem_24)
  %p28 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.urem, i32 24, i64 %d28)
  %d29 = call i64 @digest(ptr @srem_24)
  %p29 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.srem, i32 24, i64 %d29)
  %d30 = call i64 @digest(ptr @shl_24)
  %p30 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.shl, i32 24, i64 %d30)
  %d31 = call i64 @digest(ptr @lshr_24)
  %p31 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.lshr, i32 24, i64 %d31)
  %d32 = call i64 @digest(ptr @ashr_24)
  %p32 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ashr, i32 24, i64 %d32)
  %d33 = call i64 @digest(ptr @and_24)
  %p33 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.and, i32 24, i64 %d33)
  %d34 = call i64 @digest(ptr @or_24)
  %p34 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.or, i32 24, i64 %d34)
  %d35 = call i64 @digest(ptr @xor_24)
  %p35 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.xor, i32 24, i64 %d35)
  %d36 = call i64 @digest(ptr @eq_24)
  %p36 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.eq, i32 24, i64 %d36)
  %d37 = call i64 @digest(ptr @ne_24)
  %p37 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ne, i32 24, i64 %d37)
  %d38 = call i64 @digest(ptr @ugt_24)
  %p38 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ugt, i32 24, i64 %d38)
  %d39 = call i64 @digest(ptr @uge_24)
  %p39 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.uge, i32 24, i64 %d39)
  %d40 = call i64 @digest(ptr @ult_24)
  %p40 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ult, i32 24, i64 %d40)
  %d41 = call i64 @digest(ptr @ule_24)
  %p41 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ule, i32 24, i64 %d41)
  %d42 = call i64 @digest(ptr @sgt_24)
  %p42 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sgt, i32 24, i64 %d42)
  %d43 = call i64 @digest(ptr @sge_24)
  %p43 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sge, i32 24, i64 %d43)
  %d44 = call i64 @digest(ptr @slt_24)
  %p44 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.slt, i32 24, i64 %d44)
  %d45 = call i64 @digest(ptr @sle_24)
  %p45 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sle, i32 24, i64 %d45)
  %d46 = call i64 @digest(ptr @add_33)
  %p46 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.add, i32 33, i64 %d46)
  %d47 = call i64 @digest(ptr @sub_33)
  %p47 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sub, i32 33, i64 %d47)
  %d48 = call i64 @digest(ptr @mul_33)
  %p48 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.mul, i32 33, i64 %d48)
  %d49 = call i64 @digest(ptr @udiv_33)
  %p49 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.udiv, i32 33, i64 %d49)
  %d50 = call i64 @digest(ptr @sdiv_33)
  %p50 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sdiv, i32 33, i64 %d50)
  %d51 = call i64 @digest(ptr @urem_33)
  %p51 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.urem, i32 33, i64 %d51)
  %d52 = call i64 @digest(ptr @srem_33)
  %p52 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.srem, i32 33, i64 %d52)
  %d53 = call i64 @digest(ptr @shl_33)
  %p53 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.shl, i32 33, i64 %d53)
  %d54 = call i64 @digest(ptr @lshr_33)
  %p54 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.lshr, i32 33, i64 %d54)
  %d55 = call i64 @digest(ptr @ashr_33)
  %p55 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ashr, i32 33, i64 %d55)
  %d56 = call i64 @digest(ptr @and_33)
  %p56 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.and, i32 33, i64 %d56)
  %d57 = call i64 @digest(ptr @or_33)
  %p57 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.or, i32 33, i64 %d57)
  %d58 = call i64 @digest(ptr @xor_33)
  %p58 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.xor, i32 33, i64 %d58)
  %d59 = call i64 @digest(ptr @eq_33)
  %p59 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.eq, i32 33, i64 %d59)
  %d60 = call i64 @digest(ptr @ne_33)
  %p60 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ne, i32 33, i64 %d60)
  %d61 = call i64 @digest(ptr @ugt_33)
  %p61 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ugt, i32 33, i64 %d61)
  %d62 = call i64 @digest(ptr @uge_33)
  %p62 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.uge, i32 33, i64 %d62)
  %d63 = call i64 @digest(ptr @ult_33)
  %p63 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ult, i32 33, i64 %d63)
  %d64 = call i64 @digest(ptr @ule_33)
  %p64 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ule, i32 33, i64 %d64)
  %d65 = call i64 @digest(ptr @sgt_33)
  %p65 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sgt, i32 33, i64 %d65)
  %d66 = call i64 @digest(ptr @sge_33)
  %p66 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sge, i32 33, i64 %d66)
  %d67 = call i64 @digest(ptr @slt_33)
  %p67 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.slt, i32 33, i64 %d67)
  %d68 = call i64 @digest(ptr @sle_33)
  %p68 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sle, i32 33, i64 %d68)
  %d69 = call i64 @digest(ptr @add_48)
  %p69 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.add, i32 48, i64 %d69)
  %d70 = call i64 @digest(ptr @sub_48)
  %p70 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sub, i32 48, i64 %d70)
  %d71 = call i64 @digest(ptr @mul_48)
  %p71 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.mul, i32 48, i64 %d71)
  %d72 = call i64 @digest(ptr @udiv_48)
  %p72 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.udiv, i32 48, i64 %d72)
  %d73 = call i64 @digest(ptr @sdiv_48)
  %p73 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sdiv, i32 48, i64 %d73)
  %d74 = call i64 @digest(ptr @urem_48)
  %p74 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.urem, i32 48, i64 %d74)
  %d75 = call i64 @digest(ptr @srem_48)
  %p75 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.srem, i32 48, i64 %d75)
  %d76 = call i64 @digest(ptr @shl_48)
  %p76 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.shl, i32 48, i64 %d76)
  %d77 = call i64 @digest(ptr @lshr_48)
  %p77 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.lshr, i32 48, i64 %d77)
  %d78 = call i64 @digest(ptr @ashr_48)
  %p78 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ashr, i32 48, i64 %d78)
  %d79 = call i64 @digest(ptr @and_48)
  %p79 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.and, i32 48, i64 %d79)
  %d80 = call i64 @digest(ptr @or_48)
  %p80 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.or, i32 48, i64 %d80)
  %d81 = call i64 @digest(ptr @xor_48)
  %p81 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.xor, i32 48, i64 %d81)
  %d82 = call i64 @digest(ptr @eq_48)
  %p82 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.eq, i32 48, i64 %d82)
  %d83 = call i64 @digest(ptr @ne_48)
  %p83 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ne, i32 48, i64 %d83)
  %d84 = call i64 @digest(ptr @ugt_48)
  %p84 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ugt, i32 48, i64 %d84)
  %d85 = call i64 @digest(ptr @uge_48)
  %p85 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.uge, i32 48, i64 %d85)
  %d86 = call i64 @digest(ptr @ult_48)
  %p86 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ult, i32 48, i64 %d86)
  %d87 = call i64 @digest(ptr @ule_48)
  %p87 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ule, i32 48, i64 %d87)
  %d88 = call i64 @digest(ptr @sgt_48)
  %p88 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sgt, i32 48, i64 %d88)
  %d89 = call i64 @digest(ptr @sge_48)
  %p89 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sge, i32 48, i64 %d89)
  %d90 = call i64 @digest(ptr @slt_48)
  %p90 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.slt, i32 48, i64 %d90)
  %d91 = call i64 @digest(ptr @sle_48)
  %p91 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sle, i32 48, i64 %d91)
  ret i32 0
}
