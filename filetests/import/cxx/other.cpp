// An object in a file without `main`.
extern "C" int puts(const char *);

struct Other {
    int number;
    Other() : number(42) { puts("other"); }
    ~Other() { puts("end of other"); }
};

Other other __attribute__((init_priority(200)));
__attribute__((constructor(102))) static void second() { puts("second"); }
__attribute__((destructor(102))) static void before_last() { puts("before last"); }
__attribute__((constructor)) static void without_priority() { puts("without priority"); }
