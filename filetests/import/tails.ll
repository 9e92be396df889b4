; test import
; Functions that call each other by `musttail`, deeper than a stack goes: directly, through a table of
; pointers, with memory of their own, and with what is extended and returned in two registers.
; out: -250002
; out: 250008
; out: 1
; out: 42
; out: 10726
; out: 7
; out: 50
; out: -4750
; out: 48221
@line = private constant [5 x i8] c"%ld\0A\00"
@table = internal constant [3 x ptr] [ptr @op_add, ptr @op_double, ptr @op_end]
@code = internal constant [3 x i8] c"\00\01\02"
declare i32 @printf(ptr, ...)
declare i64 @labs(i64)

define internal void @print(i64 %x) {
  %ignored = call i32 (ptr, ...) @printf(ptr @line, i64 %x)
  ret void
}

; Two functions that call each other.
define internal i64 @even(i64 %n, i64 %sum) {
  %z = icmp eq i64 %n, 0
  br i1 %z, label %end, label %more
end:
  ret i64 %sum
more:
  %n1 = sub i64 %n, 1
  %s1 = add i64 %sum, 2
  %r = musttail call i64 @odd(i64 %n1, i64 %s1)
  ret i64 %r
}
define i64 @odd(i64 %n, i64 %sum) {
  %z = icmp eq i64 %n, 0
  br i1 %z, label %end, label %more
end:
  %neg = sub i64 0, %sum
  ret i64 %neg
more:
  %n1 = sub i64 %n, 1
  %s1 = add i64 %sum, 3
  %r = musttail call i64 @even(i64 %n1, i64 %s1)
  ret i64 %r
}

; One that calls itself with its arguments in another order, and has memory of its own.
define internal i64 @gcd(i64 %a, i64 %b) {
entry:
  %own = alloca [4 x i64]
  %z = icmp eq i64 %b, 0
  br i1 %z, label %end, label %more
end:
  ret i64 %a
more:
  store i64 %a, ptr %own
  %size = and i64 %a, 63
  %extra = alloca i64, i64 %size
  %k = load i64, ptr %own
  %m = urem i64 %k, %b
  %r = musttail call i64 @gcd(i64 %b, i64 %m)
  ret i64 %r
}
define internal void @count(ptr sret(i64) %out, i64 %n) {
  %size = and i64 %n, 511
  %extra = alloca i64, i64 %size
  store i64 %n, ptr %extra
  %z = icmp eq i64 %n, 0
  br i1 %z, label %end, label %more
end:
  store i64 42, ptr %out
  ret void
more:
  %n1 = sub i64 %n, 1
  musttail call void @count(ptr sret(i64) %out, i64 %n1)
  ret void
}

; An interpreter whose operations go to the next one by a table.
define internal i64 @op_add(ptr %at, i64 %acc, i64 %left) {
  %acc1 = add i64 %acc, 1
  %at1 = getelementptr i8, ptr %at, i64 1
  %op = load i8, ptr %at1
  %n = zext i8 %op to i64
  %p = getelementptr ptr, ptr @table, i64 %n
  %f = load ptr, ptr %p
  %r = musttail call i64 %f(ptr %at1, i64 %acc1, i64 %left)
  ret i64 %r
}
define internal i64 @op_double(ptr %at, i64 %acc, i64 %left) {
  %acc1 = mul i64 %acc, 3
  %acc2 = and i64 %acc1, 65535
  %at1 = getelementptr i8, ptr %at, i64 1
  %op = load i8, ptr %at1
  %n = zext i8 %op to i64
  %p = getelementptr ptr, ptr @table, i64 %n
  %f = load ptr, ptr %p
  %r = musttail call i64 %f(ptr %at1, i64 %acc2, i64 %left)
  ret i64 %r
}
define internal i64 @op_end(ptr %at, i64 %acc, i64 %left) {
  %z = icmp eq i64 %left, 0
  br i1 %z, label %end, label %more
end:
  ret i64 %acc
more:
  %left1 = sub i64 %left, 1
  %r = musttail call i64 @op_add(ptr @code, i64 %acc, i64 %left1)
  ret i64 %r
}

; By a convention that promises it for `tail`.
define internal tailcc i64 @down(i64 %n) {
  %z = icmp eq i64 %n, 0
  br i1 %z, label %end, label %more
end:
  ret i64 7
more:
  %n1 = sub i64 %n, 1
  %r = tail call tailcc i64 @down(i64 %n1)
  ret i64 %r
}

; A function of another module, and one that is only reached once: calls.
define internal i64 @leave(i64 %x) {
  %z = icmp sgt i64 %x, 100
  br i1 %z, label %self, label %out
self:
  %y = sub i64 %x, 200
  %s = musttail call i64 @leave(i64 %y)
  ret i64 %s
out:
  %r = musttail call i64 @labs(i64 %x)
  ret i64 %r
}
define internal float @halved(float %x, i1 zeroext %again, i8 signext %k) {
  br i1 %again, label %more, label %end
end:
  %f = sitofp i8 %k to float
  %g = fadd float %x, %f
  ret float %g
more:
  %h = fmul float %x, 5.000000e-01
  %k1 = sub i8 %k, 1
  %c = icmp sgt i8 %k1, -5
  %r = musttail call float @halved(float %h, i1 zeroext %c, i8 signext %k1)
  ret float %r
}
define internal { i64, i64 } @pair(i64 %a, i64 %b, i64 %n) {
  %z = icmp eq i64 %n, 0
  br i1 %z, label %end, label %more
end:
  %p = insertvalue { i64, i64 } undef, i64 %a, 0
  %q = insertvalue { i64, i64 } %p, i64 %b, 1
  ret { i64, i64 } %q
more:
  %n1 = sub i64 %n, 1
  %c = add i64 %a, %b
  %c1 = and i64 %c, 65535
  %r = musttail call { i64, i64 } @pair(i64 %b, i64 %c1, i64 %n1)
  ret { i64, i64 } %r
}

define i32 @main() {
  %a = call i64 @even(i64 100001, i64 0)
  call void @print(i64 %a)
  %b = call i64 @odd(i64 100001, i64 5)
  call void @print(i64 %b)
  %c = call i64 @gcd(i64 1836311903, i64 1134903170)
  call void @print(i64 %c)
  %out = alloca i64
  call void @count(ptr sret(i64) %out, i64 100000)
  %d = load i64, ptr %out
  call void @print(i64 %d)
  %e = call i64 @op_add(ptr @code, i64 1, i64 50000)
  call void @print(i64 %e)
  %f = call tailcc i64 @down(i64 200000)
  call void @print(i64 %f)
  %g = call i64 @leave(i64 250)
  call void @print(i64 %g)
  %x = call float @halved(float 64.0, i1 zeroext true, i8 signext 3)
  %y = fmul float %x, 1000.0
  %h = fptosi float %y to i64
  call void @print(i64 %h)
  %i = call { i64, i64 } @pair(i64 0, i64 1, i64 100000)
  %j = extractvalue { i64, i64 } %i, 1
  call void @print(i64 %j)
  ret i32 0
}
