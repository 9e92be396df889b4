/* What the sides print with; and functions with integers of two words as C passes them, which call
   those of a side. */
#include <stdarg.h>
#include <stdio.h>

typedef __int128 wide;
typedef wide mixed(long, wide, long, long, wide, long, wide, int);
typedef wide split(long, long, long, long, long, long, long, wide, long);

void print(long high, long low) { printf("%016lx %016lx\n", high, low); }

void print_number(double number) { printf("%g\n", number); }

static void show(wide value) { print((long)(value >> 64), (long)value); }

/* Every second argument is an integer of two words. */
wide c_sum(int count, ...) {
    va_list list;
    va_start(list, count);
    wide sum = 0;
    for (int i = 0; i < count; i++) {
        sum = 3 * sum + va_arg(list, wide);
        sum -= va_arg(list, long);
    }
    va_end(list);
    return sum;
}

wide c_mixed(long a, wide b, long c, long d, wide e, long f, wide g, int h) {
    return a + 3 * b + 5 * c + 7 * d + 11 * e + 13 * f + 17 * g + 19 * h;
}

wide c_split(long a, long b, long c, long d, long e, long f, long g, wide h, long i) {
    return h - (wide)(unsigned long)((a + b + c + d + e + f + g) ^ i);
}

void c_check(void *const *functions) {
    wide large = (wide)0x12345678 << 64 | 0x1122334455667788;
    mixed *const mixes[] = {(mixed *)functions[0], c_mixed};
    split *const splits[] = {(split *)functions[1], c_split};
    for (int i = 0; i < 2; i++) {
        show(mixes[i](-1, large, 3, -4, -5 * large, 6, 7 * large, -8));
        show(splits[i](1, 2, 3, 4, 5, 6, 7, large, 9));
    }
}
