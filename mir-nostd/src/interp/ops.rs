//! The operations of the dense code: one row each, with its operands and what it does.
//!
//! A row is expanded to a handler in tail position and to an arm of the match loop
//! ([`super::dispatch`]). `m` is the [`super::dispatch::Machine`]; `m.int(k)` and its kin read what
//! the operand in slot `k` says. A row that ends with a [`super::dispatch::Flow`] decides what
//! comes next, all others go on to the next operation.
//!
//! Names: those of Medium IR where the operation is an instruction; `I` at the end: the last input
//! is a constant; `X` at the end of loads and stores: indexed by a register times the size.

/// Expands `$apply!` with what is given and the rows of instructions that only compute with two
/// integers (`ir::Code::binary`): the operation, the same with a constant as last input, how the
/// inputs are read, the meaning.
#[rustfmt::skip] // columns
macro_rules! binary_operations {
    ($apply:path; $($with:tt)*) => { $apply! { $($with)*
        Add   AddI   U  add;
        Adds  AddsI  U4 adds;
        Mul   MulI   U  mul;
        Muls  MulsI  U4 muls;
        And   AndI   U  and;
        Ands  AndsI  U4 ands;
        Or    OrI    U  or;
        Ors   OrsI   U4 ors;
        Xor   XorI   U  xor;
        Xors  XorsI  U4 xors;
        Lsh   LshI   U  lsh;
        Lshs  LshsI  U4 lshs;
        Rsh   RshI   U  rsh;
        Rshs  RshsI  U4 rshs;
        Ursh  UrshI  U  ursh;
        Urshs UrshsI U4 urshs;
    } };
}
pub(super) use binary_operations;

/// Expands `$apply!` with the rows that are given and those of [`binary_operations`].
macro_rules! with_binary_operations {
    ($apply:ident { $($row:tt)* } $($op:ident $with_constant:ident $read:ident $compute:ident;)*) => {
        $apply! {
            $($row)*
            $($op [D $read $read] |m| m.binary(fold::$compute);
            $with_constant [D $read I] |m| m.with_constant(fold::$compute);)*
        }
    };
}
pub(super) use with_binary_operations;

/// Expands `$apply!` with all rows.
macro_rules! operations {
    ($apply:ident) => { $crate::interp::ops::binary_operations! { $crate::interp::ops::with_binary_operations; $apply {
        // ---- moves and constants
        Mov [D U] |m| m.set(0, m.int(1));
        MovI [D I] |m| m.set(0, m.constant(1));
        MovW [D W] |m| m.set(0, m.wide(1));
        Ldmov [X Y] |m| m.set_long(0, m.long(1));
        LdmovW [X W W] |m| m.set_long_words(0, 1);
        Addr [D I] |m| m.set(0, m.address_of(1));
        GetHard [D I] |m| m.set(0, m.hard(1));
        SetHard [U I] |m| m.set_hard(1, m.int(0));
        LdgetHard [X I] |m| m.set_long(0, m.hard_long(1));
        LdsetHard [Y I] |m| m.set_hard_long(1, m.long(0));

        // ---- integers
        Ext8 [D U1] |m| m.unary(fold::ext8);
        Ext16 [D U2] |m| m.unary(fold::ext16);
        Ext32 [D U4] |m| m.unary(fold::ext32);
        Uext8 [D U1] |m| m.unary(fold::uext8);
        Uext16 [D U2] |m| m.unary(fold::uext16);
        Uext32 [D U4] |m| m.unary(fold::uext32);
        Neg [D U] |m| m.unary(fold::neg);
        Negs [D U4] |m| m.unary(fold::negs);
        Sub [D U U] |m| m.binary(fold::sub);
        Subs [D U4 U4] |m| m.binary(fold::subs);
        Div [D U U] |m| m.division(fold::div);
        DivI [D U I] |m| m.division_by_constant(fold::div);
        Divs [D U4 U4] |m| m.division(fold::divs);
        DivsI [D U4 I] |m| m.division_by_constant(fold::divs);
        Udiv [D U U] |m| m.division(fold::udiv);
        UdivI [D U I] |m| m.division_by_constant(fold::udiv);
        Udivs [D U4 U4] |m| m.division(fold::udivs);
        UdivsI [D U4 I] |m| m.division_by_constant(fold::udivs);
        Mod [D U U] |m| m.division(fold::r#mod);
        ModI [D U I] |m| m.division_by_constant(fold::r#mod);
        Mods [D U4 U4] |m| m.division(fold::mods);
        ModsI [D U4 I] |m| m.division_by_constant(fold::mods);
        Umod [D U U] |m| m.division(fold::umod);
        UmodI [D U I] |m| m.division_by_constant(fold::umod);
        Umods [D U4 U4] |m| m.division(fold::umods);
        UmodsI [D U4 I] |m| m.division_by_constant(fold::umods);
        Addo [D U U] |m| m.overflowing(fold::addo);
        Addos [D U4 U4] |m| m.overflowing(fold::addos);
        Subo [D U U] |m| m.overflowing(fold::subo);
        Subos [D U4 U4] |m| m.overflowing(fold::subos);
        Mulo [D U U] |m| m.overflowing(fold::mulo);
        Mulos [D U4 U4] |m| m.overflowing(fold::mulos);
        Umulo [D U U] |m| m.overflowing(fold::umulo);
        Umulos [D U4 U4] |m| m.overflowing(fold::umulos);

        // ---- comparisons with the result 0 or 1; greater forms swap their operands
        Eq [D U U] |m| m.compare(|a, b| a == b);
        EqI [D U I] |m| m.compare_constant(|a, b| a == b);
        Eqs [D U4 U4] |m| m.compare(|a, b| a as i32 == b as i32);
        EqsI [D U4 I] |m| m.compare_constant(|a, b| a as i32 == b as i32);
        Ne [D U U] |m| m.compare(|a, b| a != b);
        NeI [D U I] |m| m.compare_constant(|a, b| a != b);
        Nes [D U4 U4] |m| m.compare(|a, b| a as i32 != b as i32);
        NesI [D U4 I] |m| m.compare_constant(|a, b| a as i32 != b as i32);
        Lt [D U U] |m| m.compare(|a, b| a < b);
        LtI [D U I] |m| m.compare_constant(|a, b| a < b);
        GtI [D U I] |m| m.compare_constant(|a, b| a > b);
        Lts [D U4 U4] |m| m.compare(|a, b| (a as i32) < b as i32);
        LtsI [D U4 I] |m| m.compare_constant(|a, b| (a as i32) < b as i32);
        GtsI [D U4 I] |m| m.compare_constant(|a, b| a as i32 > b as i32);
        Le [D U U] |m| m.compare(|a, b| a <= b);
        Les [D U4 U4] |m| m.compare(|a, b| a as i32 <= b as i32);
        Ult [D U U] |m| m.compare(|a, b| (a as u64) < b as u64);
        UltI [D U I] |m| m.compare_constant(|a, b| (a as u64) < b as u64);
        UgtI [D U I] |m| m.compare_constant(|a, b| a as u64 > b as u64);
        Ults [D U4 U4] |m| m.compare(|a, b| (a as u32) < b as u32);
        UltsI [D U4 I] |m| m.compare_constant(|a, b| (a as u32) < b as u32);
        UgtsI [D U4 I] |m| m.compare_constant(|a, b| a as u32 > b as u32);
        Ule [D U U] |m| m.compare(|a, b| a as u64 <= b as u64);
        Ules [D U4 U4] |m| m.compare(|a, b| a as u32 <= b as u32);

        // ---- floating point
        Fadd [D U U] |m| m.binary_f(|a, b| a + b);
        Fsub [D U U] |m| m.binary_f(|a, b| a - b);
        Fmul [D U U] |m| m.binary_f(|a, b| a * b);
        Fdiv [D U U] |m| m.binary_f(|a, b| a / b);
        Fneg [D U] |m| m.set_f(0, f32::from_bits(m.float(1).to_bits() ^ 1 << 31));
        Dadd [D U U] |m| m.binary_d(|a, b| a + b);
        Dsub [D U U] |m| m.binary_d(|a, b| a - b);
        Dmul [D U U] |m| m.binary_d(|a, b| a * b);
        Ddiv [D U U] |m| m.binary_d(|a, b| a / b);
        Dneg [D U] |m| m.set(0, m.int(1) ^ i64::MIN);
        Feq [D U U] |m| m.compare_f(|a, b| a == b);
        Fne [D U U] |m| m.compare_f(|a, b| a != b);
        Flt [D U U] |m| m.compare_f(|a, b| a < b);
        Fle [D U U] |m| m.compare_f(|a, b| a <= b);
        Deq [D U U] |m| m.compare_d(|a, b| a == b);
        Dne [D U U] |m| m.compare_d(|a, b| a != b);
        Dlt [D U U] |m| m.compare_d(|a, b| a < b);
        Dle [D U U] |m| m.compare_d(|a, b| a <= b);
        Ldadd [X Y Y] |m| m.binary_long(LongDoubleFormat::add);
        Ldsub [X Y Y] |m| m.binary_long(LongDoubleFormat::sub);
        Ldmul [X Y Y] |m| m.binary_long(LongDoubleFormat::mul);
        Lddiv [X Y Y] |m| m.binary_long(LongDoubleFormat::div);
        Ldneg [X Y] |m| m.negate_long();
        Ldeq [D Y Y] |m| m.compare_long(|order| order == Some(Ordering::Equal));
        Ldne [D Y Y] |m| m.compare_long(|order| order != Some(Ordering::Equal));
        Ldlt [D Y Y] |m| m.compare_long(|order| order == Some(Ordering::Less));
        Ldle [D Y Y] |m| m.compare_long(|order| matches!(order, Some(Ordering::Less | Ordering::Equal)));
        I2f [D U] |m| m.set_f(0, m.int(1) as f32);
        I2d [D U] |m| m.set_d(0, m.int(1) as f64);
        I2ld [X U] |m| m.convert_to_long(int_to_long);
        Ui2f [D U] |m| m.set_f(0, m.int(1) as u64 as f32);
        Ui2d [D U] |m| m.set_d(0, m.int(1) as u64 as f64);
        Ui2ld [X U] |m| m.convert_to_long(unsigned_to_long);
        F2i [D U] |m| m.set(0, m.float(1) as i64);
        D2i [D U] |m| m.set(0, m.double(1) as i64);
        Ld2i [D Y] |m| m.convert_from_long(long_to_int);
        F2d [D U] |m| m.set_d(0, f64::from(m.float(1)));
        F2ld [X U] |m| m.convert_to_long(float_to_long);
        D2f [D U] |m| m.set_f(0, m.double(1) as f32);
        D2ld [X U] |m| m.convert_to_long(double_to_long);
        Ld2f [D Y] |m| m.convert_from_long(long_to_float);
        Ld2d [D Y] |m| m.convert_from_long(long_to_double);

        // ---- memory
        Lea [D U U I I] |m| m.set(0, m.scaled_address());
        LoadI8 [D U I] |m| m.load::<i8>(|value| value.into());
        LoadU8 [D U I] |m| m.load::<u8>(|value| value.into());
        LoadI16 [D U I] |m| m.load::<i16>(|value| value.into());
        LoadU16 [D U I] |m| m.load::<u16>(|value| value.into());
        LoadI32 [D U I] |m| m.load::<i32>(|value| value.into());
        LoadU32 [D U I] |m| m.load::<u32>(|value| value.into());
        LoadI64 [D U I] |m| m.load::<i64>(|value| value);
        LoadF [D U I] |m| m.set_float_bits(0, m.read::<u32>(m.plain(1)));
        LoadLd [X U I] |m| m.set_long(0, m.read::<[u64; 2]>(m.plain(1)));
        LoadI8X [D U U I] |m| m.load_indexed::<i8>(|value| value.into());
        LoadU8X [D U U I] |m| m.load_indexed::<u8>(|value| value.into());
        LoadI16X [D U U I] |m| m.load_indexed::<i16>(|value| value.into());
        LoadU16X [D U U I] |m| m.load_indexed::<u16>(|value| value.into());
        LoadI32X [D U U I] |m| m.load_indexed::<i32>(|value| value.into());
        LoadU32X [D U U I] |m| m.load_indexed::<u32>(|value| value.into());
        LoadI64X [D U U I] |m| m.load_indexed::<i64>(|value| value);
        LoadFX [D U U I] |m| m.set_float_bits(0, m.read::<u32>(m.indexed::<u32>(1)));
        Store8 [U1 U I] |m| m.write(m.plain(1), m.int(0) as u8);
        Store16 [U2 U I] |m| m.write(m.plain(1), m.int(0) as u16);
        Store32 [U4 U I] |m| m.write(m.plain(1), m.int(0) as u32);
        Store64 [U U I] |m| m.write(m.plain(1), m.int(0));
        StoreF [U U I] |m| m.write(m.plain(1), m.float_bits(0));
        StoreLd [Y U I] |m| m.write(m.plain(1), m.long(0));
        Store8X [U1 U U I] |m| m.write(m.indexed::<u8>(1), m.int(0) as u8);
        Store16X [U2 U U I] |m| m.write(m.indexed::<u16>(1), m.int(0) as u16);
        Store32X [U4 U U I] |m| m.write(m.indexed::<u32>(1), m.int(0) as u32);
        Store64X [U U U I] |m| m.write(m.indexed::<u64>(1), m.int(0));
        StoreFX [U U U I] |m| m.write(m.indexed::<u32>(1), m.float_bits(0));
        Store8I [I U I] |m| m.write(m.plain(1), m.constant(0) as u8);
        Store16I [I U I] |m| m.write(m.plain(1), m.constant(0) as u16);
        Store32I [I U I] |m| m.write(m.plain(1), m.constant(0) as u32);
        Store64I [I U I] |m| m.write(m.plain(1), m.constant(0));
        Store8XI [I U U I] |m| m.write(m.indexed::<u8>(1), m.constant(0) as u8);
        Store16XI [I U U I] |m| m.write(m.indexed::<u16>(1), m.constant(0) as u16);
        Store32XI [I U U I] |m| m.write(m.indexed::<u32>(1), m.constant(0) as u32);
        Store64XI [I U U I] |m| m.write(m.indexed::<u64>(1), m.constant(0));

        // The last constant says what is done.
        Atomic [D U U U I] |m| m.atomic();
        AtomicLoadU32 [D U I] |m| m.atomic_load();
        Fence [] |m| m.fence();

        // The constant says which operation on which type.
        Operation [D U U U I] |m| m.set(0, operation::result(m.slot(4), m.int(1), m.int(2), m.int(3)));

        Dsqrt [D U] |m| m.set_d(0, operation::square_root(m.double(1)));

        // ---- branches
        Jmp [J] |m| m.jump(0);
        Bt [U J] |m| m.branch(1, m.int(0) != 0);
        Bts [U4 J] |m| m.branch(1, m.int(0) as i32 != 0);
        Bf [U J] |m| m.branch(1, m.int(0) == 0);
        Bfs [U4 J] |m| m.branch(1, m.int(0) as i32 == 0);
        Beq [U U J] |m| m.branch(2, m.int(0) == m.int(1));
        BeqI [U I J] |m| m.branch(2, m.int(0) == m.constant(1));
        Beqs [U4 U4 J] |m| m.branch(2, m.int(0) as i32 == m.int(1) as i32);
        BeqsI [U4 I J] |m| m.branch(2, m.int(0) as i32 == m.constant(1) as i32);
        Bne [U U J] |m| m.branch(2, m.int(0) != m.int(1));
        BneI [U I J] |m| m.branch(2, m.int(0) != m.constant(1));
        Bnes [U4 U4 J] |m| m.branch(2, m.int(0) as i32 != m.int(1) as i32);
        BnesI [U4 I J] |m| m.branch(2, m.int(0) as i32 != m.constant(1) as i32);
        Blt [U U J] |m| m.branch(2, m.int(0) < m.int(1));
        BltI [U I J] |m| m.branch(2, m.int(0) < m.constant(1));
        BgtI [U I J] |m| m.branch(2, m.int(0) > m.constant(1));
        Blts [U4 U4 J] |m| m.branch(2, (m.int(0) as i32) < m.int(1) as i32);
        BltsI [U4 I J] |m| m.branch(2, (m.int(0) as i32) < m.constant(1) as i32);
        BgtsI [U4 I J] |m| m.branch(2, m.int(0) as i32 > m.constant(1) as i32);
        Ble [U U J] |m| m.branch(2, m.int(0) <= m.int(1));
        Bles [U4 U4 J] |m| m.branch(2, m.int(0) as i32 <= m.int(1) as i32);
        Ublt [U U J] |m| m.branch(2, (m.int(0) as u64) < m.int(1) as u64);
        UbltI [U I J] |m| m.branch(2, (m.int(0) as u64) < m.constant(1) as u64);
        UbgtI [U I J] |m| m.branch(2, m.int(0) as u64 > m.constant(1) as u64);
        Ublts [U4 U4 J] |m| m.branch(2, (m.int(0) as u32) < m.int(1) as u32);
        UbltsI [U4 I J] |m| m.branch(2, (m.int(0) as u32) < m.constant(1) as u32);
        UbgtsI [U4 I J] |m| m.branch(2, m.int(0) as u32 > m.constant(1) as u32);
        Uble [U U J] |m| m.branch(2, m.int(0) as u64 <= m.int(1) as u64);
        Ubles [U4 U4 J] |m| m.branch(2, m.int(0) as u32 <= m.int(1) as u32);
        Fbeq [U U J] |m| m.branch(2, m.float(0) == m.float(1));
        Fbne [U U J] |m| m.branch(2, m.float(0) != m.float(1));
        Fblt [U U J] |m| m.branch(2, m.float(0) < m.float(1));
        Fble [U U J] |m| m.branch(2, m.float(0) <= m.float(1));
        Dbeq [U U J] |m| m.branch(2, m.double(0) == m.double(1));
        Dbne [U U J] |m| m.branch(2, m.double(0) != m.double(1));
        Dblt [U U J] |m| m.branch(2, m.double(0) < m.double(1));
        Dble [U U J] |m| m.branch(2, m.double(0) <= m.double(1));
        // Those that are taken where a comparison does not hold, as with a number that is none.
        Dbnlt [U U J] |m| m.branch_unless(|a, b| a < b);
        Dbnle [U U J] |m| m.branch_unless(|a, b| a <= b);
        Bo [J] |m| m.branch_charged(0, m.signed_overflow());
        Bno [J] |m| m.branch_charged(0, !m.signed_overflow());
        Ubo [J] |m| m.branch_charged(0, m.unsigned_overflow());
        Ubno [J] |m| m.branch_charged(0, !m.unsigned_overflow());
        // ---- several operations in one, those that loops are made of
        // A step and a branch on its result.
        AddsIBlts [D U4 I U4 J] |m| m.step(fold::adds, |m, x| (x as i32) < m.int(3) as i32);
        AddsIBltsI [D U4 I I J] |m| m.step(fold::adds, |m, x| (x as i32) < m.constant(3) as i32);
        AddsIBgtsI [D U4 I I J] |m| m.step(fold::adds, |m, x| x as i32 > m.constant(3) as i32);
        AddIBlt [D U I U J] |m| m.step(fold::add, |m, x| x < m.int(3));
        AddIBlts [D U I U4 J] |m| m.step(fold::add, |m, x| (x as i32) < m.int(3) as i32);
        AddIBltI [D U I I J] |m| m.step(fold::add, |m, x| x < m.constant(3));
        AddsBltsI [D U4 U4 I J] |m| m.step_by(fold::adds, |m, x| (x as i32) < m.constant(3) as i32);
        // A variable's old value, and its step.
        MovAddsI [D U D I] |m| m.copy_and_step(fold::adds);
        MovAddI [D U D I] |m| m.copy_and_step(fold::add);
        // A load by a variable that is then stepped.
        LoadI32XStep [D U U D I I] |m| m.load_and_step::<i32>(|value| value.into());
        // A branch on what was loaded.
        LoadI8Bt [D U I J] |m| m.load_and_branch::<i8>(|value| value.into(), |x| x != 0);
        LoadI8Bf [D U I J] |m| m.load_and_branch::<i8>(|value| value.into(), |x| x == 0);
        LoadU8Bt [D U I J] |m| m.load_and_branch::<u8>(|value| value.into(), |x| x != 0);
        LoadU8Bf [D U I J] |m| m.load_and_branch::<u8>(|value| value.into(), |x| x == 0);
        LoadI64Bt [D U I J] |m| m.load_and_branch::<i64>(|value| value, |x| x != 0);
        LoadI64Bf [D U I J] |m| m.load_and_branch::<i64>(|value| value, |x| x == 0);
        // A load by a pointer that is loaded itself, and one whose address is a sum of three.
        LoadI64LoadI64 [D U I I] |m| m.set(0, m.read::<i64>(m.read::<i64>(m.plain(1)).wrapping_add(m.constant(3))));
        AddLoadU8X [D U U U I] |m| m.set(0, m.read::<u8>(m.int(1).wrapping_add(m.int(2)).wrapping_add(m.plain(3))).into());
        // A branch on bits of a value.
        AndsIBt [U4 I J] |m| m.branch(2, m.int(0) as i32 & m.constant(1) as i32 != 0);
        AndsIBf [U4 I J] |m| m.branch(2, m.int(0) as i32 & m.constant(1) as i32 == 0);
        MovJmp [D U J] |m| { m.set(0, m.int(1)); m.jump(2) };
        MovIJmp [D I J] |m| { m.set(0, m.constant(1)); m.jump(2) };
        MovMov [D U D U] |m| { m.set(0, m.int(1)); m.set(2, m.int(3)) };
        MovMovJmp [D U D U J] |m| { m.set(0, m.int(1)); m.set(2, m.int(3)); m.jump(4) };
        AddIAddI [D U I D U I] |m| { m.with_constant(fold::add); m.set(3, fold::add(m.int(4), m.constant(5))) };
        AddsIAddsI [D U4 I D U4 I] |m| { m.with_constant(fold::adds); m.set(3, fold::adds(m.int(4), m.constant(5))) };
        AddAdd [D U U D U U] |m| { m.binary(fold::add); m.set(3, fold::add(m.int(4), m.int(5))) };
        // A shift, as hashes have it, and rotation by a constant.
        UrshsIXors [D U4 I U4] |m| m.set(0, fold::xors(fold::urshs(m.int(1), m.constant(2)), m.int(3)));
        RotlI [D U I] |m| m.with_constant(|a, k| a.rotate_left(k as u32));
        RotlsI [D U4 I] |m| m.with_constant(|a, k| (a as i32).rotate_left(k as u32).into());
        // Arithmetic with one input in memory, or with the result of other arithmetic.
        DaddM [D U U I] |m| m.set_d(0, m.double(1) + m.read::<f64>(m.plain(2)));
        DaddX [D U U U I] |m| m.set_d(0, m.double(1) + m.read::<f64>(m.indexed::<f64>(2)));
        DmulM [D U U I] |m| m.set_d(0, m.double(1) * m.read::<f64>(m.plain(2)));
        DmulX [D U U U I] |m| m.set_d(0, m.double(1) * m.read::<f64>(m.indexed::<f64>(2)));
        DmulDadd [D U U U] |m| m.set_d(0, m.double(1) * m.double(2) + m.double(3));
        DmulDmul [D U U U] |m| m.set_d(0, m.double(1) * m.double(2) * m.double(3));
        DsubDadd [D U U U] |m| m.set_d(0, m.double(1) - m.double(2) + m.double(3));
        DdivDadd [D U U U] |m| m.set_d(0, m.double(1) / m.double(2) + m.double(3));
        DmulXDadd [D U U U I U] |m| m.set_d(0, m.double(1) * m.read::<f64>(m.indexed::<f64>(2)) + m.double(5));
        MulIAdd [D U I U] |m| m.set(0, fold::add(fold::mul(m.int(1), m.constant(2)), m.int(3)));
        MulAdd [D U U U] |m| m.set(0, fold::add(fold::mul(m.int(1), m.int(2)), m.int(3)));
        AddsAddsI [D U4 U4 I] |m| m.set(0, fold::adds(fold::adds(m.int(1), m.int(2)), m.constant(3)));
        LshIOr [D U I U] |m| m.set(0, fold::or(fold::lsh(m.int(1), m.constant(2)), m.int(3)));
        LshsIOrs [D U4 I U4] |m| m.set(0, fold::ors(fold::lshs(m.int(1), m.constant(2)), m.int(3)));
        MulIAddI [D U I I] |m| m.set(0, fold::add(fold::mul(m.int(1), m.constant(2)), m.constant(3)));
        UrshsIAndI [D U4 I I] |m| m.set(0, fold::and(fold::urshs(m.int(1), m.constant(2)), m.constant(3)));
        // Memory to memory.
        CopyI64X [U U I U U I] |m| m.write(m.indexed::<i64>(3), m.read::<i64>(m.indexed::<i64>(0)));
        CopyI32X [U U I U U I] |m| m.write(m.indexed::<i32>(3), m.read::<i32>(m.indexed::<i32>(0)));
        // With where others than those of the table go, and of the low 32 bits; the pairs follow.
        SwitchOr [U I J] |m| m.switch_or(m.int(0) as u64);
        SwitchOrShort [U4 I J] |m| m.switch_or(u64::from(m.int(0) as u32));
        // Division by a power of two, given by its exponent.
        DivsPower [D U4 I] |m| m.with_constant(|a, k| divide_by_power(a as i32, k as u32).into());
        ModsPower [D U4 I] |m| m.with_constant(|a, k| remainder_by_power(a as i32, k as u32).into());

        // Followed by as many pairs of distance and cost as the constant says.
        Switch [U I] |m| m.switch();
        Jmpi [U] |m| m.jump_to_label(m.int(0) as usize);
        // A `jcall` goes on at the label that `jret` returned.
        JmpiReturned [] |m| m.jump_to_returned();
        Fuel [I] |m| m.charge_in_place();

        // ---- calls; each is followed by the cells of its results, see `call`
        // The first constant: which entry, and twice the number of argument cells.
        Call1 [W I U] |m| m.call::<1>();
        Call2 [W I U U] |m| m.call::<2>();
        Call3 [W I U U U] |m| m.call::<3>();
        Call4 [W I U U U U] |m| m.call::<4>();
        // The second one: how many argument cells; they follow.
        CallN [W I I] |m| m.call_many();
        CallSite [W U] |m| m.call_site();
        CallNative [W] |m| m.call_native();
        // Of native code that takes a few integers and returns at most one.
        CallSimple [W] |m| m.call_simple();
        Ret [] |m| m.ret();
        Ret1 [U] |m| m.ret_one(m.int(0));
        RetI [I] |m| m.ret_one(m.constant(0));
        // Followed by as many cells as the constant says.
        RetN [I] |m| m.ret_many();
        Jret [U] |m| m.jret();
        LeaveSegment [] |m| m.leave_segment();
        // After the cells for the results of a function that was called by another signature.
        Adapt [] |m| m.adapt();
        Halt [] |m| m.halt();
        EndReached [] |m| m.fault(Reason::EndReached);
        Invalid [] |m| m.fault(Reason::Invalid);
        BadSignature [] |m| m.fault(Reason::Signature);
        SetJump [] |m| m.fault(Reason::SetJump);

        // ---- the stack and variable arguments
        Alloca [D U] |m| m.alloca(m.int(1));
        AllocaI [D I] |m| m.alloca(m.constant(1));
        Bstart [D] |m| m.bstart();
        Bend [U] |m| m.bend();
        CopyBlock [D U W] |m| m.copy_block();
        VaStart [U] |m| m.va_start();
        VaArg [D U I] |m| m.va_arg();
        VaBlockArg [U U U U] |m| m.va_block_arg();

        // ---- confined programs
        Ensure [U U I U] |m| m.ensure(m.int(1));
        EnsureI [U I I U] |m| m.ensure(m.constant(1));
        Reach [D U U U] |m| m.reach(m.int(2), m.int(3));
        ReachI [D U W I] |m| m.reach(m.wide(2), m.constant(4) & 0xFFFF_FFFF);
        // The stack of the program: its pointer is a word of the host's; one less than its lowest
        // address, then the bytes that are taken.
        TakeStack [D W W I] |m| m.take_stack();
        GiveBack [W I] |m| m.give_back();
        GiveBackRet [W I] |m| { m.give_back(); m.ret() };
        GiveBackRet1 [W I U] |m| { m.give_back(); m.ret_one(m.int(3)) };
        // A function's value, that of the first; the words with the address and length of the table
        // of functions, the number of the signature.
        LookUp [D U W W I] |m| m.look_up();
        CheckFailed [W] |m| m.check_failed();
        // Goes on after the call that follows, if there is fuel for what stands in its place there.
        PayOrCall [I I] |m| m.pay_or_call();
        // A load or store at an offset in the program's memory, with the host's address of that and
        // the limit.
        CheckedLoadI8 [D U I W I] |m| m.checked_load::<i8>(m.plain(1), 3, |value| value.into());
        CheckedLoadU8 [D U I W I] |m| m.checked_load::<u8>(m.plain(1), 3, |value| value.into());
        CheckedLoadI16 [D U I W I] |m| m.checked_load::<i16>(m.plain(1), 3, |value| value.into());
        CheckedLoadU16 [D U I W I] |m| m.checked_load::<u16>(m.plain(1), 3, |value| value.into());
        CheckedLoadI32 [D U I W I] |m| m.checked_load::<i32>(m.plain(1), 3, |value| value.into());
        CheckedLoadU32 [D U I W I] |m| m.checked_load::<u32>(m.plain(1), 3, |value| value.into());
        CheckedLoadI64 [D U I W I] |m| m.checked_load::<i64>(m.plain(1), 3, |value| value);
        CheckedLoadF [D U I W I] |m| m.checked_load_float(m.plain(1), 3);
        CheckedLoadI8X [D U U I W I] |m| m.checked_load::<i8>(m.indexed::<i8>(1), 4, |value| value.into());
        CheckedLoadU8X [D U U I W I] |m| m.checked_load::<u8>(m.indexed::<u8>(1), 4, |value| value.into());
        CheckedLoadI16X [D U U I W I] |m| m.checked_load::<i16>(m.indexed::<i16>(1), 4, |value| value.into());
        CheckedLoadU16X [D U U I W I] |m| m.checked_load::<u16>(m.indexed::<u16>(1), 4, |value| value.into());
        CheckedLoadI32X [D U U I W I] |m| m.checked_load::<i32>(m.indexed::<i32>(1), 4, |value| value.into());
        CheckedLoadU32X [D U U I W I] |m| m.checked_load::<u32>(m.indexed::<u32>(1), 4, |value| value.into());
        CheckedLoadI64X [D U U I W I] |m| m.checked_load::<i64>(m.indexed::<i64>(1), 4, |value| value);
        CheckedLoadFX [D U U I W I] |m| m.checked_load_float(m.indexed::<u32>(1), 4);
        CheckedStore8 [U1 U I W I] |m| m.checked_store(m.plain(1), 3, m.int(0) as u8);
        CheckedStore16 [U2 U I W I] |m| m.checked_store(m.plain(1), 3, m.int(0) as u16);
        CheckedStore32 [U4 U I W I] |m| m.checked_store(m.plain(1), 3, m.int(0) as u32);
        CheckedStore64 [U U I W I] |m| m.checked_store(m.plain(1), 3, m.int(0));
        CheckedStoreF [U U I W I] |m| m.checked_store(m.plain(1), 3, m.float_bits(0));
        CheckedStore8X [U1 U U I W I] |m| m.checked_store(m.indexed::<u8>(1), 4, m.int(0) as u8);
        CheckedStore16X [U2 U U I W I] |m| m.checked_store(m.indexed::<u16>(1), 4, m.int(0) as u16);
        CheckedStore32X [U4 U U I W I] |m| m.checked_store(m.indexed::<u32>(1), 4, m.int(0) as u32);
        CheckedStore64X [U U U I W I] |m| m.checked_store(m.indexed::<u64>(1), 4, m.int(0));
        CheckedStoreFX [U U U I W I] |m| m.checked_store(m.indexed::<u32>(1), 4, m.float_bits(0));
        // Branches on what was loaded, arithmetic with one input in memory.
        CheckedLoadU8Bt [D U I W I J] |m| m.checked_load_and_branch::<u8>(|value| value.into(), |x| x != 0);
        CheckedLoadU8Bf [D U I W I J] |m| m.checked_load_and_branch::<u8>(|value| value.into(), |x| x == 0);
        CheckedLoadI64Bt [D U I W I J] |m| m.checked_load_and_branch::<i64>(|value| value, |x| x != 0);
        CheckedLoadI64Bf [D U I W I J] |m| m.checked_load_and_branch::<i64>(|value| value, |x| x == 0);
        CheckedDaddM [D U U I W I] |m| m.checked_double(m.plain(2), 4, |a, b| a + b);
        CheckedDmulM [D U U I W I] |m| m.checked_double(m.plain(2), 4, |a, b| a * b);
        // Then what the access is, and the table of windows.
        ReachWindow [D U U U I W] |m| m.reach_window();
    } } };
}
pub(super) use operations;
