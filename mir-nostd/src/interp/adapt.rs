//! Calls whose prototype is not the function's signature: arguments are placed as the prototype
//! says and read as the signature says, and results likewise, as the calling convention of the
//! target has it.
//!
//! The call is made on an image of the registers and of the stack arguments. A frame of its own
//! holds these, an *adapter* between the caller's frame and the function's: the function returns
//! its results to the adapter's cells, and after them stands one operation, which passes to the
//! caller what the prototype takes them for. So such calls, too, use no native stack. Arguments and
//! results that are missing are zero.

use super::code::{Code, Op};
use super::frame::{ALIGN, HEADER, RunState, header};
use super::site::Site;
use super::values::{finish, gather, write_arguments};
use crate::ir::{Class, Type};
use crate::link::{Callable, Reason};
use crate::target::{Image, Incoming, Plan, Received, Value, VariableArguments};

/// The head of the cells of an adapter's frame.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
struct Adapter {
    site: *const Site<'static>,
    /// The plan of the function's signature.
    taken: *const Plan<'static>,
    received: Received,
    image: *mut u8,
    stack: *mut u8,
    /// The place of the function's results.
    results: *mut Value,
    result_count: usize,
}

/// The offsets of everything in an adapter's frame, from its cells on, in bytes.
struct Layout {
    /// The words that the function returns to.
    stub: usize,
    results: usize,
    /// As much room as for the results, for those that the caller passed no area for.
    spare: usize,
    arguments: usize,
    scratch: usize,
    /// As many zeros as stack arguments, for blocks that were not passed.
    zeros: usize,
    image: usize,
    stack: usize,
    end: usize,
}

impl Layout {
    fn new(sent: &Plan<'_>, taken: &Plan<'_>, arguments: usize, results: usize) -> Layout {
        let mut end = size_of::<Adapter>();
        let mut take = |bytes: usize| {
            let start = end;
            end += bytes.next_multiple_of(ALIGN);
            start
        };
        // Two words for the cells of each result at most, and one for the operation.
        let stub = take(8 * results + 8);
        let values = size_of::<Value>();
        let results = [take(values * results), take(values * results)];
        let arguments = take(values * arguments);
        let scratch = take(taken.scratch_bytes());
        let zeros = take(taken.stack_bytes());
        let image = take(size_of::<Image>());
        let stack = sent.stack_bytes().max(taken.stack_bytes());
        let stack = stack.max(Plan::ABOVE_STACK);
        let below = take(Plan::BELOW_STACK + stack);
        Layout {
            stub,
            results: results[0],
            spare: results[1],
            arguments,
            scratch,
            zeros,
            image,
            stack: below + Plan::BELOW_STACK,
            end,
        }
    }
}

/// Calls a function whose signature is not that of the site.
///
/// # Safety
///
/// The state was saved at the call, in the frame of the function that the site belongs to; the
/// callable is an interpreted function of the state's context, decoded to `code`, of whose
/// signature `taken` is the plan; `after` is where the site's results go.
pub(super) unsafe fn call_adapted(
    state: *mut RunState,
    site: &Site<'static>,
    callable: &Callable<'static>,
    (code, taken): (*const Code<'static>, *const Plan<'static>),
    after: *const u64,
) -> Result<(), Reason> {
    let Some((linked, func)) = callable.func() else {
        return Err(Reason::Signature);
    };
    let Some(sent) = &site.native else {
        return Err(Reason::Signature);
    };
    let module = linked.module();
    let signature = &module.func(func).signature;
    let (args, results) = (module.args(signature), module.results(signature));
    // SAFETY: by the caller's word; the adapter's frame has room for all that the layout says, and
    // is zeros.
    unsafe {
        let (_, caller, fuel) = (*state).saved();
        let layout = Layout::new(sent, &*taken, args.len(), results.len());
        let top = (*state).top;
        let regs = (*state)
            .push_adapter(HEADER + layout.end, after, caller, site.result_words)
            .ok_or((*state).reason())?;
        let (values, _) = gather(site, caller);
        let plans = (sent, &*taken);
        let (arguments, received) = convert(values, plans, regs, &layout, args.len());
        regs.cast::<Adapter>().write(Adapter {
            site,
            taken,
            received: received.or_area(regs.add(layout.spare)),
            image: regs.add(layout.image),
            stack: regs.add(layout.stack),
            results: regs.add(layout.results).cast(),
            result_count: results.len(),
        });
        let stub = regs.add(layout.stub).cast::<u64>();
        let adapt = ((*state).head)(Op::Adapt, (*state).charges);
        write_stub(stub, layout.results, adapt, module.results(signature));
        let Some(frame) = (*state).push_frame(code, stub, regs) else {
            let exit = (*state).reason();
            (*state).drop_adapter(top);
            return Err(exit);
        };
        write_arguments(frame, args, arguments);
        if signature.is_vararg() {
            let place = frame.add((*code).variable_at as usize);
            place.cast::<VariableArguments>().write(received.variable);
        }
        (*state).save((*code).entries[0], frame, fuel);
        (*state).charge_entry((*code).entry_cost)
    }
}

/// Passes values as the prototype places them, in an adapter's frame, and reads them from there as
/// the signature of a function with so many arguments places them. Returns the function's arguments
/// and the facts that it needs beside them.
///
/// # Safety
///
/// The values are those that the plan `sent` passes; `regs` are the cells of an adapter's frame,
/// laid out like this for both plans, and are zeros.
unsafe fn convert<'a>(
    values: &[Value],
    (sent, taken): (&Plan<'_>, &Plan<'_>),
    regs: *mut u8,
    layout: &Layout,
    count: usize,
) -> (&'a [Value], Received) {
    // SAFETY: by the caller's word, there is room in the frame for all of it.
    unsafe {
        let (image, stack) = (regs.add(layout.image), regs.add(layout.stack));
        sent.pass(image, stack, values.as_ptr());
        taken.lay_out_registers(image, stack);
        let incoming = Incoming {
            image,
            stack,
            result_x87: 0,
        };
        let arguments = regs.add(layout.arguments).cast::<Value>();
        let arguments = core::slice::from_raw_parts_mut(arguments, count);
        let received = taken.receive(&incoming, arguments, regs.add(layout.scratch));
        taken.replace_missing(arguments, regs.add(layout.zeros));
        (arguments, received)
    }
}

/// Writes the cells that the function's results go to, each in a value from `results` on, and the
/// word `adapt` after them.
///
/// # Safety
///
/// There is room for two words for each result and one more.
unsafe fn write_stub(stub: *mut u64, results: usize, adapt: u64, types: &[Type]) {
    let mut count = 0;
    // SAFETY: by the caller's word.
    unsafe {
        for (number, ty) in types.iter().enumerate() {
            let value = results + number * size_of::<Value>();
            let cells = if ty.class() == Class::LongDouble {
                2
            } else {
                1
            };
            for cell in 0..cells {
                let place = stub.cast::<u32>().add(count);
                place.write((value + 8 * cell) as u32);
                count += 1;
            }
        }
        let after = stub.add(count.div_ceil(2));
        after.write(adapt);
    }
}

/// Passes the results to the caller of an adapter, and goes on after the call.
///
/// # Safety
///
/// The state was saved in the adapter's frame, to which the function has just returned.
pub(super) unsafe fn give_results(state: *mut RunState) {
    // SAFETY: by the caller's word; the caller's frame has room for the values of the site's
    // results.
    unsafe {
        let (pc, regs, fuel) = (*state).saved();
        let adapter = regs.cast::<Adapter>().read();
        let frame = header(regs).read();
        let site = &*adapter.site;
        adapter.image.write_bytes(0, size_of::<Image>());
        let mut incoming = Incoming {
            image: adapter.image,
            stack: adapter.stack,
            result_x87: 0,
        };
        let results = core::slice::from_raw_parts(adapter.results, adapter.result_count);
        (*adapter.taken).give(&mut incoming, &adapter.received, results);
        let values = frame.caller.add(site.scratch as usize).cast::<Value>();
        let values = values.add(site.arguments.len());
        for index in 0..site.results.len() {
            values.add(index).write(Value::ZERO);
        }
        if let Some(sent) = &site.native {
            sent.take(adapter.image, adapter.stack, values);
        }
        (*state).drop_adapter(header(regs).cast());
        (*state).save(pc, frame.caller, fuel);
        let values = core::slice::from_raw_parts(values, site.results.len());
        finish(state, site, values, frame.return_pc);
    }
}
