; test import
; Operations of `atomicrmw` that no instruction does: what they return and what is in memory then.
; out: 506
; out: 700
; out: 1
; out: 203
; out: c800
; out: ff00
; out: 506
; out: 700
; out: 1
; out: 203
; out: c800
; out: ffff00
; out: 506
; out: 700
; out: 1
; out: 203
; out: c800
; out: ffffffff00
; out: 506
; out: 700
; out: 1
; out: 203
; out: c800
; out: ffffffffffffff00
; out: 504
; out: 706
; out: 3
; out: 201
; out: c864
; out: ff05
; out: 504
; out: 706
; out: 3
; out: 201
; out: c864
; out: ffff05
; out: 504
; out: 706
; out: 3
; out: 201
; out: c864
; out: ffffffff05
; out: 504
; out: 706
; out: 3
; out: 201
; out: c864
; out: ffffffffffffff05
; out: 505
; out: 700
; out: 0
; out: 202
; out: c864
; out: fffa
; out: 505
; out: 700
; out: 0
; out: 202
; out: c864
; out: ff00fa
; out: 505
; out: 700
; out: 0
; out: 202
; out: c864
; out: ff000000fa
; out: 505
; out: 700
; out: 0
; out: 202
; out: c864
; out: fa
; out: 500
; out: 700
; out: 0
; out: 200
; out: c864
; out: fffa
; out: 500
; out: 700
; out: 0
; out: 200
; out: c864
; out: ff00fa
; out: 500
; out: 700
; out: 0
; out: 200
; out: c864
; out: ff000000fa
; out: 500
; out: 700
; out: 0
; out: 200
; out: c864
; out: fa
; out: 4004000000000000
; out: bff0000000000000
; out: 4000000000000000
; out: 4000000000000000
; out: 3ff8000000000000
; out: c008000000000000
; out: 4000000000000000
; out: 4000000000000000
; out: 4004000000000000
; out: bff0000000000000
; out: 0
; out: 0
; out: 41cdcd6500000000
; out: 41cdcd6500000000
; out: 3ff8000000000000
; out: c008000000000000
; out: 8000000000000000
; out: 8000000000000000
; out: 41cdcd6500000000
; out: 41cdcd6500000000
@line = private constant [6 x i8] c"%llx\0A\00"
declare i32 @printf(ptr, ...)
define internal void @print(i64 %x) {
  %ignored = call i32 (ptr, ...) @printf(ptr @line, i64 %x)
  ret void
}
@cell = global i64 0
define i32 @main() {
  store i8 5, ptr @cell
  %r0 = atomicrmw uinc_wrap ptr @cell, i8 7 acq_rel
  %l0 = load i8, ptr @cell
  %a0 = zext i8 %r0 to i64
  %b0 = zext i8 %l0 to i64
  %x0 = shl i64 %a0, 8
  %y0 = xor i64 %x0, %b0
  call void @print(i64 %y0)
  store i8 7, ptr @cell
  %r1 = atomicrmw uinc_wrap ptr @cell, i8 7 acq_rel
  %l1 = load i8, ptr @cell
  %a1 = zext i8 %r1 to i64
  %b1 = zext i8 %l1 to i64
  %x1 = shl i64 %a1, 8
  %y1 = xor i64 %x1, %b1
  call void @print(i64 %y1)
  store i8 0, ptr @cell
  %r2 = atomicrmw uinc_wrap ptr @cell, i8 3 acq_rel
  %l2 = load i8, ptr @cell
  %a2 = zext i8 %r2 to i64
  %b2 = zext i8 %l2 to i64
  %x2 = shl i64 %a2, 8
  %y2 = xor i64 %x2, %b2
  call void @print(i64 %y2)
  store i8 2, ptr @cell
  %r3 = atomicrmw uinc_wrap ptr @cell, i8 9 acq_rel
  %l3 = load i8, ptr @cell
  %a3 = zext i8 %r3 to i64
  %b3 = zext i8 %l3 to i64
  %x3 = shl i64 %a3, 8
  %y3 = xor i64 %x3, %b3
  call void @print(i64 %y3)
  store i8 -56, ptr @cell
  %r4 = atomicrmw uinc_wrap ptr @cell, i8 100 acq_rel
  %l4 = load i8, ptr @cell
  %a4 = zext i8 %r4 to i64
  %b4 = zext i8 %l4 to i64
  %x4 = shl i64 %a4, 8
  %y4 = xor i64 %x4, %b4
  call void @print(i64 %y4)
  store i8 -1, ptr @cell
  %r5 = atomicrmw uinc_wrap ptr @cell, i8 5 acq_rel
  %l5 = load i8, ptr @cell
  %a5 = zext i8 %r5 to i64
  %b5 = zext i8 %l5 to i64
  %x5 = shl i64 %a5, 8
  %y5 = xor i64 %x5, %b5
  call void @print(i64 %y5)
  store i16 5, ptr @cell
  %r6 = atomicrmw uinc_wrap ptr @cell, i16 7 acq_rel
  %l6 = load i16, ptr @cell
  %a6 = zext i16 %r6 to i64
  %b6 = zext i16 %l6 to i64
  %x6 = shl i64 %a6, 8
  %y6 = xor i64 %x6, %b6
  call void @print(i64 %y6)
  store i16 7, ptr @cell
  %r7 = atomicrmw uinc_wrap ptr @cell, i16 7 acq_rel
  %l7 = load i16, ptr @cell
  %a7 = zext i16 %r7 to i64
  %b7 = zext i16 %l7 to i64
  %x7 = shl i64 %a7, 8
  %y7 = xor i64 %x7, %b7
  call void @print(i64 %y7)
  store i16 0, ptr @cell
  %r8 = atomicrmw uinc_wrap ptr @cell, i16 3 acq_rel
  %l8 = load i16, ptr @cell
  %a8 = zext i16 %r8 to i64
  %b8 = zext i16 %l8 to i64
  %x8 = shl i64 %a8, 8
  %y8 = xor i64 %x8, %b8
  call void @print(i64 %y8)
  store i16 2, ptr @cell
  %r9 = atomicrmw uinc_wrap ptr @cell, i16 9 acq_rel
  %l9 = load i16, ptr @cell
  %a9 = zext i16 %r9 to i64
  %b9 = zext i16 %l9 to i64
  %x9 = shl i64 %a9, 8
  %y9 = xor i64 %x9, %b9
  call void @print(i64 %y9)
  store i16 200, ptr @cell
  %r10 = atomicrmw uinc_wrap ptr @cell, i16 100 acq_rel
  %l10 = load i16, ptr @cell
  %a10 = zext i16 %r10 to i64
  %b10 = zext i16 %l10 to i64
  %x10 = shl i64 %a10, 8
  %y10 = xor i64 %x10, %b10
  call void @print(i64 %y10)
  store i16 -1, ptr @cell
  %r11 = atomicrmw uinc_wrap ptr @cell, i16 5 acq_rel
  %l11 = load i16, ptr @cell
  %a11 = zext i16 %r11 to i64
  %b11 = zext i16 %l11 to i64
  %x11 = shl i64 %a11, 8
  %y11 = xor i64 %x11, %b11
  call void @print(i64 %y11)
  store i32 5, ptr @cell
  %r12 = atomicrmw uinc_wrap ptr @cell, i32 7 acq_rel
  %l12 = load i32, ptr @cell
  %a12 = zext i32 %r12 to i64
  %b12 = zext i32 %l12 to i64
  %x12 = shl i64 %a12, 8
  %y12 = xor i64 %x12, %b12
  call void @print(i64 %y12)
  store i32 7, ptr @cell
  %r13 = atomicrmw uinc_wrap ptr @cell, i32 7 acq_rel
  %l13 = load i32, ptr @cell
  %a13 = zext i32 %r13 to i64
  %b13 = zext i32 %l13 to i64
  %x13 = shl i64 %a13, 8
  %y13 = xor i64 %x13, %b13
  call void @print(i64 %y13)
  store i32 0, ptr @cell
  %r14 = atomicrmw uinc_wrap ptr @cell, i32 3 acq_rel
  %l14 = load i32, ptr @cell
  %a14 = zext i32 %r14 to i64
  %b14 = zext i32 %l14 to i64
  %x14 = shl i64 %a14, 8
  %y14 = xor i64 %x14, %b14
  call void @print(i64 %y14)
  store i32 2, ptr @cell
  %r15 = atomicrmw uinc_wrap ptr @cell, i32 9 acq_rel
  %l15 = load i32, ptr @cell
  %a15 = zext i32 %r15 to i64
  %b15 = zext i32 %l15 to i64
  %x15 = shl i64 %a15, 8
  %y15 = xor i64 %x15, %b15
  call void @print(i64 %y15)
  store i32 200, ptr @cell
  %r16 = atomicrmw uinc_wrap ptr @cell, i32 100 acq_rel
  %l16 = load i32, ptr @cell
  %a16 = zext i32 %r16 to i64
  %b16 = zext i32 %l16 to i64
  %x16 = shl i64 %a16, 8
  %y16 = xor i64 %x16, %b16
  call void @print(i64 %y16)
  store i32 -1, ptr @cell
  %r17 = atomicrmw uinc_wrap ptr @cell, i32 5 acq_rel
  %l17 = load i32, ptr @cell
  %a17 = zext i32 %r17 to i64
  %b17 = zext i32 %l17 to i64
  %x17 = shl i64 %a17, 8
  %y17 = xor i64 %x17, %b17
  call void @print(i64 %y17)
  store i64 5, ptr @cell
  %r18 = atomicrmw uinc_wrap ptr @cell, i64 7 acq_rel
  %l18 = load i64, ptr @cell
  %a18 = add i64 %r18, 0
  %b18 = add i64 %l18, 0
  %x18 = shl i64 %a18, 8
  %y18 = xor i64 %x18, %b18
  call void @print(i64 %y18)
  store i64 7, ptr @cell
  %r19 = atomicrmw uinc_wrap ptr @cell, i64 7 acq_rel
  %l19 = load i64, ptr @cell
  %a19 = add i64 %r19, 0
  %b19 = add i64 %l19, 0
  %x19 = shl i64 %a19, 8
  %y19 = xor i64 %x19, %b19
  call void @print(i64 %y19)
  store i64 0, ptr @cell
  %r20 = atomicrmw uinc_wrap ptr @cell, i64 3 acq_rel
  %l20 = load i64, ptr @cell
  %a20 = add i64 %r20, 0
  %b20 = add i64 %l20, 0
  %x20 = shl i64 %a20, 8
  %y20 = xor i64 %x20, %b20
  call void @print(i64 %y20)
  store i64 2, ptr @cell
  %r21 = atomicrmw uinc_wrap ptr @cell, i64 9 acq_rel
  %l21 = load i64, ptr @cell
  %a21 = add i64 %r21, 0
  %b21 = add i64 %l21, 0
  %x21 = shl i64 %a21, 8
  %y21 = xor i64 %x21, %b21
  call void @print(i64 %y21)
  store i64 200, ptr @cell
  %r22 = atomicrmw uinc_wrap ptr @cell, i64 100 acq_rel
  %l22 = load i64, ptr @cell
  %a22 = add i64 %r22, 0
  %b22 = add i64 %l22, 0
  %x22 = shl i64 %a22, 8
  %y22 = xor i64 %x22, %b22
  call void @print(i64 %y22)
  store i64 -1, ptr @cell
  %r23 = atomicrmw uinc_wrap ptr @cell, i64 5 acq_rel
  %l23 = load i64, ptr @cell
  %a23 = add i64 %r23, 0
  %b23 = add i64 %l23, 0
  %x23 = shl i64 %a23, 8
  %y23 = xor i64 %x23, %b23
  call void @print(i64 %y23)
  store i8 5, ptr @cell
  %r24 = atomicrmw udec_wrap ptr @cell, i8 7 acq_rel
  %l24 = load i8, ptr @cell
  %a24 = zext i8 %r24 to i64
  %b24 = zext i8 %l24 to i64
  %x24 = shl i64 %a24, 8
  %y24 = xor i64 %x24, %b24
  call void @print(i64 %y24)
  store i8 7, ptr @cell
  %r25 = atomicrmw udec_wrap ptr @cell, i8 7 acq_rel
  %l25 = load i8, ptr @cell
  %a25 = zext i8 %r25 to i64
  %b25 = zext i8 %l25 to i64
  %x25 = shl i64 %a25, 8
  %y25 = xor i64 %x25, %b25
  call void @print(i64 %y25)
  store i8 0, ptr @cell
  %r26 = atomicrmw udec_wrap ptr @cell, i8 3 acq_rel
  %l26 = load i8, ptr @cell
  %a26 = zext i8 %r26 to i64
  %b26 = zext i8 %l26 to i64
  %x26 = shl i64 %a26, 8
  %y26 = xor i64 %x26, %b26
  call void @print(i64 %y26)
  store i8 2, ptr @cell
  %r27 = atomicrmw udec_wrap ptr @cell, i8 9 acq_rel
  %l27 = load i8, ptr @cell
  %a27 = zext i8 %r27 to i64
  %b27 = zext i8 %l27 to i64
  %x27 = shl i64 %a27, 8
  %y27 = xor i64 %x27, %b27
  call void @print(i64 %y27)
  store i8 -56, ptr @cell
  %r28 = atomicrmw udec_wrap ptr @cell, i8 100 acq_rel
  %l28 = load i8, ptr @cell
  %a28 = zext i8 %r28 to i64
  %b28 = zext i8 %l28 to i64
  %x28 = shl i64 %a28, 8
  %y28 = xor i64 %x28, %b28
  call void @print(i64 %y28)
  store i8 -1, ptr @cell
  %r29 = atomicrmw udec_wrap ptr @cell, i8 5 acq_rel
  %l29 = load i8, ptr @cell
  %a29 = zext i8 %r29 to i64
  %b29 = zext i8 %l29 to i64
  %x29 = shl i64 %a29, 8
  %y29 = xor i64 %x29, %b29
  call void @print(i64 %y29)
  store i16 5, ptr @cell
  %r30 = atomicrmw udec_wrap ptr @cell, i16 7 acq_rel
  %l30 = load i16, ptr @cell
  %a30 = zext i16 %r30 to i64
  %b30 = zext i16 %l30 to i64
  %x30 = shl i64 %a30, 8
  %y30 = xor i64 %x30, %b30
  call void @print(i64 %y30)
  store i16 7, ptr @cell
  %r31 = atomicrmw udec_wrap ptr @cell, i16 7 acq_rel
  %l31 = load i16, ptr @cell
  %a31 = zext i16 %r31 to i64
  %b31 = zext i16 %l31 to i64
  %x31 = shl i64 %a31, 8
  %y31 = xor i64 %x31, %b31
  call void @print(i64 %y31)
  store i16 0, ptr @cell
  %r32 = atomicrmw udec_wrap ptr @cell, i16 3 acq_rel
  %l32 = load i16, ptr @cell
  %a32 = zext i16 %r32 to i64
  %b32 = zext i16 %l32 to i64
  %x32 = shl i64 %a32, 8
  %y32 = xor i64 %x32, %b32
  call void @print(i64 %y32)
  store i16 2, ptr @cell
  %r33 = atomicrmw udec_wrap ptr @cell, i16 9 acq_rel
  %l33 = load i16, ptr @cell
  %a33 = zext i16 %r33 to i64
  %b33 = zext i16 %l33 to i64
  %x33 = shl i64 %a33, 8
  %y33 = xor i64 %x33, %b33
  call void @print(i64 %y33)
  store i16 200, ptr @cell
  %r34 = atomicrmw udec_wrap ptr @cell, i16 100 acq_rel
  %l34 = load i16, ptr @cell
  %a34 = zext i16 %r34 to i64
  %b34 = zext i16 %l34 to i64
  %x34 = shl i64 %a34, 8
  %y34 = xor i64 %x34, %b34
  call void @print(i64 %y34)
  store i16 -1, ptr @cell
  %r35 = atomicrmw udec_wrap ptr @cell, i16 5 acq_rel
  %l35 = load i16, ptr @cell
  %a35 = zext i16 %r35 to i64
  %b35 = zext i16 %l35 to i64
  %x35 = shl i64 %a35, 8
  %y35 = xor i64 %x35, %b35
  call void @print(i64 %y35)
  store i32 5, ptr @cell
  %r36 = atomicrmw udec_wrap ptr @cell, i32 7 acq_rel
  %l36 = load i32, ptr @cell
  %a36 = zext i32 %r36 to i64
  %b36 = zext i32 %l36 to i64
  %x36 = shl i64 %a36, 8
  %y36 = xor i64 %x36, %b36
  call void @print(i64 %y36)
  store i32 7, ptr @cell
  %r37 = atomicrmw udec_wrap ptr @cell, i32 7 acq_rel
  %l37 = load i32, ptr @cell
  %a37 = zext i32 %r37 to i64
  %b37 = zext i32 %l37 to i64
  %x37 = shl i64 %a37, 8
  %y37 = xor i64 %x37, %b37
  call void @print(i64 %y37)
  store i32 0, ptr @cell
  %r38 = atomicrmw udec_wrap ptr @cell, i32 3 acq_rel
  %l38 = load i32, ptr @cell
  %a38 = zext i32 %r38 to i64
  %b38 = zext i32 %l38 to i64
  %x38 = shl i64 %a38, 8
  %y38 = xor i64 %x38, %b38
  call void @print(i64 %y38)
  store i32 2, ptr @cell
  %r39 = atomicrmw udec_wrap ptr @cell, i32 9 acq_rel
  %l39 = load i32, ptr @cell
  %a39 = zext i32 %r39 to i64
  %b39 = zext i32 %l39 to i64
  %x39 = shl i64 %a39, 8
  %y39 = xor i64 %x39, %b39
  call void @print(i64 %y39)
  store i32 200, ptr @cell
  %r40 = atomicrmw udec_wrap ptr @cell, i32 100 acq_rel
  %l40 = load i32, ptr @cell
  %a40 = zext i32 %r40 to i64
  %b40 = zext i32 %l40 to i64
  %x40 = shl i64 %a40, 8
  %y40 = xor i64 %x40, %b40
  call void @print(i64 %y40)
  store i32 -1, ptr @cell
  %r41 = atomicrmw udec_wrap ptr @cell, i32 5 acq_rel
  %l41 = load i32, ptr @cell
  %a41 = zext i32 %r41 to i64
  %b41 = zext i32 %l41 to i64
  %x41 = shl i64 %a41, 8
  %y41 = xor i64 %x41, %b41
  call void @print(i64 %y41)
  store i64 5, ptr @cell
  %r42 = atomicrmw udec_wrap ptr @cell, i64 7 acq_rel
  %l42 = load i64, ptr @cell
  %a42 = add i64 %r42, 0
  %b42 = add i64 %l42, 0
  %x42 = shl i64 %a42, 8
  %y42 = xor i64 %x42, %b42
  call void @print(i64 %y42)
  store i64 7, ptr @cell
  %r43 = atomicrmw udec_wrap ptr @cell, i64 7 acq_rel
  %l43 = load i64, ptr @cell
  %a43 = add i64 %r43, 0
  %b43 = add i64 %l43, 0
  %x43 = shl i64 %a43, 8
  %y43 = xor i64 %x43, %b43
  call void @print(i64 %y43)
  store i64 0, ptr @cell
  %r44 = atomicrmw udec_wrap ptr @cell, i64 3 acq_rel
  %l44 = load i64, ptr @cell
  %a44 = add i64 %r44, 0
  %b44 = add i64 %l44, 0
  %x44 = shl i64 %a44, 8
  %y44 = xor i64 %x44, %b44
  call void @print(i64 %y44)
  store i64 2, ptr @cell
  %r45 = atomicrmw udec_wrap ptr @cell, i64 9 acq_rel
  %l45 = load i64, ptr @cell
  %a45 = add i64 %r45, 0
  %b45 = add i64 %l45, 0
  %x45 = shl i64 %a45, 8
  %y45 = xor i64 %x45, %b45
  call void @print(i64 %y45)
  store i64 200, ptr @cell
  %r46 = atomicrmw udec_wrap ptr @cell, i64 100 acq_rel
  %l46 = load i64, ptr @cell
  %a46 = add i64 %r46, 0
  %b46 = add i64 %l46, 0
  %x46 = shl i64 %a46, 8
  %y46 = xor i64 %x46, %b46
  call void @print(i64 %y46)
  store i64 -1, ptr @cell
  %r47 = atomicrmw udec_wrap ptr @cell, i64 5 acq_rel
  %l47 = load i64, ptr @cell
  %a47 = add i64 %r47, 0
  %b47 = add i64 %l47, 0
  %x47 = shl i64 %a47, 8
  %y47 = xor i64 %x47, %b47
  call void @print(i64 %y47)
  store i8 5, ptr @cell
  %r48 = atomicrmw usub_cond ptr @cell, i8 7 acq_rel
  %l48 = load i8, ptr @cell
  %a48 = zext i8 %r48 to i64
  %b48 = zext i8 %l48 to i64
  %x48 = shl i64 %a48, 8
  %y48 = xor i64 %x48, %b48
  call void @print(i64 %y48)
  store i8 7, ptr @cell
  %r49 = atomicrmw usub_cond ptr @cell, i8 7 acq_rel
  %l49 = load i8, ptr @cell
  %a49 = zext i8 %r49 to i64
  %b49 = zext i8 %l49 to i64
  %x49 = shl i64 %a49, 8
  %y49 = xor i64 %x49, %b49
  call void @print(i64 %y49)
  store i8 0, ptr @cell
  %r50 = atomicrmw usub_cond ptr @cell, i8 3 acq_rel
  %l50 = load i8, ptr @cell
  %a50 = zext i8 %r50 to i64
  %b50 = zext i8 %l50 to i64
  %x50 = shl i64 %a50, 8
  %y50 = xor i64 %x50, %b50
  call void @print(i64 %y50)
  store i8 2, ptr @cell
  %r51 = atomicrmw usub_cond ptr @cell, i8 9 acq_rel
  %l51 = load i8, ptr @cell
  %a51 = zext i8 %r51 to i64
  %b51 = zext i8 %l51 to i64
  %x51 = shl i64 %a51, 8
  %y51 = xor i64 %x51, %b51
  call void @print(i64 %y51)
  store i8 -56, ptr @cell
  %r52 = atomicrmw usub_cond ptr @cell, i8 100 acq_rel
  %l52 = load i8, ptr @cell
  %a52 = zext i8 %r52 to i64
  %b52 = zext i8 %l52 to i64
  %x52 = shl i64 %a52, 8
  %y52 = xor i64 %x52, %b52
  call void @print(i64 %y52)
  store i8 -1, ptr @cell
  %r53 = atomicrmw usub_cond ptr @cell, i8 5 acq_rel
  %l53 = load i8, ptr @cell
  %a53 = zext i8 %r53 to i64
  %b53 = zext i8 %l53 to i64
  %x53 = shl i64 %a53, 8
  %y53 = xor i64 %x53, %b53
  call void @print(i64 %y53)
  store i16 5, ptr @cell
  %r54 = atomicrmw usub_cond ptr @cell, i16 7 acq_rel
  %l54 = load i16, ptr @cell
  %a54 = zext i16 %r54 to i64
  %b54 = zext i16 %l54 to i64
  %x54 = shl i64 %a54, 8
  %y54 = xor i64 %x54, %b54
  call void @print(i64 %y54)
  store i16 7, ptr @cell
  %r55 = atomicrmw usub_cond ptr @cell, i16 7 acq_rel
  %l55 = load i16, ptr @cell
  %a55 = zext i16 %r55 to i64
  %b55 = zext i16 %l55 to i64
  %x55 = shl i64 %a55, 8
  %y55 = xor i64 %x55, %b55
  call void @print(i64 %y55)
  store i16 0, ptr @cell
  %r56 = atomicrmw usub_cond ptr @cell, i16 3 acq_rel
  %l56 = load i16, ptr @cell
  %a56 = zext i16 %r56 to i64
  %b56 = zext i16 %l56 to i64
  %x56 = shl i64 %a56, 8
  %y56 = xor i64 %x56, %b56
  call void @print(i64 %y56)
  store i16 2, ptr @cell
  %r57 = atomicrmw usub_cond ptr @cell, i16 9 acq_rel
  %l57 = load i16, ptr @cell
  %a57 = zext i16 %r57 to i64
  %b57 = zext i16 %l57 to i64
  %x57 = shl i64 %a57, 8
  %y57 = xor i64 %x57, %b57
  call void @print(i64 %y57)
  store i16 200, ptr @cell
  %r58 = atomicrmw usub_cond ptr @cell, i16 100 acq_rel
  %l58 = load i16, ptr @cell
  %a58 = zext i16 %r58 to i64
  %b58 = zext i16 %l58 to i64
  %x58 = shl i64 %a58, 8
  %y58 = xor i64 %x58, %b58
  call void @print(i64 %y58)
  store i16 -1, ptr @cell
  %r59 = atomicrmw usub_cond ptr @cell, i16 5 acq_rel
  %l59 = load i16, ptr @cell
  %a59 = zext i16 %r59 to i64
  %b59 = zext i16 %l59 to i64
  %x59 = shl i64 %a59, 8
  %y59 = xor i64 %x59, %b59
  call void @print(i64 %y59)
  store i32 5, ptr @cell
  %r60 = atomicrmw usub_cond ptr @cell, i32 7 acq_rel
  %l60 = load i32, ptr @cell
  %a60 = zext i32 %r60 to i64
  %b60 = zext i32 %l60 to i64
  %x60 = shl i64 %a60, 8
  %y60 = xor i64 %x60, %b60
  call void @print(i64 %y60)
  store i32 7, ptr @cell
  %r61 = atomicrmw usub_cond ptr @cell, i32 7 acq_rel
  %l61 = load i32, ptr @cell
  %a61 = zext i32 %r61 to i64
  %b61 = zext i32 %l61 to i64
  %x61 = shl i64 %a61, 8
  %y61 = xor i64 %x61, %b61
  call void @print(i64 %y61)
  store i32 0, ptr @cell
  %r62 = atomicrmw usub_cond ptr @cell, i32 3 acq_rel
  %l62 = load i32, ptr @cell
  %a62 = zext i32 %r62 to i64
  %b62 = zext i32 %l62 to i64
  %x62 = shl i64 %a62, 8
  %y62 = xor i64 %x62, %b62
  call void @print(i64 %y62)
  store i32 2, ptr @cell
  %r63 = atomicrmw usub_cond ptr @cell, i32 9 acq_rel
  %l63 = load i32, ptr @cell
  %a63 = zext i32 %r63 to i64
  %b63 = zext i32 %l63 to i64
  %x63 = shl i64 %a63, 8
  %y63 = xor i64 %x63, %b63
  call void @print(i64 %y63)
  store i32 200, ptr @cell
  %r64 = atomicrmw usub_cond ptr @cell, i32 100 acq_rel
  %l64 = load i32, ptr @cell
  %a64 = zext i32 %r64 to i64
  %b64 = zext i32 %l64 to i64
  %x64 = shl i64 %a64, 8
  %y64 = xor i64 %x64, %b64
  call void @print(i64 %y64)
  store i32 -1, ptr @cell
  %r65 = atomicrmw usub_cond ptr @cell, i32 5 acq_rel
  %l65 = load i32, ptr @cell
  %a65 = zext i32 %r65 to i64
  %b65 = zext i32 %l65 to i64
  %x65 = shl i64 %a65, 8
  %y65 = xor i64 %x65, %b65
  call void @print(i64 %y65)
  store i64 5, ptr @cell
  %r66 = atomicrmw usub_cond ptr @cell, i64 7 acq_rel
  %l66 = load i64, ptr @cell
  %a66 = add i64 %r66, 0
  %b66 = add i64 %l66, 0
  %x66 = shl i64 %a66, 8
  %y66 = xor i64 %x66, %b66
  call void @print(i64 %y66)
  store i64 7, ptr @cell
  %r67 = atomicrmw usub_cond ptr @cell, i64 7 acq_rel
  %l67 = load i64, ptr @cell
  %a67 = add i64 %r67, 0
  %b67 = add i64 %l67, 0
  %x67 = shl i64 %a67, 8
  %y67 = xor i64 %x67, %b67
  call void @print(i64 %y67)
  store i64 0, ptr @cell
  %r68 = atomicrmw usub_cond ptr @cell, i64 3 acq_rel
  %l68 = load i64, ptr @cell
  %a68 = add i64 %r68, 0
  %b68 = add i64 %l68, 0
  %x68 = shl i64 %a68, 8
  %y68 = xor i64 %x68, %b68
  call void @print(i64 %y68)
  store i64 2, ptr @cell
  %r69 = atomicrmw usub_cond ptr @cell, i64 9 acq_rel
  %l69 = load i64, ptr @cell
  %a69 = add i64 %r69, 0
  %b69 = add i64 %l69, 0
  %x69 = shl i64 %a69, 8
  %y69 = xor i64 %x69, %b69
  call void @print(i64 %y69)
  store i64 200, ptr @cell
  %r70 = atomicrmw usub_cond ptr @cell, i64 100 acq_rel
  %l70 = load i64, ptr @cell
  %a70 = add i64 %r70, 0
  %b70 = add i64 %l70, 0
  %x70 = shl i64 %a70, 8
  %y70 = xor i64 %x70, %b70
  call void @print(i64 %y70)
  store i64 -1, ptr @cell
  %r71 = atomicrmw usub_cond ptr @cell, i64 5 acq_rel
  %l71 = load i64, ptr @cell
  %a71 = add i64 %r71, 0
  %b71 = add i64 %l71, 0
  %x71 = shl i64 %a71, 8
  %y71 = xor i64 %x71, %b71
  call void @print(i64 %y71)
  store i8 5, ptr @cell
  %r72 = atomicrmw usub_sat ptr @cell, i8 7 acq_rel
  %l72 = load i8, ptr @cell
  %a72 = zext i8 %r72 to i64
  %b72 = zext i8 %l72 to i64
  %x72 = shl i64 %a72, 8
  %y72 = xor i64 %x72, %b72
  call void @print(i64 %y72)
  store i8 7, ptr @cell
  %r73 = atomicrmw usub_sat ptr @cell, i8 7 acq_rel
  %l73 = load i8, ptr @cell
  %a73 = zext i8 %r73 to i64
  %b73 = zext i8 %l73 to i64
  %x73 = shl i64 %a73, 8
  %y73 = xor i64 %x73, %b73
  call void @print(i64 %y73)
  store i8 0, ptr @cell
  %r74 = atomicrmw usub_sat ptr @cell, i8 3 acq_rel
  %l74 = load i8, ptr @cell
  %a74 = zext i8 %r74 to i64
  %b74 = zext i8 %l74 to i64
  %x74 = shl i64 %a74, 8
  %y74 = xor i64 %x74, %b74
  call void @print(i64 %y74)
  store i8 2, ptr @cell
  %r75 = atomicrmw usub_sat ptr @cell, i8 9 acq_rel
  %l75 = load i8, ptr @cell
  %a75 = zext i8 %r75 to i64
  %b75 = zext i8 %l75 to i64
  %x75 = shl i64 %a75, 8
  %y75 = xor i64 %x75, %b75
  call void @print(i64 %y75)
  store i8 -56, ptr @cell
  %r76 = atomicrmw usub_sat ptr @cell, i8 100 acq_rel
  %l76 = load i8, ptr @cell
  %a76 = zext i8 %r76 to i64
  %b76 = zext i8 %l76 to i64
  %x76 = shl i64 %a76, 8
  %y76 = xor i64 %x76, %b76
  call void @print(i64 %y76)
  store i8 -1, ptr @cell
  %r77 = atomicrmw usub_sat ptr @cell, i8 5 acq_rel
  %l77 = load i8, ptr @cell
  %a77 = zext i8 %r77 to i64
  %b77 = zext i8 %l77 to i64
  %x77 = shl i64 %a77, 8
  %y77 = xor i64 %x77, %b77
  call void @print(i64 %y77)
  store i16 5, ptr @cell
  %r78 = atomicrmw usub_sat ptr @cell, i16 7 acq_rel
  %l78 = load i16, ptr @cell
  %a78 = zext i16 %r78 to i64
  %b78 = zext i16 %l78 to i64
  %x78 = shl i64 %a78, 8
  %y78 = xor i64 %x78, %b78
  call void @print(i64 %y78)
  store i16 7, ptr @cell
  %r79 = atomicrmw usub_sat ptr @cell, i16 7 acq_rel
  %l79 = load i16, ptr @cell
  %a79 = zext i16 %r79 to i64
  %b79 = zext i16 %l79 to i64
  %x79 = shl i64 %a79, 8
  %y79 = xor i64 %x79, %b79
  call void @print(i64 %y79)
  store i16 0, ptr @cell
  %r80 = atomicrmw usub_sat ptr @cell, i16 3 acq_rel
  %l80 = load i16, ptr @cell
  %a80 = zext i16 %r80 to i64
  %b80 = zext i16 %l80 to i64
  %x80 = shl i64 %a80, 8
  %y80 = xor i64 %x80, %b80
  call void @print(i64 %y80)
  store i16 2, ptr @cell
  %r81 = atomicrmw usub_sat ptr @cell, i16 9 acq_rel
  %l81 = load i16, ptr @cell
  %a81 = zext i16 %r81 to i64
  %b81 = zext i16 %l81 to i64
  %x81 = shl i64 %a81, 8
  %y81 = xor i64 %x81, %b81
  call void @print(i64 %y81)
  store i16 200, ptr @cell
  %r82 = atomicrmw usub_sat ptr @cell, i16 100 acq_rel
  %l82 = load i16, ptr @cell
  %a82 = zext i16 %r82 to i64
  %b82 = zext i16 %l82 to i64
  %x82 = shl i64 %a82, 8
  %y82 = xor i64 %x82, %b82
  call void @print(i64 %y82)
  store i16 -1, ptr @cell
  %r83 = atomicrmw usub_sat ptr @cell, i16 5 acq_rel
  %l83 = load i16, ptr @cell
  %a83 = zext i16 %r83 to i64
  %b83 = zext i16 %l83 to i64
  %x83 = shl i64 %a83, 8
  %y83 = xor i64 %x83, %b83
  call void @print(i64 %y83)
  store i32 5, ptr @cell
  %r84 = atomicrmw usub_sat ptr @cell, i32 7 acq_rel
  %l84 = load i32, ptr @cell
  %a84 = zext i32 %r84 to i64
  %b84 = zext i32 %l84 to i64
  %x84 = shl i64 %a84, 8
  %y84 = xor i64 %x84, %b84
  call void @print(i64 %y84)
  store i32 7, ptr @cell
  %r85 = atomicrmw usub_sat ptr @cell, i32 7 acq_rel
  %l85 = load i32, ptr @cell
  %a85 = zext i32 %r85 to i64
  %b85 = zext i32 %l85 to i64
  %x85 = shl i64 %a85, 8
  %y85 = xor i64 %x85, %b85
  call void @print(i64 %y85)
  store i32 0, ptr @cell
  %r86 = atomicrmw usub_sat ptr @cell, i32 3 acq_rel
  %l86 = load i32, ptr @cell
  %a86 = zext i32 %r86 to i64
  %b86 = zext i32 %l86 to i64
  %x86 = shl i64 %a86, 8
  %y86 = xor i64 %x86, %b86
  call void @print(i64 %y86)
  store i32 2, ptr @cell
  %r87 = atomicrmw usub_sat ptr @cell, i32 9 acq_rel
  %l87 = load i32, ptr @cell
  %a87 = zext i32 %r87 to i64
  %b87 = zext i32 %l87 to i64
  %x87 = shl i64 %a87, 8
  %y87 = xor i64 %x87, %b87
  call void @print(i64 %y87)
  store i32 200, ptr @cell
  %r88 = atomicrmw usub_sat ptr @cell, i32 100 acq_rel
  %l88 = load i32, ptr @cell
  %a88 = zext i32 %r88 to i64
  %b88 = zext i32 %l88 to i64
  %x88 = shl i64 %a88, 8
  %y88 = xor i64 %x88, %b88
  call void @print(i64 %y88)
  store i32 -1, ptr @cell
  %r89 = atomicrmw usub_sat ptr @cell, i32 5 acq_rel
  %l89 = load i32, ptr @cell
  %a89 = zext i32 %r89 to i64
  %b89 = zext i32 %l89 to i64
  %x89 = shl i64 %a89, 8
  %y89 = xor i64 %x89, %b89
  call void @print(i64 %y89)
  store i64 5, ptr @cell
  %r90 = atomicrmw usub_sat ptr @cell, i64 7 acq_rel
  %l90 = load i64, ptr @cell
  %a90 = add i64 %r90, 0
  %b90 = add i64 %l90, 0
  %x90 = shl i64 %a90, 8
  %y90 = xor i64 %x90, %b90
  call void @print(i64 %y90)
  store i64 7, ptr @cell
  %r91 = atomicrmw usub_sat ptr @cell, i64 7 acq_rel
  %l91 = load i64, ptr @cell
  %a91 = add i64 %r91, 0
  %b91 = add i64 %l91, 0
  %x91 = shl i64 %a91, 8
  %y91 = xor i64 %x91, %b91
  call void @print(i64 %y91)
  store i64 0, ptr @cell
  %r92 = atomicrmw usub_sat ptr @cell, i64 3 acq_rel
  %l92 = load i64, ptr @cell
  %a92 = add i64 %r92, 0
  %b92 = add i64 %l92, 0
  %x92 = shl i64 %a92, 8
  %y92 = xor i64 %x92, %b92
  call void @print(i64 %y92)
  store i64 2, ptr @cell
  %r93 = atomicrmw usub_sat ptr @cell, i64 9 acq_rel
  %l93 = load i64, ptr @cell
  %a93 = add i64 %r93, 0
  %b93 = add i64 %l93, 0
  %x93 = shl i64 %a93, 8
  %y93 = xor i64 %x93, %b93
  call void @print(i64 %y93)
  store i64 200, ptr @cell
  %r94 = atomicrmw usub_sat ptr @cell, i64 100 acq_rel
  %l94 = load i64, ptr @cell
  %a94 = add i64 %r94, 0
  %b94 = add i64 %l94, 0
  %x94 = shl i64 %a94, 8
  %y94 = xor i64 %x94, %b94
  call void @print(i64 %y94)
  store i64 -1, ptr @cell
  %r95 = atomicrmw usub_sat ptr @cell, i64 5 acq_rel
  %l95 = load i64, ptr @cell
  %a95 = add i64 %r95, 0
  %b95 = add i64 %l95, 0
  %x95 = shl i64 %a95, 8
  %y95 = xor i64 %x95, %b95
  call void @print(i64 %y95)
  store double 1.5, ptr @cell
  %r96 = atomicrmw fmax ptr @cell, double 2.5 seq_cst
  %l96 = load double, ptr @cell
  %n96 = fcmp uno double %l96, %l96
  %s96 = select i1 %n96, double 1.0e9, double %l96
  %b96 = bitcast double %s96 to i64
  call void @print(i64 %b96)
  store double -1.0, ptr @cell
  %r97 = atomicrmw fmax ptr @cell, double -3.0 seq_cst
  %l97 = load double, ptr @cell
  %n97 = fcmp uno double %l97, %l97
  %s97 = select i1 %n97, double 1.0e9, double %l97
  %b97 = bitcast double %s97 to i64
  call void @print(i64 %b97)
  store double 0x7FF8000000000000, ptr @cell
  %r98 = atomicrmw fmax ptr @cell, double 2.0 seq_cst
  %l98 = load double, ptr @cell
  %n98 = fcmp uno double %l98, %l98
  %s98 = select i1 %n98, double 1.0e9, double %l98
  %b98 = bitcast double %s98 to i64
  call void @print(i64 %b98)
  store double 2.0, ptr @cell
  %r99 = atomicrmw fmax ptr @cell, double 0x7FF8000000000000 seq_cst
  %l99 = load double, ptr @cell
  %n99 = fcmp uno double %l99, %l99
  %s99 = select i1 %n99, double 1.0e9, double %l99
  %b99 = bitcast double %s99 to i64
  call void @print(i64 %b99)
  store double 1.5, ptr @cell
  %r100 = atomicrmw fmin ptr @cell, double 2.5 seq_cst
  %l100 = load double, ptr @cell
  %n100 = fcmp uno double %l100, %l100
  %s100 = select i1 %n100, double 1.0e9, double %l100
  %b100 = bitcast double %s100 to i64
  call void @print(i64 %b100)
  store double -1.0, ptr @cell
  %r101 = atomicrmw fmin ptr @cell, double -3.0 seq_cst
  %l101 = load double, ptr @cell
  %n101 = fcmp uno double %l101, %l101
  %s101 = select i1 %n101, double 1.0e9, double %l101
  %b101 = bitcast double %s101 to i64
  call void @print(i64 %b101)
  store double 0x7FF8000000000000, ptr @cell
  %r102 = atomicrmw fmin ptr @cell, double 2.0 seq_cst
  %l102 = load double, ptr @cell
  %n102 = fcmp uno double %l102, %l102
  %s102 = select i1 %n102, double 1.0e9, double %l102
  %b102 = bitcast double %s102 to i64
  call void @print(i64 %b102)
  store double 2.0, ptr @cell
  %r103 = atomicrmw fmin ptr @cell, double 0x7FF8000000000000 seq_cst
  %l103 = load double, ptr @cell
  %n103 = fcmp uno double %l103, %l103
  %s103 = select i1 %n103, double 1.0e9, double %l103
  %b103 = bitcast double %s103 to i64
  call void @print(i64 %b103)
  store double 1.5, ptr @cell
  %r104 = atomicrmw fmaximum ptr @cell, double 2.5 seq_cst
  %l104 = load double, ptr @cell
  %n104 = fcmp uno double %l104, %l104
  %s104 = select i1 %n104, double 1.0e9, double %l104
  %b104 = bitcast double %s104 to i64
  call void @print(i64 %b104)
  store double -1.0, ptr @cell
  %r105 = atomicrmw fmaximum ptr @cell, double -3.0 seq_cst
  %l105 = load double, ptr @cell
  %n105 = fcmp uno double %l105, %l105
  %s105 = select i1 %n105, double 1.0e9, double %l105
  %b105 = bitcast double %s105 to i64
  call void @print(i64 %b105)
  store double 0.0, ptr @cell
  %r106 = atomicrmw fmaximum ptr @cell, double -0.0 seq_cst
  %l106 = load double, ptr @cell
  %n106 = fcmp uno double %l106, %l106
  %s106 = select i1 %n106, double 1.0e9, double %l106
  %b106 = bitcast double %s106 to i64
  call void @print(i64 %b106)
  store double -0.0, ptr @cell
  %r107 = atomicrmw fmaximum ptr @cell, double 0.0 seq_cst
  %l107 = load double, ptr @cell
  %n107 = fcmp uno double %l107, %l107
  %s107 = select i1 %n107, double 1.0e9, double %l107
  %b107 = bitcast double %s107 to i64
  call void @print(i64 %b107)
  store double 0x7FF8000000000000, ptr @cell
  %r108 = atomicrmw fmaximum ptr @cell, double 2.0 seq_cst
  %l108 = load double, ptr @cell
  %n108 = fcmp uno double %l108, %l108
  %s108 = select i1 %n108, double 1.0e9, double %l108
  %b108 = bitcast double %s108 to i64
  call void @print(i64 %b108)
  store double 2.0, ptr @cell
  %r109 = atomicrmw fmaximum ptr @cell, double 0x7FF8000000000000 seq_cst
  %l109 = load double, ptr @cell
  %n109 = fcmp uno double %l109, %l109
  %s109 = select i1 %n109, double 1.0e9, double %l109
  %b109 = bitcast double %s109 to i64
  call void @print(i64 %b109)
  store double 1.5, ptr @cell
  %r110 = atomicrmw fminimum ptr @cell, double 2.5 seq_cst
  %l110 = load double, ptr @cell
  %n110 = fcmp uno double %l110, %l110
  %s110 = select i1 %n110, double 1.0e9, double %l110
  %b110 = bitcast double %s110 to i64
  call void @print(i64 %b110)
  store double -1.0, ptr @cell
  %r111 = atomicrmw fminimum ptr @cell, double -3.0 seq_cst
  %l111 = load double, ptr @cell
  %n111 = fcmp uno double %l111, %l111
  %s111 = select i1 %n111, double 1.0e9, double %l111
  %b111 = bitcast double %s111 to i64
  call void @print(i64 %b111)
  store double 0.0, ptr @cell
  %r112 = atomicrmw fminimum ptr @cell, double -0.0 seq_cst
  %l112 = load double, ptr @cell
  %n112 = fcmp uno double %l112, %l112
  %s112 = select i1 %n112, double 1.0e9, double %l112
  %b112 = bitcast double %s112 to i64
  call void @print(i64 %b112)
  store double -0.0, ptr @cell
  %r113 = atomicrmw fminimum ptr @cell, double 0.0 seq_cst
  %l113 = load double, ptr @cell
  %n113 = fcmp uno double %l113, %l113
  %s113 = select i1 %n113, double 1.0e9, double %l113
  %b113 = bitcast double %s113 to i64
  call void @print(i64 %b113)
  store double 0x7FF8000000000000, ptr @cell
  %r114 = atomicrmw fminimum ptr @cell, double 2.0 seq_cst
  %l114 = load double, ptr @cell
  %n114 = fcmp uno double %l114, %l114
  %s114 = select i1 %n114, double 1.0e9, double %l114
  %b114 = bitcast double %s114 to i64
  call void @print(i64 %b114)
  store double 2.0, ptr @cell
  %r115 = atomicrmw fminimum ptr @cell, double 0x7FF8000000000000 seq_cst
  %l115 = load double, ptr @cell
  %n115 = fcmp uno double %l115, %l115
  %s115 = select i1 %n115, double 1.0e9, double %l115
  %b115 = bitcast double %s115 to i64
  call void @print(i64 %b115)
  ret i32 0
}
