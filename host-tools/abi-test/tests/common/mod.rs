//! Shared parts of the tests of calls: cases with values, the C side, pages for code.

use abi_signatures::{Returned, Signature};
use fastrand::Rng;
use mir_host::SystemAllocator;
use mir_nostd::ir::Type;
use mir_nostd::num::LongDouble;
use mir_nostd::target::{self, Argument, Plan, Value, extend};
use target_all::NATIVE;

/// A signature with values for all arguments and results.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) number: usize,
    pub(crate) signature: Signature,
    /// The values of arguments that are not blocks.
    values: Vec<Value>,
    /// The bytes of the blocks, 16-aligned.
    blocks: Vec<Vec<Value>>,
    pub(crate) results: Vec<Value>,
}

/// Returns all cases of the seed.
pub(crate) fn cases() -> impl Iterator<Item = Case> {
    let seed = env!("ABI_SEED").parse().expect("ABI_SEED is a number");
    abi_signatures::signatures(seed, std::env::consts::ARCH)
        .into_iter()
        .enumerate()
        .map(|(number, signature)| Case::of(number, signature))
}

/// Returns a type that is not a block, for results and arguments on the Medium IR side.
pub(crate) fn scalar(ir: &'static str) -> abi_signatures::Type {
    abi_signatures::Type {
        ir,
        c: String::new(),
        size: match ir {
            "f" => 4,
            "ld" => 16,
            _ => 8,
        },
    }
}

fn ty(name: &abi_signatures::Type) -> Type {
    Type::from_name(name.ir.as_bytes()).expect("a type's word")
}

/// Returns the significant bytes of a value: ten for a long double of the x87 format.
pub(crate) fn significant(ty: Type) -> usize {
    match ty {
        Type::F => 4,
        Type::Ld if cfg!(target_arch = "x86_64") => 10,
        Type::Ld => 16,
        _ => 8,
    }
}

/// Returns a long double that survives copies unchanged.
fn long_double(random: &mut Rng) -> LongDouble {
    let low = u128::from(random.u64(..));
    let high = u128::from(random.u64(..));
    LongDouble(if cfg!(target_arch = "x86_64") {
        1 << 63 | low | (high & 0x3FFF) << 64
    } else {
        // A quad, or two doubles, with exponents far from those of infinity.
        let mask = !(1 << 62 | 1 << 126);
        (high << 64 | low) & mask
    })
}

fn value(random: &mut Rng, ty: Type) -> Value {
    match ty {
        // NaNs are left out, as the x87 unit or a conversion might quiet them.
        Type::F => Value::from_f32_bits(random.u64(..) as u32 & 0xBFFF_FFFF),
        Type::D => Value::from_f64_bits(random.u64(..) & 0xBFFF_FFFF_FFFF_FFFF),
        Type::Ld => Value::from_long_double(long_double(random)),
        _ => Value::from_u64(random.u64(..)),
    }
}

fn bytes_of(values: &[Value]) -> &[u8] {
    // SAFETY: a value is 16 bytes without padding.
    unsafe { core::slice::from_raw_parts(values.as_ptr().cast(), 16 * values.len()) }
}

impl Case {
    pub(crate) fn of(number: usize, signature: Signature) -> Case {
        let mut random = Rng::with_seed(number as u64);
        let mut values = Vec::new();
        let mut blocks = Vec::new();
        for argument in &signature.arguments {
            let ty = ty(argument);
            if ty.is_block() {
                let cells = argument.size.div_ceil(16);
                let block: Vec<_> = (0..cells)
                    .map(|_| Value::from_long_double(long_double(&mut random)))
                    .collect();
                values.push(Value::ZERO);
                blocks.push(block);
            } else {
                values.push(value(&mut random, ty));
                blocks.push(Vec::new());
            }
        }
        let results = signature
            .results
            .iter()
            .map(|result| value(&mut random, ty(result)))
            .collect();
        Case {
            number,
            signature,
            values,
            blocks,
            results,
        }
    }

    /// Returns the values of all arguments.
    pub(crate) fn cells(&self) -> Vec<Value> {
        let mut values = self.values.clone();
        for (value, block) in values.iter_mut().zip(&self.blocks) {
            if !block.is_empty() {
                *value = Value::from_address(block.as_ptr());
            }
        }
        values
    }

    pub(crate) fn arguments(&self) -> Vec<Argument> {
        let argument = |one: &abi_signatures::Type| Argument::block(ty(one), one.size as u64);
        self.signature.arguments.iter().map(argument).collect()
    }

    pub(crate) fn target_signature<'a>(
        &'a self,
        arguments: &'a [Argument],
    ) -> target::Signature<'a> {
        target::Signature {
            results: &[],
            arguments,
            variadic: self.signature.variadic,
        }
    }

    /// Returns the plan of calls with all arguments.
    pub(crate) fn plan(&self) -> Plan<'static> {
        self.plan_of(&self.arguments())
    }

    /// Returns the plan of a callee, which knows the named arguments only.
    pub(crate) fn plan_of_named(&self) -> Plan<'static> {
        let arguments = self.arguments();
        let named = self.signature.variadic.unwrap_or(arguments.len());
        self.plan_of(&arguments[..named])
    }

    fn plan_of(&self, arguments: &[Argument]) -> Plan<'static> {
        let results: Vec<_> = self.signature.results.iter().map(ty).collect();
        let signature = target::Signature {
            results: &results,
            arguments,
            variadic: self.signature.variadic,
        };
        Plan::new(NATIVE.target(), &signature, &SystemAllocator).expect("a plan")
    }

    /// Writes the bytes of argument `index`, whose value is `cell`, at its offset in the log.
    fn put(&self, log: &mut [u8], index: usize, cell: Value) {
        let argument = self.arguments()[index];
        let at = &mut log[self.signature.offsets()[index]..];
        if argument.is_copied() {
            let size = argument.size as usize;
            // SAFETY: the cell holds the address of a block of that size.
            let block = unsafe { core::slice::from_raw_parts(cell.address::<u8>(), size) };
            at[..size].copy_from_slice(block);
        } else if !argument.ty.is_block() {
            let extended = if argument.ty.is_int() {
                Value::from_u64(extend(argument.ty, cell.u64()))
            } else {
                cell
            };
            let size = significant(argument.ty);
            at[..size].copy_from_slice(&bytes_of(&[extended])[..size]);
        }
    }

    fn log_from(&self, cells: &[Value], which: impl Fn(usize) -> bool) -> Vec<u8> {
        let length = self.signature.offsets().pop().unwrap_or(0);
        let mut log = vec![0; length];
        for (index, &cell) in cells.iter().enumerate().filter(|(index, _)| which(*index)) {
            self.put(&mut log, index, cell);
        }
        log
    }

    /// Returns the expected log of the C side: all arguments that C sees.
    pub(crate) fn expected_log(&self) -> Vec<u8> {
        self.log_from(&self.cells(), |_| true)
    }

    /// Returns the log of the variable arguments alone.
    pub(crate) fn expected_variable(&self) -> Vec<u8> {
        let named = self.signature.variadic.unwrap_or(usize::MAX);
        self.log_from(&self.cells(), |index| index >= named)
    }

    /// Returns the named arguments as received.
    pub(crate) fn log_of_named(&self, cells: &[Value]) -> Vec<u8> {
        let named = self.signature.variadic.unwrap_or(usize::MAX);
        for (index, &cell) in cells.iter().enumerate().take(named) {
            let ty = self.arguments()[index].ty;
            assert!(!ty.is_int() || cell.u64() == extend(ty, cell.u64()));
        }
        self.log_from(cells, |index| index < named)
    }

    /// Returns the bytes that C returns: the results in cells, or the bytes of a large one.
    pub(crate) fn returned_bytes(&self) -> Vec<u8> {
        if self.signature.returned != Returned::Memory {
            return bytes_of(&self.results).to_vec();
        }
        let mut random = Rng::with_seed(self.number as u64 + 1);
        let size = self.signature.arguments[0].size;
        (0..size).map(|_| random.u64(..) as u8).collect()
    }

    /// Returns the large result that C wrote to memory.
    pub(crate) fn large_result(&self) -> Vec<u8> {
        bytes_of(&self.blocks[0])[..self.signature.arguments[0].size].to_vec()
    }

    /// Returns the significant bytes of these results.
    pub(crate) fn result_bytes(&self, results: &[Value]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (result, &cell) in self.signature.results.iter().zip(results) {
            let ty = ty(result);
            let cell = if ty.is_int() {
                Value::from_u64(extend(ty, cell.u64()))
            } else {
                cell
            };
            bytes.extend_from_slice(&bytes_of(&[cell])[..significant(ty)]);
        }
        bytes
    }
}

/// Returns the values in a buffer of results.
pub(crate) fn cells_of(bytes: &[u8], count: usize) -> Vec<Value> {
    let cell = |bytes: &[u8]| {
        let bytes: [u8; 16] = bytes.try_into().expect("16 bytes");
        Value::from_long_double(LongDouble(u128::from_ne_bytes(bytes)))
    };
    bytes.chunks_exact(16).take(count).map(cell).collect()
}

/// Fails with the signature if the bytes differ.
pub(crate) fn check(case: &Case, what: &str, expected: &[u8], found: &[u8]) {
    assert!(
        expected == found,
        "seed {}, signature {}: {what}\n{:#?}\nexpected {expected:02x?}\nfound    {found:02x?}",
        env!("ABI_SEED"),
        case.number,
        case.signature,
    );
}

/// Pages for code, as a hosted system provides them: first writable, then executable.
pub(crate) struct CodePages {
    start: *mut u8,
}

const CODE_BYTES: usize = 4096;

impl CodePages {
    pub(crate) fn new() -> CodePages {
        // SAFETY: asks for fresh memory.
        let start = unsafe {
            c::mmap(
                core::ptr::null_mut(),
                CODE_BYTES,
                c::READ | c::WRITE,
                c::PRIVATE | c::ANONYMOUS,
                -1,
                0,
            )
        };
        assert!(start as isize != -1);
        CodePages { start }
    }

    pub(crate) fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: the pages are mapped for reading and writing until `make_executable`, of which
        // only a read is left.
        unsafe { core::slice::from_raw_parts_mut(self.start, CODE_BYTES) }
    }

    /// Makes the pages executable; returns their address.
    pub(crate) fn make_executable(&self) -> usize {
        // SAFETY: the pages were mapped by `new`.
        unsafe {
            assert_eq!(c::mprotect(self.start, CODE_BYTES, c::READ | c::EXECUTE), 0);
            NATIVE.flush_instruction_cache(self.start, CODE_BYTES);
        }
        self.start as usize
    }
}

/// The functions and buffers of the C side.
pub(crate) mod c {
    use super::Case;
    use abi_signatures::COUNT;
    use mir_nostd::target::Value;

    pub(crate) const READ: i32 = 1;
    pub(crate) const WRITE: i32 = 2;
    pub(crate) const EXECUTE: i32 = 4;
    pub(crate) const PRIVATE: i32 = 2;
    pub(crate) const ANONYMOUS: i32 = 0x20;

    const LOG_BYTES: usize = 8192;
    const RESULT_BYTES: usize = 1024;

    #[link(name = "c_side", kind = "static")]
    unsafe extern "C" {
        static abi_callee: [usize; COUNT];
        static abi_caller: [unsafe extern "C" fn(usize, *const u8, *mut u8); COUNT];
        static abi_list_maker: [usize; COUNT];
        static abi_list_reader: [unsafe extern "C" fn(*mut u8); COUNT];
        fn abi_buffer_of_log() -> *mut u8;
        fn abi_buffer_of_results() -> *mut u8;
    }

    unsafe extern "C" {
        pub(crate) fn mmap(
            start: *mut u8,
            bytes: usize,
            access: i32,
            flags: i32,
            file: i32,
            at: i64,
        ) -> *mut u8;
        pub(crate) fn mprotect(start: *mut u8, bytes: usize, access: i32) -> i32;
    }

    pub(crate) fn callee(number: usize) -> usize {
        // SAFETY: a constant table.
        unsafe { abi_callee[number] }
    }

    pub(crate) fn list_maker(number: usize) -> usize {
        // SAFETY: a constant table.
        unsafe { abi_list_maker[number] }
    }

    /// Sets the results of callees and clears their log.
    pub(crate) fn set_results(bytes: &[u8]) {
        assert!(bytes.len() <= RESULT_BYTES);
        // SAFETY: the buffers are of this thread and of these lengths.
        unsafe {
            core::ptr::copy_nonoverlapping(bytes.as_ptr(), abi_buffer_of_results(), bytes.len());
            abi_buffer_of_log().write_bytes(0, LOG_BYTES);
        }
    }

    /// Returns the log since it was cleared.
    pub(crate) fn log(case: &Case) -> Vec<u8> {
        let length = case.signature.offsets().pop().unwrap_or(0);
        assert!(length <= LOG_BYTES);
        // SAFETY: the buffer is of this thread and of this length.
        unsafe { core::slice::from_raw_parts(abi_buffer_of_log(), length).to_vec() }
    }

    /// Makes C call `function` with the arguments of the case; returns the buffer of results.
    pub(crate) fn call(case: &Case, function: usize) -> Vec<u8> {
        let arguments = super::aligned(&case.expected_log());
        let mut results = vec![Value::ZERO; RESULT_BYTES / 16];
        // SAFETY: the C function was made for this case and reads and writes what its signature
        // says.
        unsafe {
            abi_caller[case.number](
                function,
                arguments.as_ptr().cast(),
                results.as_mut_ptr().cast(),
            );
        }
        super::bytes_of(&results).to_vec()
    }

    /// Makes C log the variable arguments of the case from a list.
    ///
    /// # Safety
    ///
    /// The list holds the variable arguments of the case.
    pub(crate) unsafe fn read_list(case: &Case, list: *mut u8) {
        set_results(&[]);
        // SAFETY: the caller vouches for the list.
        unsafe { abi_list_reader[case.number](list) };
    }
}

/// Returns these bytes in memory aligned to 16.
fn aligned(bytes: &[u8]) -> Vec<Value> {
    let mut padded = bytes.to_vec();
    padded.resize(bytes.len().next_multiple_of(16), 0);
    cells_of(&padded, usize::MAX)
}
