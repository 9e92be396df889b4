/* What examples do not show of the interface: wrong arguments, names of any length, messages that are never stale, imports that are
 * checked, programs that are busy, and memory that runs out at each step. */
#include "../examples/host.h"
#include <stdio.h>
#include <string.h>

static int wrong;

static void expect(bool is_so, const char *what, int line) {
    if (!is_so) {
        printf("line %d: not so: %s\n", line, what);
        wrong++;
    }
}
#define EXPECT(condition) expect(condition, #condition, __LINE__)

/* An allocator that fails from an allocation on, or at it alone, and counts what it lent. */
static struct {
    size_t blocks, allocations, fails_at;
    bool goes_on;
} lender;

static void *lend(void *state, size_t size, size_t alignment) {
    (void)state;
    size_t number = lender.allocations++;
    if (number == lender.fails_at || (lender.goes_on && number > lender.fails_at)) {
        return NULL;
    }
    void *block = take(NULL, size == 0 ? 1 : size, alignment);
    lender.blocks += block != NULL && size > 0;
    return block;
}

static void take_back(void *state, void *block, size_t size, size_t alignment) {
    lender.blocks--;
    give_back(state, block, size, alignment);
}

static mir_settings lent(void) {
    mir_settings settings = host_settings(true);
    settings.allocator = (mir_allocator){NULL, lend, take_back};
    return settings;
}

/* A module that imports a function with a long name, and calls it by a prototype. */
static char text[8192], name[3001];

static const char *with_import(const char *prototype) {
    memset(name, 'n', sizeof name - 1);
    snprintf(text, sizeof text,
             "m: module\n import %s\n export f\np: proto %s\nf: func i64, i64:x\n call p, %s, x, x\n ret x\n endfunc\n endmodule\n",
             name, prototype, name);
    return text;
}

static int64_t successor(int64_t x) {
    return x + 1;
}

static void *resolve(void *state, const char *wanted) {
    (void)state;
    EXPECT(strlen(wanted) == 3000);
    return strcmp(wanted, name) == 0 ? (void *)(uintptr_t)successor : NULL;
}

static uint32_t double_it(void *state, const mir_value *arguments, mir_value *results) {
    (void)state;
    results[0].i = 2 * arguments[0].i;
    return arguments[0].i == 13 ? 13 : 0;
}

static const mir_type i64[] = {MIR_TYPE_I64, MIR_TYPE_I64};
static const mir_signature one_to_one = {i64, 1, i64, 1};

static void long_names(void) {
    mir_settings settings = host_settings(false);
    mir_context *context;
    const mir_function *f;
    mir_value x = {.i = 41};
    EXPECT(mir_open(&settings, &context) == MIR_STATUS_OK);
    with_import("i64, i64:x");
    EXPECT(mir_load(context, text, strlen(text)) == MIR_STATUS_OK);
    EXPECT(mir_link(context, NULL, NULL) == MIR_STATUS_NOT_LINKED);
    /* The name does not fit in the message, which says so by its end. */
    EXPECT(strstr(mir_message(context), "nnnn") != NULL && strcmp(mir_message(context) + strlen(mir_message(context)) - 3, "...") == 0);
    EXPECT(mir_link(context, resolve, NULL) == MIR_STATUS_OK);
    EXPECT(mir_message(context)[0] == 0);
    EXPECT(mir_find(context, "f", &f) == MIR_STATUS_OK);
    EXPECT(mir_call(context, f, &x, 1, &x, 1) == MIR_STATUS_OK && x.i == 42);
    mir_close(context);
}

static void checked_imports(void) {
    static const char *const prototypes[] = {"i64, i64:x", "i64, d:x", "d, i64:x", "i64, i64:x"};
    const mir_status wanted[] = {MIR_STATUS_OK, MIR_STATUS_BAD_PROGRAM, MIR_STATUS_BAD_PROGRAM, MIR_STATUS_STOPPED};
    for (int number = 0; number < 4; number++) {
        mir_settings settings = host_settings(true);
        mir_context *context;
        const mir_function *f;
        mir_value x = {.i = number == 3 ? 13 : 21};
        EXPECT(mir_open(&settings, &context) == MIR_STATUS_OK);
        with_import(prototypes[number]);
        mir_signature no_such = one_to_one;
        const mir_type type = 99;
        no_such.results = &type;
        EXPECT(mir_define(context, name, &no_such, double_it, NULL) == MIR_STATUS_BAD_ARGUMENT);
        EXPECT(mir_define(context, name, &one_to_one, double_it, NULL) == MIR_STATUS_OK);
        mir_status status = mir_load(context, text, strlen(text));
        EXPECT(status == (wanted[number] == MIR_STATUS_STOPPED ? MIR_STATUS_OK : wanted[number]));
        if (status == MIR_STATUS_OK) {
            EXPECT(mir_link(context, NULL, NULL) == MIR_STATUS_OK && mir_find(context, "f", &f) == MIR_STATUS_OK);
            EXPECT(mir_call(context, f, &x, 1, &x, 1) == wanted[number]);
            EXPECT(wanted[number] != MIR_STATUS_OK || x.i == 42);
            const mir_fault *fault = mir_last_fault(context);
            EXPECT((fault != NULL) == (wanted[number] == MIR_STATUS_STOPPED));
            EXPECT(fault == NULL || (fault->reason == MIR_REASON_IMPORT && fault->value == 13));
        }
        mir_close(context);
    }
}

/* An atomic access at an address that is no multiple of its size. */
static void unaligned(void) {
    static const char adder[] =
        "m: module\n export f\nf: func i64, i64:at\n local i64:old\n atomic_add old, i64:(at), 1, 5\n ret old\n endfunc\n endmodule\n";
    int64_t words[2] = {41, 0};
    mir_settings settings = host_settings(true);
    for (int is_compiled = 0; is_compiled < 2; is_compiled++) {
        mir_context *context;
        const mir_function *f;
        mir_value at = {.p = words}, old;
        EXPECT(mir_open(&settings, &context) == MIR_STATUS_OK);
        EXPECT(mir_load(context, adder, sizeof adder - 1) == MIR_STATUS_OK && mir_link(context, NULL, NULL) == MIR_STATUS_OK);
        EXPECT(!is_compiled || mir_compile(context, 2, MIR_WHEN_NOW, NULL) == MIR_STATUS_OK);
        EXPECT(mir_find(context, "f", &f) == MIR_STATUS_OK);
        EXPECT(mir_call(context, f, &at, 1, &old, 1) == MIR_STATUS_OK && old.i == 41 + is_compiled);
        at.p = (char *)words + 4;
        EXPECT(mir_call(context, f, &at, 1, &old, 1) == MIR_STATUS_STOPPED);
        EXPECT(mir_last_fault(context) != NULL && mir_last_fault(context)->reason == MIR_REASON_UNALIGNED);
        mir_close(context);
    }
}

/* A call by a prototype that has as many arguments, but others than the import was defined with. */
static void other_signature(void) {
    static const char caller[] =
        "m: module\n import g\n export f\np: proto i64, d:x\nf: func i64\n local i64:r\n call p, g, r, 1.0\n ret r\n endfunc\n endmodule\n";
    mir_settings settings = host_settings(true);
    for (int is_compiled = 0; is_compiled < 2; is_compiled++) {
        mir_context *context;
        const mir_function *f;
        mir_value r;
        EXPECT(mir_open(&settings, &context) == MIR_STATUS_OK);
        EXPECT(mir_define(context, "g", &one_to_one, double_it, NULL) == MIR_STATUS_OK);
        EXPECT(mir_load(context, caller, sizeof caller - 1) == MIR_STATUS_OK && mir_link(context, NULL, NULL) == MIR_STATUS_OK);
        EXPECT(!is_compiled || mir_compile(context, 2, MIR_WHEN_NOW, NULL) == MIR_STATUS_OK);
        EXPECT(mir_find(context, "f", &f) == MIR_STATUS_OK);
        EXPECT(mir_call(context, f, NULL, 0, &r, 1) == MIR_STATUS_STOPPED);
        EXPECT(mir_last_fault(context) != NULL && mir_last_fault(context)->reason == MIR_REASON_SIGNATURE);
        EXPECT(strcmp(mir_last_fault(context)->frames[0].function, "f") == 0);
        mir_close(context);
    }
}

static void wrong_program(void) {
    static const char adds_a_double[] = "m: module\nf: func i64, i64:n, d:x\n add n, n, x\n ret n\n endfunc\n endmodule\n";
    mir_settings settings = host_settings(false);
    mir_context *context;
    EXPECT(mir_open(&settings, &context) == MIR_STATUS_OK);
    EXPECT(mir_load(context, adds_a_double, strlen(adds_a_double)) == MIR_STATUS_BAD_PROGRAM);
    EXPECT(strcmp(mir_message(context), "in `f`, at `add n, n, x`, operand 3: an integer is expected here") == 0);
    mir_close(context);
}

static void wrong_arguments(void) {
    mir_settings settings = host_settings(false), half = host_settings(true), none = {0};
    mir_context *context;
    const mir_function *f;
    EXPECT(mir_version() == MIR_VERSION && strcmp(mir_version_text(), "0.1.0") == 0);
    EXPECT(strcmp(mir_status_text(4711), "no such status") == 0);
    EXPECT(mir_open(NULL, &context) == MIR_STATUS_BAD_ARGUMENT && mir_open(&settings, NULL) == MIR_STATUS_BAD_ARGUMENT);
    half.pages.release = NULL;
    EXPECT(mir_open(&half, &context) == MIR_STATUS_BAD_ARGUMENT && context == NULL);
    EXPECT(mir_open(&none, &context) == MIR_STATUS_BAD_ARGUMENT && context == NULL);
    EXPECT(mir_load(NULL, "", 0) == MIR_STATUS_BAD_ARGUMENT && mir_fuel(NULL) == 0 && mir_last_fault(NULL) == NULL);
    EXPECT(mir_open(&settings, &context) == MIR_STATUS_OK);
    EXPECT(mir_load(context, NULL, 1) == MIR_STATUS_BAD_ARGUMENT && mir_message(context)[0] != 0);
    EXPECT(mir_find(context, NULL, &f) == MIR_STATUS_BAD_ARGUMENT && mir_find(context, "f", NULL) == MIR_STATUS_BAD_ARGUMENT);
    EXPECT(mir_call(context, NULL, NULL, 0, NULL, 0) == MIR_STATUS_BAD_ARGUMENT && mir_address(NULL) == NULL);
    EXPECT(mir_define(context, "g", NULL, double_it, NULL) == MIR_STATUS_BAD_ARGUMENT);
    EXPECT(mir_define(context, "g", &one_to_one, NULL, NULL) == MIR_STATUS_BAD_ARGUMENT);
    EXPECT(mir_limit(context, NULL) == MIR_STATUS_BAD_ARGUMENT);
    /* No executable pages were lent. */
    EXPECT(mir_compile(context, 0, MIR_WHEN_NOW, NULL) == MIR_STATUS_BAD_ARGUMENT);
    mir_close(context);
    mir_close(NULL);
    settings = host_settings(true);
    EXPECT(mir_open(&settings, &context) == MIR_STATUS_OK);
    EXPECT(mir_compile(context, 4, MIR_WHEN_NOW, NULL) == MIR_STATUS_BAD_ARGUMENT);
    EXPECT(mir_compile(context, 3, 3, NULL) == MIR_STATUS_BAD_ARGUMENT);
    mir_close(context);
}

static _Alignas(16) unsigned char memory[32768];
static const mir_space space = {.memory = memory, .size = sizeof memory};

static const char calls_itself[] =
    "m: module\n import g\n export f, deep\np: proto i64, i64:x\nf: func i64, i64:x\n call p, g, x, x\n ret x\n endfunc\n"
    "deep: func i64, i64:x\n call p, deep, x, x\n add x, x, 1\n ret x\n endfunc\n endmodule\n";

static mir_program *running;

static uint32_t meddle(void *state, mir_memory *seen, const mir_value *arguments, mir_value *results) {
    mir_value x;
    (void)state;
    EXPECT(mir_program_call(running, "f", arguments, 1, &x, 1) == MIR_STATUS_BUSY);
    EXPECT(mir_program_link(running) == MIR_STATUS_BUSY && mir_program_hash(running) == 0);
    EXPECT(mir_memory_slice(seen, MIR_FIRST_ADDRESS, sizeof memory) == memory);
    EXPECT(mir_memory_slice(seen, MIR_FIRST_ADDRESS, sizeof memory + 1) == NULL && mir_memory_slice(seen, 0, 1) == NULL);
    EXPECT(mir_memory_slice_mut(seen, UINT64_MAX, 2) == NULL && mir_memory_string(seen, 4095) == NULL);
    EXPECT(mir_memory_call(seen, "none", 0, NULL, 0, NULL, 0) == MIR_STATUS_STOPPED);
    results[0].i = arguments[0].i + 1;
    return 0;
}

static void busy_programs(void) {
    mir_settings settings = host_settings(true);
    for (int level = -1; level <= MIR_HIGHEST_LEVEL; level++) {
        const mir_limits limits = {.fuel = 1000000, .native_stack = 512 << 10};
        mir_value x = {.i = 1};
        EXPECT(mir_program_open(&settings, &space, &running) == MIR_STATUS_OK);
        EXPECT(mir_program_define(running, "g", &one_to_one, meddle, NULL) == MIR_STATUS_OK);
        EXPECT(mir_program_define(running, "g", &one_to_one, meddle, NULL) == MIR_STATUS_BAD_ARGUMENT);
        EXPECT(mir_program_load(running, calls_itself, sizeof calls_itself - 1) == MIR_STATUS_OK);
        EXPECT(mir_program_link(running) == MIR_STATUS_OK && mir_program_link(running) == MIR_STATUS_BAD_PROGRAM);
        EXPECT(level < 0 || mir_program_compile(running, (uint32_t)level, MIR_WHEN_CALLED, NULL) == MIR_STATUS_OK);
        EXPECT(mir_program_limit(running, &limits) == MIR_STATUS_OK);
        EXPECT(mir_program_call(running, "f", &x, 1, &x, 1) == MIR_STATUS_OK && x.i == 2);
        EXPECT(mir_program_call(running, "f", &x, 0, &x, 1) == MIR_STATUS_BAD_ARGUMENT);
        EXPECT(mir_program_call(running, "h", &x, 1, &x, 1) == MIR_STATUS_NOT_FOUND);
        EXPECT(mir_program_grant(running, MIR_FIRST_WINDOW, &x, sizeof x, true) == MIR_STATUS_BAD_ARGUMENT);
        EXPECT(mir_program_revoke(running, MIR_FIRST_WINDOW) == MIR_STATUS_NOT_FOUND);
        EXPECT(mir_program_save(running, memory, 5) == MIR_STATUS_BAD_ARGUMENT);
        EXPECT(mir_program_call(running, "deep", &x, 1, &x, 1) == MIR_STATUS_STOPPED);
        const mir_fault *fault = mir_program_last_fault(running);
        EXPECT(fault->reason == MIR_REASON_STACK && fault->frame_count == MIR_MOST_FRAMES && fault->is_cut);
        EXPECT(strcmp(fault->frames[MIR_MOST_FRAMES - 1].function, "deep") == 0);
        mir_program_close(running);
    }
    mir_program_close(NULL);
}

#define STEP(call) status = status == MIR_STATUS_OK ? (call) : status

/* Opens, loads, links, compiles and calls, each step once all before it went well. */
static mir_status all_of_a_context(void) {
    const mir_settings settings = lent();
    mir_context *context;
    const mir_function *f;
    mir_value x = {.i = 20};
    mir_status status = mir_open(&settings, &context);
    if (status != MIR_STATUS_OK) {
        return status;
    }
    STEP(mir_define(context, name, &one_to_one, double_it, NULL));
    STEP(mir_load(context, text, strlen(text)));
    STEP(mir_link(context, NULL, NULL));
    STEP(mir_find(context, "f", &f));
    STEP(mir_call(context, f, &x, 1, &x, 1));
    STEP(mir_compile(context, 2, MIR_WHEN_CALLED, NULL));
    STEP(mir_call(context, f, &x, 1, &x, 1));
    if (status == MIR_STATUS_STOPPED && mir_last_fault(context)->reason == MIR_REASON_MEMORY) {
        status = MIR_STATUS_OUT_OF_MEMORY;
    }
    EXPECT(status != MIR_STATUS_OK || x.i == 80);
    mir_close(context);
    return status;
}

static uint32_t answer(void *state, mir_memory *seen, const mir_value *arguments, mir_value *results) {
    (void)state, (void)seen;
    results[0].i = arguments[0].i + 1;
    return 0;
}

static mir_status all_of_a_program(void) {
    const mir_settings settings = lent();
    const mir_limits limits = {.fuel = 1000000, .native_stack = 512 << 10};
    mir_program *program;
    mir_value x = {.i = 1};
    mir_status status = mir_program_open(&settings, &space, &program);
    if (status != MIR_STATUS_OK) {
        return status;
    }
    STEP(mir_program_limit(program, &limits));
    STEP(mir_program_define(program, "g", &one_to_one, answer, NULL));
    STEP(mir_program_load(program, calls_itself, sizeof calls_itself - 1));
    STEP(mir_program_link(program));
    STEP(mir_program_call(program, "f", &x, 1, &x, 1));
    STEP(mir_program_compile(program, 3, MIR_WHEN_NOW, NULL));
    STEP(mir_program_call(program, "f", &x, 1, &x, 1));
    if (status == MIR_STATUS_STOPPED && mir_program_last_fault(program)->reason == MIR_REASON_MEMORY) {
        status = MIR_STATUS_OUT_OF_MEMORY;
    }
    EXPECT(status != MIR_STATUS_OK || x.i == 3);
    mir_program_close(program);
    return status;
}

static void without_memory(mir_status (*all)(void)) {
    for (int goes_on = 0; goes_on < 2; goes_on++) {
        mir_status status = MIR_STATUS_OUT_OF_MEMORY;
        size_t number = 0;
        do {
            lender.goes_on = goes_on;
            lender.allocations = 0;
            lender.fails_at = number++;
            status = all();
            /* One failure alone may be made up for. */
            EXPECT(status == MIR_STATUS_OUT_OF_MEMORY || status == MIR_STATUS_OK);
            EXPECT(lender.blocks == 0);
        } while (lender.allocations > lender.fails_at && wrong == 0);
        printf("%lu allocations failed, one by one%s\n", (unsigned long)number - 1, goes_on ? " and all after them" : "");
        EXPECT(status == MIR_STATUS_OK && number > 20);
    }
}

int main(void) {
    long_names();
    checked_imports();
    other_signature();
    unaligned();
    wrong_program();
    wrong_arguments();
    busy_programs();
    with_import("i64, i64:x");
    without_memory(all_of_a_context);
    without_memory(all_of_a_program);
    printf("%s\n", wrong == 0 ? "all as it should be" : "something is wrong");
    return wrong != 0;
}
