; ModuleID = 'shapes.43b48fc11de24fea-cgu.0'
source_filename = "shapes.43b48fc11de24fea-cgu.0"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@alloc_b41eddbfb205b250f84947b164e745e7 = private unnamed_addr constant [10 x i8] c"rectangle\00", align 1
@alloc_c145bf34296727236cb3bab6b5dc05ff = private unnamed_addr constant [48 x i8] c"the largest is a %s of %.3f, all together %.3f\0A\00", align 1
@alloc_7c6e796e63651f87916b027062ab504d = private unnamed_addr constant [30 x i8] c"fibonacci(150) = %llu%018llu\0A\00", align 1

; __rustc::rust_begin_unwind
; Function Attrs: cold nofree noreturn nounwind nonlazybind uwtable
define void @_RNvCsfLfy6EI15iL_7___rustc17rust_begin_unwind(ptr noalias noundef readonly align 8 captures(none) dereferenceable(24) %_1) unnamed_addr #0 {
start:
  tail call void @abort() #3
  unreachable
}

; Function Attrs: nofree nounwind nonlazybind uwtable
define noundef i32 @main() unnamed_addr #1 personality ptr @rust_eh_personality {
start:
  br label %bb3.i.i

bb3.i.i:                                          ; preds = %bb3.i.i, %start
  %accum.sroa.0.09.i.i = phi i128 [ 0, %start ], [ %_6.i.i.i.8, %bb3.i.i ]
  %accum.sroa.6.08.i.i = phi i128 [ 1, %start ], [ %_6.i.i.i.9, %bb3.i.i ]
  %self.sroa.0.07.i.i = phi i32 [ 0, %start ], [ %_0.i1.i.i.i.i.9, %bb3.i.i ]
  %_6.i.i.i = add i128 %accum.sroa.6.08.i.i, %accum.sroa.0.09.i.i
  %_6.i.i.i.1 = add i128 %_6.i.i.i, %accum.sroa.6.08.i.i
  %_6.i.i.i.2 = add i128 %_6.i.i.i.1, %_6.i.i.i
  %_6.i.i.i.3 = add i128 %_6.i.i.i.2, %_6.i.i.i.1
  %_6.i.i.i.4 = add i128 %_6.i.i.i.3, %_6.i.i.i.2
  %_6.i.i.i.5 = add i128 %_6.i.i.i.4, %_6.i.i.i.3
  %_6.i.i.i.6 = add i128 %_6.i.i.i.5, %_6.i.i.i.4
  %_6.i.i.i.7 = add i128 %_6.i.i.i.6, %_6.i.i.i.5
  %_6.i.i.i.8 = add i128 %_6.i.i.i.7, %_6.i.i.i.6
  %_0.i1.i.i.i.i.9 = add nuw nsw i32 %self.sroa.0.07.i.i, 10
  %_6.i.i.i.9 = add i128 %_6.i.i.i.8, %_6.i.i.i.7
  %exitcond.not.i.i.9 = icmp eq i32 %_0.i1.i.i.i.i.9, 150
  br i1 %exitcond.not.i.i.9, label %bb8, label %bb3.i.i

bb8:                                              ; preds = %bb3.i.i
  %_15 = tail call noundef i32 (ptr, ...) @printf(ptr noundef nonnull dereferenceable(1) @alloc_c145bf34296727236cb3bab6b5dc05ff, ptr noundef nonnull @alloc_b41eddbfb205b250f84947b164e745e7, double noundef 7.500000e+00, double noundef 0x402F231D5F66595E) #4
  %_6.i.i.i.8.frozen = freeze i128 %_6.i.i.i.8
  %_22 = udiv i128 %_6.i.i.i.8.frozen, 1000000000000000000
  %high = trunc i128 %_22 to i64
  %0 = mul i128 %_22, 1000000000000000000
  %_24.decomposed = sub i128 %_6.i.i.i.8.frozen, %0
  %low = trunc nuw nsw i128 %_24.decomposed to i64
  %_25 = tail call noundef i32 (ptr, ...) @printf(ptr noundef nonnull dereferenceable(1) @alloc_7c6e796e63651f87916b027062ab504d, i64 noundef %high, i64 noundef %low) #4
  ret i32 0
}

; Function Attrs: cold nofree noreturn nounwind nonlazybind uwtable
declare void @abort() unnamed_addr #0

; Function Attrs: nonlazybind
declare i32 @rust_eh_personality(...) unnamed_addr #2

; Function Attrs: nofree nounwind nonlazybind uwtable
declare noundef i32 @printf(ptr noundef readonly captures(none), ...) unnamed_addr #1

attributes #0 = { cold nofree noreturn nounwind nonlazybind uwtable "probe-stack"="inline-asm" "target-cpu"="x86-64" }
attributes #1 = { nofree nounwind nonlazybind uwtable "probe-stack"="inline-asm" "target-cpu"="x86-64" }
attributes #2 = { nonlazybind "target-cpu"="x86-64" }
attributes #3 = { noreturn nounwind }
attributes #4 = { nounwind }

!llvm.module.flags = !{!0, !1}
!llvm.ident = !{!2}

!0 = !{i32 8, !"PIC Level", i32 2}
!1 = !{i32 2, !"RtLibUseGOT", i32 1}
!2 = !{!"rustc version 1.95.0 (59807616e 2026-04-14)"}
