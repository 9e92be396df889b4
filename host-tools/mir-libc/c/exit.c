// The life of a program and its only thread: functions that it registers for its end. The module's own destructor calls them: as the
// library is loaded last, that is before the destructors of the program.

struct registered {
    struct registered *before;
    void (*function)(void *);
    void *argument;
};

static struct registered *last;

// What C++ programs pass with their destructors: its address tells objects apart.
void *__dso_handle;

int __cxa_atexit(void (*function)(void *), void *argument, void *object) {
    (void)object;
    struct registered *next = malloc(sizeof *next);
    if (next == NULL)
        return -1;
    next->before = last;
    next->function = function;
    next->argument = argument;
    last = next;
    return 0;
}

// Calls a function that takes nothing, whose address is the argument.
static void call(void *argument) { ((void (*)(void))argument)(); }

int atexit(void (*function)(void)) { return __cxa_atexit(call, (void *)function, NULL); }

// A function that is called may register others, which are called next.
__attribute__((destructor)) static void finish(void) {
    while (last != NULL) {
        struct registered *now = last;
        last = now->before;
        now->function(now->argument);
    }
}

// The description of a thread-local variable, as compilers lay it out that emulate them.
struct described {
    u64 size, align;
    void *copy;
    const void *template;
};

// Returns the address of the only thread's copy of a variable.
void *__emutls_get_address(struct described *variable) {
    if (variable->copy == NULL) {
        // Blocks begin at multiples of 16.
        u64 rest = variable->align > 16 ? variable->align - 16 : 0;
        char *block = malloc(variable->size + rest);
        if (block == NULL)
            abort();
        void *copy = block + (-(u64)block & rest);
        if (variable->template != NULL)
            memcpy(copy, variable->template, variable->size);
        else
            memset(copy, 0, variable->size);
        variable->copy = copy;
    }
    return variable->copy;
}
