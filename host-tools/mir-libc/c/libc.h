// The types and names that the parts share.
//
// The library is compiled once, for x86_64, and runs on every target. So nothing here may depend
// on byte order: no memory is read as another type than it was written as, no structure is passed
// or returned by value (clang packs those), and no constant but bytes and addresses lies in data.
// Nor on `long double` or `va_list`: what depends on these is written in Medium IR, in
// variable.mir.

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long u64;
typedef long i64;
typedef unsigned long size_t;

#define NULL ((void *)0)
#define INT_MAX 2147483647
#define LONG_MAX 9223372036854775807L
#define EOF (-1)
#define ERANGE 34

// The functions that the runtime provides.
i64 write(i64 handle, const void *bytes, i64 count);
i64 read(i64 handle, void *bytes, i64 count);
u64 __heap_start(void);
u64 __heap_end(void);
_Noreturn void exit(int status);

// The functions of variable.mir. The first two return an argument of a list and go on to the next;
// a double comes as its bits, a long double as the address of its bytes.
i64 __next_word(void *list);
u64 __next_double(void *list);
const u64 *__next_long_double(void *list);
// Stores the long double 1.
void __store_one(u64 *to);

void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int value, size_t size);
size_t strlen(const char *text);
size_t strnlen(const char *text, size_t most);
void *malloc(size_t size);
void free(void *block);

// A stream: the number of a handle. It is a byte, which lies in data as it is everywhere.
typedef struct {
    u8 handle;
} FILE;

// Writes all bytes to a handle; returns 0, or EOF.
static int write_all(i64 handle, const char *bytes, size_t count);

static int *error_number(void);
