//! Shrinks programs.

use super::{Body, CallKind, Class, Form, Operand, Program, Stmt, Variable};

/// Returns the smallest program found from this one that still `fails`.
pub fn shrink(mut program: Program, fails: &mut dyn FnMut(&Program) -> bool) -> Program {
    loop {
        let mut number = 0;
        let mut got_smaller = false;
        loop {
            let mut smaller = program.clone();
            let mut edit = Edit {
                left: Some(number),
                done: false,
            };
            edit.program(&mut smaller);
            if !edit.done {
                break;
            }
            if fails(&smaller) {
                program = smaller;
                got_smaller = true;
            } else {
                number += 1;
            }
        }
        if !got_smaller {
            return program;
        }
    }
}

/// One change, chosen by its number among all possible ones.
struct Edit {
    /// The number of changes before it; `None` once it is done.
    left: Option<usize>,
    done: bool,
}

impl Edit {
    /// Counts down to the chosen change; returns whether this is it.
    fn is_it(&mut self) -> bool {
        match self.left {
            Some(0) => {
                self.left = None;
                self.done = true;
                true
            }
            Some(left) => {
                self.left = Some(left - 1);
                false
            }
            None => false,
        }
    }

    fn program(&mut self, program: &mut Program) {
        for function in &mut program.functions {
            if !function.body.is_empty() && self.is_it() {
                function.body.clear();
                return;
            }
        }
        for function in &mut program.functions {
            self.body(&mut function.body);
            self.operands(&mut function.values);
            for (_, value) in &mut function.start {
                self.operand(value);
            }
        }
        self.pieces(&mut program.observed);
        self.simplify(&mut program.observes_memory, false);
        self.simplify(&mut program.has_aliases, false);
    }

    /// Replaces a choice by the simplest one.
    fn simplify<T: PartialEq>(&mut self, choice: &mut T, simplest: T) {
        if *choice != simplest && self.is_it() {
            *choice = simplest;
        }
    }

    /// Has a loop do at most one, two or three iterations.
    fn times(&mut self, times: &mut Operand) {
        for fewer in [1, 2, 3] {
            let is_more = !matches!(times, Operand::Number(have) if *have <= fewer);
            if is_more && self.is_it() {
                *times = Operand::Number(fewer);
            }
        }
    }

    /// Removes halves, quarters and so on, down to single elements.
    fn pieces<T>(&mut self, list: &mut Vec<T>) {
        let mut length = list.len();
        while length > 0 && !self.done {
            for at in (0..list.len()).step_by(length) {
                if self.is_it() {
                    list.drain(at..list.len().min(at + length));
                    return;
                }
            }
            length /= 2;
        }
    }

    fn body(&mut self, body: &mut Body) {
        self.pieces(body);
        let mut at = 0;
        while at < body.len() && !self.done {
            if let Some(inner) = self.instead(&mut body[at]) {
                body.splice(at..=at, inner);
                return;
            }
            self.stmt(&mut body[at]);
            at += 1;
        }
    }

    /// Replaces a statement by the bodies in it.
    fn instead(&mut self, stmt: &mut Stmt) -> Option<Body> {
        let bodies: Vec<&mut Body> = match stmt {
            Stmt::Overflow { arms, .. } | Stmt::If { arms, .. } => arms.iter_mut().collect(),
            Stmt::Switch { arms, .. } => arms.iter_mut().collect(),
            Stmt::Loop { body, .. } | Stmt::Stack { body, .. } | Stmt::Property { body, .. } => {
                vec![body]
            }
            _ => return None,
        };
        bodies
            .into_iter()
            .find_map(|body| self.is_it().then(|| core::mem::take(body)))
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        match stmt {
            Stmt::Insn { ins, out, .. } => {
                self.operands(ins);
                self.target(out);
            }
            Stmt::Overflow {
                out,
                ins,
                copy,
                arms,
                ..
            } => {
                self.simplify(copy, None);
                self.operands(ins);
                self.target(out);
                arms.iter_mut().for_each(|arm| self.body(arm));
            }
            Stmt::If {
                ins,
                arms,
                by_address,
                ..
            } => {
                self.simplify(by_address, false);
                self.operands(ins);
                arms.iter_mut().for_each(|arm| self.body(arm));
            }
            Stmt::Loop { form, times, body } => {
                self.simplify(form, Form::Up);
                self.times(times);
                self.body(body);
            }
            Stmt::Leave { ins, .. } => self.operands(ins),
            Stmt::Switch { on, arms, .. } => {
                self.operand(on);
                self.pieces_but_one(arms);
                arms.iter_mut().for_each(|arm| self.body(arm));
            }
            Stmt::Call {
                kind, outs, ins, ..
            } => {
                self.simplify(kind, CallKind::Call);
                self.operands(ins);
                outs.iter_mut().for_each(|out| self.target(out));
            }
            Stmt::Stack { size, scoped, body } => {
                self.simplify(size, None);
                self.simplify(scoped, false);
                self.body(body);
            }
            Stmt::Property { body, .. } => self.body(body),
            Stmt::Undefined(_) => {}
            Stmt::Return { ins, values, .. } => {
                self.operands(ins);
                self.operands(values);
            }
        }
    }

    /// Removes an element of a list that must keep one.
    fn pieces_but_one<T>(&mut self, list: &mut Vec<T>) {
        if list.len() < 2 {
            return;
        }
        for at in 0..list.len() {
            if self.is_it() {
                list.remove(at);
                return;
            }
        }
    }

    fn operands(&mut self, operands: &mut [Operand]) {
        operands
            .iter_mut()
            .for_each(|operand| self.operand(operand));
    }

    /// Simplifies an operand to a constant, or to memory at a constant address.
    fn operand(&mut self, operand: &mut Operand) {
        let class = match operand {
            Operand::Variable(place) => place.0,
            Operand::Memory(memory) => {
                let class = Class::of(memory.ty);
                if memory.index.is_some() && self.is_it() {
                    memory.index = None;
                    return;
                }
                class
            }
            Operand::Number(number) => {
                for simpler in [0, 1] {
                    if *number != simpler && (simpler == 0 || *number != 0) && self.is_it() {
                        *number = simpler;
                    }
                }
                return;
            }
            Operand::Real(text) => {
                if *text != "1.0" && *text != "0.0" && self.is_it() {
                    *text = "1.0";
                }
                return;
            }
            Operand::Counter(_) => Class::Wide,
            Operand::Block(offset) => {
                if *offset != 0 && self.is_it() {
                    *offset = 0;
                }
                return;
            }
        };
        if self.is_it() {
            *operand = match class {
                Class::Wide | Class::Short => Operand::Number(1),
                _ => Operand::Real("1.0"),
            };
        }
    }

    /// Simplifies a destination to a variable instead of memory.
    fn target(&mut self, target: &mut Operand) {
        if let Operand::Memory(memory) = target {
            if memory.index.is_some() && self.is_it() {
                memory.index = None;
                return;
            }
            let class = match memory.ty {
                "i64" | "u64" | "p" => Class::Wide,
                ty if Class::of(ty) == Class::Wide => Class::Short,
                ty => Class::of(ty),
            };
            if self.is_it() {
                *target = Operand::Variable(Variable(class, 0));
            }
        }
    }
}
