; test import
; Atomic operations, which need no more than their parts on one processor.
; out: 100
; out: 105
; out: 105
; out: 98
; out: 98
; out: 34
; out: 34
; out: -3
; out: -3
; out: -3
; out: -3
; out: 2
; out: 2
; out: 2
; out: 2
; out: 2
; out: 2
; out: -3
; out: -3
; out: -3
; out: -3
; out: 77
; out: 255
; out: 4615063718147915776
; out: 5
; out: 1
; out: 0
; out: 12
@line = internal constant [5 x i8] c"%ld\0A\00"
@word = internal global i32 5
@byte = internal global i8 -1
@long = internal global i64 100
@real = internal global double 1.5
declare i32 @printf(ptr, ...)
define internal void @print(i64 %x) {
  %ignored = call i32 (ptr, ...) @printf(ptr @line, i64 %x)
  ret void
}
define internal void @both(i64 %old) {
  call void @print(i64 %old)
  %now = load atomic i64, ptr @long seq_cst, align 8
  call void @print(i64 %now)
  ret void
}
define i32 @main() {
  %1 = atomicrmw add ptr @long, i64 5 seq_cst
  call void @both(i64 %1)
  %2 = atomicrmw sub ptr @long, i64 7 acquire
  call void @both(i64 %2)
  %3 = atomicrmw and ptr @long, i64 63 release
  call void @both(i64 %3)
  %4 = atomicrmw nand ptr @long, i64 15 acq_rel
  call void @both(i64 %4)
  %5 = atomicrmw or ptr @long, i64 1024 monotonic
  call void @both(i64 %5)
  %6 = atomicrmw xor ptr @long, i64 -1 seq_cst
  call void @both(i64 %6)
  %7 = atomicrmw max ptr @long, i64 -50 seq_cst
  call void @both(i64 %7)
  %8 = atomicrmw umin ptr @long, i64 3 seq_cst
  call void @both(i64 %8)
  %9 = atomicrmw min ptr @long, i64 -3 seq_cst
  call void @both(i64 %9)
  %10 = atomicrmw umax ptr @long, i64 9 seq_cst
  call void @both(i64 %10)
  %11 = atomicrmw xchg ptr @long, i64 77 syncscope("singlethread") seq_cst
  call void @both(i64 %11)
  %b = atomicrmw umax ptr @byte, i8 3 seq_cst, align 1
  %bz = zext i8 %b to i64
  call void @print(i64 %bz)
  %d = atomicrmw fadd ptr @real, double 2.0 seq_cst
  %now = load atomic double, ptr @real monotonic, align 8
  %bits = bitcast double %now to i64
  call void @print(i64 %bits)
  %x = cmpxchg ptr @word, i32 5, i32 6 acq_rel monotonic
  %old = extractvalue { i32, i1 } %x, 0
  %did = extractvalue { i32, i1 } %x, 1
  %old64 = sext i32 %old to i64
  call void @print(i64 %old64)
  %did64 = zext i1 %did to i64
  call void @print(i64 %did64)
  %y = cmpxchg weak volatile ptr @word, i32 5, i32 7 seq_cst seq_cst
  %didnot = extractvalue { i32, i1 } %y, 1
  %didnot64 = zext i1 %didnot to i64
  call void @print(i64 %didnot64)
  fence syncscope("singlethread") seq_cst
  store atomic i32 12, ptr @word release, align 4
  %w = load i32, ptr @word
  %w64 = sext i32 %w to i64
  call void @print(i64 %w64)
  ret i32 0
}
