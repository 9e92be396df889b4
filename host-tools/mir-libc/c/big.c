// Binary fixed-point numbers of any size, which hold floating-point values exactly.

#define BILLION 1000000000u

// A number: limb 0 is the least significant, and the first `fraction` ones are behind the point.
typedef struct {
    u32 *limbs;
    int count;
    int fraction;
} big;

// A part of a value: (high * 2^64 + low) * 2^exponent.
typedef struct {
    u64 high, low;
    int exponent;
} part;

static int bits_of(u64 word) {
    return word == 0 ? 0 : 64 - __builtin_clzl(word);
}

// Returns the exponent of the highest bit of a part, plus 1.
static int top_of(const part *p) {
    return p->exponent + (p->high != 0 ? 64 + bits_of(p->high) : bits_of(p->low));
}

// Adds `word * 2^weight`, where the weight is that of a bit that the number has.
static void add_word(big *number, u32 word, int weight) {
    int bit = weight + 32 * number->fraction;
    int at = bit >> 5;
    u64 carry = (u64)word << (bit & 31);
    for (; carry != 0 && at < number->count; at++) {
        carry += number->limbs[at];
        number->limbs[at] = (u32)carry;
        carry >>= 32;
    }
}

// Subtracts `word * 2^weight`, which is not more than the number.
static void subtract_word(big *number, u32 word, int weight) {
    int bit = weight + 32 * number->fraction;
    int at = bit >> 5;
    u64 borrow = (u64)word << (bit & 31);
    for (; borrow != 0 && at < number->count; at++) {
        u64 low = borrow & 0xFFFFFFFF, limb = number->limbs[at];
        number->limbs[at] = (u32)(limb - low);
        borrow = (borrow >> 32) + (limb < low);
    }
}

static void add_part(big *number, const part *p, int negative) {
    void (*apply)(big *, u32, int) = negative ? subtract_word : add_word;
    apply(number, (u32)p->low, p->exponent);
    apply(number, (u32)(p->low >> 32), p->exponent + 32);
    apply(number, (u32)p->high, p->exponent + 64);
    apply(number, (u32)(p->high >> 32), p->exponent + 96);
}

// Returns the 4 bits from `weight` on.
static u32 nibble(const big *number, int weight) {
    u32 value = 0;
    for (int n = 3; n >= 0; n--) {
        int bit = weight + n + 32 * number->fraction;
        u32 limb = bit >= 0 && bit >> 5 < number->count ? number->limbs[bit >> 5] : 0;
        value = value * 2 + (limb >> (bit & 31) & 1);
    }
    return value;
}

// Returns the weight of the lowest bit that is set; 0 if none is.
static int lowest(const big *number) {
    for (int at = 0; at < number->count; at++)
        if (number->limbs[at] != 0)
            return 32 * (at - number->fraction) + __builtin_ctz(number->limbs[at]);
    return 0;
}

// Returns the weight of the highest bit that is set, plus 1; that of the lowest limb if none is.
static int highest(const big *number) {
    int at = number->count - 1;
    while (at >= 0 && number->limbs[at] == 0)
        at--;
    return 32 * (at - number->fraction) + (at < 0 ? 32 : bits_of(number->limbs[at]));
}

// Divides `count` limbs; returns the remainder.
static u32 divide(u32 *limbs, int count, u32 divisor) {
    u64 rest = 0;
    for (int at = count - 1; at >= 0; at--) {
        rest = rest << 32 | limbs[at];
        limbs[at] = (u32)(rest / divisor);
        rest %= divisor;
    }
    return (u32)rest;
}

// Multiplies `count` limbs by `factor` and adds `carry`; returns what is above them.
static u32 multiply(u32 *limbs, int count, u32 factor, u32 carry) {
    u64 sum = carry;
    for (int at = 0; at < count; at++) {
        sum += (u64)limbs[at] * factor;
        limbs[at] = (u32)sum;
        sum >>= 32;
    }
    return (u32)sum;
}

static int is_zero_number(const big *number) {
    for (int at = 0; at < number->count; at++)
        if (number->limbs[at] != 0)
            return 0;
    return 1;
}
