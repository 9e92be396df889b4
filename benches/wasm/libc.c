// A C library for measuring: compiled with each program, for wasm32 and for our importer alike. Its one import is `write`.
#include "libc.h"
#include <stdarg.h>

#ifdef __wasm__
int write(int handle, const void *bytes, int count);
// The command line gives `main` this name.
int program(void);
__attribute__((export_name("run"))) int run(void) {
    return program();
}
#else
long write(long handle, const void *bytes, long count);
#endif

static char line[4096];
static int used;

static void flush(void) {
    write(1, line, used);
    used = 0;
}

int putchar(int byte) {
    line[used++] = (char)byte;
    if (byte == '\n' || used == sizeof line) {
        flush();
    }
    return byte;
}

int puts(const char *text) {
    while (*text != 0) {
        putchar(*text++);
    }
    return putchar('\n');
}

// Writes a number with at least so many digits.
static void number(unsigned long long value, unsigned base, int digits) {
    char text[32];
    int count = 0;
    do {
        text[count++] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value != 0 || count < digits);
    while (count > 0) {
        putchar(text[--count]);
    }
}

static void real(double value, int digits) {
    unsigned long long scale = 1;
    for (int digit = 0; digit < digits; digit++) {
        scale *= 10;
    }
    if (value < 0 || (value == 0 && __builtin_signbit(value))) {
        putchar('-');
        value = -value;
    }
    unsigned long long whole = (unsigned long long)value;
    unsigned long long part = (unsigned long long)((value - (double)whole) * (double)scale + 0.5);
    whole += part >= scale;
    number(whole, 10, 1);
    if (digits > 0) {
        putchar('.');
        number(part >= scale ? part - scale : part, 10, digits);
    }
}

static void scientific(double value, int digits) {
    int exponent = 0;
    for (; value != 0 && value < 1; exponent--) {
        value *= 10;
    }
    for (; value >= 10; exponent++) {
        value /= 10;
    }
    real(value, digits);
    putchar('e');
    putchar(exponent < 0 ? '-' : '+');
    number((unsigned)(exponent < 0 ? -exponent : exponent), 10, 2);
}

static void text(const char *from, int most) {
    while (*from != 0 && most-- != 0) {
        putchar(*from++);
    }
}

// The formats are those that the programs have.
int printf(const char *format, ...) {
    va_list list;
    va_start(list, format);
    for (; *format != 0; format++) {
        int width = 0, digits = -1, longs = 0;
        if (*format != '%') {
            putchar(*format);
            continue;
        }
        for (format++; *format >= '0' && *format <= '9'; format++) {
            width = 10 * width + *format - '0';
        }
        if (*format == '.') {
            digits = 0;
            for (format++; *format >= '0' && *format <= '9'; format++) {
                digits = 10 * digits + *format - '0';
            }
        }
        for (; *format == 'l'; format++) {
            longs++;
        }
        if (*format == 's') {
            text(va_arg(list, const char *), digits);
        } else if (*format == 'f') {
            real(va_arg(list, double), digits < 0 ? 6 : digits);
        } else if (*format == 'e') {
            scientific(va_arg(list, double), digits);
        } else if (*format == 'd') {
            long long value = longs == 0 ? va_arg(list, int) : longs == 1 ? va_arg(list, long) : va_arg(list, long long);
            if (value < 0) {
                putchar('-');
            }
            number(value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value, 10, width);
        } else {
            unsigned long long value =
                longs == 0 ? va_arg(list, unsigned) : longs == 1 ? va_arg(list, unsigned long) : va_arg(list, unsigned long long);
            number(value, *format == 'x' ? 16 : 10, width);
        }
    }
    va_end(list);
    return 0;
}

// Blocks of powers of two, in lists of free ones.
static _Alignas(16) char arena[48 << 20];
static size_t taken;
static struct block {
    _Alignas(16) size_t list;
    struct block *next;
} *free_blocks[32];

void *malloc(size_t size) {
    size_t list = 5;
    while (((size_t)1 << list) < size + 16) {
        list++;
    }
    struct block *block = free_blocks[list];
    if (block != NULL) {
        free_blocks[list] = block->next;
    } else {
        if (sizeof arena - taken < (size_t)1 << list) {
            return NULL;
        }
        block = (struct block *)(arena + taken);
        taken += (size_t)1 << list;
        block->list = list;
    }
    return (char *)block + 16;
}

void free(void *start) {
    if (start != NULL) {
        struct block *block = (struct block *)((char *)start - 16);
        block->next = free_blocks[block->list];
        free_blocks[block->list] = block;
    }
}

void *calloc(size_t count, size_t size) {
    void *block = malloc(count * size);
    return block == NULL ? NULL : memset(block, 0, count * size);
}

void *memcpy(void *restrict to, const void *restrict from, size_t size) {
    for (size_t at = 0; at < size; at++) {
        ((char *)to)[at] = ((const char *)from)[at];
    }
    return to;
}

void *memset(void *to, int byte, size_t size) {
    for (size_t at = 0; at < size; at++) {
        ((char *)to)[at] = (char)byte;
    }
    return to;
}

size_t strlen(const char *text) {
    size_t size = 0;
    while (text[size] != 0) {
        size++;
    }
    return size;
}
