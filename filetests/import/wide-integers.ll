; test import
; Operations on integers of more than 64 bits.
; What is printed: for each width and operation a digest of the results for 26 times 26 operands.
; out: add i65 380e4c7d8d7eb482
; out: sub i65 9c3c2a82b31d8516
; out: mul i65 cae4e6b1607292f6
; out: udiv i65 cffb9e1433bb4e91
; out: sdiv i65 a615b38968d1fb83
; out: urem i65 ec632dd902884396
; out: srem i65 19c9642d4cdf27b5
; out: shl i65 1288ec6b1ffb1304
; out: lshr i65 ec4df9de02cef2b5
; out: ashr i65 70507526e0a9dada
; out: and i65 daa554173e0013d4
; out: or i65 9830cd73251c5734
; out: xor i65 06efd208e1fef97b
; out: eq i65 90b579fd6ccb2473
; out: ne i65 59f699663c79ef83
; out: ugt i65 d792d5a2a7507837
; out: uge i65 a0d3991c0a265d27
; out: ult i65 5dc8728528d39357
; out: ule i65 64d412465663b167
; out: sgt i65 76bf8b8dc0e875d7
; out: sge i65 245a67310439e6d7
; out: slt i65 c24ccb56e960d277
; out: sle i65 23033d74a981f997
; out: add i100 d0353bf528678841
; out: sub i100 2008788b13580350
; out: mul i100 ea6c34444b1ec8af
; out: udiv i100 32bb2fb19f198e53
; out: sdiv i100 58f897d478097f37
; out: urem i100 0f908d43e26418f2
; out: srem i100 3a598dae652cf44e
; out: shl i100 92cb8f217d0a723b
; out: lshr i100 5db539ade14741a2
; out: ashr i100 464365b3de1e8f07
; out: and i100 9123471886155d42
; out: or i100 3a885466db400ce5
; out: xor i100 e19493e0d431e6a8
; out: eq i100 1ccc8f46ed98d56f
; out: ne i100 9dc185eaebaa79bf
; out: ugt i100 388afabea3aebcc7
; out: uge i100 a5b8e4aeb667f00b
; out: ult i100 8947fb47dae0b38b
; out: ule i100 1c1a1157c8278047
; out: sgt i100 a34343d4be11dcb7
; out: sge i100 10712dc4d0cb0ffb
; out: slt i100 c57caebdfc8fc38b
; out: sle i100 584ec4cde9d69047
; out: add i128 a03db9cf9abc584f
; out: sub i128 f626eaf5251da04b
; out: mul i128 b438152f6c7e56f5
; out: udiv i128 f716687c50cdcdf2
; out: sdiv i128 4c62580043313479
; out: urem i128 5a8986a44b9ab7f5
; out: srem i128 0d29d867c9b5134c
; out: shl i128 879f8c663bb5e4d2
; out: lshr i128 25ca12b42f75564a
; out: ashr i128 2907146053e60f7c
; out: and i128 4570cab176268f87
; out: or i128 ec89f8e2ed8cc9cf
; out: xor i128 aafbefb8882fc25f
; out: eq i128 1ccc8f46ed98d56f
; out: ne i128 9dc185eaebaa79bf
; out: ugt i128 4bd81a0c4b8acbd7
; out: uge i128 b90603fc5e43ff1b
; out: ult i128 16f1cc999bc57c9b
; out: ule i128 a9c3e2a9890c4957
; out: sgt i128 b1ca5759fdf6a077
; out: sge i128 1ef8414a10afd3bb
; out: slt i128 7568ee000b05e0fb
; out: sle i128 083b040ff84cadb7
@values = internal constant [26 x i64] [i64 0, i64 1, i64 2, i64 3, i64 5, i64 7, i64 -1, i64 -2, i64 -7, i64 100, i64 127, i64 128, i64 -128, i64 255, i64 256, i64 32767, i64 -32768, i64 65535, i64 2147483647, i64 -2147483648, i64 4294967295, i64 81985529216486895, i64 -81985529216486895, i64 9223372036854775807, i64 -9223372036854775808, i64 6148914691236517205]
@format = internal constant [18 x i8] c"%s i%d %016llx\0A\00\00\00"
declare i32 @printf(ptr, ...)

define internal i64 @add_65(i64 %x, i64 %y) {
  %xs = sext i64 %x to i65
  %yz = zext i64 %y to i65
  %xh = shl i65 %xs, 21
  %a = xor i65 %xh, %yz
  %yh = shl i65 %yz, 1
  %b = add i65 %yh, %xs
  %d = add i65 %b, 0
  %r = add i65 %a, %d
  %l = trunc i65 %r to i64
  %h0 = ashr i65 %r, 64
  %h = trunc i65 %h0 to i64
  %hm = mul i64 %h, 5
  %e = xor i64 %l, %hm
  ret i64 %e
}
define internal i64 @sub_65(i64 %x, i64 %y) {
  %xs = sext i64 %x to i65
  %yz = zext i64 %y to i65
  %xh = shl i65 %xs, 21
  %a = xor i65 %xh, %yz
  %yh = shl i65 %yz, 1
  %b = add i65 %yh, %xs
  %d = add i65 %b, 0
  %r = sub i65 %a, %d
  %l = trunc i65 %r to i64
  %h0 = ashr i65 %r, 64
  %h = trunc i65 %h0 to i64
  %hm = mul i64 %h, 5
  %e = xor i64 %l, %hm
  ret i64 %e
}
define internal i64 @mul_65(i64 %x, i64 %y) {
  %xs = sext i64 %x to i65
  %yz = zext i64 %y to i65
  %xh = shl i65 %xs, 21
  %a = xor i65 %xh, %yz
  %yh = shl i65 %yz, 1
  %b = add i65 %yh, %xs
  %d = add i65 %b, 0
  %r = mul i65 %a, %d
  %l = trunc i65 %r to i64
  %h0 = ashr i65 %r, 64
  %h = trunc i65 %h0 to i64
  %hm = mul i64 %h, 5
  %e = xor i64 %l, %hm
  ret i64 %e
}
define internal i64 @udiv_65(i64 %x, i64 %y) {
  %xs = sext i64 %x to i65
  %yz = zext i64 %y to i65
  %xh = shl i65 %xs, 21
  %a = xor i65 %xh, %yz
  %yh = shl i65 %yz, 1
  %b = add i65 %yh, %xs
  %d = or i65 %b, 1
  %r = udiv i65 %a, %d
  %l = trunc i65 %r to i64
  %h0 = ashr i65 %r, 64
  %h = trunc i65 %h0 to i64
  %hm = mul i64 %h, 5
  %e = xor i64 %l, %hm
  ret i64 %e
}
define internal i64 @sdiv_65(i64 %x, i64 %y) {
  %xs = sext i64 %x to i65
  %yz = zext i64 %y to i65
  %xh = shl i65 %xs, 21
  %a = xor i65 %xh, %yz
  %yh = shl i65 %yz, 1
  %b = add i65 %yh, %xs
  %c = and i65 %b, 31
  %d = or i65 %c, 1
  %r = sdiv i65 %a, %d
  %l = trunc i65 %r to i64
  %h0 = ashr i65 %r, 64
  %h = trunc i65 %h0 to i64
  %hm = mul i64 %h, 5
  %e = xor i64 %l, %hm
  ret i64 %e
}
define internal i64 @urem_65(i64 %x, i64 %y) {
  %xs = sext i64 %x to i65
  %yz = zext i64 %y to i65
  %xh = shl i65 %xs, 21
  %a = xor i65 %xh, %yz
  %yh = shl i65 %yz, 1
  %b = add i65 %yh, %xs
  %d = or i65 %b, 1
  %r = urem i65 %a, %d
  %l = trunc i65 %r to i64
  %h0 = ashr i65 %r, 64
  %h = trunc i65 %h0 to i64
  %hm = mul i64 %h, 5
  %e = xor i64 %l, %hm
  ret i64 %e
}
define internal i64 @srem_65(i64 %x, i64 %y) {
  %xs = sext i64 %x to i65
  %yz = zext i64 %y to i65
  %xh = shl i65 %xs, 21
  %a = xor i65 %xh, %yz
  %yh = shl i65 %yz, 1
  %b = add i65 %yh, %xs
  %c = and i65 %b, 31
  %d = or i65 %c, 1
  %r = srem i65 %a, %d
  %l = trunc i65 %r to i64
  %h0 = ashr i65 %r, 64
  %h = trunc i65 %h0 to i64
  %hm = mul i64 %h, 5
  %e = xor i64 %l, %hm
  ret i64 %e
}
define internal i64 @shl_65(i64 %x, i64 %y) {
  %xs = sext i64 %x to i65
  %yz = zext i64 %y to i65
  %xh = shl i65 %xs, 21
  %a = xor i65 %xh, %yz
  %yh = shl i65 %yz, 1
  %b = add i65 %yh, %xs
  %d = urem i65 %b, 65
  %r = shl i65 %a, %d
  %l = trunc i65 %r to i64
  %h0 = ashr i65 %r, 64
  %h = trunc i65 %h0 to i64
  %hm = mul i64 %h, 5
  %e = xor i64 %l, %hm
  ret i64 %e
}
define internal i64 @lshr_65(i64 %x, i64 %y) {
  %xs = sext i64 %x to i65
  %yz = zext i64 %y to i65
  %xh = shl i65 %xs, 21
  %a = xor i65 %xh, %yz
  %yh = shl i65 %yz, 1
  %b = add i65 %yh, %xs
  %d = urem i65 %b, 65
  %r = lshr i65 %a, %d
  %l = trunc i65 %r to i64
  %h0 = ashr i65 %r, 64
  %h = trunc i65 %h0 to i64
  %hm = mul i64 %h, 5
  %e = xor i64 %l, %hm
  ret i64 %e
}
define internal i64 @ashr_65(i64 %x, i64 %y) {
  %xs = sext i64 %x to i65
  %yz = zext i64 %y to i65
  %xh = shl i65 %xs, 21
  %a = xor i65 %xh, %yz
  %yh = shl i65 %yz, 1
  %b = add i65 %yh, %xs
  %d = urem i65 %b, 65
  %r = ashr i65 %a, %d
  %l = trunc i65 %r to i64
  %h0 = ashr i65 %r, 64
  %h = trunc i65 %h0 to i64
  %hm = mul i64 %h, 5
  %e = xor i64 %l, %hm
  ret i64 %e
}
define internal i64 @and_65(i64 %x, i64 %y) {
  %xs = sext i64 %x to i65
  %yz = zext i64 %y to i65
  %xh = shl i65 %xs, 21
  %a = xor i65 %xh, %yz
  %yh = shl i65 %yz, 1
  %b = add i65 %yh, %xs
  %d = add i65 %b, 0
  %r = and i65 %a, %d
  %l = trunc i65 %r to i64
  %h0 = ashr i65 %r, 64
  %h = trunc i65 %h0 to i64
  %hm = mul i64 %h, 5
  %e = xor i64 %l, %hm
  ret i64 %e
}
define internal i64 @or_65(i64 %x, i64 %y) {
  %xs = sext i64 %x to i65
  %yz = zext i64 %y to i65
  %xh = shl i65 %xs, 21
  %a = xor i65 %xh, %yz
  %yh = shl i65 %yz, 1
  %b = add i65 %yh, %xs
  %d = add i65 %b, 0
  %r = or i65 %a, %d
  %l = trunc i65 %r to i64
  %h0 = ashr i65 %r, 64
  %h = trunc i65 %h0 to i64
  %hm = mul i64 %h, 5
  %e = xor i64 %l, %hm
  ret i64 %e
}
define internal i64 @xor_65(i64 %x, i64 %y) {
  %xs = sext i64 %x to i65
  %yz = zext i64 %y to i65
  %xh = shl i65 %xs, 21
  %a = xor i65 %xh, %yz
  %yh = shl i65 %yz, 1
  %b = add i65 %yh, %xs
  %d = add i65 %b, 0
  %r = xor i65 %a, %d
  %l = trunc i65 %r to i64
  %h0 = ashr i65 %r, 64
  %h = trunc i65 %h0 to i64
  %hm = mul i64 %h, 5
  %e = xor i64 %l, %hm
  ret i64 %e
}
define internal i64 @eq_65(i64 %x, i64 %y) {
  %xs = sext i64 %x to i65
  %yz = zext i64 %y to i65
  %xh = shl i65 %xs, 21
  %a = xor i65 %xh, %yz
  %yh = shl i65 %yz, 1
  %b = add i65 %yh, %xs
  %r = icmp eq i65 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ne_65(i64 %x, i64 %y) {
  %xs = sext i64 %x to i65
  %yz = zext i64 %y to i65
  %xh = shl i65 %xs, 21
  %a = xor i65 %xh, %yz
  %yh = shl i65 %yz, 1
  %b = add i65 %yh, %xs
  %r = icmp ne i65 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ugt_65(i64 %x, i64 %y) {
  %xs = sext i64 %x to i65
  %yz = zext i64 %y to i65
  %xh = shl i65 %xs, 21
  %a = xor i65 %xh, %yz
  %yh = shl i65 %yz, 1
  %b = add i65 %yh, %xs
  %r = icmp ugt i65 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @uge_65(i64 %x, i64 %y) {
  %xs = sext i64 %x to i65
  %yz = zext i64 %y to i65
  %xh = shl i65 %xs, 21
  %a = xor i65 %xh, %yz
  %yh = shl i65 %yz, 1
  %b = add i65 %yh, %xs
  %r = icmp uge i65 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ult_65(i64 %x, i64 %y) {
  %xs = sext i64 %x to i65
  %yz = zext i64 %y to i65
  %xh = shl i65 %xs, 21
  %a = xor i65 %xh, %yz
  %yh = shl i65 %yz, 1
  %b = add i65 %yh, %xs
  %r = icmp ult i65 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ule_65(i64 %x, i64 %y) {
  %xs = sext i64 %x to i65
  %yz = zext i64 %y to i65
  %xh = shl i65 %xs, 21
  %a = xor i65 %xh, %yz
  %yh = shl i65 %yz, 1
  %b = add i65 %yh, %xs
  %r = icmp ule i65 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sgt_65(i64 %x, i64 %y) {
  %xs = sext i64 %x to i65
  %yz = zext i64 %y to i65
  %xh = shl i65 %xs, 21
  %a = xor i65 %xh, %yz
  %yh = shl i65 %yz, 1
  %b = add i65 %yh, %xs
  %r = icmp sgt i65 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sge_65(i64 %x, i64 %y) {
  %xs = sext i64 %x to i65
  %yz = zext i64 %y to i65
  %xh = shl i65 %xs, 21
  %a = xor i65 %xh, %yz
  %yh = shl i65 %yz, 1
  %b = add i65 %yh, %xs
  %r = icmp sge i65 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @slt_65(i64 %x, i64 %y) {
  %xs = sext i64 %x to i65
  %yz = zext i64 %y to i65
  %xh = shl i65 %xs, 21
  %a = xor i65 %xh, %yz
  %yh = shl i65 %yz, 1
  %b = add i65 %yh, %xs
  %r = icmp slt i65 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sle_65(i64 %x, i64 %y) {
  %xs = sext i64 %x to i65
  %yz = zext i64 %y to i65
  %xh = shl i65 %xs, 21
  %a = xor i65 %xh, %yz
  %yh = shl i65 %yz, 1
  %b = add i65 %yh, %xs
  %r = icmp sle i65 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @add_100(i64 %x, i64 %y) {
  %xs = sext i64 %x to i100
  %yz = zext i64 %y to i100
  %xh = shl i100 %xs, 33
  %a = xor i100 %xh, %yz
  %yh = shl i100 %yz, 36
  %b = add i100 %yh, %xs
  %d = add i100 %b, 0
  %r = add i100 %a, %d
  %l = trunc i100 %r to i64
  %h0 = ashr i100 %r, 64
  %h = trunc i100 %h0 to i64
  %hm = mul i64 %h, 5
  %e = xor i64 %l, %hm
  ret i64 %e
}
define internal i64 @sub_100(i64 %x, i64 %y) {
  %xs = sext i64 %x to i100
  %yz = zext i64 %y to i100
  %xh = shl i100 %xs, 33
  %a = xor i100 %xh, %yz
  %yh = shl i100 %yz, 36
  %b = add i100 %yh, %xs
  %d = add i100 %b, 0
  %r = sub i100 %a, %d
  %l = trunc i100 %r to i64
  %h0 = ashr i100 %r, 64
  %h = trunc i100 %h0 to i64
  %hm = mul i64 %h, 5
  %e = xor i64 %l, %hm
  ret i64 %e
}
define internal i64 @mul_100(i64 %x, i64 %y) {
  %xs = sext i64 %x to i100
  %yz = zext i64 %y to i100
  %xh = shl i100 %xs, 33
  %a = xor i100 %xh, %yz
  %yh = shl i100 %yz, 36
  %b = add i100 %yh, %xs
  %d = add i100 %b, 0
  %r = mul i100 %a, %d
  %l = trunc i100 %r to i64
  %h0 = ashr i100 %r, 64
  %h = trunc i100 %h0 to i64
  %hm = mul i64 %h, 5
  %e = xor i64 %l, %hm
  ret i64 %e
}
define internal i64 @udiv_100(i64 %x, i64 %y) {
  %xs = sext i64 %x to i100
  %yz = zext i64 %y to i100
  %xh = shl i100 %xs, 33
  %a = xor i100 %xh, %yz
  %yh = shl i100 %yz, 36
  %b = add i100 %yh, %xs
  %d = or i100 %b, 1
  %r = udiv i100 %a, %d
  %l = trunc i100 %r to i64
  %h0 = ashr i100 %r, 64
  %h = trunc i100 %h0 to i64
  %hm = mul i64 %h, 5
  %e = xor i64 %l, %hm
  ret i64 %e
}
define internal i64 @sdiv_100(i64 %x, i64 %y) {
  %xs = sext i64 %x to i100
  %yz = zext i64 %y to i100
  %xh = shl i100 %xs, 33
  %a = xor i100 %xh, %yz
  %yh = shl i100 %yz, 36
  %b = add i100 %yh, %xs
  %c = and i100 %b, 31
  %d = or i100 %c, 1
  %r = sdiv i100 %a, %d
  %l = trunc i100 %r to i64
  %h0 = ashr i100 %r, 64
  %h = trunc i100 %h0 to i64
  %hm = mul i64 %h, 5
  %e = xor i64 %l, %hm
  ret i64 %e
}
define internal i64 @urem_100(i64 %x, i64 %y) {
  %xs = sext i64 %x to i100
  %yz = zext i64 %y to i100
  %xh = shl i100 %xs, 33
  %a = xor i100 %xh, %yz
  %yh = shl i100 %yz, 36
  %b = add i100 %yh, %xs
  %d = or i100 %b, 1
  %r = urem i100 %a, %d
  %l = trunc i100 %r to i64
  %h0 = ashr i100 %r, 64
  %h = trunc i100 %h0 to i64
  %hm = mul i64 %h, 5
  %e = xor i64 %l, %hm
  ret i64 %e
}
define internal i64 @srem_100(i64 %x, i64 %y) {
  %xs = sext i64 %x to i100
  %yz = zext i64 %y to i100
  %xh = shl i100 %xs, 33
  %a = xor i100 %xh, %yz
  %yh = shl i100 %yz, 36
  %b = add i100 %yh, %xs
  %c = and i100 %b, 31
  %d = or i100 %c, 1
  %r = srem i100 %a, %d
  %l = trunc i100 %r to i64
  %h0 = ashr i100 %r, 64
  %h = trunc i100 %h0 to i64
  %hm = mul i64 %h, 5
  %e = xor i64 %l, %hm
  ret i64 %e
}
define internal i64 @shl_100(i64 %x, i64 %y) {
  %xs = sext i64 %x to i100
  %yz = zext i64 %y to i100
  %xh = shl i100 %xs, 33
  %a = xor i100 %xh, %yz
  %yh = shl i100 %yz, 36
  %b = add i100 %yh, %xs
  %d = urem i100 %b, 100
  %r = shl i100 %a, %d
  %l = trunc i100 %r to i64
  %h0 = ashr i100 %r, 64
  %h = trunc i100 %h0 to i64
  %hm = mul i64 %h, 5
  %e = xor i64 %l, %hm
  ret i64 %e
}
define internal i64 @lshr_100(i64 %x, i64 %y) {
  %xs = sext i64 %x to i100
  %yz = zext i64 %y to i100
  %xh = shl i100 %xs, 33
  %a = xor i100 %xh, %yz
  %yh = shl i100 %yz, 36
  %b = add i100 %yh, %xs
  %d = urem i100 %b, 100
  %r = lshr i100 %a, %d
  %l = trunc i100 %r to i64
  %h0 = ashr i100 %r, 64
  %h = trunc i100 %h0 to i64
  %hm = mul i64 %h, 5
  %e = xor i64 %l, %hm
  ret i64 %e
}
define internal i64 @ashr_100(i64 %x, i64 %y) {
  %xs = sext i64 %x to i100
  %yz = zext i64 %y to i100
  %xh = shl i100 %xs, 33
  %a = xor i100 %xh, %yz
  %yh = shl i100 %yz, 36
  %b = add i100 %yh, %xs
  %d = urem i100 %b, 100
  %r = ashr i100 %a, %d
  %l = trunc i100 %r to i64
  %h0 = ashr i100 %r, 64
  %h = trunc i100 %h0 to i64
  %hm = mul i64 %h, 5
  %e = xor i64 %l, %hm
  ret i64 %e
}
define internal i64 @and_100(i64 %x, i64 %y) {
  %xs = sext i64 %x to i100
  %yz = zext i64 %y to i100
  %xh = shl i100 %xs, 33
  %a = xor i100 %xh, %yz
  %yh = shl i100 %yz, 36
  %b = add i100 %yh, %xs
  %d = add i100 %b, 0
  %r = and i100 %a, %d
  %l = trunc i100 %r to i64
  %h0 = ashr i100 %r, 64
  %h = trunc i100 %h0 to i64
  %hm = mul i64 %h, 5
  %e = xor i64 %l, %hm
  ret i64 %e
}
define internal i64 @or_100(i64 %x, i64 %y) {
  %xs = sext i64 %x to i100
  %yz = zext i64 %y to i100
  %xh = shl i100 %xs, 33
  %a = xor i100 %xh, %yz
  %yh = shl i100 %yz, 36
  %b = add i100 %yh, %xs
  %d = add i100 %b, 0
  %r = or i100 %a, %d
  %l = trunc i100 %r to i64
  %h0 = ashr i100 %r, 64
  %h = trunc i100 %h0 to i64
  %hm = mul i64 %h, 5
  %e = xor i64 %l, %hm
  ret i64 %e
}
define internal i64 @xor_100(i64 %x, i64 %y) {
  %xs = sext i64 %x to i100
  %yz = zext i64 %y to i100
  %xh = shl i100 %xs, 33
  %a = xor i100 %xh, %yz
  %yh = shl i100 %yz, 36
  %b = add i100 %yh, %xs
  %d = add i100 %b, 0
  %r = xor i100 %a, %d
  %l = trunc i100 %r to i64
  %h0 = ashr i100 %r, 64
  %h = trunc i100 %h0 to i64
  %hm = mul i64 %h, 5
  %e = xor i64 %l, %hm
  ret i64 %e
}
define internal i64 @eq_100(i64 %x, i64 %y) {
  %xs = sext i64 %x to i100
  %yz = zext i64 %y to i100
  %xh = shl i100 %xs, 33
  %a = xor i100 %xh, %yz
  %yh = shl i100 %yz, 36
  %b = add i100 %yh, %xs
  %r = icmp eq i100 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ne_100(i64 %x, i64 %y) {
  %xs = sext i64 %x to i100
  %yz = zext i64 %y to i100
  %xh = shl i100 %xs, 33
  %a = xor i100 %xh, %yz
  %yh = shl i100 %yz, 36
  %b = add i100 %yh, %xs
  %r = icmp ne i100 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ugt_100(i64 %x, i64 %y) {
  %xs = sext i64 %x to i100
  %yz = zext i64 %y to i100
  %xh = shl i100 %xs, 33
  %a = xor i100 %xh, %yz
  %yh = shl i100 %yz, 36
  %b = add i100 %yh, %xs
  %r = icmp ugt i100 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @uge_100(i64 %x, i64 %y) {
  %xs = sext i64 %x to i100
  %yz = zext i64 %y to i100
  %xh = shl i100 %xs, 33
  %a = xor i100 %xh, %yz
  %yh = shl i100 %yz, 36
  %b = add i100 %yh, %xs
  %r = icmp uge i100 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ult_100(i64 %x, i64 %y) {
  %xs = sext i64 %x to i100
  %yz = zext i64 %y to i100
  %xh = shl i100 %xs, 33
  %a = xor i100 %xh, %yz
  %yh = shl i100 %yz, 36
  %b = add i100 %yh, %xs
  %r = icmp ult i100 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ule_100(i64 %x, i64 %y) {
  %xs = sext i64 %x to i100
  %yz = zext i64 %y to i100
  %xh = shl i100 %xs, 33
  %a = xor i100 %xh, %yz
  %yh = shl i100 %yz, 36
  %b = add i100 %yh, %xs
  %r = icmp ule i100 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sgt_100(i64 %x, i64 %y) {
  %xs = sext i64 %x to i100
  %yz = zext i64 %y to i100
  %xh = shl i100 %xs, 33
  %a = xor i100 %xh, %yz
  %yh = shl i100 %yz, 36
  %b = add i100 %yh, %xs
  %r = icmp sgt i100 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sge_100(i64 %x, i64 %y) {
  %xs = sext i64 %x to i100
  %yz = zext i64 %y to i100
  %xh = shl i100 %xs, 33
  %a = xor i100 %xh, %yz
  %yh = shl i100 %yz, 36
  %b = add i100 %yh, %xs
  %r = icmp sge i100 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @slt_100(i64 %x, i64 %y) {
  %xs = sext i64 %x to i100
  %yz = zext i64 %y to i100
  %xh = shl i100 %xs, 33
  %a = xor i100 %xh, %yz
  %yh = shl i100 %yz, 36
  %b = add i100 %yh, %xs
  %r = icmp slt i100 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sle_100(i64 %x, i64 %y) {
  %xs = sext i64 %x to i100
  %yz = zext i64 %y to i100
  %xh = shl i100 %xs, 33
  %a = xor i100 %xh, %yz
  %yh = shl i100 %yz, 36
  %b = add i100 %yh, %xs
  %r = icmp sle i100 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @add_128(i64 %x, i64 %y) {
  %xs = sext i64 %x to i128
  %yz = zext i64 %y to i128
  %xh = shl i128 %xs, 42
  %a = xor i128 %xh, %yz
  %yh = shl i128 %yz, 64
  %b = add i128 %yh, %xs
  %d = add i128 %b, 0
  %r = add i128 %a, %d
  %l = trunc i128 %r to i64
  %h0 = ashr i128 %r, 64
  %h = trunc i128 %h0 to i64
  %hm = mul i64 %h, 5
  %e = xor i64 %l, %hm
  ret i64 %e
}
define internal i64 @sub_128(i64 %x, i64 %y) {
  %xs = sext i64 %x to i128
  %yz = zext i64 %y to i128
  %xh = shl i128 %xs, 42
  %a = xor i128 %xh, %yz
  %yh = shl i128 %yz, 64
  %b = add i128 %yh, %xs
  %d = add i128 %b, 0
  %r = sub i128 %a, %d
  %l = trunc i128 %r to i64
  %h0 = ashr i128 %r, 64
  %h = trunc i128 %h0 to i64
  %hm = mul i64 %h, 5
  %e = xor i64 %l, %hm
  ret i64 %e
}
define internal i64 @mul_128(i64 %x, i64 %y) {
  %xs = sext i64 %x to i128
  %yz = zext i64 %y to i128
  %xh = shl i128 %xs, 42
  %a = xor i128 %xh, %yz
  %yh = shl i128 %yz, 64
  %b = add i128 %yh, %xs
  %d = add i128 %b, 0
  %r = mul i128 %a, %d
  %l = trunc i128 %r to i64
  %h0 = ashr i128 %r, 64
  %h = trunc i128 %h0 to i64
  %hm = mul i64 %h, 5
  %e = xor i64 %l, %hm
  ret i64 %e
}
define internal i64 @udiv_128(i64 %x, i64 %y) {
  %xs = sext i64 %x to i128
  %yz = zext i64 %y to i128
  %xh = shl i128 %xs, 42
  %a = xor i128 %xh, %yz
  %yh = shl i128 %yz, 64
  %b = add i128 %yh, %xs
  %d = or i128 %b, 1
  %r = udiv i128 %a, %d
  %l = trunc i128 %r to i64
  %h0 = ashr i128 %r, 64
  %h = trunc i128 %h0 to i64
  %hm = mul i64 %h, 5
  %e = xor i64 %l, %hm
  ret i64 %e
}
define internal i64 @sdiv_128(i64 %x, i64 %y) {
  %xs = sext i64 %x to i128
  %yz = zext i64 %y to i128
  %xh = shl i128 %xs, 42
  %a = xor i128 %xh, %yz
  %yh = shl i128 %yz, 64
  %b = add i128 %yh, %xs
  %c = and i128 %b, 31
  %d = or i128 %c, 1
  %r = sdiv i128 %a, %d
  %l = trunc i128 %r to i64
  %h0 = ashr i128 %r, 64
  %h = trunc i128 %h0 to i64
  %hm = mul i64 %h, 5
  %e = xor i64 %l, %hm
  ret i64 %e
}
define internal i64 @urem_128(i64 %x, i64 %y) {
  %xs = sext i64 %x to i128
  %yz = zext i64 %y to i128
  %xh = shl i128 %xs, 42
  %a = xor i128 %xh, %yz
  %yh = shl i128 %yz, 64
  %b = add i128 %yh, %xs
  %d = or i128 %b, 1
  %r = urem i128 %a, %d
  %l = trunc i128 %r to i64
  %h0 = ashr i128 %r, 64
  %h = trunc i128 %h0 to i64
  %hm = mul i64 %h, 5
  %e = xor i64 %l, %hm
  ret i64 %e
}
define internal i64 @srem_128(i64 %x, i64 %y) {
  %xs = sext i64 %x to i128
  %yz = zext i64 %y to i128
  %xh = shl i128 %xs, 42
  %a = xor i128 %xh, %yz
  %yh = shl i128 %yz, 64
  %b = add i128 %yh, %xs
  %c = and i128 %b, 31
  %d = or i128 %c, 1
  %r = srem i128 %a, %d
  %l = trunc i128 %r to i64
  %h0 = ashr i128 %r, 64
  %h = trunc i128 %h0 to i64
  %hm = mul i64 %h, 5
  %e = xor i64 %l, %hm
  ret i64 %e
}
define internal i64 @shl_128(i64 %x, i64 %y) {
  %xs = sext i64 %x to i128
  %yz = zext i64 %y to i128
  %xh = shl i128 %xs, 42
  %a = xor i128 %xh, %yz
  %yh = shl i128 %yz, 64
  %b = add i128 %yh, %xs
  %d = urem i128 %b, 128
  %r = shl i128 %a, %d
  %l = trunc i128 %r to i64
  %h0 = ashr i128 %r, 64
  %h = trunc i128 %h0 to i64
  %hm = mul i64 %h, 5
  %e = xor i64 %l, %hm
  ret i64 %e
}
define internal i64 @lshr_128(i64 %x, i64 %y) {
  %xs = sext i64 %x to i128
  %yz = zext i64 %y to i128
  %xh = shl i128 %xs, 42
  %a = xor i128 %xh, %yz
  %yh = shl i128 %yz, 64
  %b = add i128 %yh, %xs
  %d = urem i128 %b, 128
  %r = lshr i128 %a, %d
  %l = trunc i128 %r to i64
  %h0 = ashr i128 %r, 64
  %h = trunc i128 %h0 to i64
  %hm = mul i64 %h, 5
  %e = xor i64 %l, %hm
  ret i64 %e
}
define internal i64 @ashr_128(i64 %x, i64 %y) {
  %xs = sext i64 %x to i128
  %yz = zext i64 %y to i128
  %xh = shl i128 %xs, 42
  %a = xor i128 %xh, %yz
  %yh = shl i128 %yz, 64
  %b = add i128 %yh, %xs
  %d = urem i128 %b, 128
  %r = ashr i128 %a, %d
  %l = trunc i128 %r to i64
  %h0 = ashr i128 %r, 64
  %h = trunc i128 %h0 to i64
  %hm = mul i64 %h, 5
  %e = xor i64 %l, %hm
  ret i64 %e
}
define internal i64 @and_128(i64 %x, i64 %y) {
  %xs = sext i64 %x to i128
  %yz = zext i64 %y to i128
  %xh = shl i128 %xs, 42
  %a = xor i128 %xh, %yz
  %yh = shl i128 %yz, 64
  %b = add i128 %yh, %xs
  %d = add i128 %b, 0
  %r = and i128 %a, %d
  %l = trunc i128 %r to i64
  %h0 = ashr i128 %r, 64
  %h = trunc i128 %h0 to i64
  %hm = mul i64 %h, 5
  %e = xor i64 %l, %hm
  ret i64 %e
}
define internal i64 @or_128(i64 %x, i64 %y) {
  %xs = sext i64 %x to i128
  %yz = zext i64 %y to i128
  %xh = shl i128 %xs, 42
  %a = xor i128 %xh, %yz
  %yh = shl i128 %yz, 64
  %b = add i128 %yh, %xs
  %d = add i128 %b, 0
  %r = or i128 %a, %d
  %l = trunc i128 %r to i64
  %h0 = ashr i128 %r, 64
  %h = trunc i128 %h0 to i64
  %hm = mul i64 %h, 5
  %e = xor i64 %l, %hm
  ret i64 %e
}
define internal i64 @xor_128(i64 %x, i64 %y) {
  %xs = sext i64 %x to i128
  %yz = zext i64 %y to i128
  %xh = shl i128 %xs, 42
  %a = xor i128 %xh, %yz
  %yh = shl i128 %yz, 64
  %b = add i128 %yh, %xs
  %d = add i128 %b, 0
  %r = xor i128 %a, %d
  %l = trunc i128 %r to i64
  %h0 = ashr i128 %r, 64
  %h = trunc i128 %h0 to i64
  %hm = mul i64 %h, 5
  %e = xor i64 %l, %hm
  ret i64 %e
}
define internal i64 @eq_128(i64 %x, i64 %y) {
  %xs = sext i64 %x to i128
  %yz = zext i64 %y to i128
  %xh = shl i128 %xs, 42
  %a = xor i128 %xh, %yz
  %yh = shl i128 %yz, 64
  %b = add i128 %yh, %xs
  %r = icmp eq i128 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ne_128(i64 %x, i64 %y) {
  %xs = sext i64 %x to i128
  %yz = zext i64 %y to i128
  %xh = shl i128 %xs, 42
  %a = xor i128 %xh, %yz
  %yh = shl i128 %yz, 64
  %b = add i128 %yh, %xs
  %r = icmp ne i128 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ugt_128(i64 %x, i64 %y) {
  %xs = sext i64 %x to i128
  %yz = zext i64 %y to i128
  %xh = shl i128 %xs, 42
  %a = xor i128 %xh, %yz
  %yh = shl i128 %yz, 64
  %b = add i128 %yh, %xs
  %r = icmp ugt i128 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @uge_128(i64 %x, i64 %y) {
  %xs = sext i64 %x to i128
  %yz = zext i64 %y to i128
  %xh = shl i128 %xs, 42
  %a = xor i128 %xh, %yz
  %yh = shl i128 %yz, 64
  %b = add i128 %yh, %xs
  %r = icmp uge i128 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ult_128(i64 %x, i64 %y) {
  %xs = sext i64 %x to i128
  %yz = zext i64 %y to i128
  %xh = shl i128 %xs, 42
  %a = xor i128 %xh, %yz
  %yh = shl i128 %yz, 64
  %b = add i128 %yh, %xs
  %r = icmp ult i128 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @ule_128(i64 %x, i64 %y) {
  %xs = sext i64 %x to i128
  %yz = zext i64 %y to i128
  %xh = shl i128 %xs, 42
  %a = xor i128 %xh, %yz
  %yh = shl i128 %yz, 64
  %b = add i128 %yh, %xs
  %r = icmp ule i128 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sgt_128(i64 %x, i64 %y) {
  %xs = sext i64 %x to i128
  %yz = zext i64 %y to i128
  %xh = shl i128 %xs, 42
  %a = xor i128 %xh, %yz
  %yh = shl i128 %yz, 64
  %b = add i128 %yh, %xs
  %r = icmp sgt i128 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sge_128(i64 %x, i64 %y) {
  %xs = sext i64 %x to i128
  %yz = zext i64 %y to i128
  %xh = shl i128 %xs, 42
  %a = xor i128 %xh, %yz
  %yh = shl i128 %yz, 64
  %b = add i128 %yh, %xs
  %r = icmp sge i128 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @slt_128(i64 %x, i64 %y) {
  %xs = sext i64 %x to i128
  %yz = zext i64 %y to i128
  %xh = shl i128 %xs, 42
  %a = xor i128 %xh, %yz
  %yh = shl i128 %yz, 64
  %b = add i128 %yh, %xs
  %r = icmp slt i128 %a, %b
  %s = sext i1 %r to i64
  %z = zext i1 %r to i64
  %m = mul i64 %z, 3
  %e = xor i64 %s, %m
  ret i64 %e
}
define internal i64 @sle_128(i64 %x, i64 %y) {
  %xs = sext i64 %x to i128
  %yz = zext i64 %y to i128
  %xh = shl i128 %xs, 42
  %a = xor i128 %xh, %yz
  %yh = shl i128 %yz, 64
  %b = add i128 %yh, %xs
  %r = icmp sle i128 %a, %b
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
  %d0 = call i64 @digest(ptr @add_65)
  %p0 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.add, i32 65, i64 %d0)
  %d1 = call i64 @digest(ptr @sub_65)
  %p1 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sub, i32 65, i64 %d1)
  %d2 = call i64 @digest(ptr @mul_65)
  %p2 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.mul, i32 65, i64 %d2)
  %d3 = call i64 @digest(ptr @udiv_65)
  %p3 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.udiv, i32 65, i64 %d3)
  %d4 = call i64 @digest(ptr @sdiv_65)
  %p4 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sdiv, i32 65, i64 %d4)
  %d5 = call i64 @digest(ptr @urem_65)
  %p5 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.urem, i32 65, i64 %d5)
  %d6 = call i64 @digest(ptr @srem_65)
  %p6 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.srem, i32 65, i64 %d6)
  %d7 = call i64 @digest(ptr @shl_65)
  %p7 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.shl, i32 65, i64 %d7)
  %d8 = call i64 @digest(ptr @lshr_65)
  %p8 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.lshr, i32 65, i64 %d8)
  %d9 = call i64 @digest(ptr @ashr_65)
  %p9 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ashr, i32 65, i64 %d9)
  %d10 = call i64 @digest(ptr @and_65)
  %p10 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.and, i32 65, i64 %d10)
  %d11 = call i64 @digest(ptr @or_65)
  %p11 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.or, i32 65, i64 %d11)
  %d12 = call i64 @digest(ptr @xor_65)
  %p12 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.xor, i32 65, i64 %d12)
  %d13 = call i64 @digest(ptr @eq_65)
  %p13 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.eq, i32 65, i64 %d13)
  %d14 = call i64 @digest(ptr @ne_65)
  %p14 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ne, i32 65, i64 %d14)
  %d15 = call i64 @digest(ptr @ugt_65)
  %p15 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ugt, i32 65, i64 %d15)
  %d16 = call i64 @digest(ptr @uge_65)
  %p16 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.uge, i32 65, i64 %d16)
  %d17 = call i64 @digest(ptr @ult_65)
  %p17 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ult, i32 65, i64 %d17)
  %d18 = call i64 @digest(ptr @ule_65)
  %p18 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ule, i32 65, i64 %d18)
  %d19 = call i64 @digest(ptr @sgt_65)
  %p19 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sgt, i32 65, i64 %d19)
  %d20 = call i64 @digest(ptr @sge_65)
  %p20 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sge, i32 65, i64 %d20)
  %d21 = call i64 @digest(ptr @slt_65)
  %p21 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.slt, i32 65, i64 %d21)
  %d22 = call i64 @digest(ptr @sle_65)
  %p22 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sle, i32 65, i64 %d22)
  %d23 = call i64 @digest(ptr @add_100)
  %p23 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.add, i32 100, i64 %d23)
  %d24 = call i64 @digest(ptr @sub_100)
  %p24 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sub, i32 100, i64 %d24)
  %d25 = call i64 @digest(ptr @mul_100)
  %p25 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.mul, i32 100, i64 %d25)
  %d26 = call i64 @digest(ptr @udiv_100)
  %p26 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.udiv, i32 100, i64 %d26)
  %d27 = call i64 @digest(ptr @sdiv_100)
  %p27 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sdiv, i32 100, i64 %d27)
  %d28 = call i64 @digest(ptr @urem_100)
  %p28 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.urem, i32 100, i64 %d28)
  %d29 = call i64 @digest(ptr @srem_100)
  %p29 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.srem, i32 100, i64 %d29)
  %d30 = call i64 @digest(ptr @shl_100)
  %p30 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.shl, i32 100, i64 %d30)
  %d31 = call i64 @digest(ptr @lshr_100)
  %p31 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.lshr, i32 100, i64 %d31)
  %d32 = call i64 @digest(ptr @ashr_100)
  %p32 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ashr, i32 100, i64 %d32)
  %d33 = call i64 @digest(ptr @and_100)
  %p33 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.and, i32 100, i64 %d33)
  %d34 = call i64 @digest(ptr @or_100)
  %p34 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.or, i32 100, i64 %d34)
  %d35 = call i64 @digest(ptr @xor_100)
  %p35 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.xor, i32 100, i64 %d35)
  %d36 = call i64 @digest(ptr @eq_100)
  %p36 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.eq, i32 100, i64 %d36)
  %d37 = call i64 @digest(ptr @ne_100)
  %p37 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ne, i32 100, i64 %d37)
  %d38 = call i64 @digest(ptr @ugt_100)
  %p38 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ugt, i32 100, i64 %d38)
  %d39 = call i64 @digest(ptr @uge_100)
  %p39 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.uge, i32 100, i64 %d39)
  %d40 = call i64 @digest(ptr @ult_100)
  %p40 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ult, i32 100, i64 %d40)
  %d41 = call i64 @digest(ptr @ule_100)
  %p41 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ule, i32 100, i64 %d41)
  %d42 = call i64 @digest(ptr @sgt_100)
  %p42 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sgt, i32 100, i64 %d42)
  %d43 = call i64 @digest(ptr @sge_100)
  %p43 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sge, i32 100, i64 %d43)
  %d44 = call i64 @digest(ptr @slt_100)
  %p44 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.slt, i32 100, i64 %d44)
  %d45 = call i64 @digest(ptr @sle_100)
  %p45 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sle, i32 100, i64 %d45)
  %d46 = call i64 @digest(ptr @add_128)
  %p46 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.add, i32 128, i64 %d46)
  %d47 = call i64 @digest(ptr @sub_128)
  %p47 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sub, i32 128, i64 %d47)
  %d48 = call i64 @digest(ptr @mul_128)
  %p48 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.mul, i32 128, i64 %d48)
  %d49 = call i64 @digest(ptr @udiv_128)
  %p49 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.udiv, i32 128, i64 %d49)
  %d50 = call i64 @digest(ptr @sdiv_128)
  %p50 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sdiv, i32 128, i64 %d50)
  %d51 = call i64 @digest(ptr @urem_128)
  %p51 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.urem, i32 128, i64 %d51)
  %d52 = call i64 @digest(ptr @srem_128)
  %p52 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.srem, i32 128, i64 %d52)
  %d53 = call i64 @digest(ptr @shl_128)
  %p53 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.shl, i32 128, i64 %d53)
  %d54 = call i64 @digest(ptr @lshr_128)
  %p54 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.lshr, i32 128, i64 %d54)
  %d55 = call i64 @digest(ptr @ashr_128)
  %p55 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ashr, i32 128, i64 %d55)
  %d56 = call i64 @digest(ptr @and_128)
  %p56 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.and, i32 128, i64 %d56)
  %d57 = call i64 @digest(ptr @or_128)
  %p57 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.or, i32 128, i64 %d57)
  %d58 = call i64 @digest(ptr @xor_128)
  %p58 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.xor, i32 128, i64 %d58)
  %d59 = call i64 @digest(ptr @eq_128)
  %p59 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.eq, i32 128, i64 %d59)
  %d60 = call i64 @digest(ptr @ne_128)
  %p60 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ne, i32 128, i64 %d60)
  %d61 = call i64 @digest(ptr @ugt_128)
  %p61 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ugt, i32 128, i64 %d61)
  %d62 = call i64 @digest(ptr @uge_128)
  %p62 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.uge, i32 128, i64 %d62)
  %d63 = call i64 @digest(ptr @ult_128)
  %p63 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ult, i32 128, i64 %d63)
  %d64 = call i64 @digest(ptr @ule_128)
  %p64 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.ule, i32 128, i64 %d64)
  %d65 = call i64 @digest(ptr @sgt_128)
  %p65 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sgt, i32 128, i64 %d65)
  %d66 = call i64 @digest(ptr @sge_128)
  %p66 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sge, i32 128, i64 %d66)
  %d67 = call i64 @digest(ptr @slt_128)
  %p67 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.slt, i32 128, i64 %d67)
  %d68 = call i64 @digest(ptr @sle_128)
  %p68 = call i32 (ptr, ...) @printf(ptr @format, ptr @name.sle, i32 128, i64 %d68)
  ret i32 0
}
