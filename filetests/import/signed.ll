; test import
; Integers of 32 bits that are kept sign-extended, as `nsw` promises that nothing overflows: negative indices, shifts, choices, arguments, variables in memory; and what may overflow: what is not promised, what is frozen.
; out: 95141
; out: 0
; out: -799
; out: -2809
; out: 504
; out: 4
; out: -2147483647
; out: 1
; out: 1
; out: 4294967295
; out: 17
@line = internal constant [5 x i8] c"%ld\0A\00"
@numbers = internal global [8 x i64] [i64 3, i64 1, i64 4, i64 1, i64 5, i64 9, i64 2, i64 6]
@narrow = internal global [4 x i32] [i32 -2, i32 7, i32 -1, i32 3]
@bytes = internal global [4 x i8] c"\FE\01\03\FF"
declare i32 @printf(ptr, ...)

define internal void @print(i64 %x) {
  %ignored = call i32 (ptr, ...) @printf(ptr @line, i64 %x)
  ret void
}

; An argument and a variable count down to a negative index from the middle.
define internal i64 @middle(i32 %from, i32 %to) {
entry:
  %i = alloca i32
  %sum = alloca i64
  store i64 0, ptr %sum
  store i32 %from, ptr %i
  br label %test
test:
  %now = load i32, ptr %i
  %more = icmp sge i32 %now, %to
  br i1 %more, label %body, label %done
body:
  %index = load i32, ptr %i
  %at = sext i32 %index to i64
  %place = getelementptr i64, ptr getelementptr (i8, ptr @numbers, i64 32), i64 %at
  %number = load i64, ptr %place
  %old = load i64, ptr %sum
  %ten = mul i64 %old, 10
  %new = add i64 %ten, %number
  store i64 %new, ptr %sum
  %last = load i32, ptr %i
  %next = add nsw i32 %last, -1
  store i32 %next, ptr %i
  br label %test
done:
  %result = load i64, ptr %sum
  ret i64 %result
}

; Products, shifts and bits of numbers from memory.
define internal i64 @mixed(i32 %which) {
  %wide = sext i32 %which to i64
  %place = getelementptr i32, ptr @narrow, i64 %wide
  %x = load i32, ptr %place
  %product = mul nsw i32 %x, 100
  %shifted = shl nsw i32 %product, 3
  %half = ashr i32 %shifted, 1
  %odd = or i32 %half, 1
  %flipped = xor i32 %odd, -1
  %less = sub nsw i32 %flipped, %x
  %is = icmp slt i32 %less, 0
  %chosen = select i1 %is, i32 %less, i32 %odd
  %result = sext i32 %chosen to i64
  ret i64 %result
}

; Bytes, of either sign.
define internal i64 @of_bytes(i32 %which) {
  %place = getelementptr i8, ptr @bytes, i32 %which
  %byte = load i8, ptr %place
  %signed = sext i8 %byte to i32
  %plain = zext i8 %byte to i32
  %sum = add nsw i32 %signed, %plain
  %double = mul nsw i32 %sum, 2
  %result = sext i32 %double to i64
  ret i64 %result
}

; Nothing is promised: this wraps.
define internal i64 @wraps(i32 %x) {
  %next = add i32 %x, 1
  %again = add nsw i32 %next, 1
  %result = sext i32 %again to i64
  ret i64 %result
}

; Whatever an overflow is, frozen it is the same to all.
define internal i64 @frozen(i32 %x) {
  %place = getelementptr i32, ptr @narrow, i32 %x
  %number = load i32, ptr %place
  %much = add nsw i32 %number, 2147483647
  %some = freeze i32 %much
  %wide = sext i32 %some to i64
  %low = trunc i64 %wide to i32
  %again = sext i32 %low to i64
  %same = icmp eq i64 %wide, %again
  %is_negative = icmp slt i32 %some, 0
  %is_negative_too = icmp slt i64 %wide, 0
  %alike = icmp eq i1 %is_negative, %is_negative_too
  %both = and i1 %same, %alike
  %result = zext i1 %both to i64
  ret i64 %result
}

; As an unsigned number it has 32 bits, and unsigned comparisons count as of such.
define internal i64 @unsigned(i32 %x) {
  %wide = sext i32 %x to i64
  %place = getelementptr i32, ptr @narrow, i64 %wide
  %number = load i32, ptr %place
  %next = add nsw i32 %number, 1
  %at = sext i32 %next to i64
  %plain = zext i32 %next to i64
  %above = icmp ugt i32 %next, %x
  %bit = zext i1 %above to i64
  %sum = add i64 %at, %plain
  %result = add i64 %sum, %bit
  ret i64 %result
}

define i32 @main() {
  %a = call i64 @middle(i32 1, i32 -3)
  call void @print(i64 %a)
  %b = call i64 @middle(i32 -4, i32 -3)
  call void @print(i64 %b)
  %c = call i64 @mixed(i32 0)
  call void @print(i64 %c)
  %d = call i64 @mixed(i32 1)
  call void @print(i64 %d)
  %e = call i64 @of_bytes(i32 0)
  call void @print(i64 %e)
  %f = call i64 @of_bytes(i32 1)
  call void @print(i64 %f)
  %g = call i64 @wraps(i32 2147483647)
  call void @print(i64 %g)
  %h = call i64 @frozen(i32 1)
  call void @print(i64 %h)
  %i = call i64 @frozen(i32 0)
  call void @print(i64 %i)
  %j = call i64 @unsigned(i32 0)
  call void @print(i64 %j)
  %k = call i64 @unsigned(i32 1)
  call void @print(i64 %k)
  ret i32 0
}
