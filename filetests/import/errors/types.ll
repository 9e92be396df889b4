; test import
; Types that nothing here has.
; error: 10:13: in function @scalable: scalable vectors cannot be expressed in Medium IR
; error: 14:3: in function @tile: the type x86_amx cannot be expressed in Medium IR for x86_64
; error: 18:3: in function @quad: the type fp128 cannot be expressed in Medium IR for x86_64
; error: 22:3: in function @long: integers of more than 512 bits (i513) cannot be expressed in Medium IR
; error: 25:13: in function @wide: arguments of type i192 cannot be expressed in Medium IR
; error: 30:3: in function @divided: a division of i192 cannot be expressed in Medium IR
define void @scalable(ptr %p) {
  %v = load <vscale x 4 x i32>, ptr %p
  ret void
}
define void @tile(ptr %p) {
  %v = load x86_amx, ptr %p
  ret void
}
define void @quad(ptr %p) {
  %v = load fp128, ptr %p
  ret void
}
define void @long(ptr %p) {
  %v = load i513, ptr %p
  ret void
}
define i192 @wide(i192 %x) {
  ret i192 %x
}
define i192 @divided(ptr %p) {
  %x = load i192, ptr %p
  %y = udiv i192 %x, 3
  store i192 %y, ptr %p
  ret i192 %y
}
