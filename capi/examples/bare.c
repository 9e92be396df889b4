/* A whole program for bare metal: nothing but the library, a static heap and a confined program. `main` returns the sum that the
 * program computes, or 0; what begins it and where it is linked is the board's. */
#include <mir_nostd.h>

static _Alignas(16) unsigned char heap[256 * 1024];
static size_t used;

/* Blocks in order, never given back. */
static void *take(void *state, size_t size, size_t alignment) {
    (void)state;
    size_t start = (used + alignment - 1) & ~(alignment - 1);
    if (start > sizeof heap || size > sizeof heap - start) {
        return NULL;
    }
    used = start + size;
    return heap + start;
}

static const char text[] =
    "m:      module\n"
    "        export sum\n"
    "sum:    func i64, i64:n\n"
    "        local i64:s\n"
    "        mov s, 0\n"
    "again:  ble done, n, 0\n"
    "        add s, s, n\n"
    "        sub n, n, 1\n"
    "        jmp again\n"
    "done:   ret s\n"
    "        endfunc\n"
    "        endmodule\n";

int main(void) {
    static _Alignas(16) unsigned char memory[4096];
    const mir_settings settings = {.allocator = {.allocate = take}};
    const mir_space space = {.memory = memory, .size = sizeof memory};
    const mir_limits limits = {.fuel = 10000};
    mir_program *program;
    mir_value n = {.i = 10}, sum = {.i = 0};
    if (mir_program_open(&settings, &space, &program) != MIR_STATUS_OK || mir_program_limit(program, &limits) != MIR_STATUS_OK ||
        mir_program_load(program, text, sizeof text - 1) != MIR_STATUS_OK || mir_program_link(program) != MIR_STATUS_OK ||
        mir_program_call(program, "sum", &n, 1, &sum, 1) != MIR_STATUS_OK) {
        return 0;
    }
    mir_program_close(program);
    return (int)sum.i;
}
