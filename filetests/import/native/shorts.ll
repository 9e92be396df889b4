; The part of `side.ll` with floats of 16 bits, for ISAs on which clang has them: in all registers
; and on the stack, and results.

define half @ours_short(i64 %which, half %a, double %b, half %c, float %d, half %e, half %f, half %g, half %h, half %i, half %j, half %k) {
  switch i64 %which, label %first [
    i64 1, label %second
    i64 2, label %before
    i64 3, label %last
  ]
first:
  ret half %a
second:
  ret half %c
before:
  ret half %j
last:
  ret half %k
}

define void @ours_check_shorts(ptr %theirs) {
entry:
  %short = call ptr @function(ptr %theirs, i64 11)
  %minus = bitcast i16 -1234 to half
  br label %next
next:
  %which = phi i64 [ 0, %entry ], [ %more, %next ]
  %x = call half %short(i64 %which, half 0xH3C00, double 2.5, half 0xH4000, float 3.25, half 0xH4400, half 0xH4800, half 0xH4C00, half 0xH5000, half 0xH3800, half 0xH3400, half %minus)
  %bits = bitcast half %x to i16
  %wide = sext i16 %bits to i64
  call void @print(i64 %which, i64 %wide)
  %more = add i64 %which, 1
  %again = icmp slt i64 %more, 4
  br i1 %again, label %next, label %end
end:
  ret void
}
