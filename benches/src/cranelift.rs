//! Compiles Medium IR with Cranelift, which a Rust program would otherwise use.
//!
//! The translation is typical for Cranelift's users: variables for registers, and Cranelift's own
//! SSA construction. Instructions that it lacks (long double, reading variable arguments, blocks by
//! value, addresses of labels) are not translated, and a program with one is left out of the
//! comparison.

mod function;

use std::collections::HashMap;
use std::ffi::CString;
use std::path::Path;
use std::time::Instant;

use cranelift_codegen::ir::{AbiParam, Signature, types};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::FunctionBuilderContext;
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId as Compiled, Linkage, Module as _, default_libcall_names};

use mir_host::SystemAllocator;
use mir_nostd::binary::{self, ReadOptions};
use mir_nostd::interp::Engine;
use mir_nostd::ir::{FuncId, ItemId, ItemKind, Module, Type};
use mir_nostd::link::{Context, ContextOptions, LinkedModule};
use mir_nostd::verify::Verified;

/// The argument with which this program is started to run one program through Cranelift.
pub const WORD: &str = "--through-cranelift";

/// A result, or a message.
pub type Result<T> = std::result::Result<T, String>;

pub fn text(error: impl ToString) -> String {
    error.to_string()
}

/// Compiles a program of one module and runs it: `none` with the single-pass register allocator, or
/// `speed`. Returns the exit status; prints the time of compiling on standard error.
pub fn run(speed: &str, file: &Path) -> Result<i32> {
    let program = std::fs::read(file).map_err(text)?;
    let target = &target_x86_64::TARGET;
    let engine = Engine::new();
    let context = Context::new(ContextOptions::new(&SystemAllocator, target, &engine));
    let options = ReadOptions::new(target.long_double, target.big_endian);
    let mut modules = binary::read(&program, &SystemAllocator, &options).map_err(text)?;
    let (Some(module), None) = (modules.pop(), modules.pop()) else {
        return Err("more than one module".into());
    };
    drop(modules);
    let verified =
        Verified::new(module, target, &mut |_| ()).map_err(|rejected| text(rejected.error))?;
    // SAFETY: the programs are those of the corpus.
    unsafe { context.load(verified) }.map_err(text)?;
    context.link(&mut symbol).map_err(text)?;
    let linked = context.module(0).ok_or("no module")?;
    let start = Instant::now();
    let mut compiler = Compiler::new(linked, speed)?;
    let main = compiler.all()?;
    let took = start.elapsed().as_secs_f64() * 1e6;
    let module = linked.module();
    let insns: usize = module.funcs().map(|(_, func)| func.insn_count()).sum();
    let bytes = compiler.code_bytes;
    eprintln!("{{\"compile_us\": {took:.0}, \"insns\": {insns}, \"code_bytes\": {bytes}}}");
    compiler.connect_data();
    #[expect(
        clippy::disallowed_methods,
        reason = "an address of code becomes a function"
    )]
    // SAFETY: a `main` of the corpus takes nothing, or C's two arguments, which it does not use.
    let main: extern "C" fn(i64, i64) -> i64 = unsafe { std::mem::transmute(main) };
    Ok(main(0, 0) as i32)
}

/// Returns the address of a C function or variable of this process.
fn symbol(name: &[u8]) -> Option<usize> {
    let name = CString::new(name).ok()?;
    // SAFETY: the name ends with a zero.
    let address = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    (!address.is_null()).then_some(address as usize)
}

/// Compiles one module.
pub struct Compiler<'a, 'm> {
    linked: &'a LinkedModule<'m>,
    module: &'a Module<'m>,
    jit: JITModule,
    compiled: HashMap<FuncId, Compiled>,
    /// Thunks, by the address of the function that they jump to. They pass the number of vector
    /// registers with variable arguments, which Cranelift does not.
    variadic: HashMap<usize, usize>,
    code_bytes: usize,
}

impl<'a, 'm> Compiler<'a, 'm> {
    fn new(linked: &'a LinkedModule<'m>, speed: &str) -> Result<Self> {
        let mut flags = settings::builder();
        let allocator = match speed {
            "none" => "single_pass",
            _ => "backtracking",
        };
        for (name, value) in [
            ("opt_level", speed),
            ("regalloc_algorithm", allocator),
            ("enable_verifier", "false"),
            ("is_pic", "false"),
            ("use_colocated_libcalls", "false"),
        ] {
            flags.set(name, value).map_err(text)?;
        }
        let isa = cranelift_native::builder().map_err(text)?;
        let isa = isa.finish(settings::Flags::new(flags)).map_err(text)?;
        Ok(Compiler {
            linked,
            module: linked.module(),
            jit: JITModule::new(JITBuilder::with_isa(isa, default_libcall_names())),
            compiled: HashMap::new(),
            variadic: HashMap::new(),
            code_bytes: 0,
        })
    }

    /// Compiles every function; returns the address of `main`.
    fn all(&mut self) -> Result<*const u8> {
        let module = self.module;
        let mut main = None;
        for (id, func) in module.funcs() {
            let name = module.item(func.item).name.ok_or("no name")?;
            let name = String::from_utf8_lossy(module.name_bytes(name)).into_owned();
            let signature = self.signature(&func.signature)?;
            let local = Linkage::Local;
            let compiled = self.jit.declare_function(&name, local, &signature);
            let compiled = compiled.map_err(text)?;
            self.compiled.insert(id, compiled);
            if name == "main" {
                main = Some(compiled);
            }
        }
        let mut context = self.jit.make_context();
        let mut builder = FunctionBuilderContext::new();
        for (id, _) in module.funcs() {
            function::translate(self, id, &mut context.func, &mut builder)?;
            let compiled = self.compiled[&id];
            let defined = self.jit.define_function(compiled, &mut context);
            defined.map_err(|error| format!("{error:?}"))?;
            self.code_bytes += context
                .compiled_code()
                .map_or(0, |code| code.code_buffer().len());
            self.jit.clear_context(&mut context);
        }
        self.jit.finalize_definitions().map_err(text)?;
        let main = main.ok_or("no main")?;
        Ok(self.jit.get_finalized_function(main))
    }

    /// Writes the addresses of functions into the module's data.
    fn connect_data(&self) {
        for (number, item) in self.module.items() {
            let ItemKind::Ref { item, disp } = item.kind else {
                continue;
            };
            if let Some(code) = self.function(item) {
                let address = self.jit.get_finalized_function(code) as i64 + disp;
                let place = self.linked.item_address(number) as *mut i64;
                // SAFETY: the item has eight bytes there, and nothing runs yet.
                unsafe { place.write_unaligned(address) };
            }
        }
    }

    /// Returns the compiled function that an item stands for.
    fn function(&self, item: ItemId) -> Option<Compiled> {
        match self.module.item(self.module.resolve(item)).kind {
            ItemKind::Func(id) => self.compiled.get(&id).copied(),
            _ => None,
        }
    }

    /// Returns the signature of a function or call for fixed arguments and results: integers are
    /// whole registers.
    fn signature(&self, signature: &mir_nostd::ir::Signature) -> Result<Signature> {
        let mut made = self.jit.make_signature();
        for argument in self.module.args(signature) {
            made.params.push(AbiParam::new(value_type(argument.ty)?));
        }
        for &result in self.module.results(signature) {
            made.returns.push(AbiParam::new(value_type(result)?));
        }
        Ok(made)
    }

    /// Returns the address to call for a variadic C function.
    fn variadic(&mut self, address: usize) -> Result<usize> {
        if let Some(&known) = self.variadic.get(&address) {
            return Ok(known);
        }
        // The thunk: mov eax, 8; movabs r11, address; jmp r11.
        let mut code = vec![0xB8, 8, 0, 0, 0, 0x49, 0xBB];
        code.extend_from_slice(&address.to_le_bytes());
        code.extend_from_slice(&[0x41, 0xFF, 0xE3]);
        let made = executable(&code)?;
        self.variadic.insert(address, made);
        Ok(made)
    }
}

/// Returns the Cranelift type of a value.
fn value_type(ty: Type) -> Result<types::Type> {
    match ty {
        Type::F => Ok(types::F32),
        Type::D => Ok(types::F64),
        Type::Rblk => Ok(types::I64),
        ty if ty.is_int() => Ok(types::I64),
        ty => Err(format!("{ty} is not translated")),
    }
}

/// Returns an executable page with this code.
fn executable(code: &[u8]) -> Result<usize> {
    let (private, nowhere) = (
        libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
        std::ptr::null_mut(),
    );
    let writable = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: a separate mapping, written before anything executes it.
    unsafe {
        let page = libc::mmap(nowhere, 4096, writable, private, -1, 0);
        if page == libc::MAP_FAILED {
            return Err("no page".into());
        }
        std::ptr::copy_nonoverlapping(code.as_ptr(), page.cast(), code.len());
        match libc::mprotect(page, 4096, libc::PROT_READ | libc::PROT_EXEC) {
            0 => Ok(page as usize),
            _ => Err("no executable page".into()),
        }
    }
}
