; test import
; Operations on integers of the widths that C has.
; What is printed: for each width and operation a digest of the results for 26 times 26 operands.
; out: add i1 5df97c1a04838423
; out: sub i1 5df97c1a04838423
; out: mul i1 3c481b2638d4f3f3
; out: udiv i1 36ee662031545173
; out: urem i1 89fa7937005208b3
; out: shl i1 36ee662031545173
; out: lshr i1 36ee662031545173
; out: ashr i1 36ee662031545173
; out: and i1 3c481b2638d4f3f3
; out: or i1 ca5a92745d0f8ce3
; out: xor i1 5df97c1a04838423
; out: eq i1 cece4376f02ca3f3
; out: ne i1 5df97c1a04838423
; out: ugt i1 ca8d4fc5d8c848b3
; out: uge i1 c9748e70e8ac0173
; out: ult i1 1d66a58b2c0d4423
; out: ule i1 104924e105e44f83
; out: sgt i1 1d66a58b2c0d4423
; out: sge i1 104924e105e44f83
; out: slt i1 ca8d4fc5d8c848b3
; out: sle i1 c9748e70e8ac0173
; out: add i8 3d51205f62941f1b
; out: sub i8 d80ca711a730072b
; out: mul i8 9054d45d638d42f3
; out: udiv i8 0944bcf5e12f5a47
; out: sdiv i8 88be061bb0c30f6d
; out: urem i8 c5aff56e8ecfc9d3
; out: srem i8 6f762f7f29b42ef5
; out: shl i8 4cf985acac7bb903
; out: lshr i8 b5565d43e6037d59
; out: ashr i8 a42b7a239a13c529
; out: and i8 f70720faf9b45e5b
; out: or i8 647d7bc96a6d8af3
; out: xor i8 6add2d718183cf2b
; out: eq i8 4134d54e85066963
; out: ne i8 a4a5f24dd284a003
; out: ugt i8 1ff8546abedb0d7f
; out: uge i8 72fb4dd0e00310cf
; out: ult i8 88c3e635765b945f
; out: ule i8 d479786ab2be425f
; out: sgt i8 b2e72c5cd5e0a46f
; out: sge i8 1ae5a1370431d73f
; out: slt i8 7cb9bc915ea40daf
; out: sle i8 5e4bb74bdc0abfaf
; out: add i16 cb9c6d7cf646b41b
; out: sub i16 fd0894e4ec72892b
; out: mul i16 66d0fc350ac022f3
; out: udiv i16 a23f17d27a659c03
; out: sdiv i16 7672657a9ebc3fa3
; out: urem i16 fe9e7700940af617
; out: srem i16 c54ea194126c2057
; out: shl i16 f840fb3a9d8d34b3
; out: lshr i16 7355cd1248ac1e1b
; out: ashr i16 33d9b460ca1df293
; out: and i16 8cd788c32d99725b
; out: or i16 4b1057179a5e84f3
; out: xor i16 59885e9b05ce672b
; out: eq i16 b9289c741c12139b
; out: ne i16 cf488a56b6aa7ecb
; out: ugt i16 ddd6bb1496cbec8b
; out: uge i16 750355e68f4deeb3
; out: ult i16 98e065e4422b7f63
; out: ule i16 5ad95285cf7c9f5b
; out: sgt i16 a3a89d598d30579b
; out: sge i16 78b074f4978894c3
; out: slt i16 4b2f4ae2d5e23eb3
; out: sle i16 c438a04c5ad0576b
; out: add i32 646060a5fdcbb41b
; out: sub i32 035f27e1d938892b
; out: mul i32 2a0316148e3222f3
; out: udiv i32 404b91b21946a485
; out: sdiv i32 3c84cffe7405ed45
; out: urem i32 1bc3bb497b013cc9
; out: srem i32 36acc89bef40068d
; out: shl i32 aa927e21fa746683
; out: lshr i32 49a0d698d8db7ed5
; out: ashr i32 152178eef9f7f35d
; out: and i32 95e66b2b5bbf725b
; out: or i32 8bc01b0c588284f3
; out: xor i32 8f6180c3f6c8672b
; out: eq i32 4eab9a1cee07cffb
; out: ne i32 bf73abaaabea036b
; out: ugt i32 af7a515e0d3234cf
; out: uge i32 73202a041ebd15a7
; out: ult i32 df860e502daab657
; out: ule i32 c6d33bc4d14f605f
; out: sgt i32 dfe66f4877198d77
; out: sge i32 d6eaa461ff8ab22f
; out: slt i32 1c70f9b6692b159f
; out: sle i32 b3e1ec2fb94d0bc7
; out: add i64 d04a29d2200f7c37
; out: sub i64 bd8dc25278377b67
; out: mul i64 cf71e61ce0ed21cf
; out: udiv i64 81243f376f460375
; out: sdiv i64 e51dc2cd24475488
; out: urem i64 f9251d2264fa114f
; out: srem i64 0e63a3e77cf59dc0
; out: shl i64 ea08d21fe9a06455
; out: lshr i64 3941b4061dfb5a2f
; out: ashr i64 fee90fb12d82c0f3
; out: and i64 bf3a6390e4b4c2b1
; out: or i64 d8278129a5eafcd5
; out: xor i64 a335f7a9c901cd93
; out: eq i64 1267ab94b22e2f8b
; out: ne i64 b9289c98396155fb
; out: ugt i64 6c08ebe96b32babf
; out: uge i64 9207fdcdc9bbb207
; out: ult i64 895e952ea82e0197
; out: ule i64 7d564dca6b59eeef
; out: sgt i64 0906162839f4ea3f
; out: sge i64 2186ce0f259bdc47
; out: slt i64 3d533c310bc4cdb7
; out: sle i64 c12decc8b06b788f
@values = internal constant [26 x i64] [i64 0, i64 1, i64 2, i64 3, i64 5, i64 7, i64 -1, i64 -2, i64 -7, i64 100, i64 127, i64 128, i64 -128, i64 255, i64 256, i64 32767, i64 -32768, i64 65535, i64 2147483647, i64 -2147483648, i64 4294967295, i64 81985529216486895, i64 -81985529216486895, i64 9223372036854775807, i64 -9223372036854775808, i64 6148914691236517205]
@format = internal constant [18 x i8] c"%s i%d %016llx\0A\00\00\00"
declare i32 @printf(ptr, ...)

define internal i64 @add_1(i64 %x, i64 %y) {
  %a = trunc i64 %x to i1
  %b = trunc i64 %y to i1
  %d = add i1 %b, 0
  %r = add i1 %a, %d
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sub_1(i64 %x, i64 %y) {
  %a = trunc i64 %x to i1
  %b = trunc i64 %y to i1
  %d = add i1 %b, 0
  %r = sub i1 %a, %d
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @mul_1(i64 %x, i64 %y) {
  %a = trunc i64 %x to i1
  %b = trunc i64 %y to i1
  %d = add i1 %b, 0
  %r = mul i1 %a, %d
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @udiv_1(i64 %x, i64 %y) {
  %a = trunc i64 %x to i1
  %b = trunc i64 %y to i1
  %d = or i1 %b, 1
  %r = udiv i1 %a, %d
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @urem_1(i64 %x, i64 %y) {
  %a = trunc i64 %x to i1
  %b = trunc i64 %y to i1
  %d = or i1 %b, 1
  %r = urem i1 %a, %d
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @shl_1(i64 %x, i64 %y) {
  %a = trunc i64 %x to i1
  %b = trunc i64 %y to i1
  %d = and i1 %b, false
  %r = shl i1 %a, %d
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @lshr_1(i64 %x, i64 %y) {
  %a = trunc i64 %x to i1
  %b = trunc i64 %y to i1
  %d = and i1 %b, false
  %r = lshr i1 %a, %d
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ashr_1(i64 %x, i64 %y) {
  %a = trunc i64 %x to i1
  %b = trunc i64 %y to i1
  %d = and i1 %b, false
  %r = ashr i1 %a, %d
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @and_1(i64 %x, i64 %y) {
  %a = trunc i64 %x to i1
  %b = trunc i64 %y to i1
  %d = add i1 %b, 0
  %r = and i1 %a, %d
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @or_1(i64 %x, i64 %y) {
  %a = trunc i64 %x to i1
  %b = trunc i64 %y to i1
  %d = add i1 %b, 0
  %r = or i1 %a, %d
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @xor_1(i64 %x, i64 %y) {
  %a = trunc i64 %x to i1
  %b = trunc i64 %y to i1
  %d = add i1 %b, 0
  %r = xor i1 %a, %d
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @eq_1(i64 %x, i64 %y) {
  %a = trunc i64 %x to i1
  %b = trunc i64 %y to i1
  %r = icmp eq i1 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ne_1(i64 %x, i64 %y) {
  %a = trunc i64 %x to i1
  %b = trunc i64 %y to i1
  %r = icmp ne i1 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ugt_1(i64 %x, i64 %y) {
  %a = trunc i64 %x to i1
  %b = trunc i64 %y to i1
  %r = icmp ugt i1 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @uge_1(i64 %x, i64 %y) {
  %a = trunc i64 %x to i1
  %b = trunc i64 %y to i1
  %r = icmp uge i1 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ult_1(i64 %x, i64 %y) {
  %a = trunc i64 %x to i1
  %b = trunc i64 %y to i1
  %r = icmp ult i1 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ule_1(i64 %x, i64 %y) {
  %a = trunc i64 %x to i1
  %b = trunc i64 %y to i1
  %r = icmp ule i1 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sgt_1(i64 %x, i64 %y) {
  %a = trunc i64 %x to i1
  %b = trunc i64 %y to i1
  %r = icmp sgt i1 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sge_1(i64 %x, i64 %y) {
  %a = trunc i64 %x to i1
  %b = trunc i64 %y to i1
  %r = icmp sge i1 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @slt_1(i64 %x, i64 %y) {
  %a = trunc i64 %x to i1
  %b = trunc i64 %y to i1
  %r = icmp slt i1 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sle_1(i64 %x, i64 %y) {
  %a = trunc i64 %x to i1
  %b = trunc i64 %y to i1
  %r = icmp sle i1 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @add_8(i64 %x, i64 %y) {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %d = add i8 %b, 0
  %r = add i8 %a, %d
  %s = sext i8 %r to i64
  %z = zext i8 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sub_8(i64 %x, i64 %y) {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %d = add i8 %b, 0
  %r = sub i8 %a, %d
  %s = sext i8 %r to i64
  %z = zext i8 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @mul_8(i64 %x, i64 %y) {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %d = add i8 %b, 0
  %r = mul i8 %a, %d
  %s = sext i8 %r to i64
  %z = zext i8 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @udiv_8(i64 %x, i64 %y) {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %d = or i8 %b, 1
  %r = udiv i8 %a, %d
  %s = sext i8 %r to i64
  %z = zext i8 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sdiv_8(i64 %x, i64 %y) {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %c = and i8 %b, 31
  %d = or i8 %c, 1
  %r = sdiv i8 %a, %d
  %s = sext i8 %r to i64
  %z = zext i8 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @urem_8(i64 %x, i64 %y) {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %d = or i8 %b, 1
  %r = urem i8 %a, %d
  %s = sext i8 %r to i64
  %z = zext i8 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @srem_8(i64 %x, i64 %y) {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %c = and i8 %b, 31
  %d = or i8 %c, 1
  %r = srem i8 %a, %d
  %s = sext i8 %r to i64
  %z = zext i8 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @shl_8(i64 %x, i64 %y) {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %d = urem i8 %b, 8
  %r = shl i8 %a, %d
  %s = sext i8 %r to i64
  %z = zext i8 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @lshr_8(i64 %x, i64 %y) {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %d = urem i8 %b, 8
  %r = lshr i8 %a, %d
  %s = sext i8 %r to i64
  %z = zext i8 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ashr_8(i64 %x, i64 %y) {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %d = urem i8 %b, 8
  %r = ashr i8 %a, %d
  %s = sext i8 %r to i64
  %z = zext i8 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @and_8(i64 %x, i64 %y) {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %d = add i8 %b, 0
  %r = and i8 %a, %d
  %s = sext i8 %r to i64
  %z = zext i8 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @or_8(i64 %x, i64 %y) {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %d = add i8 %b, 0
  %r = or i8 %a, %d
  %s = sext i8 %r to i64
  %z = zext i8 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @xor_8(i64 %x, i64 %y) {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %d = add i8 %b, 0
  %r = xor i8 %a, %d
  %s = sext i8 %r to i64
  %z = zext i8 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @eq_8(i64 %x, i64 %y) {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %r = icmp eq i8 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ne_8(i64 %x, i64 %y) {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %r = icmp ne i8 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ugt_8(i64 %x, i64 %y) {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %r = icmp ugt i8 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @uge_8(i64 %x, i64 %y) {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %r = icmp uge i8 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ult_8(i64 %x, i64 %y) {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %r = icmp ult i8 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ule_8(i64 %x, i64 %y) {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %r = icmp ule i8 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sgt_8(i64 %x, i64 %y) {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %r = icmp sgt i8 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sge_8(i64 %x, i64 %y) {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %r = icmp sge i8 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @slt_8(i64 %x, i64 %y) {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %r = icmp slt i8 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sle_8(i64 %x, i64 %y) {
  %a = trunc i64 %x to i8
  %b = trunc i64 %y to i8
  %r = icmp sle i8 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @add_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %d = add i16 %b, 0
  %r = add i16 %a, %d
  %s = sext i16 %r to i64
  %z = zext i16 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sub_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %d = add i16 %b, 0
  %r = sub i16 %a, %d
  %s = sext i16 %r to i64
  %z = zext i16 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @mul_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %d = add i16 %b, 0
  %r = mul i16 %a, %d
  %s = sext i16 %r to i64
  %z = zext i16 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @udiv_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %d = or i16 %b, 1
  %r = udiv i16 %a, %d
  %s = sext i16 %r to i64
  %z = zext i16 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sdiv_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %c = and i16 %b, 31
  %d = or i16 %c, 1
  %r = sdiv i16 %a, %d
  %s = sext i16 %r to i64
  %z = zext i16 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @urem_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %d = or i16 %b, 1
  %r = urem i16 %a, %d
  %s = sext i16 %r to i64
  %z = zext i16 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @srem_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %c = and i16 %b, 31
  %d = or i16 %c, 1
  %r = srem i16 %a, %d
  %s = sext i16 %r to i64
  %z = zext i16 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @shl_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %d = urem i16 %b, 16
  %r = shl i16 %a, %d
  %s = sext i16 %r to i64
  %z = zext i16 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @lshr_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %d = urem i16 %b, 16
  %r = lshr i16 %a, %d
  %s = sext i16 %r to i64
  %z = zext i16 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ashr_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %d = urem i16 %b, 16
  %r = ashr i16 %a, %d
  %s = sext i16 %r to i64
  %z = zext i16 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @and_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %d = add i16 %b, 0
  %r = and i16 %a, %d
  %s = sext i16 %r to i64
  %z = zext i16 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @or_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %d = add i16 %b, 0
  %r = or i16 %a, %d
  %s = sext i16 %r to i64
  %z = zext i16 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @xor_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %d = add i16 %b, 0
  %r = xor i16 %a, %d
  %s = sext i16 %r to i64
  %z = zext i16 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @eq_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %r = icmp eq i16 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ne_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %r = icmp ne i16 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ugt_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %r = icmp ugt i16 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @uge_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %r = icmp uge i16 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ult_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %r = icmp ult i16 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ule_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %r = icmp ule i16 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sgt_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %r = icmp sgt i16 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sge_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %r = icmp sge i16 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @slt_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %r = icmp slt i16 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sle_16(i64 %x, i64 %y) {
  %a = trunc i64 %x to i16
  %b = trunc i64 %y to i16
  %r = icmp sle i16 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @add_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %d = add i32 %b, 0
  %r = add i32 %a, %d
  %s = sext i32 %r to i64
  %z = zext i32 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sub_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %d = add i32 %b, 0
  %r = sub i32 %a, %d
  %s = sext i32 %r to i64
  %z = zext i32 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @mul_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %d = add i32 %b, 0
  %r = mul i32 %a, %d
  %s = sext i32 %r to i64
  %z = zext i32 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @udiv_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %d = or i32 %b, 1
  %r = udiv i32 %a, %d
  %s = sext i32 %r to i64
  %z = zext i32 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sdiv_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %c = and i32 %b, 31
  %d = or i32 %c, 1
  %r = sdiv i32 %a, %d
  %s = sext i32 %r to i64
  %z = zext i32 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @urem_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %d = or i32 %b, 1
  %r = urem i32 %a, %d
  %s = sext i32 %r to i64
  %z = zext i32 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @srem_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %c = and i32 %b, 31
  %d = or i32 %c, 1
  %r = srem i32 %a, %d
  %s = sext i32 %r to i64
  %z = zext i32 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @shl_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %d = urem i32 %b, 32
  %r = shl i32 %a, %d
  %s = sext i32 %r to i64
  %z = zext i32 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @lshr_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %d = urem i32 %b, 32
  %r = lshr i32 %a, %d
  %s = sext i32 %r to i64
  %z = zext i32 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ashr_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %d = urem i32 %b, 32
  %r = ashr i32 %a, %d
  %s = sext i32 %r to i64
  %z = zext i32 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @and_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %d = add i32 %b, 0
  %r = and i32 %a, %d
  %s = sext i32 %r to i64
  %z = zext i32 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @or_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %d = add i32 %b, 0
  %r = or i32 %a, %d
  %s = sext i32 %r to i64
  %z = zext i32 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @xor_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %d = add i32 %b, 0
  %r = xor i32 %a, %d
  %s = sext i32 %r to i64
  %z = zext i32 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @eq_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %r = icmp eq i32 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ne_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %r = icmp ne i32 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ugt_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %r = icmp ugt i32 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @uge_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %r = icmp uge i32 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ult_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %r = icmp ult i32 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ule_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %r = icmp ule i32 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sgt_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %r = icmp sgt i32 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sge_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %r = icmp sge i32 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @slt_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %r = icmp slt i32 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sle_32(i64 %x, i64 %y) {
  %a = trunc i64 %x to i32
  %b = trunc i64 %y to i32
  %r = icmp sle i32 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @add_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %d = add i64 %b, 0
  %r = add i64 %a, %d
  ret i64 %r
}
define internal i64 @sub_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %d = add i64 %b, 0
  %r = sub i64 %a, %d
  ret i64 %r
}
define internal i64 @mul_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %d = add i64 %b, 0
  %r = mul i64 %a, %d
  ret i64 %r
}
define internal i64 @udiv_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %d = or i64 %b, 1
  %r = udiv i64 %a, %d
  ret i64 %r
}
define internal i64 @sdiv_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %c = and i64 %b, 31
  %d = or i64 %c, 1
  %r = sdiv i64 %a, %d
  ret i64 %r
}
define internal i64 @urem_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %d = or i64 %b, 1
  %r = urem i64 %a, %d
  ret i64 %r
}
define internal i64 @srem_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %c = and i64 %b, 31
  %d = or i64 %c, 1
  %r = srem i64 %a, %d
  ret i64 %r
}
define internal i64 @shl_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %d = urem i64 %b, 64
  %r = shl i64 %a, %d
  ret i64 %r
}
define internal i64 @lshr_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %d = urem i64 %b, 64
  %r = lshr i64 %a, %d
  ret i64 %r
}
define internal i64 @ashr_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %d = urem i64 %b, 64
  %r = ashr i64 %a, %d
  ret i64 %r
}
define internal i64 @and_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %d = add i64 %b, 0
  %r = and i64 %a, %d
  ret i64 %r
}
define internal i64 @or_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %d = add i64 %b, 0
  %r = or i64 %a, %d
  ret i64 %r
}
define internal i64 @xor_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %d = add i64 %b, 0
  %r = xor i64 %a, %d
  ret i64 %r
}
define internal i64 @eq_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %r = icmp eq i64 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ne_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %r = icmp ne i64 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ugt_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %r = icmp ugt i64 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @uge_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %r = icmp uge i64 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ult_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %r = icmp ult i64 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ule_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %r = icmp ule i64 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sgt_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %r = icmp sgt i64 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sge_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %r = icmp sge i64 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @slt_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %r = icmp slt i64 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sle_64(i64 %x, i64 %y) {
  %a = add i64 %x, 0
  %b = add i64 %y, 0
  %r = icmp sle i64 %a, %b
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
  %d0 = call i64 @digest(ptr @add_1)
  %p0 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.add, i32 1, i64 %d0)
  %d1 = call i64 @digest(ptr @sub_1)
  %p1 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sub, i32 1, i64 %d1)
  %d2 = call i64 @digest(ptr @mul_1)
  %p2 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.mul, i32 1, i64 %d2)
  %d3 = call i64 @digest(ptr @udiv_1)
  %p3 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.udiv, i32 1, i64 %d3)
  %d4 = call i64 @digest(ptr @urem_1)
  %p4 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.urem, i32 1, i64 %d4)
  %d5 = call i64 @digest(ptr @shl_1)
  %p5 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.shl, i32 1, i64 %d5)
  %d6 = call i64 @digest(ptr @lshr_1)
  %p6 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.lshr, i32 1, i64 %d6)
  %d7 = call i64 @digest(ptr @ashr_1)
  %p7 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ashr, i32 1, i64 %d7)
  %d8 = call i64 @digest(ptr @and_1)
  %p8 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.and, i32 1, i64 %d8)
  %d9 = call i64 @digest(ptr @or_1)
  %p9 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.or, i32 1, i64 %d9)
  %d10 = call i64 @digest(ptr @xor_1)
  %p10 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.xor, i32 1, i64 %d10)
  %d11 = call i64 @digest(ptr @eq_1)
  %p11 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.eq, i32 1, i64 %d11)
  %d12 = call i64 @digest(ptr @ne_1)
  %p12 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ne, i32 1, i64 %d12)
  %d13 = call i64 @digest(ptr @ugt_1)
  %p13 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ugt, i32 1, i64 %d13)
  %d14 = call i64 @digest(ptr @uge_1)
  %p14 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.uge, i32 1, i64 %d14)
  %d15 = call i64 @digest(ptr @ult_1)
  %p15 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ult, i32 1, i64 %d15)
  %d16 = call i64 @digest(ptr @ule_1)
  %p16 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ule, i32 1, i64 %d16)
  %d17 = call i64 @digest(ptr @sgt_1)
  %p17 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sgt, i32 1, i64 %d17)
  %d18 = call i64 @digest(ptr @sge_1)
  %p18 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sge, i32 1, i64 %d18)
  %d19 = call i64 @digest(ptr @slt_1)
  %p19 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.slt, i32 1, i64 %d19)
  %d20 = call i64 @digest(ptr @sle_1)
  %p20 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sle, i32 1, i64 %d20)
  %d21 = call i64 @digest(ptr @add_8)
  %p21 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.add, i32 8, i64 %d21)
  %d22 = call i64 @digest(ptr @sub_8)
  %p22 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sub, i32 8, i64 %d22)
  %d23 = call i64 @digest(ptr @mul_8)
  %p23 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.mul, i32 8, i64 %d23)
  %d24 = call i64 @digest(ptr @udiv_8)
  %p24 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.udiv, i32 8, i64 %d24)
  %d25 = call i64 @digest(ptr @sdiv_8)
  %p25 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sdiv, i32 8, i64 %d25)
  %d26 = call i64 @digest(ptr @urem_8)
  %p26 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.urem, i32 8, i64 %d26)
  %d27 = call i64 @digest(ptr @srem_8)
  %p27 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.srem, i32 8, i64 %d27)
  %d28 = call i64 @digest(ptr @shl_8)
  %p28 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.shl, i32 8, i64 %d28)
  %d29 = call i64 @digest(ptr @lshr_8)
  %p29 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.lshr, i32 8, i64 %d29)
  %d30 = call i64 @digest(ptr @ashr_8)
  %p30 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ashr, i32 8, i64 %d30)
  %d31 = call i64 @digest(ptr @and_8)
  %p31 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.and, i32 8, i64 %d31)
  %d32 = call i64 @digest(ptr @or_8)
  %p32 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.or, i32 8, i64 %d32)
  %d33 = call i64 @digest(ptr @xor_8)
  %p33 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.xor, i32 8, i64 %d33)
  %d34 = call i64 @digest(ptr @eq_8)
  %p34 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.eq, i32 8, i64 %d34)
  %d35 = call i64 @digest(ptr @ne_8)
  %p35 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ne, i32 8, i64 %d35)
  %d36 = call i64 @digest(ptr @ugt_8)
  %p36 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ugt, i32 8, i64 %d36)
  %d37 = call i64 @digest(ptr @uge_8)
  %p37 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.uge, i32 8, i64 %d37)
  %d38 = call i64 @digest(ptr @ult_8)
  %p38 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ult, i32 8, i64 %d38)
  %d39 = call i64 @digest(ptr @ule_8)
  %p39 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ule, i32 8, i64 %d39)
  %d40 = call i64 @digest(ptr @sgt_8)
  %p40 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sgt, i32 8, i64 %d40)
  %d41 = call i64 @digest(ptr @sge_8)
  %p41 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sge, i32 8, i64 %d41)
  %d42 = call i64 @digest(ptr @slt_8)
  %p42 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.slt, i32 8, i64 %d42)
  %d43 = call i64 @digest(ptr @sle_8)
  %p43 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sle, i32 8, i64 %d43)
  %d44 = call i64 @digest(ptr @add_16)
  %p44 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.add, i32 16, i64 %d44)
  %d45 = call i64 @digest(ptr @sub_16)
  %p45 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sub, i32 16, i64 %d45)
  %d46 = call i64 @digest(ptr @mul_16)
  %p46 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.mul, i32 16, i64 %d46)
  %d47 = call i64 @digest(ptr @udiv_16)
  %p47 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.udiv, i32 16, i64 %d47)
  %d48 = call i64 @digest(ptr @sdiv_16)
  %p48 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sdiv, i32 16, i64 %d48)
  %d49 = call i64 @digest(ptr @urem_16)
  %p49 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.urem, i32 16, i64 %d49)
  %d50 = call i64 @digest(ptr @srem_16)
  %p50 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.srem, i32 16, i64 %d50)
  %d51 = call i64 @digest(ptr @shl_16)
  %p51 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.shl, i32 16, i64 %d51)
  %d52 = call i64 @digest(ptr @lshr_16)
  %p52 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.lshr, i32 16, i64 %d52)
  %d53 = call i64 @digest(ptr @ashr_16)
  %p53 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ashr, i32 16, i64 %d53)
  %d54 = call i64 @digest(ptr @and_16)
  %p54 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.and, i32 16, i64 %d54)
  %d55 = call i64 @digest(ptr @or_16)
  %p55 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.or, i32 16, i64 %d55)
  %d56 = call i64 @digest(ptr @xor_16)
  %p56 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.xor, i32 16, i64 %d56)
  %d57 = call i64 @digest(ptr @eq_16)
  %p57 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.eq, i32 16, i64 %d57)
  %d58 = call i64 @digest(ptr @ne_16)
  %p58 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ne, i32 16, i64 %d58)
  %d59 = call i64 @digest(ptr @ugt_16)
  %p59 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ugt, i32 16, i64 %d59)
  %d60 = call i64 @digest(ptr @uge_16)
  %p60 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.uge, i32 16, i64 %d60)
  %d61 = call i64 @digest(ptr @ult_16)
  %p61 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ult, i32 16, i64 %d61)
  %d62 = call i64 @digest(ptr @ule_16)
  %p62 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ule, i32 16, i64 %d62)
  %d63 = call i64 @digest(ptr @sgt_16)
  %p63 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sgt, i32 16, i64 %d63)
  %d64 = call i64 @digest(ptr @sge_16)
  %p64 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sge, i32 16, i64 %d64)
  %d65 = call i64 @digest(ptr @slt_16)
  %p65 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.slt, i32 16, i64 %d65)
  %d66 = call i64 @digest(ptr @sle_16)
  %p66 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sle, i32 16, i64 %d66)
  %d67 = call i64 @digest(ptr @add_32)
  %p67 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.add, i32 32, i64 %d67)
  %d68 = call i64 @digest(ptr @sub_32)
  %p68 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sub, i32 32, i64 %d68)
  %d69 = call i64 @digest(ptr @mul_32)
  %p69 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.mul, i32 32, i64 %d69)
  %d70 = call i64 @digest(ptr @udiv_32)
  %p70 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.udiv, i32 32, i64 %d70)
  %d71 = call i64 @digest(ptr @sdiv_32)
  %p71 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sdiv, i32 32, i64 %d71)
  %d72 = call i64 @digest(ptr @urem_32)
  %p72 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.urem, i32 32, i64 %d72)
  %d73 = call i64 @digest(ptr @srem_32)
  %p73 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.srem, i32 32, i64 %d73)
  %d74 = call i64 @digest(ptr @shl_32)
  %p74 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.shl, i32 32, i64 %d74)
  %d75 = call i64 @digest(ptr @lshr_32)
  %p75 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.lshr, i32 32, i64 %d75)
  %d76 = call i64 @digest(ptr @ashr_32)
  %p76 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ashr, i32 32, i64 %d76)
  %d77 = call i64 @digest(ptr @and_32)
  %p77 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.and, i32 32, i64 %d77)
  %d78 = call i64 @digest(ptr @or_32)
  %p78 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.or, i32 32, i64 %d78)
  %d79 = call i64 @digest(ptr @xor_32)
  %p79 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.xor, i32 32, i64 %d79)
  %d80 = call i64 @digest(ptr @eq_32)
  %p80 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.eq, i32 32, i64 %d80)
  %d81 = call i64 @digest(ptr @ne_32)
  %p81 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ne, i32 32, i64 %d81)
  %d82 = call i64 @digest(ptr @ugt_32)
  %p82 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ugt, i32 32, i64 %d82)
  %d83 = call i64 @digest(ptr @uge_32)
  %p83 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.uge, i32 32, i64 %d83)
  %d84 = call i64 @digest(ptr @ult_32)
  %p84 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ult, i32 32, i64 %d84)
  %d85 = call i64 @digest(ptr @ule_32)
  %p85 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ule, i32 32, i64 %d85)
  %d86 = call i64 @digest(ptr @sgt_32)
  %p86 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sgt, i32 32, i64 %d86)
  %d87 = call i64 @digest(ptr @sge_32)
  %p87 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sge, i32 32, i64 %d87)
  %d88 = call i64 @digest(ptr @slt_32)
  %p88 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.slt, i32 32, i64 %d88)
  %d89 = call i64 @digest(ptr @sle_32)
  %p89 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sle, i32 32, i64 %d89)
  %d90 = call i64 @digest(ptr @add_64)
  %p90 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.add, i32 64, i64 %d90)
  %d91 = call i64 @digest(ptr @sub_64)
  %p91 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sub, i32 64, i64 %d91)
  %d92 = call i64 @digest(ptr @mul_64)
  %p92 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.mul, i32 64, i64 %d92)
  %d93 = call i64 @digest(ptr @udiv_64)
  %p93 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.udiv, i32 64, i64 %d93)
  %d94 = call i64 @digest(ptr @sdiv_64)
  %p94 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sdiv, i32 64, i64 %d94)
  %d95 = call i64 @digest(ptr @urem_64)
  %p95 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.urem, i32 64, i64 %d95)
  %d96 = call i64 @digest(ptr @srem_64)
  %p96 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.srem, i32 64, i64 %d96)
  %d97 = call i64 @digest(ptr @shl_64)
  %p97 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.shl, i32 64, i64 %d97)
  %d98 = call i64 @digest(ptr @lshr_64)
  %p98 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.lshr, i32 64, i64 %d98)
  %d99 = call i64 @digest(ptr @ashr_64)
  %p99 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ashr, i32 64, i64 %d99)
  %d100 = call i64 @digest(ptr @and_64)
  %p100 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.and, i32 64, i64 %d100)
  %d101 = call i64 @digest(ptr @or_64)
  %p101 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.or, i32 64, i64 %d101)
  %d102 = call i64 @digest(ptr @xor_64)
  %p102 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.xor, i32 64, i64 %d102)
  %d103 = call i64 @digest(ptr @eq_64)
  %p103 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.eq, i32 64, i64 %d103)
  %d104 = call i64 @digest(ptr @ne_64)
  %p104 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ne, i32 64, i64 %d104)
  %d105 = call i64 @digest(ptr @ugt_64)
  %p105 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ugt, i32 64, i64 %d105)
  %d106 = call i64 @digest(ptr @uge_64)
  %p106 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.uge, i32 64, i64 %d106)
  %d107 = call i64 @digest(ptr @ult_64)
  %p107 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ult, i32 64, i64 %d107)
  %d108 = call i64 @digest(ptr @ule_64)
  %p108 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ule, i32 64, i64 %d108)
  %d109 = call i64 @digest(ptr @sgt_64)
  %p109 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sgt, i32 64, i64 %d109)
  %d110 = call i64 @digest(ptr @sge_64)
  %p110 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sge, i32 64, i64 %d110)
  %d111 = call i64 @digest(ptr @slt_64)
  %p111 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.slt, i32 64, i64 %d111)
  %d112 = call i64 @digest(ptr @sle_64)
  %p112 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sle, i32 64, i64 %d112)
  ret i32 0
}
