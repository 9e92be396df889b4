; ModuleID = 'scores.c'
source_filename = "scores.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Function Attrs: nofree noinline nosync nounwind memory(none) uwtable
define dso_local i32 @work(i32 noundef %0, i32 noundef %1) local_unnamed_addr #0 !dbg !16 {
    #dbg_value(i32 %0, !20, !DIExpression(), !30)
    #dbg_value(i32 %1, !21, !DIExpression(), !30)
    #dbg_value(i32 %1, !22, !DIExpression(), !30)
    #dbg_value(double 1.500000e+00, !23, !DIExpression(), !30)
    #dbg_value(i32 0, !25, !DIExpression(), !31)
  %3 = icmp sgt i32 %0, 0, !dbg !32
  br i1 %3, label %10, label %6, !dbg !33

4:                                                ; preds = %20
  %5 = fptosi double %23 to i32, !dbg !34
  br label %6, !dbg !35

6:                                                ; preds = %4, %2
  %7 = phi i32 [ 1, %2 ], [ %5, %4 ], !dbg !30
  %8 = phi i32 [ %1, %2 ], [ %21, %4 ], !dbg !30
  %9 = icmp sgt i32 %0, 1, !dbg !35
  br i1 %9, label %26, label %29, !dbg !36

10:                                               ; preds = %2, %20
  %11 = phi i32 [ %21, %20 ], [ %1, %2 ]
  %12 = phi i32 [ %24, %20 ], [ 0, %2 ]
  %13 = phi double [ %23, %20 ], [ 1.500000e+00, %2 ]
    #dbg_value(i32 %11, !22, !DIExpression(), !30)
    #dbg_value(i32 %12, !25, !DIExpression(), !31)
    #dbg_value(double %13, !23, !DIExpression(), !30)
  %14 = mul nsw i32 %12, %1, !dbg !37
    #dbg_value(i32 %14, !27, !DIExpression(), !38)
  %15 = add nsw i32 %11, %14, !dbg !39
    #dbg_value(i32 %15, !22, !DIExpression(), !30)
  %16 = icmp sgt i32 %15, 50, !dbg !40
  br i1 %16, label %17, label %20, !dbg !42

17:                                               ; preds = %10
    #dbg_value(i32 %14, !43, !DIExpression(), !49)
  %18 = sdiv i32 %14, -2, !dbg !51
    #dbg_value(i32 %14, !48, !DIExpression(DW_OP_constu, 2, DW_OP_div, DW_OP_stack_value), !49)
  %19 = add i32 %18, %15, !dbg !52
    #dbg_value(i32 %19, !22, !DIExpression(), !30)
  br label %20, !dbg !53

20:                                               ; preds = %17, %10
  %21 = phi i32 [ %19, %17 ], [ %15, %10 ], !dbg !38
    #dbg_value(i32 %21, !22, !DIExpression(), !30)
  %22 = sitofp i32 %21 to double, !dbg !54
  %23 = fadd double %13, %22, !dbg !55
    #dbg_value(double %23, !23, !DIExpression(), !30)
  %24 = add nuw nsw i32 %12, 1, !dbg !56
    #dbg_value(i32 %24, !25, !DIExpression(), !31)
  %25 = icmp eq i32 %24, %0, !dbg !57
  br i1 %25, label %4, label %10, !dbg !58, !llvm.loop !59

26:                                               ; preds = %6
  %27 = lshr i32 %0, 2, !dbg !64
  %28 = tail call i32 @work(i32 noundef %27, i32 noundef %1), !dbg !65
  br label %29, !dbg !66

29:                                               ; preds = %6, %26
  %30 = phi i32 [ %28, %26 ], [ 0, %6 ], !dbg !66
  %31 = add nsw i32 %8, %7, !dbg !67
  %32 = add nsw i32 %31, %30, !dbg !68
  ret i32 %32, !dbg !69
}

; Function Attrs: nofree nosync nounwind memory(none) uwtable
define dso_local range(i32 0, 128) i32 @main() local_unnamed_addr #1 !dbg !70 {
  %1 = tail call i32 @work(i32 noundef 12, i32 noundef 7), !dbg !72
  %2 = and i32 %1, 127, !dbg !73
  ret i32 %2, !dbg !74
}

attributes #0 = { nofree noinline nosync nounwind memory(none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nofree nosync nounwind memory(none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!4, !5, !6, !7, !8, !9, !10}
!llvm.ident = !{!11}
!llvm.errno.tbaa = !{!12}

!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "clang", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !2, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "scores.c", directory: "DIRECTORY")
!2 = !{!3}
!3 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!4 = !{i32 7, !"Dwarf Version", i32 5}
!5 = !{i32 2, !"Debug Info Version", i32 3}
!6 = !{i32 1, !"wchar_size", i32 4}
!7 = !{i32 8, !"PIC Level", i32 2}
!8 = !{i32 7, !"PIE Level", i32 2}
!9 = !{i32 7, !"uwtable", i32 2}
!10 = !{i32 7, !"debug-info-assignment-tracking", i1 true}
!11 = !{!"clang"}
!12 = !{!13, !13, i64 0}
!13 = !{!"int", !14, i64 0}
!14 = !{!"omnipotent char", !15, i64 0}
!15 = !{!"Simple C/C++ TBAA"}
!16 = distinct !DISubprogram(name: "work", scope: !1, file: !1, line: 5, type: !17, scopeLine: 5, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !19, keyInstructions: true)
!17 = !DISubroutineType(types: !18)
!18 = !{!3, !3, !3}
!19 = !{!20, !21, !22, !23, !25, !27}
!20 = !DILocalVariable(name: "n", arg: 1, scope: !16, file: !1, line: 5, type: !3)
!21 = !DILocalVariable(name: "k", arg: 2, scope: !16, file: !1, line: 5, type: !3)
!22 = !DILocalVariable(name: "total", scope: !16, file: !1, line: 6, type: !3)
!23 = !DILocalVariable(name: "scale", scope: !16, file: !1, line: 7, type: !24)
!24 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
!25 = !DILocalVariable(name: "i", scope: !26, file: !1, line: 8, type: !3)
!26 = distinct !DILexicalBlock(scope: !16, file: !1, line: 8, column: 5)
!27 = !DILocalVariable(name: "t", scope: !28, file: !1, line: 9, type: !3)
!28 = distinct !DILexicalBlock(scope: !29, file: !1, line: 8, column: 33)
!29 = distinct !DILexicalBlock(scope: !26, file: !1, line: 8, column: 5)
!30 = !DILocation(line: 0, scope: !16)
!31 = !DILocation(line: 0, scope: !26)
!32 = !DILocation(line: 8, column: 23, scope: !29, atomGroup: 16, atomRank: 1)
!33 = !DILocation(line: 8, column: 5, scope: !26, atomGroup: 17, atomRank: 1)
!34 = !DILocation(line: 15, column: 20, scope: !16)
!35 = !DILocation(line: 15, column: 36, scope: !16, atomGroup: 14, atomRank: 2)
!36 = !DILocation(line: 15, column: 34, scope: !16, atomGroup: 14, atomRank: 1)
!37 = !DILocation(line: 9, column: 19, scope: !28, atomGroup: 6, atomRank: 2)
!38 = !DILocation(line: 0, scope: !28)
!39 = !DILocation(line: 10, column: 15, scope: !28, atomGroup: 7, atomRank: 2)
!40 = !DILocation(line: 11, column: 19, scope: !41, atomGroup: 8, atomRank: 2)
!41 = distinct !DILexicalBlock(scope: !28, file: !1, line: 11, column: 13)
!42 = !DILocation(line: 11, column: 19, scope: !41, atomGroup: 8, atomRank: 1)
!43 = !DILocalVariable(name: "x", arg: 1, scope: !44, file: !1, line: 1, type: !3)
!44 = distinct !DISubprogram(name: "half", scope: !1, file: !1, line: 1, type: !45, scopeLine: 1, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !47, keyInstructions: true)
!45 = !DISubroutineType(types: !46)
!46 = !{!3, !3}
!47 = !{!43, !48}
!48 = !DILocalVariable(name: "h", scope: !44, file: !1, line: 2, type: !3)
!49 = !DILocation(line: 0, scope: !44, inlinedAt: !50)
!50 = distinct !DILocation(line: 12, column: 22, scope: !41)
!51 = !DILocation(line: 2, column: 15, scope: !44, inlinedAt: !50, atomGroup: 1, atomRank: 2)
!52 = !DILocation(line: 12, column: 19, scope: !41, atomGroup: 9, atomRank: 2)
!53 = !DILocation(line: 12, column: 13, scope: !41)
!54 = !DILocation(line: 13, column: 18, scope: !28)
!55 = !DILocation(line: 13, column: 15, scope: !28, atomGroup: 10, atomRank: 2)
!56 = !DILocation(line: 8, column: 29, scope: !29, atomGroup: 11, atomRank: 2)
!57 = !DILocation(line: 8, column: 23, scope: !29, atomGroup: 4, atomRank: 1)
!58 = !DILocation(line: 8, column: 5, scope: !26, atomGroup: 5, atomRank: 1)
!59 = distinct !{!59, !60, !61, !62, !63}
!60 = !DILocation(line: 8, column: 5, scope: !26)
!61 = !DILocation(line: 14, column: 5, scope: !26)
!62 = !{!"llvm.loop.mustprogress"}
!63 = !{!"llvm.loop.unroll.disable"}
!64 = !DILocation(line: 15, column: 49, scope: !16)
!65 = !DILocation(line: 15, column: 42, scope: !16)
!66 = !DILocation(line: 15, column: 34, scope: !16)
!67 = !DILocation(line: 15, column: 18, scope: !16)
!68 = !DILocation(line: 15, column: 31, scope: !16, atomGroup: 15, atomRank: 2)
!69 = !DILocation(line: 15, column: 5, scope: !16, atomGroup: 15, atomRank: 1)
!70 = distinct !DISubprogram(name: "main", scope: !1, file: !1, line: 17, type: !71, scopeLine: 17, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, keyInstructions: true)
!71 = !DISubroutineType(types: !2)
!72 = !DILocation(line: 18, column: 12, scope: !70)
!73 = !DILocation(line: 18, column: 24, scope: !70, atomGroup: 1, atomRank: 2)
!74 = !DILocation(line: 18, column: 5, scope: !70, atomGroup: 1, atomRank: 1)
