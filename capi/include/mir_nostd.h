/* mir-nostd for C: loads, links, compiles and runs programs in Medium IR, in memory that is lent.
 *
 * Nothing here needs an operating system or a C library. No function aborts or calls exit; whatever fails says so by its status, and
 * leaves the context as it was. A context or program, and all that belongs to it, is used by one thread at a time; functions that any
 * thread may call say so. Pointers are not null unless it is said that they may be. Link with libmir_nostd.a. README.md tells how.
 *
 * `cargo xtask header` makes this file of the Rust side. Licensed under MIT or Apache-2.0, as you like. */

#ifndef MIR_NOSTD_H
#define MIR_NOSTD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A value of any type, as it lies in memory. Integers are extended to 64 bits. */
typedef union mir_value {
  int64_t i;
  uint64_t u;
  float f;
  double d;
  void *p;
#ifdef __cplusplus
  alignas(16)
#else
  _Alignas(16)
#endif
  unsigned char bytes[16]; /* a long double in the machine's form */
} mir_value;

// The highest level.
#define MIR_HIGHEST_LEVEL 3

// The most calls that a fault knows.
#define MIR_MOST_FRAMES 16

// An instruction whose number is not known.
#define MIR_UNKNOWN UINT32_MAX

// The address at which a program sees its memory.
#define MIR_FIRST_ADDRESS 4096

// The lowest address at which a program can have a window.
#define MIR_FIRST_WINDOW 8589934592

// The number that an import returns which was given an address outside of the program's memory.
#define MIR_BAD_ADDRESS UINT32_MAX

// The number that an import returns to end the run with the fault of a call back.
#define MIR_CALL_FAILED (UINT32_MAX - 1)

// The version that this header is of: 10,000 times the major number, 100 times the minor number,
// and the third.
#define MIR_VERSION 100

// The outcome of a call. The numbers do not change between versions.
enum mir_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // Everything went well.
  MIR_STATUS_OK = 0,
  // The lent allocator had no more memory.
  MIR_STATUS_OUT_OF_MEMORY = 1,
  // A program does not read, or breaks a rule of the language, or cannot be confined.
  MIR_STATUS_BAD_PROGRAM = 2,
  // A name is defined nowhere, or twice.
  MIR_STATUS_NOT_LINKED = 3,
  // No function of this name is exported.
  MIR_STATUS_NOT_FOUND = 4,
  // A null pointer, a number out of range, or not as many values as the function has.
  MIR_STATUS_BAD_ARGUMENT = 5,
  // The program faulted, or reached a limit: `mir_last_fault` or `mir_program_last_fault` knows
  // more.
  MIR_STATUS_STOPPED = 6,
  // The program runs, and this cannot be done meanwhile.
  MIR_STATUS_BUSY = 7,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum mir_status mir_status;
#else
typedef uint32_t mir_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The reason of a fault. The numbers do not change between versions.
enum mir_reason
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // None of the others: see the message.
  MIR_REASON_OTHER = 0,
  // The fuel is used up.
  MIR_REASON_FUEL = 1,
  // Too many calls inside each other, or too much stack.
  MIR_REASON_STACK = 2,
  // The lent allocator has no more memory.
  MIR_REASON_MEMORY = 3,
  // Division or remainder by zero.
  MIR_REASON_DIVISION = 4,
  // The index of a `switch` is not that of one of its labels.
  MIR_REASON_SWITCH = 5,
  // A jump to what is no label of the function.
  MIR_REASON_LABEL = 6,
  // A function was left at its end without a `ret`.
  MIR_REASON_END = 7,
  // A call with another signature than the function's.
  MIR_REASON_SIGNATURE = 8,
  // An import failed; `value` is what it returned.
  MIR_REASON_IMPORT = 9,
  // A confined program accessed the address `value`, which is outside of its memory.
  MIR_REASON_ADDRESS = 10,
  // A confined program called `value`, which is no function.
  MIR_REASON_FUNCTION = 11,
  // An atomic access at an address that is no multiple of its size.
  MIR_REASON_UNALIGNED = 12,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum mir_reason mir_reason;
#else
typedef uint32_t mir_reason;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The type of an argument or a result.
enum mir_type
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // A signed integer of 8 bits.
  MIR_TYPE_I8 = 0,
  // An unsigned integer of 8 bits.
  MIR_TYPE_U8 = 1,
  // A signed integer of 16 bits.
  MIR_TYPE_I16 = 2,
  // An unsigned integer of 16 bits.
  MIR_TYPE_U16 = 3,
  // A signed integer of 32 bits.
  MIR_TYPE_I32 = 4,
  // An unsigned integer of 32 bits.
  MIR_TYPE_U32 = 5,
  // A signed integer of 64 bits.
  MIR_TYPE_I64 = 6,
  // An unsigned integer of 64 bits.
  MIR_TYPE_U64 = 7,
  // A float.
  MIR_TYPE_F = 8,
  // A double.
  MIR_TYPE_D = 9,
  // A long double in the machine's format.
  MIR_TYPE_LD = 10,
  // An address.
  MIR_TYPE_P = 11,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum mir_type mir_type;
#else
typedef uint32_t mir_type;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// When functions are compiled.
enum mir_when
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // At once.
  MIR_WHEN_NOW = 0,
  // Each when it is first called.
  MIR_WHEN_CALLED = 1,
  // Each block when control first comes to it.
  MIR_WHEN_REACHED = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum mir_when mir_when;
#else
typedef uint32_t mir_when;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Programs that were loaded, and what they need to run. A context belongs to one thread at a time,
// and so do its functions. Functions that its programs import may call functions of this header
// for it, all but `mir_close`.
typedef struct mir_context mir_context;

// A function of a context; it lives as long as that.
typedef struct mir_function mir_function;

// The memory of a program that waits for an import to return: addresses are the program's, and
// each is checked. It is valid until the import returns.
typedef struct mir_memory mir_memory;

// A confined program: it reads and writes memory that it was lent and nothing else, calls the
// imports that it was given, and stops when its fuel is used up. It belongs to one thread at a
// time. While it runs its imports may use its memory and call it back by the `mir_memory`
// functions, and nothing else: the others return `MIR_STATUS_BUSY`.
typedef struct mir_program mir_program;

// Memory that is lent. Sizes are in bytes and may be zero; alignments are powers of two. `state`
// is passed through. The functions are called by the thread that calls a function of this header,
// and must not call one themselves.
typedef struct mir_allocator {
  // The first argument of the functions.
  void *state;
  // Returns a block, or null if there is none. Required.
  void *(*allocate)(void *state, size_t size, size_t alignment);
  // Takes a block back, whose size and alignment are those that it was asked for with. Where it
  // is null nothing is ever given back.
  void (*deallocate)(void *state, void *block, size_t size, size_t alignment);
} mir_allocator;

// A range of pages for code: the address at which it is written and the address at which it runs.
// They differ where the pages are mapped twice; then code can be changed while it runs.
typedef struct mir_region {
  // The address at which code is written.
  void *write;
  // The address at which code runs.
  void *run;
  // The length in bytes, a multiple of the granule.
  size_t bytes;
} mir_region;

// Executable pages that are lent. A page need never be writable and executable at one address. All
// four functions are required, or none: with none nothing is compiled. The three that return a
// bool return false if they cannot, with everything as it was. They are called by the thread that
// calls a function of this header or runs a program, and must not call such a function themselves.
typedef struct mir_pages {
  // The first argument of the functions.
  void *state;
  // The size in bytes, a power of two, in which pages change their protection.
  size_t granule;
  // Reserves at least so many bytes, if possible within reach of direct branches from an
  // address, which is 0 if any place is good, and stores the region.
  bool (*reserve)(void *state, size_t bytes, size_t close_to, struct mir_region *region);
  // Makes a part of a region writable at `write`. Where both addresses are the same it ceases to
  // be executable.
  bool (*make_writable)(void *state, const struct mir_region *region, size_t offset, size_t bytes);
  // Makes a part of a region executable at `run`, on all processors: `mir_flush_instructions`
  // does for the one that runs what has to be done with its caches. Where both addresses are the
  // same it ceases to be writable.
  bool (*make_executable)(void *state, const struct mir_region *region, size_t offset, size_t bytes);
  // Takes a region back.
  void (*release)(void *state, const struct mir_region *region);
} mir_pages;

// The lenders that a context or a confined program lives on. It is copied; the functions in it are
// used until the context or the program is closed.
typedef struct mir_settings {
  // All memory comes from here, and is given back when the context or program is closed.
  struct mir_allocator allocator;
  // Pages for compiled code, and for the addresses by which C calls functions. All zeros if
  // there are none: then everything is interpreted, and functions take their addresses from a
  // small pool.
  struct mir_pages pages;
  // True if running takes fuel, which then limits each call. Confined programs always take it.
  bool is_metered;
} mir_settings;

// The types of a function's results and arguments. A pointer whose count is 0 may
// be null.
typedef struct mir_signature {
  // The types of the results.
  const mir_type *results;
  // Their number.
  size_t result_count;
  // The types of the arguments.
  const mir_type *arguments;
  // Their number.
  size_t argument_count;
} mir_signature;

// A C function that a program calls, with one value per argument and room for one per result: all
// zeros at first. `state` is what it was defined with. It returns 0; another number ends the run
// with `MIR_REASON_IMPORT` and that number.
typedef uint32_t (*mir_import)(void *state, const mir_value *arguments, mir_value *results);

// Gives the address of a function or of data that a program imports, or null. Functions are called
// by the platform's convention, unchecked. The name ends in a NUL and is valid during the call.
typedef void *(*mir_resolver)(void *state, const char *name);

// The limits of calls.
typedef struct mir_limits {
  // The fuel of each call, where running takes fuel. An instruction takes about 1, the same in
  // every engine.
  uint64_t fuel;
  // The most bytes of the interpreter's stack, which is lent memory.
  size_t stack;
  // The most interpreted calls inside each other.
  size_t depth;
  // The bytes of native stack that compiled code may take below a call; a function that would go
  // beyond ends the call. Lend 64 KiB more, and what C functions need that the code calls. 0 for
  // no limit.
  size_t native_stack;
} mir_limits;

// A call that was under way when a program faulted.
typedef struct mir_frame {
  // The name of the function, which is valid until the context or program is closed. Never null.
  const char *function;
  // The number of the function's module, in the order of loading, from 0.
  uint32_t module;
  // The number of the instruction that faulted, or that called the frame before: in its
  // function, labels counted, from 0. `MIR_UNKNOWN` if it is not known.
  uint32_t instruction;
} mir_frame;

// A fault: why a program stopped, and where.
typedef struct mir_fault {
  // The reason.
  mir_reason reason;
  // The number of frames that are known.
  uint32_t frame_count;
  // The address, the function or the code of the import, as the reason says; else 0.
  uint64_t value;
  // The calls under way, from the innermost outward: the first is the place of the fault.
  struct mir_frame frames[MIR_MOST_FRAMES];
  // True if there may be more outside of them.
  bool is_cut;
} mir_fault;

// The memory of a confined program, and how it is laid out.
typedef struct mir_space {
  // The program's memory, which it sees from address `MIR_FIRST_ADDRESS` on. Its contents stay
  // as they are, but for the program's data. Only the program uses it while it runs, and between
  // calls it may be read and written; it is needed until the program is closed.
  void *memory;
  // Its bytes: 4 KiB to 4 GiB.
  size_t size;
  // The bytes of the program's stack, which is at the end of its memory; 0 for a quarter of the
  // memory, at most 8 MiB. Compiled code needs native stack beside it, about four times as much:
  // see `mir_limits`.
  uint64_t stack;
  // True if windows may be granted.
  bool has_windows;
  // True if addresses are masked after their check, so that a mispredicted check loads nothing
  // from outside of the memory. It cannot be had together with windows.
  bool has_masks;
} mir_space;

// A C function that a confined program calls, with one value per argument and room for one per
// result: all zeros at first. `state` is what it was defined with, and `memory` the program's. It
// returns 0; another number ends the run with `MIR_REASON_IMPORT` and that number, but for
// `MIR_CALL_FAILED`.
typedef uint32_t (*mir_program_import)(void *state,
                                       struct mir_memory *memory,
                                       const mir_value *arguments,
                                       mir_value *results);

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Opens a context for programs that may be trusted with all memory. `settings` is copied.
//
// `MIR_STATUS_BAD_ARGUMENT` if a function is missing in the settings, `MIR_STATUS_OUT_OF_MEMORY`;
// `*context` is null then. It may be called by any thread.
mir_status mir_open(const struct mir_settings *settings, struct mir_context **context);

// Closes a context and gives its memory back. Null is allowed. No function of it may be running,
// or be called later.
void mir_close(struct mir_context *context);

// Loads the modules of a program: binary, or text that need not end in a NUL. Running it lets it
// touch any memory, as C does: load only what you trust, and the rest with `mir_program_load`. The
// bytes are not needed afterwards.
//
// `MIR_STATUS_BAD_PROGRAM` if it does not read or breaks a rule of the language, which the message
// says with the function and the instruction; `MIR_STATUS_OUT_OF_MEMORY`.
mir_status mir_load(struct mir_context *context, const void *program, size_t size);

// Defines an import: a C function with its signature. Calls by a prototype with another signature
// fault with `MIR_REASON_SIGNATURE`. Modules that are linked keep what they have.
//
// `MIR_STATUS_BAD_ARGUMENT` for a null pointer or an unknown type, `MIR_STATUS_OUT_OF_MEMORY`.
mir_status mir_define(struct mir_context *context,
                      const char *name,
                      const struct mir_signature *signature,
                      mir_import function,
                      void *state);

// Links what was loaded since the last time. Imports are looked for among exports and what was
// defined; then `resolve` is asked, which may be null if there are no others.
//
// `MIR_STATUS_NOT_LINKED` if something stays undefined, which the message names, or if a value of
// the program's data cannot be computed; `MIR_STATUS_OUT_OF_MEMORY`. It may be linked again then.
mir_status mir_link(struct mir_context *context, mir_resolver resolve, void *state);

// Compiles all functions that are linked and not compiled yet, at a level from 0 to
// `MIR_HIGHEST_LEVEL`: at once, or later, as `when` says. A level that is left out of the library
// is its highest. What cannot be compiled stays with the interpreter: `left`, which may be null,
// gets how many functions that is, and the message says why the first is. Functions that are
// linked later are compiled by another call. A function keeps its address.
//
// `MIR_STATUS_BAD_ARGUMENT` if no executable pages were lent or there is no such level or time;
// `MIR_STATUS_OUT_OF_MEMORY`. The library has it with its feature `compile`.
mir_status mir_compile(struct mir_context *context, uint32_t level, mir_when when, size_t *left);

// Finds a function that a linked program exports.
//
// `MIR_STATUS_NOT_FOUND` if there is none of this name; `*function` is null then.
mir_status mir_find(struct mir_context *context,
                    const char *name,
                    const struct mir_function **function);

// Returns the address of a function, for C to call by the platform's convention; a function that
// is compiled later keeps it. Null if it has none: where no executable pages were lent there are
// 256 for all contexts together, taken in the order of loading. A fault in such a call ends the
// call by `mir_call` that it comes from, if there is one; else results are zeros, or the machine
// stops.
const void *mir_address(const struct mir_function *function);

// Calls a function with as many arguments, and room for as many results, as it has: compiled,
// where it was compiled. Pointers may be null where their count is 0.
//
// `MIR_STATUS_BAD_ARGUMENT` if the counts are others, `MIR_STATUS_STOPPED` if it faults,
// `MIR_STATUS_OUT_OF_MEMORY` if there is no memory for making the call.
mir_status mir_call(struct mir_context *context,
                    const struct mir_function *function,
                    const mir_value *arguments,
                    size_t argument_count,
                    mir_value *results,
                    size_t result_count);

// Sets the limits of calls from now on; at first there is fuel without end, 1 MiB of the
// interpreter's stack, 10,000 calls inside each other, and as much native stack as there is. Calls
// that imports make share those of the call that they come from.
mir_status mir_limit(struct mir_context *context, const struct mir_limits *limits);

// Returns the fuel that the last call left; 0 for null.
uint64_t mir_fuel(const struct mir_context *context);

// Returns what the last call with this context has to say: why it failed, and where. Empty if it
// went well. Valid until the next call with the context; never null.
const char *mir_message(const struct mir_context *context);

// Returns the fault that the last call with this context ended with; null if it did not fault.
// Valid until the next call with the context.
const struct mir_fault *mir_last_fault(const struct mir_context *context);

// Makes this processor see instructions that were written to `bytes` bytes at an address: what its
// ISA asks for between writing code and running it. It may be called by any thread. Where several
// processors run code, see what your ISA and system ask for the others.
void mir_flush_instructions(const void *address, size_t bytes);

// Opens a program without modules. `settings` and `space` are copied.
//
// `MIR_STATUS_BAD_ARGUMENT` if a function is missing in the settings, or the memory is too small,
// too large, or has windows and masks; `MIR_STATUS_OUT_OF_MEMORY`; `*program` is null then. It may
// be called by any thread.
mir_status mir_program_open(const struct mir_settings *settings,
                            const struct mir_space *space,
                            struct mir_program **program);

// Closes a program and gives its memory back. Null is allowed. It must not be running.
void mir_program_close(struct mir_program *program);

// Defines an import with its signature, before the program is linked. Calls by a prototype with
// another signature fault with `MIR_REASON_SIGNATURE`.
//
// `MIR_STATUS_BAD_ARGUMENT` for a null pointer, an unknown type, a name that is taken, or if the
// program is linked; `MIR_STATUS_OUT_OF_MEMORY`.
mir_status mir_program_define(struct mir_program *program,
                              const char *name,
                              const struct mir_signature *signature,
                              mir_program_import function,
                              void *state);

// Loads the modules of a program: binary, or text that need not end in a NUL. Nothing has to be
// trusted. The bytes are not needed afterwards.
//
// `MIR_STATUS_BAD_PROGRAM` if it does not read or breaks a rule of the language, or the program is
// linked; `MIR_STATUS_OUT_OF_MEMORY`.
mir_status mir_program_load(struct mir_program *program, const void *contents, size_t size);

// Loads modules as a library: of their functions only those stay that the rest of the program
// refers to. Of two exports of one name that of the module which was loaded first counts. Else it
// is as `mir_program_load`.
mir_status mir_program_load_library(struct mir_program *program, const void *contents, size_t size);

// Links what was loaded, once: imports are exports of its modules or what was defined.
//
// `MIR_STATUS_NOT_LINKED` if an import is neither, `MIR_STATUS_BAD_PROGRAM` if an instruction
// cannot be confined or data does not fit in the memory, or it is linked already;
// `MIR_STATUS_OUT_OF_MEMORY`. The program can only be closed then.
mir_status mir_program_link(struct mir_program *program);

// Compiles a program that is linked, as `mir_compile` does. It runs in compiled code from then on.
// Set `native_stack` of its limits before it is called: code that is not confined by that may use
// up the native stack.
mir_status mir_program_compile(struct mir_program *program,
                               uint32_t level,
                               mir_when when,
                               size_t *left);

// Calls an exported function by its name, with as many arguments, and room for as many results, as
// it has, and at most the fuel of the limits. Pointers may be null where their count is 0. After a
// fault the program's memory is as it was then, and another call may be made.
//
// `MIR_STATUS_NOT_FOUND`; `MIR_STATUS_BAD_ARGUMENT` if the counts are others; `MIR_STATUS_STOPPED`
// if it faults; `MIR_STATUS_BUSY` if it runs.
mir_status mir_program_call(struct mir_program *program,
                            const char *name,
                            const mir_value *arguments,
                            size_t argument_count,
                            mir_value *results,
                            size_t result_count);

// Sets the limits of calls from now on: `stack` and `depth` are not used, as the program's own
// stack limits it. At first there is fuel without end. Set `native_stack` where the program is
// compiled.
mir_status mir_program_limit(struct mir_program *program, const struct mir_limits *limits);

// Grants a window, until it is revoked or the program is closed: the program sees `memory` at
// `address`, and may write to it only if `may_write` says so. There are 8 at most.
//
// `MIR_STATUS_BAD_ARGUMENT` if the space was made without windows, the address is below
// `MIR_FIRST_WINDOW`, or there are too many.
mir_status mir_program_grant(struct mir_program *program,
                             uint64_t address,
                             void *memory,
                             size_t size,
                             bool may_write);

// Takes the windows at an address back.
//
// `MIR_STATUS_NOT_FOUND` if there are none.
mir_status mir_program_revoke(struct mir_program *program, uint64_t address);

// Returns the address in the program of data that one of its modules exports; 0 if there is none
// of this name, or the program runs.
uint64_t mir_program_address(struct mir_program *program, const char *name);

// Stores the bounds of what neither data nor stack of a linked program take of its memory, as its
// addresses: the heap of its C library.
mir_status mir_program_heap(struct mir_program *program, uint64_t *start, uint64_t *end);

// Copies the program's memory out, all of it: `size` is that of the space. Copied back by
// `mir_program_restore` it takes the program back to what it was, in another program of the same
// modules too: it holds all of its state, and no address of the host.
//
// `MIR_STATUS_BAD_ARGUMENT` for another size.
mir_status mir_program_save(struct mir_program *program, void *copy, size_t size);

// Copies the program's memory in, which `mir_program_save` copied out. Errors are the same.
mir_status mir_program_restore(struct mir_program *program, const void *copy, size_t size);

// Returns a hash of the program's memory, the same on every machine and from every engine; 0 if
// the program runs.
uint64_t mir_program_hash(struct mir_program *program);

// Returns the fuel that the last call left; 0 for null.
uint64_t mir_program_fuel(const struct mir_program *program);

// Returns what the last call with this program has to say, as `mir_message` does.
const char *mir_program_message(const struct mir_program *program);

// Returns the fault that the last call with this program ended with, as `mir_last_fault` does. The
// same fault comes from every engine.
const struct mir_fault *mir_program_last_fault(const struct mir_program *program);

// Returns `size` bytes at an address of the program, for reading: of its own memory, or of one
// window. Null if they are not all there: an import then returns `MIR_BAD_ADDRESS`, unless it
// knows better. Valid until the import returns or calls back.
const void *mir_memory_slice(struct mir_memory *program, uint64_t address, uint64_t size);

// Returns `size` bytes at an address of the program, to be written to: as `mir_memory_slice`, but
// null for a window that is for reading only.
void *mir_memory_slice_mut(struct mir_memory *program, uint64_t address, uint64_t size);

// Returns the string at an address of the program, which ends in a NUL within its memory; null if
// it does not. Valid until the import returns or calls back.
const char *mir_memory_string(struct mir_memory *program, uint64_t address);

// Calls a function of the program that waits for an import: by its exported name or, where that is
// null, by its value in the program, as programs pass function pointers. It takes of the run's
// fuel and stack.
//
// `MIR_STATUS_STOPPED` if it faults, which it also does if there is no such function or the counts
// are others: an import that returns `MIR_CALL_FAILED` then ends the run with that fault; one that
// returns 0 goes on.
mir_status mir_memory_call(struct mir_memory *program,
                           const char *name,
                           uint64_t function,
                           const mir_value *arguments,
                           size_t argument_count,
                           mir_value *results,
                           size_t result_count);

// Writes the instruction that a frame stands at as text, which ends in a NUL and is cut to `size`
// bytes. `program` is what was loaded, binary or text, and is read again; its first module is that
// of number `first_module`, 0 if nothing was loaded before it. The library has it with its feature
// `text`.
//
// `MIR_STATUS_NOT_FOUND` if the program has no such instruction, or its number is not known;
// `MIR_STATUS_BAD_PROGRAM` if it does not read; `MIR_STATUS_OUT_OF_MEMORY`. It may be called by
// any thread.
mir_status mir_show(const struct mir_allocator *allocator,
                    const void *program,
                    size_t program_size,
                    uint32_t first_module,
                    const struct mir_frame *frame,
                    char *shown,
                    size_t size);

// Returns a sentence for a status; never null, and valid for ever. It may be called by any thread.
const char *mir_status_text(mir_status status);

// Returns the version that the library is of: another than `MIR_VERSION` is that of another
// header. It may be called by any thread.
uint32_t mir_version(void);

// Returns the version as text, such as "0.1.0"; valid for ever. It may be called by any thread.
const char *mir_version_text(void);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* MIR_NOSTD_H */
