/* A function in Medium IR, compiled at each level and in each way, and called from C: an import that is checked against its signature,
 * fuel, and a fault with its place. */
#include "host.h"
#include <stdio.h>

static const char text[] =
    "m:      module\n"
    "        import report\n"
    "        export sum, divide\n"
    "p:      proto i64:n\n"
    "sum:    func i64, i64:n\n"
    "        local i64:s\n"
    "        mov s, 0\n"
    "again:  ble done, n, 0\n"
    "        add s, s, n\n"
    "        sub n, n, 1\n"
    "        jmp again\n"
    "done:   call p, report, s\n"
    "        ret s\n"
    "        endfunc\n"
    "divide: func i64, i64:a, i64:b\n"
    "        div a, a, b\n"
    "        ret a\n"
    "        endfunc\n"
    "        endmodule\n";

static uint32_t report(void *state, const mir_value *arguments, mir_value *results) {
    (void)results;
    printf("%s %ld\n", (const char *)state, (long)arguments[0].i);
    return 0;
}

static int check(mir_context *context, mir_status status) {
    if (status != MIR_STATUS_OK) {
        printf("%s: %s\n", mir_status_text(status), mir_message(context));
    }
    return status != MIR_STATUS_OK;
}

static int run(uint32_t level, mir_when when) {
    mir_settings settings = host_settings(true);
    settings.is_metered = true;
    const mir_limits limits = {.fuel = 1000000, .stack = 1 << 20, .depth = 1000, .native_stack = 256 << 10};
    const mir_type types[] = {MIR_TYPE_I64};
    const mir_signature signature = {NULL, 0, types, 1};
    mir_context *context;
    const mir_function *sum, *divide;
    mir_value arguments[2] = {{.i = 1000}}, result;
    size_t left = 1;
    char shown[80];
    int wrong = mir_open(&settings, &context);
    if (wrong != 0) {
        return 1;
    }
    wrong += check(context, mir_limit(context, &limits));
    wrong += check(context, mir_define(context, "report", &signature, report, "the program reports"));
    wrong += check(context, mir_load(context, text, sizeof text - 1));
    wrong += check(context, mir_link(context, NULL, NULL));
    wrong += check(context, mir_compile(context, level, when, &left));
    wrong += check(context, mir_find(context, "sum", &sum)) + check(context, mir_find(context, "divide", &divide));
    wrong += check(context, mir_call(context, sum, arguments, 1, &result, 1));
    printf("level %u: sum(1000) = %ld, %lu units of fuel\n", level, (long)result.i,
           (unsigned long)(limits.fuel - mir_fuel(context)));
    wrong += result.i != 500500 || left != 0;

    int64_t (*callable)(int64_t) = (int64_t (*)(int64_t))(uintptr_t)mir_address(sum);
    wrong += callable(10) != 55;

    arguments[1].i = 0;
    wrong += mir_call(context, divide, arguments, 2, &result, 1) != MIR_STATUS_STOPPED;
    const mir_fault *fault = mir_last_fault(context);
    wrong += fault->reason != MIR_REASON_DIVISION || fault->frame_count != 1 || fault->frames[0].instruction != 0;
    wrong += mir_show(&settings.allocator, text, sizeof text - 1, 0, fault->frames, shown, sizeof shown) != MIR_STATUS_OK;
    printf("%s: `%s`\n", mir_message(context), shown);
    /* The fuel does not suffice for as many rounds. */
    arguments[0].i = 1000000000;
    wrong += mir_call(context, sum, arguments, 1, &result, 1) != MIR_STATUS_STOPPED;
    wrong += mir_last_fault(context)->reason != MIR_REASON_FUEL;
    mir_close(context);
    return wrong;
}

int main(void) {
    int wrong = 0;
    for (uint32_t level = 0; level <= MIR_HIGHEST_LEVEL; level++) {
        for (mir_when when = MIR_WHEN_NOW; when <= MIR_WHEN_REACHED; when++) {
            wrong += run(level, when);
        }
    }
    printf("%s\n", wrong == 0 ? "all as it should be" : "something is wrong");
    return wrong;
}
