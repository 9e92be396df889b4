//! Tests of the words for people: each error has a sentence of its own, and what an embedder prints
//! while debugging names what it is.
#![expect(unsafe_code, reason = "programs are trusted with memory")]

use core::fmt::{Debug, Display};
use mir_nostd::codegen::{Error, Phase};
use mir_nostd::interp::{Engine, Interpreter, Options};
use mir_nostd::ir::{self, FuncId, InsnId, ItemId, Place, Problem, Reg, SignatureSpec};
use mir_nostd::link::{Context, ContextOptions, HostError, Reason};
use mir_nostd::machine::{self, Generic};
use mir_nostd::mem::{Allocator, Arena, Box, Entity, HashTable, IndexMap, Vec as LentVec};
use mir_nostd::target::{HardRegisterError, Isa, PlanError, Value};
use mir_nostd::text;
use mir_nostd::verify::Verified;
use std::collections::HashSet;
use testkit::SystemAllocator;

static ENGINE: Engine = Engine::new();

/// Checks sentences: none is empty or ends in a period, no two are the same.
fn check_sentences(sentences: &[&dyn Display]) {
    let texts: Vec<String> = sentences.iter().map(ToString::to_string).collect();
    assert!(
        texts
            .iter()
            .all(|text| text.len() > 5 && !text.ends_with('.')),
        "{texts:?}"
    );
    let different: HashSet<&String> = texts.iter().collect();
    assert_eq!(different.len(), texts.len(), "{texts:?}");
}

#[test]
fn every_error_has_a_sentence_of_its_own() {
    let opcode = machine::Opcode::from(Generic::Add);
    let insn = machine::InsnId::new(7);
    let internal = |phase: Phase| phase.internal(Some(insn));
    check_sentences(&[
        &Error::OutOfMemory,
        &Error::TooLarge,
        &Error::NotSelected(opcode),
        &Error::NotEncoded(opcode),
        &Error::WrongAllocation { insn, operand: 2 },
        &Error::Budget,
        &Error::Unsupported,
        &Error::WrongForm,
        &Phase::Translation.internal(None),
        &internal(Phase::Translation),
        &internal(Phase::Ssa),
        &internal(Phase::Optimisation),
        &internal(Phase::Selection),
        &internal(Phase::Allocation),
        &internal(Phase::Emission),
        &internal(Phase::Placement),
    ]);
    assert!(internal(Phase::Ssa).to_string().contains(", instruction 7"));
    check_sentences(&[&PlanError::OutOfMemory, &PlanError::TooLarge]);
    check_sentences(&[
        &HardRegisterError::Unknown,
        &HardRegisterError::Reserved,
        &HardRegisterError::WrongClass,
    ]);
    check_sentences(&[
        &Reason::OutOfFuel,
        &Reason::Depth,
        &Reason::Stack,
        &Reason::from(PlanError::OutOfMemory),
        &Reason::from(PlanError::TooLarge),
        &Reason::Division,
        &Reason::SwitchRange,
        &Reason::BadLabel,
        &Reason::EndReached,
        &Reason::Signature,
        &Reason::NoNativeGate,
        &Reason::SetJump,
        &Reason::Invalid,
        &Reason::Callback,
        &Reason::NotLinked,
        &Reason::Unaligned,
    ]);
}

#[test]
fn errors_say_where_they_are() {
    let (func, insn, reg) = (FuncId::new(1), InsnId::new(2), Reg::new(3));
    let operand = |operand| Place::Insn {
        func,
        insn,
        operand,
    };
    let text = Place::Text {
        line: 3,
        column: 7,
        len: 1,
    };
    let said = |place| ir::Error::at(Problem::OutOfMemory, place).to_string();
    let sentence = said(Place::Unknown);
    let before = |place| {
        let all = said(place);
        all.strip_suffix(&sentence).unwrap().to_owned()
    };
    assert_eq!(before(text), "3:7: ");
    assert_eq!(before(Place::Byte(9)), "byte 9: ");
    assert_eq!(before(Place::Unpacked(9)), "unpacked byte 9: ");
    // Operands are counted from 1 for people.
    assert!(before(operand(0)).ends_with("operand 1: "));
    assert!(!before(operand(u16::MAX)).contains("operand"));
    for place in [Place::Item(ItemId::new(4)), Place::Register { func, reg }] {
        assert!(before(place).ends_with(": "));
    }
}

/// Checks that the debugging text of a value has these words in it.
fn check_debug(value: &dyn Debug, words: &[&str]) {
    let text = format!("{value:?}");
    for word in words {
        assert!(text.contains(word), "{text}: {word}");
    }
}

#[test]
fn containers_show_their_contents() {
    let allocator: &dyn Allocator = &SystemAllocator;
    check_debug(&allocator, &["Allocator"]);
    check_debug(&Arena::new(allocator), &["Arena", "unused"]);
    check_debug(&Box::new(allocator, 41).unwrap(), &["41"]);
    let mut list = LentVec::new(allocator);
    list.extend_from_slice(&[17, 42]).unwrap();
    check_debug(&list, &["[17, 42]"]);
    let mut map: IndexMap<'_, FuncId, u8> = IndexMap::new(allocator);
    assert!(map.is_empty());
    let key = map.push(200).unwrap();
    *map.get_mut(key).unwrap() += 1;
    assert_eq!((map.len(), map.keys().collect::<Vec<_>>()), (1, vec![key]));
    check_debug(&map, &["201"]);
    check_debug(&HashTable::new(allocator), &["HashTable", "used: 0"]);
    check_debug(&Value::from_u64(0xABC), &["0xabc"]);
}

#[test]
fn what_runs_programs_says_what_it_is() {
    for isa in target_all::ISAS {
        let described: &dyn Isa = *isa;
        check_debug(&described, &[isa.target().name]);
    }
    check_debug(&target_all::NATIVE, &[target_all::NATIVE.target().name]);
    let refuse = |_: &[Value], _: &mut [Value]| Err(HostError(77));
    let allocator = &SystemAllocator;
    let options = ContextOptions::new(allocator, target_all::NATIVE.target(), &ENGINE);
    check_debug(&options, &["ContextOptions", options.target.name]);
    let context = Context::new(options);
    context
        .add_host_fn(b"refuse", SignatureSpec::default(), &refuse)
        .unwrap();
    let source = "m: module\nimport refuse\nexport f\np: proto\nf: func\ncall p, refuse\nret\nendfunc\nendmodule\n";
    let format = context.target().long_double;
    let mut modules = text::parse(source.as_bytes(), allocator, format, &mut |_| {}).unwrap();
    let module = modules.pop().unwrap();
    let verified = Verified::new(module, context.target(), &mut |_| {}).unwrap();
    // SAFETY: the program touches no memory.
    unsafe { context.load(verified) }.unwrap();
    context.link(&mut |_| None).unwrap();
    check_debug(&context, &["Context"]);
    check_debug(context.module(0).unwrap(), &["LinkedModule", "items"]);
    let function = context.find_func(b"f").unwrap();
    check_debug(function, &["Callable", "address"]);
    let closure = context.find_func(b"refuse").unwrap();
    check_debug(closure.host().unwrap(), &["Host", "arguments"]);
    let mut interpreter = Interpreter::new(&context, Options::default()).unwrap();
    let stop = interpreter.run(function, &[], &mut []).unwrap_err();
    assert_eq!(
        stop.reason.to_string(),
        "an imported closure failed with code 77"
    );
}
