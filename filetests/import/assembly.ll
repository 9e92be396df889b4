; test import
; Inline assembly that only holds back the optimiser: empty, with operands in the places of others,
; padding. Frame addresses; the rounding mode; annotations, which are the values that they are of.
; out: 5
; out: 7
; out: 8
; out: 9
; out: 1
; out: 0
; out: 1
; out: 1
; out: 3
; out: 1
; out: 77
@line = internal constant [5 x i8] c"%ld\0A\00"
@name = private constant [2 x i8] c"a\00"
declare i32 @printf(ptr, ...)
declare ptr @llvm.frameaddress.p0(i32)
declare ptr @llvm.returnaddress(i32)
declare i32 @llvm.get.rounding()
declare void @llvm.set.rounding(i32)
declare i32 @llvm.annotation.i32.p0(i32, ptr, ptr, i32)

define internal void @print(i64 %x) {
  %ignored = call i32 (ptr, ...) @printf(ptr @line, i64 %x)
  ret void
}
define i32 @main() {
  %place = alloca i64
  store i64 9, ptr %place
  call void asm sideeffect "", "~{memory}"()
  call void asm sideeffect "nop\0A\09nop", ""()
  call void asm sideeffect ".p2align 4", ""()
  %a = call i64 asm sideeffect "", "=r,0"(i64 5)
  call void @print(i64 %a)
  %b = call { i64, i32 } asm "", "=r,=&r,1,0"(i32 8, i64 7)
  %c = extractvalue { i64, i32 } %b, 0
  %d = extractvalue { i64, i32 } %b, 1
  %e = zext i32 %d to i64
  call void @print(i64 %c)
  call void @print(i64 %e)
  call void asm sideeffect "", "=*m,r,*m,~{memory}"(ptr elementtype(i64) %place, i64 1, ptr elementtype(i64) %place)
  %f = load i64, ptr %place
  call void @print(i64 %f)
  %frame = call ptr @llvm.frameaddress.p0(i32 0)
  %g = icmp ne ptr %frame, null
  %h = zext i1 %g to i64
  call void @print(i64 %h)
  %outer = call ptr @llvm.returnaddress(i32 1)
  %i = ptrtoint ptr %outer to i64
  %j = and i64 %i, 0
  call void @print(i64 %j)
  %inner = call ptr @llvm.returnaddress(i32 0)
  %inner.known = icmp ne ptr %inner, null
  %inner.word = zext i1 %inner.known to i64
  call void @print(i64 %inner.word)
  %k = call i32 @llvm.get.rounding()
  %l = zext i32 %k to i64
  call void @print(i64 %l)
  call void @llvm.set.rounding(i32 3)
  %m = call i32 @llvm.get.rounding()
  call void @llvm.set.rounding(i32 1)
  %n = zext i32 %m to i64
  call void @print(i64 %n)
  %o = call i32 @llvm.get.rounding()
  %p = zext i32 %o to i64
  call void @print(i64 %p)
  %q = call i32 @llvm.annotation.i32.p0(i32 77, ptr @name, ptr @name, i32 1)
  %r = zext i32 %q to i64
  call void @print(i64 %r)
  ret i32 0
}
