/* A program in Medium IR inside a program in C: memory from a static array, imports that are C functions, a function of
 * the program called from C by its address, and errors as codes with a text. */
#include <mir_nostd.h>
#include <stdio.h>
#include <string.h>

/* A heap as firmware may have one: blocks in order, and all is free again when the last one is. */
static _Alignas(16) unsigned char heap[512 * 1024];
static size_t used, blocks, most = sizeof heap;

static void *take(void *state, size_t size, size_t alignment) {
    (void)state;
    size_t start = (used + alignment - 1) & ~(alignment - 1);
    if (start > most || size > most - start) {
        return NULL;
    }
    used = start + size;
    blocks++;
    return heap + start;
}

static void give_back(void *state, void *block, size_t size, size_t alignment) {
    (void)state, (void)block, (void)size, (void)alignment;
    if (--blocks == 0) {
        used = 0;
    }
}

static const char program[] =
    "m:      module\n"
    "        import report\n"
    "        export sum, apply, divide, forever\n"
    "p_one:  proto d, d:x\n"
    "p_say:  proto i64:n, d:x\n"
    "p_int:  proto i64, i64:n\n"
    "sum:    func i64, i64:n\n"
    "        local i64:s\n"
    "        mov s, 0\n"
    "again:  ble done, n, 0\n"
    "        add s, s, n\n"
    "        sub n, n, 1\n"
    "        jmp again\n"
    "done:   ret s\n"
    "        endfunc\n"
    "apply:  func d, p:f, d:x\n"
    "        local d:y\n"
    "        call p_one, f, y, x\n"
    "        dadd y, y, 0.5\n"
    "        call p_say, report, 7, y\n"
    "        ret y\n"
    "        endfunc\n"
    "divide: func i64, i64:a, i64:b\n"
    "        div a, a, b\n"
    "        ret a\n"
    "        endfunc\n"
    "forever: func i64, i64:n\n"
    "        local i64:r\n"
    "        call p_int, forever, r, n\n"
    "        ret r\n"
    "        endfunc\n"
    "        endmodule\n";

static double half(double x) {
    return x / 2;
}

static void report(int64_t n, double x) {
    printf("the program reports %d: %g\n", (int)n, x);
}

static void *resolve(void *state, const char *name) {
    (void)state;
    return strcmp(name, "report") == 0 ? (void *)(uintptr_t)report : NULL;
}

static int expect(mir_context *context, const char *what, mir_status status, mir_status wanted) {
    printf("%s: %s%s%s\n", what, mir_status_text(status), status == MIR_STATUS_OK ? "" : ": ", mir_message(context));
    /* A call that went well has nothing to say, and one that failed always has. */
    return status == wanted && (status == MIR_STATUS_OK) == (mir_message(context)[0] == 0) ? 0 : 1;
}

static int run(void) {
    const mir_settings settings = {.allocator = {NULL, take, give_back}};
    mir_context *context;
    const mir_function *sum, *apply, *divide, *missing;
    mir_value arguments[2], result;
    int wrong = 0;

    if (mir_open(&settings, &context) != MIR_STATUS_OK) {
        return 1;
    }
    wrong += expect(context, "what is no program", mir_load(context, "what", 4), MIR_STATUS_BAD_PROGRAM);
    static const char bad[] = "m: module\nf: func i64\n ret 1, 2\n endfunc\n endmodule\n";
    wrong += expect(context, "a program that is wrong", mir_load(context, bad, sizeof bad - 1), MIR_STATUS_BAD_PROGRAM);
    wrong += expect(context, "the program", mir_load(context, program, sizeof program - 1), MIR_STATUS_OK);
    wrong += expect(context, "link without its import", mir_link(context, NULL, NULL), MIR_STATUS_NOT_LINKED);
    wrong += expect(context, "link", mir_link(context, resolve, NULL), MIR_STATUS_OK);

    wrong += expect(context, "a function that is not there", mir_find(context, "product", &missing), MIR_STATUS_NOT_FOUND);
    wrong += mir_find(context, "sum", &sum) != MIR_STATUS_OK;
    wrong += mir_find(context, "apply", &apply) != MIR_STATUS_OK;
    wrong += mir_find(context, "divide", &divide) != MIR_STATUS_OK;
    if (wrong != 0) {
        return 1;
    }
    arguments[0].i = 1000;
    wrong += expect(context, "sum(1000)", mir_call(context, sum, arguments, 1, &result, 1), MIR_STATUS_OK);
    printf("  = %ld\n", (long)result.i);
    wrong += result.i != 500500;

    arguments[0].p = (void *)(uintptr_t)half;
    arguments[1].d = 9.0;
    wrong += expect(context, "apply(half, 9)", mir_call(context, apply, arguments, 2, &result, 1), MIR_STATUS_OK);
    printf("  = %g\n", result.d);
    wrong += result.d != 5.0;

    int64_t (*callable)(int64_t) = (int64_t (*)(int64_t))(uintptr_t)mir_address(sum);
    if (callable != NULL) {
        printf("called by its address: sum(10) = %ld\n", (long)callable(10));
        wrong += callable(10) != 55;
    } else {
        wrong++;
    }

    arguments[0].i = 1;
    arguments[1].i = 0;
    wrong += expect(context, "divide(1, 0)", mir_call(context, divide, arguments, 2, &result, 1), MIR_STATUS_STOPPED);
    wrong += expect(context, "too few arguments", mir_call(context, divide, arguments, 1, &result, 1), MIR_STATUS_BAD_ARGUMENT);
    const mir_limits limits = {.stack = 64 * 1024, .depth = 100};
    wrong += mir_limit(context, &limits) != MIR_STATUS_OK;
    wrong += mir_find(context, "forever", &missing) != MIR_STATUS_OK;
    wrong += expect(context, "forever", mir_call(context, missing, arguments, 1, &result, 1), MIR_STATUS_STOPPED);
    mir_close(context);

    printf("blocks left: %zu\n", blocks);
    wrong += blocks != 0;
    /* With too little memory each step says so, and nothing is lost. */
    for (most = 0; most < 16 * 1024; most += 512) {
        mir_status status = mir_open(&settings, &context);
        if (status == MIR_STATUS_OK) {
            status = mir_load(context, program, sizeof program - 1);
            mir_close(context);
        }
        wrong += (status != MIR_STATUS_OK && status != MIR_STATUS_OUT_OF_MEMORY) || blocks != 0;
    }
    return wrong;
}

int main(void) {
    int wrong = run();
    printf("%s\n", wrong == 0 ? "all as it should be" : "something is wrong");
    return wrong;
}
