// Values of `double` and `long double`, taken apart.

enum kind { FINITE, INFINITE, NOT_A_NUMBER };

// A value: the sum of its parts, or their difference.
typedef struct {
    enum kind kind;
    int negative;
    int difference;
    // The weight of the first digit of %a; of a pair that of its highest bit.
    int lead;
    int pair;
    part parts[2];
} real;

// The formats that a long double has on one target or another.
enum format { EXTENDED, QUAD, QUAD_HIGH_FIRST, PAIR, DOUBLE };

// Returns the format of this target's long doubles: 1 looks different in each.
static enum format long_double_format(void) {
    u64 one[2] = {~0UL, ~0UL};
    __store_one(one);
    if (one[0] == 1UL << 63)
        return EXTENDED;
    if (one[0] == 0)
        return QUAD;
    if (one[0] == 0x3FFFUL << 48)
        return QUAD_HIGH_FIRST;
    return one[1] == 0 ? PAIR : DOUBLE;
}

static void take_double(real *value, u64 bits) {
    int exponent = (int)(bits >> 52) & 0x7FF;
    u64 fraction = bits << 12 >> 12;
    value->negative = (int)(bits >> 63);
    value->kind = exponent != 0x7FF ? FINITE : fraction == 0 ? INFINITE : NOT_A_NUMBER;
    if (exponent == 0)
        exponent = 1;
    else
        fraction |= 1UL << 52;
    value->lead = exponent - 1023;
    value->parts[0] = (part){0, fraction, exponent - 1075};
}

// Takes a value of the x87 apart. The first digit of %a is made of its highest four bits.
static void take_extended(real *value, u64 mantissa, u64 top) {
    int exponent = (int)top & 0x7FFF;
    value->negative = (int)(top >> 15) & 1;
    value->kind = exponent != 0x7FFF ? FINITE : mantissa << 1 == 0 ? INFINITE : NOT_A_NUMBER;
    if (exponent == 0)
        exponent = 1;
    value->lead = exponent - 16386;
    value->parts[0] = (part){0, mantissa, exponent - 16446};
}

static void take_quad(real *value, u64 high, u64 low) {
    int exponent = (int)(high >> 48) & 0x7FFF;
    u64 fraction = high << 16 >> 16;
    value->negative = (int)(high >> 63);
    value->kind = exponent != 0x7FFF       ? FINITE
                  : (fraction | low) == 0 ? INFINITE
                                          : NOT_A_NUMBER;
    if (exponent == 0)
        exponent = 1;
    else
        fraction |= 1UL << 48;
    value->lead = exponent - 16383;
    value->parts[0] = (part){fraction, low, exponent - 16495};
}

// Takes a sum of two doubles apart; the first is the larger one and says what the sum is.
static void take_pair(real *value, u64 first, u64 second) {
    real other = {0};
    take_double(value, first);
    if (value->kind != FINITE || second << 1 == 0)
        return;
    take_double(&other, second);
    if (other.kind != FINITE || first << 1 < second << 1) {
        *value = other;
        take_double(&other, first);
    }
    value->parts[1] = other.parts[0];
    value->difference = value->negative != other.negative;
    value->pair = 1;
}

static void take_long_double(real *value, const u64 *at) {
    switch (long_double_format()) {
    case EXTENDED:
        return take_extended(value, at[0], at[1]);
    case QUAD:
        return take_quad(value, at[1], at[0]);
    case QUAD_HIGH_FIRST:
        return take_quad(value, at[0], at[1]);
    case PAIR:
        return take_pair(value, at[0], at[1]);
    case DOUBLE:
        return take_double(value, at[0]);
    }
}

static int is_zero(const part *p) {
    return (p->high | p->low) == 0;
}

// Says how many limbs a value needs: those behind the point, and all; returns the weight of its
// highest bit, plus 1.
static int measure(const real *value, int *fraction, int *count) {
    int bottom = 0, top = -20000;
    for (int n = 0; n < 2; n++) {
        const part *p = &value->parts[n];
        if (is_zero(p))
            continue;
        bottom = p->exponent < bottom ? p->exponent : bottom;
        top = top_of(p) > top ? top_of(p) : top;
    }
    *fraction = (31 - bottom) / 32;
    // One more for a carry of rounding.
    *count = *fraction + (top > 0 ? (top + 31) / 32 : 0) + 1;
    return top;
}

// Stores a finite value in a number that has room for it.
static void load(big *number, const real *value) {
    memset(number->limbs, 0, (size_t)number->count * sizeof(u32));
    for (int n = 0; n < 2; n++)
        if (!is_zero(&value->parts[n]))
            add_part(number, &value->parts[n], n == 1 && value->difference);
}
