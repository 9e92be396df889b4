; ModuleID = 'scores.c'
source_filename = "scores.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@again = dso_local global ptr @work, align 8, !dbg !0

; Function Attrs: nounwind uwtable
define dso_local i32 @work(i32 noundef %0, i32 noundef %1) #0 !dbg !23 {
    #dbg_value(i32 %0, !25, !DIExpression(), !35)
    #dbg_value(i32 %1, !26, !DIExpression(), !35)
    #dbg_value(i32 %1, !27, !DIExpression(), !35)
    #dbg_value(double 1.500000e+00, !28, !DIExpression(), !35)
    #dbg_value(i32 0, !30, !DIExpression(), !36)
  %3 = icmp sgt i32 %0, 0, !dbg !37
  br i1 %3, label %10, label %6, !dbg !38

4:                                                ; preds = %20
  %5 = fptosi double %23 to i32, !dbg !39
  br label %6, !dbg !40

6:                                                ; preds = %4, %2
  %7 = phi i32 [ 1, %2 ], [ %5, %4 ], !dbg !35
  %8 = phi i32 [ %1, %2 ], [ %21, %4 ], !dbg !35
  %9 = icmp sgt i32 %0, 1, !dbg !40
  br i1 %9, label %26, label %30, !dbg !41

10:                                               ; preds = %2, %20
  %11 = phi i32 [ %21, %20 ], [ %1, %2 ]
  %12 = phi i32 [ %24, %20 ], [ 0, %2 ]
  %13 = phi double [ %23, %20 ], [ 1.500000e+00, %2 ]
    #dbg_value(i32 %11, !27, !DIExpression(), !35)
    #dbg_value(i32 %12, !30, !DIExpression(), !36)
    #dbg_value(double %13, !28, !DIExpression(), !35)
  %14 = mul nsw i32 %12, %1, !dbg !42
    #dbg_value(i32 %14, !32, !DIExpression(), !43)
  %15 = add nsw i32 %11, %14, !dbg !44
    #dbg_value(i32 %15, !27, !DIExpression(), !35)
  %16 = icmp sgt i32 %15, 50, !dbg !45
  br i1 %16, label %17, label %20, !dbg !47

17:                                               ; preds = %10
    #dbg_value(i32 %14, !48, !DIExpression(), !54)
  %18 = sdiv i32 %14, -2, !dbg !56
    #dbg_value(i32 %14, !53, !DIExpression(DW_OP_constu, 2, DW_OP_div, DW_OP_stack_value), !54)
  %19 = add i32 %18, %15, !dbg !57
    #dbg_value(i32 %19, !27, !DIExpression(), !35)
  br label %20, !dbg !58

20:                                               ; preds = %17, %10
  %21 = phi i32 [ %19, %17 ], [ %15, %10 ], !dbg !43
    #dbg_value(i32 %21, !27, !DIExpression(), !35)
  %22 = sitofp i32 %21 to double, !dbg !59
  %23 = fadd double %13, %22, !dbg !60
    #dbg_value(double %23, !28, !DIExpression(), !35)
  %24 = add nuw nsw i32 %12, 1, !dbg !61
    #dbg_value(i32 %24, !30, !DIExpression(), !36)
  %25 = icmp eq i32 %24, %0, !dbg !62
  br i1 %25, label %4, label %10, !dbg !63, !llvm.loop !64

26:                                               ; preds = %6
  %27 = load volatile ptr, ptr @again, align 8, !dbg !69, !tbaa !70
  %28 = lshr i32 %0, 2, !dbg !72
  %29 = tail call i32 %27(i32 noundef %28, i32 noundef %1) #1, !dbg !69
  br label %30, !dbg !73

30:                                               ; preds = %6, %26
  %31 = phi i32 [ %29, %26 ], [ 0, %6 ], !dbg !73
  %32 = add nsw i32 %8, %7, !dbg !74
  %33 = add nsw i32 %32, %31, !dbg !75
  ret i32 %33, !dbg !76
}

; Function Attrs: nounwind uwtable
define dso_local range(i32 0, 128) i32 @main() local_unnamed_addr #0 !dbg !77 {
  %1 = load volatile ptr, ptr @again, align 8, !dbg !79, !tbaa !70
  %2 = tail call i32 %1(i32 noundef 12, i32 noundef 7) #1, !dbg !79
  %3 = and i32 %2, 127, !dbg !80
  ret i32 %3, !dbg !81
}

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nounwind }

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!11, !12, !13, !14, !15, !16, !17}
!llvm.ident = !{!18}
!llvm.errno.tbaa = !{!19}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "again", scope: !2, file: !3, line: 1, type: !7, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "clang", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !4, globals: !6, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "scores.c", directory: "DIRECTORY")
!4 = !{!5}
!5 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!6 = !{!0}
!7 = !DIDerivedType(tag: DW_TAG_volatile_type, baseType: !8)
!8 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !9, size: 64)
!9 = !DISubroutineType(types: !10)
!10 = !{!5, !5, !5}
!11 = !{i32 7, !"Dwarf Version", i32 5}
!12 = !{i32 2, !"Debug Info Version", i32 3}
!13 = !{i32 1, !"wchar_size", i32 4}
!14 = !{i32 8, !"PIC Level", i32 2}
!15 = !{i32 7, !"PIE Level", i32 2}
!16 = !{i32 7, !"uwtable", i32 2}
!17 = !{i32 7, !"debug-info-assignment-tracking", i1 true}
!18 = !{!"clang"}
!19 = !{!20, !20, i64 0}
!20 = !{!"int", !21, i64 0}
!21 = !{!"omnipotent char", !22, i64 0}
!22 = !{!"Simple C/C++ TBAA"}
!23 = distinct !DISubprogram(name: "work", scope: !3, file: !3, line: 5, type: !9, scopeLine: 5, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !24, keyInstructions: true)
!24 = !{!25, !26, !27, !28, !30, !32}
!25 = !DILocalVariable(name: "n", arg: 1, scope: !23, file: !3, line: 5, type: !5)
!26 = !DILocalVariable(name: "k", arg: 2, scope: !23, file: !3, line: 5, type: !5)
!27 = !DILocalVariable(name: "total", scope: !23, file: !3, line: 6, type: !5)
!28 = !DILocalVariable(name: "scale", scope: !23, file: !3, line: 7, type: !29)
!29 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
!30 = !DILocalVariable(name: "i", scope: !31, file: !3, line: 8, type: !5)
!31 = distinct !DILexicalBlock(scope: !23, file: !3, line: 8, column: 5)
!32 = !DILocalVariable(name: "t", scope: !33, file: !3, line: 9, type: !5)
!33 = distinct !DILexicalBlock(scope: !34, file: !3, line: 8, column: 33)
!34 = distinct !DILexicalBlock(scope: !31, file: !3, line: 8, column: 5)
!35 = !DILocation(line: 0, scope: !23)
!36 = !DILocation(line: 0, scope: !31)
!37 = !DILocation(line: 8, column: 23, scope: !34, atomGroup: 16, atomRank: 1)
!38 = !DILocation(line: 8, column: 5, scope: !31, atomGroup: 17, atomRank: 1)
!39 = !DILocation(line: 15, column: 20, scope: !23)
!40 = !DILocation(line: 15, column: 36, scope: !23, atomGroup: 14, atomRank: 2)
!41 = !DILocation(line: 15, column: 34, scope: !23, atomGroup: 14, atomRank: 1)
!42 = !DILocation(line: 9, column: 19, scope: !33, atomGroup: 6, atomRank: 2)
!43 = !DILocation(line: 0, scope: !33)
!44 = !DILocation(line: 10, column: 15, scope: !33, atomGroup: 7, atomRank: 2)
!45 = !DILocation(line: 11, column: 19, scope: !46, atomGroup: 8, atomRank: 2)
!46 = distinct !DILexicalBlock(scope: !33, file: !3, line: 11, column: 13)
!47 = !DILocation(line: 11, column: 19, scope: !46, atomGroup: 8, atomRank: 1)
!48 = !DILocalVariable(name: "x", arg: 1, scope: !49, file: !3, line: 2, type: !5)
!49 = distinct !DISubprogram(name: "half", scope: !3, file: !3, line: 2, type: !50, scopeLine: 2, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !52, keyInstructions: true)
!50 = !DISubroutineType(types: !51)
!51 = !{!5, !5}
!52 = !{!48, !53}
!53 = !DILocalVariable(name: "h", scope: !49, file: !3, line: 3, type: !5)
!54 = !DILocation(line: 0, scope: !49, inlinedAt: !55)
!55 = distinct !DILocation(line: 12, column: 22, scope: !46)
!56 = !DILocation(line: 3, column: 15, scope: !49, inlinedAt: !55, atomGroup: 1, atomRank: 2)
!57 = !DILocation(line: 12, column: 19, scope: !46, atomGroup: 9, atomRank: 2)
!58 = !DILocation(line: 12, column: 13, scope: !46)
!59 = !DILocation(line: 13, column: 18, scope: !33)
!60 = !DILocation(line: 13, column: 15, scope: !33, atomGroup: 10, atomRank: 2)
!61 = !DILocation(line: 8, column: 29, scope: !34, atomGroup: 11, atomRank: 2)
!62 = !DILocation(line: 8, column: 23, scope: !34, atomGroup: 4, atomRank: 1)
!63 = !DILocation(line: 8, column: 5, scope: !31, atomGroup: 5, atomRank: 1)
!64 = distinct !{!64, !65, !66, !67, !68}
!65 = !DILocation(line: 8, column: 5, scope: !31)
!66 = !DILocation(line: 14, column: 5, scope: !31)
!67 = !{!"llvm.loop.mustprogress"}
!68 = !{!"llvm.loop.unroll.disable"}
!69 = !DILocation(line: 15, column: 42, scope: !23)
!70 = !{!71, !71, i64 0}
!71 = !{!"any pointer", !21, i64 0}
!72 = !DILocation(line: 15, column: 50, scope: !23)
!73 = !DILocation(line: 15, column: 34, scope: !23)
!74 = !DILocation(line: 15, column: 18, scope: !23)
!75 = !DILocation(line: 15, column: 31, scope: !23, atomGroup: 15, atomRank: 2)
!76 = !DILocation(line: 15, column: 5, scope: !23, atomGroup: 15, atomRank: 1)
!77 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 17, type: !78, scopeLine: 17, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, keyInstructions: true)
!78 = !DISubroutineType(types: !4)
!79 = !DILocation(line: 18, column: 12, scope: !77)
!80 = !DILocation(line: 18, column: 25, scope: !77, atomGroup: 1, atomRank: 2)
!81 = !DILocation(line: 18, column: 5, scope: !77, atomGroup: 1, atomRank: 1)
