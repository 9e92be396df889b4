/* mir-nostd for C: loads, links and runs programs in Medium IR, in memory that is lent.
 *
 * Nothing here needs an operating system or a C library. No function aborts or calls exit; whatever fails says so by its
 * status, and leaves the context as it was. Link with libmir_nostd.a.
 *
 * Licensed under MIT or Apache-2.0, as you like. */
#ifndef MIR_NOSTD_H
#define MIR_NOSTD_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What came of a call. The numbers do not change between versions. */
typedef enum mir_status {
    MIR_OK = 0,
    MIR_OUT_OF_MEMORY = 1, /* the lent allocator had none */
    MIR_BAD_PROGRAM = 2,   /* it does not read, or breaks a rule of the language */
    MIR_NOT_LINKED = 3,    /* a name is defined nowhere, or twice */
    MIR_NOT_FOUND = 4,     /* no function of this name is exported */
    MIR_BAD_ARGUMENT = 5,  /* a null pointer, or not as many values as the function has */
    MIR_STOPPED = 6        /* the program faulted, or reached a limit */
} mir_status;

/* A sentence for a status. Never null. */
const char *mir_status_text(mir_status status);

/* Memory that is lent. Sizes are in bytes and may be zero; alignments are powers of two. `allocate` gives null if there is
 * no such block. `state` is passed through. */
typedef struct mir_allocator {
    void *state;
    void *(*allocate)(void *state, size_t size, size_t alignment);
    void (*deallocate)(void *state, void *block, size_t size, size_t alignment);
} mir_allocator;

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
    unsigned char bytes[16]; /* long double in the machine's form */
} mir_value;

/* Programs that were loaded, and what they need to run. Belongs to one thread at a time. */
typedef struct mir_context mir_context;

/* A function of a context; lives as long as that. */
typedef struct mir_function mir_function;

/* Makes a context. The allocator is copied; its memory is given back by mir_close. */
mir_status mir_open(const mir_allocator *allocator, mir_context **context);

/* Ends a context. Null is allowed. No function of it may be running, or be called later. */
void mir_close(mir_context *context);

/* Loads the modules of a program: binary, or text that need not end in a NUL. Running a program lets it touch any memory,
 * as C does: load only what you trust. The bytes are not needed afterwards. */
mir_status mir_load(mir_context *context, const void *program, size_t length);

/* Gives the address of a function or of data that a program imports, or null. Functions are called by the platform's
 * convention. The name ends in a NUL. */
typedef void *(*mir_resolver)(void *state, const char *name);

/* Links what was loaded since the last time. `resolve` may be null if the programs import nothing from outside. */
mir_status mir_link(mir_context *context, mir_resolver resolve, void *state);

/* Finds a function that a linked program exports. */
mir_status mir_find(mir_context *context, const char *name, mir_function **function);

/* The address of a function, for C to call by the platform's convention. Null if no gate is left: there are 256 for all
 * contexts together, taken in order of loading. */
void *mir_address(mir_context *context, const mir_function *function);

/* Calls a function with as many arguments, and room for as many results, as it has. */
mir_status mir_call(mir_context *context, const mir_function *function, const mir_value *arguments,
                    size_t argument_count, mir_value *results, size_t result_count);

/* The most bytes of stack and the most calls inside each other that mir_call allows; at first 1 MiB and 10,000. */
void mir_limit(mir_context *context, size_t stack_bytes, size_t depth);

/* What the last call with this context that failed has to say: the reason and its place. Empty if none failed. Valid until
 * the next call with the context. */
const char *mir_message(const mir_context *context);

#ifdef __cplusplus
}
#endif

#endif
