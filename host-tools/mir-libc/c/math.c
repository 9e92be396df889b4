// The mathematical functions whose results are exact, or of which the nearest double is easily
// found, in integers.

#define SIGN (1UL << 63)
#define INFINITY_BITS (0x7FFUL << 52)
#define QUIET_NAN (0xFFFUL << 51)

static u64 bits_of_double(double value) {
    return ((double_bits){.value = value}).bits;
}

// Not inlined: LLVM would see the functions of C in what is done to the bits, and call them.
__attribute__((noinline)) static double double_of_bits(u64 bits) {
    return ((double_bits){.bits = bits}).value;
}

double fabs(double x) {
    return double_of_bits(bits_of_double(x) & ~SIGN);
}

double copysign(double x, double y) {
    return double_of_bits((bits_of_double(x) & ~SIGN) | (bits_of_double(y) & SIGN));
}

// The direction of a rounding to an integer.
enum direction { TO_ZERO, DOWN, UP, NEAREST_EVEN, NEAREST_AWAY };

// Rounds to an integer.
static double to_integer(double x, enum direction direction) {
    u64 bits = bits_of_double(x), sign = bits & SIGN;
    int exponent = ((int)(bits >> 52) & 0x7FF) - 1023;
    if (exponent >= 52)
        return x;
    // What one is in the bits; all of a number below 1 is fraction.
    u64 unit = exponent >= 0 ? 1UL << (52 - exponent) : 0;
    u64 size = bits & ~SIGN, one = 1023UL << 52;
    u64 fraction = exponent >= 0 ? bits & (unit - 1) : size;
    u64 half = exponent >= 0 ? unit / 2 : 1022UL << 52;
    u64 whole = size - fraction;
    if (fraction == 0)
        return x;
    int odd = exponent > 0 ? (whole & unit) != 0 : exponent == 0;
    int up = direction == UP             ? sign == 0
             : direction == DOWN         ? sign != 0
             : direction == NEAREST_EVEN ? fraction > half || (fraction == half && odd)
             : direction == NEAREST_AWAY ? fraction >= half
                                         : 0;
    if (up)
        whole = exponent >= 0 ? whole + unit : one;
    return double_of_bits(sign | whole);
}

double trunc(double x) { return x != x ? x : to_integer(x, TO_ZERO); }
double floor(double x) { return x != x ? x : to_integer(x, DOWN); }
double ceil(double x) { return x != x ? x : to_integer(x, UP); }
double round(double x) { return x != x ? x : to_integer(x, NEAREST_AWAY); }
double rint(double x) { return x != x ? x : to_integer(x, NEAREST_EVEN); }
double nearbyint(double x) { return rint(x); }
double roundeven(double x) { return rint(x); }

// Takes a positive finite number apart: returns its mantissa, of 53 bits, for the exponent.
static u64 mantissa_of(u64 bits, int *exponent) {
    int biased = (int)(bits >> 52);
    u64 mantissa = bits << 12 >> 12;
    if (biased == 0) {
        int shift = __builtin_clzl(mantissa) - 11;
        *exponent = -1074 - shift;
        return mantissa << shift;
    }
    *exponent = biased - 1075;
    return mantissa | 1UL << 52;
}

// Returns the bits of `mantissa * 2^exponent` for a mantissa of at most 53 bits, rounded to nearest
// even where it is not exact.
static u64 assembled(u64 mantissa, int exponent) {
    if (mantissa == 0)
        return 0;
    int shift = __builtin_clzl(mantissa) - 11;
    mantissa <<= shift;
    exponent -= shift;
    if (exponent > 971)
        return INFINITY_BITS;
    if (exponent >= -1074)
        return ((u64)(exponent + 1074) << 52) + mantissa;
    int lost = -1074 - exponent;
    if (lost > 53)
        return 0;
    u64 kept = mantissa >> lost, rest = mantissa & ((1UL << lost) - 1), half = 1UL << (lost - 1);
    return kept + (rest > half || (rest == half && (kept & 1)));
}

// The root is computed bit by bit: that of a mantissa of an even exponent, which is an integer of
// 54 bits when one is added for rounding.
double sqrt(double x) {
    u64 bits = bits_of_double(x);
    if (x != x || bits << 1 == 0 || bits == INFINITY_BITS)
        return x;
    if ((bits & SIGN) != 0)
        return double_of_bits(QUIET_NAN);
    int exponent;
    u64 mantissa = mantissa_of(bits, &exponent);
    if ((exponent & 1) != 0) {
        mantissa <<= 1;
        exponent--;
    }
    // The radicand is mantissa * 2^54; two of its bits come down for each bit of the root.
    u64 root = 0, rest = 0;
    for (int bit = 54; bit >= 0; bit--) {
        u64 two = bit >= 27 ? mantissa >> (2 * (bit - 27)) & 3 : 0;
        rest = rest << 2 | two;
        u64 trial = root << 2 | 1;
        root <<= 1;
        if (rest >= trial) {
            rest -= trial;
            root |= 1;
        }
    }
    // The root has 54 bits; the last one and the rest decide, and there is no tie.
    u64 rounded_up = (root >> 1) + (root & 1);
    return double_of_bits(assembled(rounded_up, (exponent - 54) / 2 + 1));
}

double ldexp(double x, int power) {
    u64 bits = bits_of_double(x), sign = bits & SIGN;
    if (x != x || bits << 1 == 0 || (bits & ~SIGN) == INFINITY_BITS)
        return x;
    int exponent;
    u64 mantissa = mantissa_of(bits & ~SIGN, &exponent);
    if (power > 5000)
        power = 5000;
    if (power < -5000)
        power = -5000;
    return double_of_bits(sign | assembled(mantissa, exponent + power));
}

double scalbn(double x, int power) {
    return ldexp(x, power);
}

double frexp(double x, int *power) {
    u64 bits = bits_of_double(x);
    *power = 0;
    if (x != x || bits << 1 == 0 || (bits & ~SIGN) == INFINITY_BITS)
        return x;
    int exponent;
    u64 mantissa = mantissa_of(bits & ~SIGN, &exponent);
    *power = exponent + 53;
    return double_of_bits((bits & SIGN) | assembled(mantissa, -53));
}

double modf(double x, double *whole) {
    *whole = trunc(x);
    if (fabs(x) == double_of_bits(INFINITY_BITS))
        return copysign(0.0, x);
    return copysign(x - *whole, x);
}

// The remainder is exact: the mantissa is divided bit by bit.
double fmod(double x, double y) {
    u64 one = bits_of_double(x) & ~SIGN, other = bits_of_double(y) & ~SIGN;
    if (x != x || y != y || one == INFINITY_BITS || other == 0)
        return x != x ? x : y != y ? y : double_of_bits(QUIET_NAN);
    if (one < other || one == 0)
        return x;
    int exponent, least;
    u64 rest = mantissa_of(one, &exponent), divisor = mantissa_of(other, &least);
    for (;; exponent--) {
        if (rest >= divisor)
            rest -= divisor;
        if (exponent == least)
            break;
        rest <<= 1;
    }
    return double_of_bits((bits_of_double(x) & SIGN) | assembled(rest, least));
}

double fmin(double x, double y) {
    return x != x ? y : y != y ? x : x < y || (x == y && (bits_of_double(x) & SIGN)) ? x : y;
}

double fmax(double x, double y) {
    return x != x ? y : y != y ? x : x > y || (x == y && (bits_of_double(y) & SIGN)) ? x : y;
}

// A float is a double, and what is exact for doubles is for floats; the root of one, rounded twice,
// is too, as a double has more than twice the bits.
float sqrtf(float x) { return (float)sqrt(x); }
float fabsf(float x) { return (float)fabs(x); }
float floorf(float x) { return (float)floor(x); }
float ceilf(float x) { return (float)ceil(x); }
float truncf(float x) { return (float)trunc(x); }
float roundf(float x) { return (float)round(x); }
float rintf(float x) { return (float)rint(x); }
float fmodf(float x, float y) { return (float)fmod(x, y); }

// The rounding mode is always that to nearest, whose number is 0 on every target.
int fegetround(void) { return 0; }
int fesetround(int mode) { return mode != 0; }
