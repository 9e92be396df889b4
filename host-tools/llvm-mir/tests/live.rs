//! Compares live intervals with those that LLVM 22 prints of the same files (`llc
//! -passes=print<live-intervals>`).
#![expect(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use std::collections::BTreeMap;

/// Returns the intervals of one function by register, and the register mask slots. Each segment has
/// the definition of its value instead of the value number, as LLVM numbers values in the order of
/// its lists.
fn intervals(text: &str) -> (BTreeMap<String, Vec<String>>, String) {
    let mut lines = text.lines().skip_while(|line| !line.contains("INTERVALS"));
    lines.next();
    let mut found = BTreeMap::new();
    for line in lines {
        if line.starts_with("RegMasks:") {
            return (found, line.trim_end().to_owned());
        }
        let mut words = line.split_whitespace();
        let (name, segments) = (words.next().unwrap(), words.next().unwrap());
        let values: BTreeMap<&str, &str> = words.filter_map(|word| word.split_once('@')).collect();
        let segments = segments.split_terminator(')').map(|segment| {
            let (places, value) = segment.rsplit_once(':').unwrap();
            format!("{places}) of {}", values[value])
        });
        found.insert(name.to_owned(), segments.collect());
    }
    panic!("no line of masks");
}

fn check(isa: &str, body: &str, llvm: &str) {
    let text = format!(
        "--- |\n  target triple = \"{isa}-unknown-linux-gnu\"\n  define void @f() {{ ret void }}\n...\n---\nname: f\n\
         tracksRegLiveness: true\nbody: |\n{body}...\n"
    );
    let file = llvm_mir::read(text.as_bytes(), &llvm_mir::ReadOptions::default()).unwrap();
    let live = llvm_mir::print_live(file.target, &file.functions[0]);
    let (ours, masks) = intervals(&String::from_utf8(live).unwrap());
    let (theirs, their_masks) = intervals(llvm);
    assert_eq!(masks, their_masks);
    for (register, segments) in theirs {
        assert_eq!(ours.get(&register), Some(&segments), "{register}");
    }
}

/// Covers a variable that is written several times, in a loop, and one whose value is the same in
/// and after the loop.
#[test]
fn variables_in_a_loop() {
    let body = "  bb.0:
    successors: %bb.1
    liveins: $x0

    %0:gpr64common = COPY $x0
    %1:gpr64common = COPY %0
    undef %2.sub_32:gpr64common = MOVZWi 0, 0
    undef %3.sub_32:gpr64common = MOVZWi 0, 0

  bb.1:
    successors: %bb.2, %bb.1

    %2:gpr64common = ADDXrs %2, %3, 0
    %2:gpr64common = ADDXrs %2, %2, 1
    %3:gpr64common = ADDXri %3, 1, 0
    $xzr = SUBSXrs %3, %1, 0, implicit-def $nzcv
    Bcc 11, %bb.1, implicit $nzcv

  bb.2:
    $x0 = COPY %2
    RET undef $lr, implicit $x0
";
    let llvm = "********** INTERVALS **********
W0 [0B,16r:0)[192r,208r:1) 0@0B-phi 1@192r
W0_HI [0B,16r:0)[192r,208r:1) 0@0B-phi 1@192r
%0 [16r,32r:0) 0@16r  weight:0.000000e+00
%1 [32r,176B:0) 0@32r  weight:0.000000e+00
%2 [48r,80B:2)[80B,96r:3)[96r,112r:1)[112r,192r:0) 0@112r 1@96r 2@48r 3@80B-phi  weight:0.000000e+00
%3 [64r,80B:1)[80B,128r:2)[128r,176B:0) 0@128r 1@64r 2@80B-phi  weight:0.000000e+00
RegMasks:
";
    check("aarch64", body, llvm);
}

/// Covers a PHI: its operand is live to the end of the predecessor.
#[test]
fn a_phi_in_a_loop() {
    let body = "  bb.0:
    successors: %bb.1
    liveins: $x0

    %0:gpr64 = COPY $x0

  bb.1:
    successors: %bb.2, %bb.1

    %1:gpr64 = PHI %0, %bb.0, %2, %bb.1
    %2:gpr64 = ADDXrr %1, %0
    $xzr = SUBSXrr %2, %0, implicit-def $nzcv
    Bcc 11, %bb.1, implicit $nzcv

  bb.2:
    $x0 = COPY %2
    RET undef $lr, implicit $x0
";
    let llvm = "********** INTERVALS **********
W0 [0B,16r:0)[128r,144r:1) 0@0B-phi 1@128r
W0_HI [0B,16r:0)[128r,144r:1) 0@0B-phi 1@128r
%0 [16r,112B:0) 0@16r  weight:0.000000e+00
%1 [48r,64r:0) 0@48r  weight:0.000000e+00
%2 [64r,128r:0) 0@64r  weight:0.000000e+00
RegMasks:
";
    check("aarch64", body, llvm);
}

/// Covers a loop with two entries, an early clobber, a dead definition and a call.
#[test]
fn a_loop_with_two_entries() {
    let body = "  bb.0:
    successors: %bb.1, %bb.2
    liveins: $rdi, $rsi

    %0:gr64 = COPY $rdi
    %1:gr64 = COPY $rsi
    early-clobber %2:gr64 = COPY %1
    CMP64rr %1, %2, implicit-def $eflags
    JCC_4 %bb.2, 4, implicit $eflags

  bb.1:
    successors: %bb.2, %bb.3

    CMP64rr %0, %1, implicit-def $eflags
    JCC_4 %bb.3, 4, implicit $eflags

  bb.2:
    successors: %bb.1

    dead %3:gr64 = COPY %0
    ADJCALLSTACKDOWN64 0, 0, 0, implicit-def $rsp, implicit-def $eflags, implicit-def $ssp, implicit $rsp, implicit $ssp
    $rdi = COPY %0
    CALL64r %0, csr_64, implicit $rsp, implicit $ssp, implicit $rdi, implicit-def $rax
    ADJCALLSTACKUP64 0, 0, implicit-def $rsp, implicit-def $eflags, implicit-def $ssp, implicit $rsp, implicit $ssp
    JMP_4 %bb.1

  bb.3:
    $rax = COPY %0
    RET64 implicit $rax
";
    let llvm = "********** INTERVALS **********
DIL [0B,16r:0)[192r,208r:1) 0@0B-phi 1@192r
DIH [0B,16r:0)[192r,208r:1) 0@0B-phi 1@192r
HDI [0B,16r:0)[192r,208r:1) 0@0B-phi 1@192r
SIL [0B,32r:0) 0@0B-phi
SIH [0B,32r:0) 0@0B-phi
HSI [0B,32r:0) 0@0B-phi
%0 [16r,272r:0) 0@16r  weight:0.000000e+00
%1 [32r,256B:0) 0@32r  weight:0.000000e+00
%2 [48e,64r:0) 0@48e  weight:0.000000e+00
%3 [160r,160d:0) 0@160r  weight:0.000000e+00
RegMasks: 208r
";
    check("x86_64", body, llvm);
}
