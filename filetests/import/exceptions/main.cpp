// Exceptions: through several frames, from constructors and destructors, thrown again, caught by a base class, by a
// pointer, by anything, nested, through functions of C, by their specifications. It needs no header, so that it is
// compiled for any target; `expected.txt` is what g++'s code prints. With an argument it ends by an exception that
// nothing catches, or that comes to a function which promises to throw none.

extern "C" int printf(const char *, ...);
extern "C" void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));
extern "C" int fflush(void *);
namespace std { int uncaught_exceptions() noexcept; }

#define NOINLINE __attribute__((noinline))

struct Tracer {
    const char *name;
    explicit Tracer(const char *name) : name(name) { printf("+%s ", name); }
    ~Tracer() { printf("-%s ", name); }
};

struct Error { virtual ~Error() {} virtual const char *what() const { return "error"; } };
struct RangeError : Error { const char *what() const override { return "range"; } };
struct Left { int left = 1; virtual ~Left() {} };
struct Right { int right = 2; virtual ~Right() {} };
struct Both : Left, Right { int both = 3; };
struct Virtual : virtual Left { int more = 4; };

NOINLINE void thrower(int kind) {
    Tracer here("thrower");
    switch (kind) {
    case 0: throw 7;
    case 1: throw RangeError();
    case 2: throw Both();
    case 3: throw Virtual();
    case 4: throw "text";
    case 5: { static Both both; both.right = 22; throw &both; }
    case 6: throw 2.5L;
    case 7: throw (__int128)1 << 100;
    default: printf("returns ");
    }
}

NOINLINE void through(int kind, int depth) {
    Tracer here("through");
    if (depth) through(kind, depth - 1);
    else thrower(kind);
}

NOINLINE void catcher(int kind) {
    try {
        through(kind, 2);
    } catch (int number) {
        printf("int %d", number);
    } catch (const Error &error) {
        printf("error %s", error.what());
    } catch (const Right &right) {
        printf("right %d", right.right);
    } catch (Left left) {
        printf("left %d", left.left);
    } catch (const char *text) {
        printf("%s", text);
    } catch (Right *right) {
        printf("pointer %d", right->right);
    } catch (long double number) {
        printf("%d/10", (int)(number * 10));
    } catch (...) {
        printf("anything");
    }
    printf("\n");
}

struct Member {
    Tracer first{"first"};
    Tracer second;
    Member(int number) : second(number ? "second" : throw number) { if (number > 1) throw number; }
};

struct Element {
    Element() { static int made; printf("%d ", made); if (++made == 3) throw made; }
    ~Element() { printf("~ "); }
};

struct Thrower { ~Thrower() noexcept(false) { printf("throws "); throw 5; } };

NOINLINE int compare(const void *a, const void *b) {
    Tracer here("compare");
    int left = *(const int *)a, right = *(const int *)b;
    if (left == 3 || right == 3) throw "three";
    return left - right;
}

NOINLINE long many(int a, long b, double c, float d, long e, long f, long g, long h, double i, int j, long k) {
    if (j == 9) throw a + b + (long)c + (long)d + e + f + g + h + (long)i + k;
    return a + b * 2 + (long)c * 3 + (long)d * 4 + e * 5 + f * 6 + g * 7 + h * 8 + (long)i * 9 + j * 10 + k * 11;
}

struct Big { long words[9]; };
NOINLINE Big big(Big from, int kind) {
    if (kind) throw from.words[kind];
    for (long &word : from.words) word *= 3;
    return from;
}

NOINLINE long double wide(long double x, __int128 y) {
    if (x > 3) throw y;
    return x + (long double)(long)(y >> 64);
}

NOINLINE void again(int kind) {
    try {
        thrower(kind);
    } catch (Error &) {
        printf("again ");
        throw;
    }
}

struct Counter { ~Counter() { printf("uncaught %d ", std::uncaught_exceptions()); } };

NOINLINE int by_flow(int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
        try {
            try {
                if (i % 3 == 0) throw i;
                if (i % 3 == 1) throw (double)i;
                sum += 1;
                continue;
            } catch (int k) {
                sum += k * 10;
                if (k == 6) throw 'c';
                if (k == 15) break;
            }
            sum += 100;
        } catch (double d) {
            sum += (int)d * 1000;
        } catch (char) {
            sum += 7;
        }
    }
    return sum;
}

NOINLINE void promises() noexcept { thrower(1); }

int main(int argc, char **argv) {
    for (int kind = 0; kind < 9; kind++) catcher(kind);
    for (int number = 0; number < 3; number++) {
        try { Member member(number); } catch (int thrown) { printf("member %d", thrown); }
        printf("\n");
    }
    try { Element array[5]; } catch (int made) { printf("made %d\n", made); }
    try { Thrower thrower; } catch (int number) { printf("destructor %d\n", number); }
    try {
        int numbers[] = {5, 2, 3, 1};
        qsort(numbers, 4, sizeof *numbers, compare);
    } catch (const char *text) {
        printf("%s\n", text);
    }
    try {
        printf("%ld ", many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
        printf("%ld ", many(1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 11));
    } catch (long sum) {
        printf("sum %ld\n", sum);
    }
    try {
        Big from = {{1, 2, 3, 4, 5, 6, 7, 8, 9}};
        from = big(from, 0);
        printf("%ld %ld ", from.words[0], from.words[8]);
        from = big(from, 4);
    } catch (long word) {
        printf("word %ld\n", word);
    }
    try {
        printf("%d ", (int)(wide(1.5L, (__int128)3 << 64) * 10));
        wide(3.5L, (__int128)5 << 64 | 9);
    } catch (__int128 wide) {
        printf("%ld %ld\n", (long)(wide >> 64), (long)wide);
    }
    try { again(1); } catch (const RangeError &error) { printf("%s\n", error.what()); }
    try { Counter counter; Counter other; thrower(0); } catch (int) { printf("%d\n", std::uncaught_exceptions()); }
    printf("%d\n", by_flow(20));
    if (argc > 1) {
        fflush(0);
        Tracer here("never");
        if (argv[1][0] == 'n') promises();
        through(1, 1);
    }
}
