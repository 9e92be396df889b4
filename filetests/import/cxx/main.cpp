// Objects of static life in two files, of which this one has `main`: their constructors by priority
// and file, their destructors in the reverse order, at the end of `main` and by `exit`.
extern "C" int puts(const char *);
extern "C" int atexit(void (*)());
extern "C" void exit(int) __attribute__((noreturn));

struct Noted {
    const char *end;
    Noted(const char *begin, const char *end) : end(end) { puts(begin); }
    ~Noted() { puts(end); }
};

struct Other {
    int number;
    Other();
    ~Other();
};
extern Other other;

static Noted here("main's", "end of main's");
static Noted late __attribute__((init_priority(300)))("main's 300", "end of main's 300");
__attribute__((constructor(101))) static void first() { puts("first"); }
__attribute__((destructor(101))) static void last() { puts("last"); }
__attribute__((destructor)) static void almost() { puts("almost"); }

static void registered() { puts("registered"); }

int main(int count, char **) {
    static Noted local("local", "end of local");
    atexit(registered);
    puts(other.number == 42 ? "main" : "main, too early");
    if (count > 1)
        exit(3);
    return 0;
}
