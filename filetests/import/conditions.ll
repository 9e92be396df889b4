; test import
; Conditions of branches that are made of others become branches one after the other. Each line is one function on 64 inputs.
; out: 46004600060000
; out: 7fff70ff704f7046
; out: 46004600060000
; out: 80008f008fb08fb9
; out: 88ce444622261111
; out: ffff74ff726f7157
; out: 8ce004600060000
; out: fff00ff000f0000
; out: bbb00bb000b0000
; out: 7fff70ff704f7046
; out: 0
; out: ffffffff8f008f00
; out: b23ff2300010000
; out: 6000000000000000
; out: f6608ff08ff08660
; out: 600060000000
; out: 880f880f8800880
; out: 6000600060000000
; out: fee0fff0fff08ee0
; out: 0
; out: 6ff0600060006000
; out: 6000000000000000
; out: fff0eff0eff0e660
; out: 600060000000
; out: 6ff0f880f8806880
; out: 6000600060000000
; out: fff0fff0fff0eee0
; out: 6000000000006000
; out: f77f9fff9fffffff
; out: 600060006000
; out: 199ff99ff99fffff
; out: 6000600060006000
; out: ffffffffffffffff
; out: 6000
; out: 7fff711f711fffff
; out: 6000000000006000
; out: ffffffffffffffff
; out: 600060006000
; out: 7ffff99ff99fffff
; out: 6000
; out: 111f111f111fffff
; out: 6000600060006000
; out: ffffffffffffffff
; out: 0
; out: 0
@bits = internal constant [6 x i8] c"%llx\0A\00"
declare i32 @printf(ptr, ...)

define internal void @show(i64 %x) {
  %1 = call i32 (ptr, ...) @printf(ptr @bits, i64 %x)
  ret void
}

; Both, or one of two: as selections and as operations.
define internal i64 @both(i64 %a, i64 %b, i64 %c) {
entry:
  %x = icmp slt i64 %a, %b
  %y = icmp ugt i64 %b, %c
  %z = icmp eq i64 %a, %c
  %r = select i1 %x, i1 %y, i1 false
  br i1 %r, label %yes, label %no
yes:
  ret i64 1
no:
  ret i64 0
}

define internal i64 @either(i64 %a, i64 %b, i64 %c) {
entry:
  %x = icmp slt i64 %a, %b
  %y = icmp ugt i64 %b, %c
  %z = icmp eq i64 %a, %c
  %r = select i1 %x, i1 true, i1 %y
  br i1 %r, label %yes, label %no
yes:
  ret i64 1
no:
  ret i64 0
}

define internal i64 @and(i64 %a, i64 %b, i64 %c) {
entry:
  %x = icmp slt i64 %a, %b
  %y = icmp ugt i64 %b, %c
  %z = icmp eq i64 %a, %c
  %r = and i1 %x, %y
  br i1 %r, label %yes, label %no
yes:
  ret i64 1
no:
  ret i64 0
}

define internal i64 @or(i64 %a, i64 %b, i64 %c) {
entry:
  %x = icmp slt i64 %a, %b
  %y = icmp ugt i64 %b, %c
  %z = icmp eq i64 %a, %c
  %r = or i1 %x, %y
  br i1 %r, label %no, label %yes
yes:
  ret i64 1
no:
  ret i64 0
}

; One in the other, on both sides.
define internal i64 @nested(i64 %a, i64 %b, i64 %c) {
entry:
  %x = icmp slt i64 %a, %b
  %y = icmp ugt i64 %b, %c
  %z = icmp eq i64 %a, %c
  %p = select i1 %x, i1 %y, i1 false
  %r = select i1 %p, i1 true, i1 %z
  br i1 %r, label %yes, label %no
yes:
  ret i64 1
no:
  ret i64 0
}

define internal i64 @inner(i64 %a, i64 %b, i64 %c) {
entry:
  %x = icmp slt i64 %a, %b
  %y = icmp ugt i64 %b, %c
  %z = icmp eq i64 %a, %c
  %p = or i1 %x, %y
  %r = select i1 %z, i1 true, i1 %p
  br i1 %r, label %yes, label %no
yes:
  ret i64 1
no:
  ret i64 0
}

define internal i64 @outer(i64 %a, i64 %b, i64 %c) {
entry:
  %x = icmp slt i64 %a, %b
  %y = icmp ugt i64 %b, %c
  %z = icmp eq i64 %a, %c
  %p = select i1 %y, i1 true, i1 %z
  %r = and i1 %x, %p
  br i1 %r, label %yes, label %no
yes:
  ret i64 1
no:
  ret i64 0
}

; A side that is used twice, one that is no comparison, one from another block.
define internal i64 @twice(i64 %a, i64 %b, i64 %c) {
entry:
  %x = icmp slt i64 %a, %b
  %y = icmp ugt i64 %b, %c
  %z = icmp eq i64 %a, %c
  %p = select i1 %x, i1 %y, i1 false
  %r = or i1 %p, %x
  br i1 %r, label %yes, label %no
yes:
  ret i64 1
no:
  ret i64 0
}

define internal i64 @bit(i64 %a, i64 %b, i64 %c) {
entry:
  %x = icmp slt i64 %a, %b
  %t = trunc i64 %c to i1
  %r = select i1 %x, i1 %t, i1 false
  br i1 %r, label %yes, label %no
yes:
  ret i64 1
no:
  ret i64 0
}

define internal i64 @apart(i64 %a, i64 %b, i64 %c) {
entry:
  %x = icmp slt i64 %a, %b
  br label %next
next:
  %y = icmp ugt i64 %b, %c
  %r = select i1 %x, i1 true, i1 %y
  br i1 %r, label %yes, label %no
yes:
  ret i64 1
no:
  ret i64 0
}

; Deeper than conditions are taken apart.
define internal i64 @deep(i64 %a, i64 %b, i64 %c) {
entry:
  %x = icmp slt i64 %a, %b
  %y = icmp ugt i64 %b, %c
  %z = icmp eq i64 %a, %c
  %k0 = icmp eq i64 %b, -3
  %d0 = select i1 %x, i1 %k0, i1 false
  %k1 = icmp eq i64 %b, -2
  %d1 = select i1 %d0, i1 true, i1 %k1
  %k2 = icmp eq i64 %b, -1
  %d2 = select i1 %d1, i1 %k2, i1 false
  %k3 = icmp eq i64 %b, 0
  %d3 = select i1 %d2, i1 true, i1 %k3
  %k4 = icmp eq i64 %b, 1
  %d4 = select i1 %d3, i1 %k4, i1 false
  %k5 = icmp eq i64 %b, 2
  %d5 = select i1 %d4, i1 true, i1 %k5
  %k6 = icmp eq i64 %b, 3
  %d6 = select i1 %d5, i1 %k6, i1 false
  %k7 = icmp eq i64 %b, 4
  %d7 = select i1 %d6, i1 true, i1 %k7
  %k8 = icmp eq i64 %b, 5
  %d8 = select i1 %d7, i1 %k8, i1 false
  %k9 = icmp eq i64 %b, 6
  %d9 = select i1 %d8, i1 true, i1 %k9
  br i1 %d9, label %yes, label %no
yes:
  ret i64 1
no:
  ret i64 0
}

; The moves of PHIs come after all tests; both ways to one block.
define internal i64 @moved(i64 %a, i64 %b, i64 %c) {
entry:
  %x = icmp slt i64 %a, %b
  %y = icmp ugt i64 %b, %c
  %z = icmp eq i64 %a, %c
  %r = select i1 %x, i1 true, i1 %y
  br i1 %r, label %join, label %other
other:
  %q = and i1 %z, %r
  br i1 %q, label %join, label %join
join:
  %v = phi i64 [ %a, %entry ], [ %b, %other ], [ %b, %other ]
  %w = icmp slt i64 %v, 1
  %u = zext i1 %w to i64
  ret i64 %u
}

; A loop that goes on while both hold; what the condition reads changes in the loop.
define internal i64 @loop(i64 %a, i64 %b, i64 %c) {
entry:
  br label %head
head:
  %i = phi i64 [ %a, %entry ], [ %n, %head ]
  %n = add i64 %i, 1
  %x = icmp slt i64 %i, %b
  %y = icmp ne i64 %n, %c
  %r = select i1 %x, i1 %y, i1 false
  br i1 %r, label %head, label %end
end:
  %s = and i64 %n, 1
  ret i64 %s
}

; Each comparison of numbers, where its opposite is asked for, and where it is.
define internal i64 @not_oeq(double %a, double %b, double %c) {
entry:
  %x = fcmp oeq double %a, %b
  %y = fcmp olt double %b, %c
  %r = select i1 %x, i1 %y, i1 false
  br i1 %r, label %yes, label %no
yes:
  ret i64 1
no:
  ret i64 0
}

define internal i64 @or_oeq(double %a, double %b, double %c) {
entry:
  %x = fcmp oeq double %a, %b
  %y = fcmp oeq double %b, %c
  %r = select i1 %x, i1 true, i1 %y
  br i1 %r, label %yes, label %no
yes:
  ret i64 1
no:
  ret i64 0
}

define internal i64 @not_ogt(double %a, double %b, double %c) {
entry:
  %x = fcmp ogt double %a, %b
  %y = fcmp olt double %b, %c
  %r = select i1 %x, i1 %y, i1 false
  br i1 %r, label %yes, label %no
yes:
  ret i64 1
no:
  ret i64 0
}

define internal i64 @or_ogt(double %a, double %b, double %c) {
entry:
  %x = fcmp ogt double %a, %b
  %y = fcmp ogt double %b, %c
  %r = select i1 %x, i1 true, i1 %y
  br i1 %r, label %yes, label %no
yes:
  ret i64 1
no:
  ret i64 0
}

define internal i64 @not_oge(double %a, double %b, double %c) {
entry:
  %x = fcmp oge double %a, %b
  %y = fcmp olt double %b, %c
  %r = select i1 %x, i1 %y, i1 false
  br i1 %r, label %yes, label %no
yes:
  ret i64 1
no:
  ret i64 0
}

define internal i64 @or_oge(double %a, double %b, double %c) {
entry:
  %x = fcmp oge double %a, %b
  %y = fcmp oge double %b, %c
  %r = select i1 %x, i1 true, i1 %y
  br i1 %r, label %yes, label %no
yes:
  ret i64 1
no:
  ret i64 0
}

define internal i64 @not_olt(double %a, double %b, double %c) {
entry:
  %x = fcmp olt double %a, %b
  %y = fcmp olt double %b, %c
  %r = select i1 %x, i1 %y, i1 false
  br i1 %r, label %yes, label %no
yes:
  ret i64 1
no:
  ret i64 0
}

define internal i64 @or_olt(double %a, double %b, double %c) {
entry:
  %x = fcmp olt double %a, %b
  %y = fcmp olt double %b, %c
  %r = select i1 %x, i1 true, i1 %y
  br i1 %r, label %yes, label %no
yes:
  ret i64 1
no:
  ret i64 0
}

define internal i64 @not_ole(double %a, double %b, double %c) {
entry:
  %x = fcmp ole double %a, %b
  %y = fcmp olt double %b, %c
  %r = select i1 %x, i1 %y, i1 false
  br i1 %r, label %yes, label %no
yes:
  ret i64 1
no:
  ret i64 0
}

define internal i64 @or_ole(double %a, double %b, double %c) {
entry:
  %x = fcmp ole double %a, %b
  %y = fcmp ole double %b, %c
  %r = select i1 %x, i1 true, i1 %y
  br i1 %r, label %yes, label %no
yes:
  ret i64 1
no:
  ret i64 0
}

define internal i64 @not_one(double %a, double %b, double %c) {
entry:
  %x = fcmp one double %a, %b
  %y = fcmp olt double %b, %c
  %r = select i1 %x, i1 %y, i1 false
  br i1 %r, label %yes, label %no
yes:
  ret i64 1
no:
  ret i64 0
}

define internal i64 @or_one(double %a, double %b, double %c) {
entry:
  %x = fcmp one double %a, %b
  %y = fcmp one double %b, %c
  %r = select i1 %x, i1 true, i1 %y
  br i1 %r, label %yes, label %no
yes:
  ret i64 1
no:
  ret i64 0
}

define internal i64 @not_ord(double %a, double %b, double %c) {
entry:
  %x = fcmp ord double %a, %b
  %y = fcmp olt double %b, %c
  %r = select i1 %x, i1 %y, i1 false
  br i1 %r, label %yes, label %no
yes:
  ret i64 1
no:
  ret i64 0
}

define internal i64 @or_ord(double %a, double %b, double %c) {
entry:
  %x = fcmp ord double %a, %b
  %y = fcmp ord double %b, %c
  %r = select i1 %x, i1 true, i1 %y
  br i1 %r, label %yes, label %no
yes:
  ret i64 1
no:
  ret i64 0
}

define internal i64 @not_ueq(double %a, double %b, double %c) {
entry:
  %x = fcmp ueq double %a, %b
  %y = fcmp olt double %b, %c
  %r = select i1 %x, i1 %y, i1 false
  br i1 %r, label %yes, label %no
yes:
  ret i64 1
no:
  ret i64 0
}

define internal i64 @or_ueq(double %a, double %b, double %c) {
entry:
  %x = fcmp ueq double %a, %b
  %y = fcmp ueq double %b, %c
  %r = select i1 %x, i1 true, i1 %y
  br i1 %r, label %yes, label %no
yes:
  ret i64 1
no:
  ret i64 0
}

define internal i64 @not_ugt(double %a, double %b, double %c) {
entry:
  %x = fcmp ugt double %a, %b
  %y = fcmp olt double %b, %c
  %r = select i1 %x, i1 %y, i1 false
  br i1 %r, label %yes, label %no
yes:
  ret i64 1
no:
  ret i64 0
}

define internal i64 @or_ugt(double %a, double %b, double %c) {
entry:
  %x = fcmp ugt double %a, %b
  %y = fcmp ugt double %b, %c
  %r = select i1 %x, i1 true, i1 %y
  br i1 %r, label %yes, label %no
yes:
  ret i64 1
no:
  ret i64 0
}

define internal i64 @not_uge(double %a, double %b, double %c) {
entry:
  %x = fcmp uge double %a, %b
  %y = fcmp olt double %b, %c
  %r = select i1 %x, i1 %y, i1 false
  br i1 %r, label %yes, label %no
yes:
  ret i64 1
no:
  ret i64 0
}

define internal i64 @or_uge(double %a, double %b, double %c) {
entry:
  %x = fcmp uge double %a, %b
  %y = fcmp uge double %b, %c
  %r = select i1 %x, i1 true, i1 %y
  br i1 %r, label %yes, label %no
yes:
  ret i64 1
no:
  ret i64 0
}

define internal i64 @not_ult(double %a, double %b, double %c) {
entry:
  %x = fcmp ult double %a, %b
  %y = fcmp olt double %b, %c
  %r = select i1 %x, i1 %y, i1 false
  br i1 %r, label %yes, label %no
yes:
  ret i64 1
no:
  ret i64 0
}

define internal i64 @or_ult(double %a, double %b, double %c) {
entry:
  %x = fcmp ult double %a, %b
  %y = fcmp ult double %b, %c
  %r = select i1 %x, i1 true, i1 %y
  br i1 %r, label %yes, label %no
yes:
  ret i64 1
no:
  ret i64 0
}

define internal i64 @not_ule(double %a, double %b, double %c) {
entry:
  %x = fcmp ule double %a, %b
  %y = fcmp olt double %b, %c
  %r = select i1 %x, i1 %y, i1 false
  br i1 %r, label %yes, label %no
yes:
  ret i64 1
no:
  ret i64 0
}

define internal i64 @or_ule(double %a, double %b, double %c) {
entry:
  %x = fcmp ule double %a, %b
  %y = fcmp ule double %b, %c
  %r = select i1 %x, i1 true, i1 %y
  br i1 %r, label %yes, label %no
yes:
  ret i64 1
no:
  ret i64 0
}

define internal i64 @not_une(double %a, double %b, double %c) {
entry:
  %x = fcmp une double %a, %b
  %y = fcmp olt double %b, %c
  %r = select i1 %x, i1 %y, i1 false
  br i1 %r, label %yes, label %no
yes:
  ret i64 1
no:
  ret i64 0
}

define internal i64 @or_une(double %a, double %b, double %c) {
entry:
  %x = fcmp une double %a, %b
  %y = fcmp une double %b, %c
  %r = select i1 %x, i1 true, i1 %y
  br i1 %r, label %yes, label %no
yes:
  ret i64 1
no:
  ret i64 0
}

define internal i64 @not_uno(double %a, double %b, double %c) {
entry:
  %x = fcmp uno double %a, %b
  %y = fcmp olt double %b, %c
  %r = select i1 %x, i1 %y, i1 false
  br i1 %r, label %yes, label %no
yes:
  ret i64 1
no:
  ret i64 0
}

define internal i64 @or_uno(double %a, double %b, double %c) {
entry:
  %x = fcmp uno double %a, %b
  %y = fcmp uno double %b, %c
  %r = select i1 %x, i1 true, i1 %y
  br i1 %r, label %yes, label %no
yes:
  ret i64 1
no:
  ret i64 0
}

define internal i64 @not_true(double %a, double %b, double %c) {
entry:
  %x = fcmp true double %a, %b
  %y = fcmp olt double %b, %c
  %r = select i1 %x, i1 %y, i1 false
  br i1 %r, label %yes, label %no
yes:
  ret i64 1
no:
  ret i64 0
}

define internal i64 @or_true(double %a, double %b, double %c) {
entry:
  %x = fcmp true double %a, %b
  %y = fcmp true double %b, %c
  %r = select i1 %x, i1 true, i1 %y
  br i1 %r, label %yes, label %no
yes:
  ret i64 1
no:
  ret i64 0
}

define internal i64 @not_false(double %a, double %b, double %c) {
entry:
  %x = fcmp false double %a, %b
  %y = fcmp olt double %b, %c
  %r = select i1 %x, i1 %y, i1 false
  br i1 %r, label %yes, label %no
yes:
  ret i64 1
no:
  ret i64 0
}

define internal i64 @or_false(double %a, double %b, double %c) {
entry:
  %x = fcmp false double %a, %b
  %y = fcmp false double %b, %c
  %r = select i1 %x, i1 true, i1 %y
  br i1 %r, label %yes, label %no
yes:
  ret i64 1
no:
  ret i64 0
}

@ints_inputs = internal constant [4 x i64] [i64 -1, i64 0, i64 1, i64 3]

define internal void @ints(ptr %f) {
entry:
  br label %next
next:
  %n = phi i64 [ 0, %entry ], [ %m, %next ]
  %bits = phi i64 [ 0, %entry ], [ %more, %next ]
  %i = lshr i64 %n, 4
  %j.all = lshr i64 %n, 2
  %j = and i64 %j.all, 3
  %k = and i64 %n, 3
  %pa = getelementptr i64, ptr @ints_inputs, i64 %i
  %pb = getelementptr i64, ptr @ints_inputs, i64 %j
  %pc = getelementptr i64, ptr @ints_inputs, i64 %k
  %a = load i64, ptr %pa
  %b = load i64, ptr %pb
  %c = load i64, ptr %pc
  %one = call i64 %f(i64 %a, i64 %b, i64 %c)
  %twice = shl i64 %bits, 1
  %more = or i64 %twice, %one
  %m = add i64 %n, 1
  %done = icmp eq i64 %m, 64
  br i1 %done, label %end, label %next
end:
  call void @show(i64 %more)
  ret void
}

@doubles_inputs = internal constant [4 x double] [double -1.0, double 0.0, double -0.0, double 0x7FF8000000000000]

define internal void @doubles(ptr %f) {
entry:
  br label %next
next:
  %n = phi i64 [ 0, %entry ], [ %m, %next ]
  %bits = phi i64 [ 0, %entry ], [ %more, %next ]
  %i = lshr i64 %n, 4
  %j.all = lshr i64 %n, 2
  %j = and i64 %j.all, 3
  %k = and i64 %n, 3
  %pa = getelementptr double, ptr @doubles_inputs, i64 %i
  %pb = getelementptr double, ptr @doubles_inputs, i64 %j
  %pc = getelementptr double, ptr @doubles_inputs, i64 %k
  %a = load double, ptr %pa
  %b = load double, ptr %pb
  %c = load double, ptr %pc
  %one = call i64 %f(double %a, double %b, double %c)
  %twice = shl i64 %bits, 1
  %more = or i64 %twice, %one
  %m = add i64 %n, 1
  %done = icmp eq i64 %m, 64
  br i1 %done, label %end, label %next
end:
  call void @show(i64 %more)
  ret void
}

define i32 @main() {
  call void @ints(ptr @both)
  call void @ints(ptr @either)
  call void @ints(ptr @and)
  call void @ints(ptr @or)
  call void @ints(ptr @nested)
  call void @ints(ptr @inner)
  call void @ints(ptr @outer)
  call void @ints(ptr @twice)
  call void @ints(ptr @bit)
  call void @ints(ptr @apart)
  call void @ints(ptr @deep)
  call void @ints(ptr @moved)
  call void @ints(ptr @loop)
  call void @doubles(ptr @not_oeq)
  call void @doubles(ptr @or_oeq)
  call void @doubles(ptr @not_ogt)
  call void @doubles(ptr @or_ogt)
  call void @doubles(ptr @not_oge)
  call void @doubles(ptr @or_oge)
  call void @doubles(ptr @not_olt)
  call void @doubles(ptr @or_olt)
  call void @doubles(ptr @not_ole)
  call void @doubles(ptr @or_ole)
  call void @doubles(ptr @not_one)
  call void @doubles(ptr @or_one)
  call void @doubles(ptr @not_ord)
  call void @doubles(ptr @or_ord)
  call void @doubles(ptr @not_ueq)
  call void @doubles(ptr @or_ueq)
  call void @doubles(ptr @not_ugt)
  call void @doubles(ptr @or_ugt)
  call void @doubles(ptr @not_uge)
  call void @doubles(ptr @or_uge)
  call void @doubles(ptr @not_ult)
  call void @doubles(ptr @or_ult)
  call void @doubles(ptr @not_ule)
  call void @doubles(ptr @or_ule)
  call void @doubles(ptr @not_une)
  call void @doubles(ptr @or_une)
  call void @doubles(ptr @not_uno)
  call void @doubles(ptr @or_uno)
  call void @doubles(ptr @not_true)
  call void @doubles(ptr @or_true)
  call void @doubles(ptr @not_false)
  call void @doubles(ptr @or_false)
  ret i32 0
}
