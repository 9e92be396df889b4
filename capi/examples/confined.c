/* A program that nobody trusts, run beside C code that goes on whatever it does: memory of its own, a window that it may only read, an
 * import that sees its memory, fuel, faults, and a copy of its memory that takes it back. Each engine does the same. */
#include "host.h"
#include <stdio.h>
#include <string.h>

static const char text[] =
    "m:      module\n"
    "        import say, twice\n"
    "        export count, peek, spoil, forever, ask\n"
    "p_say:  proto p:at\n"
    "p_ask:  proto i64, p:f, i64:n\n"
    "calls:  i64 0\n"
    "hello:  string \"the program says hello\\000\"\n"
    "count:  func i64, p:at, i64:n\n" /* how many bytes of a window are spaces */
    "        local i64:r, i64:c\n"
    "        mov c, calls\n"
    "        add i64:(c), i64:(c), 1\n"
    "        call p_say, say, hello\n"
    "        mov r, 0\n"
    "again:  ble done, n, 0\n"
    "        sub n, n, 1\n"
    "        eq c, u8:(at, n), 32\n"
    "        add r, r, c\n"
    "        jmp again\n"
    "done:   ret r\n"
    "        endfunc\n"
    "peek:   func i64, p:at\n"
    "        ret i64:(at)\n"
    "        endfunc\n"
    "spoil:  func p:at\n"
    "        mov u8:(at), 0\n"
    "        ret\n"
    "        endfunc\n"
    "forever: func\n"
    "more:   jmp more\n"
    "        endfunc\n"
    "half:   func i64, i64:n\n"
    "        div n, n, 2\n"
    "        ret n\n"
    "        endfunc\n"
    "ask:    func i64, i64:n\n"
    "        call p_ask, twice, n, half, n\n"
    "        ret n\n"
    "        endfunc\n"
    "        endmodule\n";

static uint32_t say(void *state, mir_memory *memory, const mir_value *arguments, mir_value *results) {
    const char *words = mir_memory_string(memory, arguments[0].u);
    (void)state, (void)results;
    if (words == NULL) {
        return MIR_BAD_ADDRESS;
    }
    printf("%s\n", words);
    return 0;
}

/* Calls a function of the program by its value, with a value that it got, and again with the result. */
static uint32_t twice(void *state, mir_memory *memory, const mir_value *arguments, mir_value *results) {
    mir_value half = arguments[1];
    (void)state;
    for (int time = 0; time < 2; time++) {
        if (mir_memory_call(memory, NULL, arguments[0].u, &half, 1, &half, 1) != MIR_STATUS_OK) {
            return MIR_CALL_FAILED;
        }
    }
    results[0] = half;
    return 0;
}

static int check(mir_program *program, mir_status status) {
    if (status != MIR_STATUS_OK) {
        printf("%s: %s\n", mir_status_text(status), mir_program_message(program));
    }
    return status != MIR_STATUS_OK;
}

static int expect(mir_program *program, const char *what, mir_status status, mir_reason reason) {
    const mir_fault *fault = mir_program_last_fault(program);
    printf("%s: %s\n", what, status == MIR_STATUS_OK ? "done" : mir_program_message(program));
    return fault == NULL || status != MIR_STATUS_STOPPED || fault->reason != reason;
}

/* Runs the program interpreted, if the level is negative, or compiled; gives the fuel that is left and the hash of its memory. */
static int run(int level, uint64_t outcome[2]) {
    static _Alignas(16) unsigned char memory[16384], copy[sizeof memory];
    char packet[] = "a packet from nobody knows where";
    const mir_settings settings = host_settings(level >= 0);
    const mir_space space = {.memory = memory, .size = sizeof memory, .has_windows = true};
    const mir_limits limits = {.fuel = 100000, .native_stack = 256 << 10};
    const mir_type types[] = {MIR_TYPE_I64, MIR_TYPE_P, MIR_TYPE_I64};
    const mir_signature of_say = {NULL, 0, types + 1, 1}, of_twice = {types, 1, types + 1, 2};
    mir_program *program;
    mir_value arguments[2], result;
    size_t left = 0;
    memset(memory, 0, sizeof memory);
    int wrong = mir_program_open(&settings, &space, &program);
    if (wrong != 0) {
        return 1;
    }
    wrong += check(program, mir_program_define(program, "say", &of_say, say, NULL));
    wrong += check(program, mir_program_define(program, "twice", &of_twice, twice, NULL));
    wrong += check(program, mir_program_load(program, text, sizeof text - 1));
    wrong += check(program, mir_program_link(program));
    if (level >= 0) {
        wrong += check(program, mir_program_compile(program, (uint32_t)level, MIR_WHEN_NOW, &left));
    }
    wrong += check(program, mir_program_limit(program, &limits));
    wrong += check(program, mir_program_grant(program, MIR_FIRST_WINDOW, packet, sizeof packet, false));
    wrong += check(program, mir_program_save(program, copy, sizeof copy));
    if (wrong != 0 || left != 0) {
        return 1;
    }
    uint64_t before = mir_program_hash(program);

    arguments[0].u = MIR_FIRST_WINDOW;
    arguments[1].u = sizeof packet;
    wrong += check(program, mir_program_call(program, "count", arguments, 2, &result, 1));
    printf("%s: %ld spaces\n", packet, (long)result.i);
    wrong += result.i != 5;
    outcome[0] = mir_program_fuel(program);
    arguments[0].i = 20;
    wrong += mir_program_call(program, "ask", arguments, 1, &result, 1) != MIR_STATUS_OK || result.i != 5;

    arguments[0].u = 0;
    wrong += expect(program, "a null pointer", mir_program_call(program, "peek", arguments, 1, &result, 1), MIR_REASON_ADDRESS);
    arguments[0].p = memory;
    wrong += expect(program, "an address of C's", mir_program_call(program, "peek", arguments, 1, &result, 1), MIR_REASON_ADDRESS);
    arguments[0].u = MIR_FIRST_WINDOW;
    wrong += expect(program, "a write to the packet", mir_program_call(program, "spoil", arguments, 1, NULL, 0), MIR_REASON_ADDRESS);
    wrong += mir_program_last_fault(program)->value != MIR_FIRST_WINDOW || packet[0] != 'a';
    wrong += expect(program, "a loop without end", mir_program_call(program, "forever", NULL, 0, NULL, 0), MIR_REASON_FUEL);

    outcome[1] = mir_program_hash(program);
    wrong += outcome[1] == before; /* it counts its calls */
    wrong += mir_program_restore(program, copy, sizeof copy) != MIR_STATUS_OK || mir_program_hash(program) != before;
    mir_program_close(program);
    return wrong;
}

int main(void) {
    uint64_t first[2], outcome[2];
    int wrong = run(-1, first);
    for (int level = 0; level <= MIR_HIGHEST_LEVEL; level++) {
        wrong += run(level, outcome);
        wrong += memcmp(first, outcome, sizeof first) != 0;
    }
    printf("%s\n", wrong == 0 ? "all as it should be" : "something is wrong");
    return wrong;
}
