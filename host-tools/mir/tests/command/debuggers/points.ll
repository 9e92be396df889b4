%struct.point = type { i32, double, ptr }

@__const.weigh.squares = constant [3 x i32] [i32 1, i32 4, i32 9]

define i32 @main() !dbg !15 {
  %1 = alloca i32
  %2 = alloca %struct.point
  store i32 0, ptr %1
    #dbg_declare(ptr %2, !20, !DIExpression(), !28)
  %3 = getelementptr inbounds nuw %struct.point, ptr %2, i32 0, i32 0, !dbg !29
  store i32 5, ptr %3, !dbg !29
  %4 = getelementptr i8, ptr %2, i64 4, !dbg !29
  call void @llvm.memset.p0.i64(ptr align 4 %4, i8 0, i64 4, i1 false), !dbg !29
  %5 = getelementptr inbounds nuw %struct.point, ptr %2, i32 0, i32 1, !dbg !29
  store double 2.500000e+00, ptr %5, !dbg !29
  %6 = getelementptr inbounds nuw %struct.point, ptr %2, i32 0, i32 2, !dbg !29
  store ptr %2, ptr %6, !dbg !29
  %7 = call i64 @weigh(i32 6, ptr %2), !dbg !30
  %8 = trunc i64 %7 to i32, !dbg !30
  ret i32 %8, !dbg !31
}

declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg)

define internal i64 @weigh(i32 %0, ptr %1) !dbg !32 {
  %3 = alloca i32
  %4 = alloca ptr
  %5 = alloca i16
  %6 = alloca [3 x i32]
  %7 = alloca i32
  store i32 %0, ptr %3
    #dbg_declare(ptr %3, !36, !DIExpression(), !37)
  store ptr %1, ptr %4
    #dbg_declare(ptr %4, !38, !DIExpression(), !39)
    #dbg_declare(ptr %5, !40, !DIExpression(), !42)
  %8 = load i32, ptr %3, !dbg !43
  %9 = trunc i32 %8 to i16, !dbg !43
  store i16 %9, ptr %5, !dbg !42
    #dbg_declare(ptr %6, !44, !DIExpression(), !48)
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %6, ptr align 4 @__const.weigh.squares, i64 12, i1 false), !dbg !48
    #dbg_declare(ptr %7, !49, !DIExpression(), !50)
  store i32 7, ptr %7, !dbg !50
  %10 = getelementptr inbounds [3 x i32], ptr %6, i64 0, i64 2, !dbg !51
  %11 = load i32, ptr %10, !dbg !51
  %12 = load ptr, ptr %4, !dbg !52
  %13 = getelementptr inbounds nuw %struct.point, ptr %12, i32 0, i32 2, !dbg !53
  %14 = load ptr, ptr %13, !dbg !53
  %15 = getelementptr inbounds nuw %struct.point, ptr %14, i32 0, i32 0, !dbg !54
  %16 = load i32, ptr %15, !dbg !54
  %17 = sub nsw i32 %11, %16, !dbg !55
  %18 = load i16, ptr %5, !dbg !56
  %19 = sext i16 %18 to i32, !dbg !56
  %20 = add nsw i32 %19, %17, !dbg !56
  %21 = trunc i32 %20 to i16, !dbg !56
  store i16 %21, ptr %5, !dbg !56
  %22 = load i16, ptr %5, !dbg !57
  %23 = sext i16 %22 to i32, !dbg !57
  %24 = load i32, ptr %7, !dbg !58
  %25 = add i32 %23, %24, !dbg !59
  %26 = zext i32 %25 to i64, !dbg !57
  ret i64 %26, !dbg !60
}

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg)

!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, enums: !2, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "points.c", directory: "DIRECTORY")
!2 = !{!3}
!3 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "colour", file: !1, line: 2, baseType: !4, size: 32, elements: !5)
!4 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!5 = !{!6, !7}
!6 = !DIEnumerator(name: "RED", value: 0)
!7 = !DIEnumerator(name: "BLUE", value: 7)
!15 = distinct !DISubprogram(name: "main", scope: !1, file: !1, line: 10, type: !16, scopeLine: 10, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0, retainedNodes: !19)
!16 = !DISubroutineType(types: !17)
!17 = !{!18}
!18 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!19 = !{}
!20 = !DILocalVariable(name: "p", scope: !15, file: !1, line: 11, type: !21)
!21 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "point", file: !1, line: 1, size: 192, elements: !22)
!22 = !{!23, !24, !26}
!23 = !DIDerivedType(tag: DW_TAG_member, name: "x", scope: !21, file: !1, line: 1, baseType: !18, size: 32)
!24 = !DIDerivedType(tag: DW_TAG_member, name: "y", scope: !21, file: !1, line: 1, baseType: !25, size: 64, offset: 64)
!25 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
!26 = !DIDerivedType(tag: DW_TAG_member, name: "next", scope: !21, file: !1, line: 1, baseType: !27, size: 64, offset: 128)
!27 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !21, size: 64)
!28 = !DILocation(line: 11, column: 16, scope: !15)
!29 = !DILocation(line: 11, column: 20, scope: !15)
!30 = !DILocation(line: 12, column: 10, scope: !15)
!31 = !DILocation(line: 12, column: 3, scope: !15)
!32 = distinct !DISubprogram(name: "weigh", scope: !1, file: !1, line: 3, type: !33, scopeLine: 3, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !0, retainedNodes: !19)
!33 = !DISubroutineType(types: !34)
!34 = !{!35, !18, !27}
!35 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!36 = !DILocalVariable(name: "n", arg: 1, scope: !32, file: !1, line: 3, type: !18)
!37 = !DILocation(line: 3, column: 21, scope: !32)
!38 = !DILocalVariable(name: "p", arg: 2, scope: !32, file: !1, line: 3, type: !27)
!39 = !DILocation(line: 3, column: 38, scope: !32)
!40 = !DILocalVariable(name: "total", scope: !32, file: !1, line: 4, type: !41)
!41 = !DIBasicType(name: "short", size: 16, encoding: DW_ATE_signed)
!42 = !DILocation(line: 4, column: 9, scope: !32)
!43 = !DILocation(line: 4, column: 17, scope: !32)
!44 = !DILocalVariable(name: "squares", scope: !32, file: !1, line: 5, type: !45)
!45 = !DICompositeType(tag: DW_TAG_array_type, baseType: !18, size: 96, elements: !46)
!46 = !{!47}
!47 = !DISubrange(count: 3)
!48 = !DILocation(line: 5, column: 7, scope: !32)
!49 = !DILocalVariable(name: "c", scope: !32, file: !1, line: 6, type: !3)
!50 = !DILocation(line: 6, column: 15, scope: !32)
!51 = !DILocation(line: 7, column: 12, scope: !32)
!52 = !DILocation(line: 7, column: 25, scope: !32)
!53 = !DILocation(line: 7, column: 28, scope: !32)
!54 = !DILocation(line: 7, column: 34, scope: !32)
!55 = !DILocation(line: 7, column: 23, scope: !32)
!56 = !DILocation(line: 7, column: 9, scope: !32)
!57 = !DILocation(line: 8, column: 10, scope: !32)
!58 = !DILocation(line: 8, column: 18, scope: !32)
!59 = !DILocation(line: 8, column: 16, scope: !32)
!60 = !DILocation(line: 8, column: 3, scope: !32)
