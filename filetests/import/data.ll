; test import
; Data: nested, packed, of odd widths, with addresses and their distances; aliases; copies and blocks of memory.
; out: 6
; out: 40
; out: -7
; out: 2
; out: -5
; out: 1
; out: 8388605
; out: -3000000000
; out: 1
; out: 3
; out: 1
; out: 0
; out: 2
; out: 2
; out: 1076822825
; out: 2645110
; out: 2551270
; out: 199990000
%pair = type { i8, i32 }
%nested = type { %pair, [2 x %pair], ptr, i16 }
%tight = type <{ i8, i32, ptr, i24 }>

@line = internal constant [5 x i8] c"%ld\0A\00"
@zeros = internal global [100 x i64] zeroinitializer
@nested = internal global %nested { %pair { i8 1, i32 -2 }, [2 x %pair] [%pair { i8 3, i32 4 }, %pair { i8 5, i32 6 }], ptr getelementptr inbounds (%nested, ptr @nested, i64 0, i32 1, i64 1, i32 1), i16 -7 }
@tight = internal constant %tight <{ i8 1, i32 2, ptr @line, i24 -5 }>
@odd = internal global [3 x i24] [i24 1, i24 -2, i24 8388607]
@wide = internal global [2 x i128] [i128 -1, i128 18446744073709551619]
@odd64 = internal global i40 -3
@alias = internal alias i32, getelementptr (%nested, ptr @nested, i64 0, i32 1, i64 0, i32 1)
@distances = internal constant [2 x i32] [i32 trunc (i64 sub (i64 ptrtoint (ptr @line to i64), i64 ptrtoint (ptr @distances to i64)) to i32), i32 trunc (i64 sub (i64 ptrtoint (ptr @zeros to i64), i64 ptrtoint (ptr @distances to i64)) to i32)]
@functions = internal constant [2 x ptr] [ptr @one, ptr @other]
@other = internal alias i64 (), ptr @two
@float = internal constant { float, double, [2 x float] } { float 1.5, double -2.25, [2 x float] [float 0x3FF3C0CA40000000, float -4.0] }
declare i32 @printf(ptr, ...)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare ptr @llvm.load.relative.i64(ptr, i64)
declare ptr @llvm.stacksave.p0()
declare void @llvm.stackrestore.p0(ptr)

define internal i64 @one() {
  ret i64 1
}
define internal i64 @two() {
  ret i64 2
}
define internal void @print(i64 %x) {
  %ignored = call i32 (ptr, ...) @printf(ptr @line, i64 %x)
  ret void
}

; Moves by so many bytes within a piece of memory, and sums what is there then.
define internal i64 @moved(i64 %by, i64 %bytes) {
  %space = alloca [200 x i8], align 32
  br label %fill
fill:
  %i = phi i64 [ 0, %0 ], [ %i1, %fill ]
  %p = getelementptr i8, ptr %space, i64 %i
  %v = trunc i64 %i to i8
  store i8 %v, ptr %p
  %i1 = add i64 %i, 1
  %more = icmp ne i64 %i1, 200
  br i1 %more, label %fill, label %move
move:
  %to = getelementptr i8, ptr %space, i64 %by
  call void @llvm.memmove.p0.p0.i64(ptr %to, ptr %space, i64 %bytes, i1 false)
  call void @llvm.memmove.p0.p0.i64(ptr %to, ptr %space, i64 23, i1 false)
  call void @llvm.memset.p0.i64(ptr %space, i8 -1, i64 3, i1 false)
  br label %sum
sum:
  %j = phi i64 [ 0, %move ], [ %j1, %sum ]
  %s = phi i64 [ 0, %move ], [ %s1, %sum ]
  %q = getelementptr i8, ptr %space, i64 %j
  %b = load i8, ptr %q
  %z = zext i8 %b to i64
  %m = mul i64 %z, %j
  %s1 = add i64 %s, %m
  %j1 = add i64 %j, 1
  %again = icmp ne i64 %j1, 200
  br i1 %again, label %sum, label %done
done:
  %address = ptrtoint ptr %space to i64
  %low = and i64 %address, 31
  %r = add i64 %s1, %low
  ret i64 %r
}

; Stack that is taken and given back many times.
define internal i64 @taken(i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %s = phi i64 [ 0, %entry ], [ %s1, %loop ]
  %saved = call ptr @llvm.stacksave.p0()
  %many = and i64 %i, 1023
  %size = add i64 %many, 1000
  %space = alloca i64, i64 %size, align 64
  %last = sub i64 %size, 1
  %p = getelementptr i64, ptr %space, i64 %last
  store i64 %i, ptr %p
  store i64 1, ptr %space
  %v = load i64, ptr %p
  %s1 = add i64 %s, %v
  call void @llvm.stackrestore.p0(ptr %saved)
  %i1 = add i64 %i, 1
  %more = icmp ult i64 %i1, %n
  br i1 %more, label %loop, label %done
done:
  ret i64 %s1
}

define i32 @main() {
  %inner = load ptr, ptr getelementptr (%nested, ptr @nested, i64 0, i32 2)
  %a = load i32, ptr %inner
  %a64 = sext i32 %a to i64
  call void @print(i64 %a64)
  store i32 40, ptr @alias
  %b = load i32, ptr getelementptr (i8, ptr @nested, i64 12)
  %b64 = sext i32 %b to i64
  call void @print(i64 %b64)
  %c = load i16, ptr getelementptr inbounds (%nested, ptr @nested, i32 0, i32 3)
  %c64 = sext i16 %c to i64
  call void @print(i64 %c64)
  %t = load %tight, ptr @tight
  %t1 = extractvalue %tight %t, 1
  %t2 = extractvalue %tight %t, 2
  %t3 = extractvalue %tight %t, 3
  %t164 = sext i32 %t1 to i64
  %t364 = sext i24 %t3 to i64
  call void @print(i64 %t164)
  call void @print(i64 %t364)
  %is = icmp eq ptr %t2, @line
  %is64 = zext i1 %is to i64
  call void @print(i64 %is64)
  %o1 = load i24, ptr getelementptr ([3 x i24], ptr @odd, i64 0, i64 1)
  %o2 = load i24, ptr getelementptr ([3 x i24], ptr @odd, i64 0, i64 2)
  %osum = add i24 %o1, %o2
  store i24 %osum, ptr @odd
  %o0 = load i24, ptr @odd
  %o064 = sext i24 %o0 to i64
  call void @print(i64 %o064)
  %o3 = load i40, ptr @odd64
  %o4 = mul i40 %o3, 1000000000
  store i40 %o4, ptr @odd64
  %o5 = load i40, ptr @odd64
  %o564 = sext i40 %o5 to i64
  call void @print(i64 %o564)
  %w = load i128, ptr getelementptr ([2 x i128], ptr @wide, i64 0, i64 1)
  %wh = lshr i128 %w, 64
  %w64 = trunc i128 %wh to i64
  call void @print(i64 %w64)
  %wl = trunc i128 %w to i64
  call void @print(i64 %wl)
  %r = call ptr @llvm.load.relative.i64(ptr @distances, i64 0)
  %rd = icmp eq ptr %r, @line
  %rd64 = zext i1 %rd to i64
  call void @print(i64 %rd64)
  %r4 = call ptr @llvm.load.relative.i64(ptr @distances, i64 4)
  %z0 = load i64, ptr %r4
  call void @print(i64 %z0)
  %f = load ptr, ptr getelementptr ([2 x ptr], ptr @functions, i64 0, i64 1)
  %fv = call i64 %f()
  call void @print(i64 %fv)
  %dv = call i64 @other()
  call void @print(i64 %dv)
  %fl = load { float, double, [2 x float] }, ptr @float
  %f0 = extractvalue { float, double, [2 x float] } %fl, 0
  %f3 = extractvalue { float, double, [2 x float] } %fl, 2, 0
  %fs = fadd float %f0, %f3
  %fi = bitcast float %fs to i32
  %f64 = zext i32 %fi to i64
  call void @print(i64 %f64)
  %m1 = call i64 @moved(i64 1, i64 64)
  call void @print(i64 %m1)
  %m2 = call i64 @moved(i64 5, i64 190)
  call void @print(i64 %m2)
  %taken = call i64 @taken(i64 20000)
  call void @print(i64 %taken)
  ret i32 0
}
