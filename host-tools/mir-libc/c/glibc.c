// The names that programs have for some functions when they are compiled with glibc's headers.

// The tables have entries for the values of `signed char`, `unsigned char` and EOF. They are made
// when they are first asked for.
#define LOWEST (-128)
#define ENTRIES 384

static u8 *classes;
static int *lower, *upper;

// Bits 0 to 7 of a class are in the second byte of its two, and bits 8 to 11 in the first: so glibc
// has it in either byte order.
static void classify(u8 *to, int c) {
    to[1] = (u8)(isupper(c) | islower(c) << 1 | isalpha(c) << 2 | isdigit(c) << 3 |
                 isxdigit(c) << 4 | isspace(c) << 5 | isprint(c) << 6 | isgraph(c) << 7);
    to[0] = (u8)(isblank(c) | iscntrl(c) << 1 | ispunct(c) << 2 | isalnum(c) << 3);
}

static void make_tables(void) {
    u8 *memory = malloc(ENTRIES * (2 + 2 * sizeof(int)));
    lower = (int *)memory - LOWEST;
    upper = lower + ENTRIES;
    classes = memory + ENTRIES * 2 * sizeof(int) - 2 * LOWEST;
    for (int c = LOWEST; c < LOWEST + ENTRIES; c++) {
        classify(classes + 2 * c, c);
        lower[c] = c < 0 && c != EOF ? c + 256 : tolower(c);
        upper[c] = c < 0 && c != EOF ? c + 256 : toupper(c);
    }
}

u8 **__ctype_b_loc(void) {
    if (classes == NULL)
        make_tables();
    return &classes;
}

int **__ctype_tolower_loc(void) {
    if (lower == NULL)
        make_tables();
    return &lower;
}

int **__ctype_toupper_loc(void) {
    if (upper == NULL)
        make_tables();
    return &upper;
}

i64 __isoc23_strtol(const char *text, char **end, int base) { return strtol(text, end, base); }
i64 __isoc23_strtoll(const char *text, char **end, int base) { return strtol(text, end, base); }
u64 __isoc23_strtoul(const char *text, char **end, int base) { return strtoul(text, end, base); }
u64 __isoc23_strtoull(const char *text, char **end, int base) { return strtoul(text, end, base); }

_Noreturn void __assert_fail(const char *what, const char *file, u32 line, const char *function) {
    sink out;
    field plain = {0};
    plain.precision = -1;
    open(&out, stderr);
    put_string(&out, &plain, file);
    put_integer(&out, &plain, ":", line, 10, 0);
    put_string(&out, &plain, ": ");
    put_string(&out, &plain, function);
    put_string(&out, &plain, ": Assertion `");
    put_string(&out, &plain, what);
    put_string(&out, &plain, "' failed.\n");
    flush(&out);
    abort();
}
