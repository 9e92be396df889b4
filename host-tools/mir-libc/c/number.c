// Numbers in text.

// Returns the value of a digit, 36 if it is none.
static u32 digit_value(char c) {
    if (isdigit(c))
        return (u32)(c - '0');
    return isalpha(c) ? (u32)((c | 32) - 'a' + 10) : 36;
}

// A text that is read: its sign, and what follows it.
static const char *after_sign(const char *text, int *negative) {
    while (isspace(*text))
        text++;
    *negative = *text == '-';
    return *text == '-' || *text == '+' ? text + 1 : text;
}

// Reads digits of a base; `too_large` says that they do not fit 64 bits. Returns where they end, or
// NULL if there are none.
static const char *read_digits(const char *text, u32 base, u64 *value, int *too_large) {
    const char *at = text;
    *value = 0;
    *too_large = 0;
    for (; digit_value(*at) < base; at++) {
        u64 next;
        *too_large |= __builtin_mul_overflow(*value, (u64)base, &next);
        *too_large |= __builtin_add_overflow(next, (u64)digit_value(*at), value);
    }
    return at == text ? NULL : at;
}

// Reads an integer as `strtoul` does; returns its size and leaves the sign to the caller.
static u64 read_integer(const char *text, char **end, int base, int *negative, int *too_large) {
    u64 value;
    const char *at = after_sign(text, negative);
    if ((base == 0 || base == 16) && at[0] == '0' && (at[1] | 32) == 'x' &&
        digit_value(at[2]) < 16) {
        at += 2;
        base = 16;
    }
    if (base == 0)
        base = *at == '0' ? 8 : 10;
    at = read_digits(at, (u32)base, &value, too_large);
    if (end != NULL)
        *end = (char *)(at == NULL ? text : at);
    return at == NULL ? 0 : value;
}

u64 strtoul(const char *text, char **end, int base) {
    int negative, too_large;
    u64 value = read_integer(text, end, base, &negative, &too_large);
    if (too_large) {
        *error_number() = ERANGE;
        return ~0UL;
    }
    return negative ? 0ul - value : value;
}

i64 strtol(const char *text, char **end, int base) {
    int negative, too_large;
    u64 value = read_integer(text, end, base, &negative, &too_large);
    u64 most = (u64)LONG_MAX + (u64)negative;
    if (too_large || value > most) {
        *error_number() = ERANGE;
        value = most;
    }
    return (i64)(negative ? 0ul - value : value);
}

u64 strtoull(const char *text, char **end, int base) { return strtoul(text, end, base); }
i64 strtoll(const char *text, char **end, int base) { return strtol(text, end, base); }
i64 atol(const char *text) { return strtol(text, NULL, 10); }
i64 atoll(const char *text) { return strtol(text, NULL, 10); }
int atoi(const char *text) { return (int)strtol(text, NULL, 10); }

// A binary format: the bits of its mantissa, the least exponent of its lowest bit, and that of its
// largest values.
typedef struct {
    int bits, least, most;
} binary;

static void set_format(binary *format, int bits, int bias) {
    format->bits = bits;
    format->least = 2 - bias - bits;
    format->most = bias + 1 - bits;
}

// The limbs of a number that is read: 768 digits decide how any double is rounded.
#define LIMBS 212
#define DIGITS 770

// Rounds `number * 2^exponent`, to even if two values are equally near; `more` says that the number
// is a bit larger. Returns the bits of the value without a sign.
static u64 rounded(const big *number, int exponent, int more, const binary *format) {
    int top = highest(number) + exponent;
    int unit = top - format->bits;
    if (unit < format->least)
        unit = format->least;
    u64 mantissa = 0;
    int from = unit - exponent;
    for (int bit = format->bits - 1; bit >= 0; bit--)
        mantissa = mantissa * 2 + (nibble(number, from + bit) & 1);
    int half = nibble(number, from - 1) & 1;
    if (half && (more || (mantissa & 1) || lowest(number) < from - 1))
        mantissa++;
    u64 biased = (u64)(unit - format->least);
    u64 bits = (biased << (format->bits - 1)) + mantissa;
    u64 infinite = (u64)(format->most - format->least + 2) << (format->bits - 1);
    if (bits >= infinite || unit > format->most) {
        *error_number() = ERANGE;
        return infinite;
    }
    return bits;
}

// A number in text: its digits without leading zeros, and the weight of the last one.
typedef struct {
    big number;
    i64 exponent;
    int digits;
    // True if digits that are not 0 were left out.
    int more;
} scanned;

// Reads the digits of a floating-point number. Returns where they end, or NULL if there are none.
static const char *scan_digits(scanned *s, const char *at, u32 base) {
    int any = 0, point = 0;
    for (;; at++) {
        if (*at == '.' && !point) {
            point = 1;
            continue;
        }
        u32 value = digit_value(*at);
        if (value >= base)
            break;
        any = 1;
        if (s->digits < DIGITS) {
            multiply(s->number.limbs, s->number.count, base, value);
            s->digits += s->digits > 0 || value != 0;
            s->exponent -= point;
        } else {
            s->more |= value != 0;
            s->exponent += !point;
        }
    }
    return any ? at : NULL;
}

// Reads an exponent, if there is one, and returns where it ends.
static const char *scan_exponent(i64 *exponent, const char *at, char letter) {
    if ((*at | 32) != letter)
        return at;
    const char *digits = at + 1;
    int negative = *digits == '-';
    if (*digits == '-' || *digits == '+')
        digits++;
    if (!isdigit(*digits))
        return at;
    i64 value = 0;
    for (; isdigit(*digits); digits++)
        if (value < 1000000)
            value = value * 10 + (*digits - '0');
    *exponent += negative ? -value : value;
    return digits;
}

// Returns the bits of the decimal number.
static u64 decimal_value(scanned *s, const binary *format) {
    big *number = &s->number;
    i64 place = s->digits + s->exponent;
    if (s->digits == 0)
        return 0;
    if (place > 400) {
        *error_number() = ERANGE;
        return rounded(number, 4000, 0, format);
    }
    if (place < -400) {
        *error_number() = ERANGE;
        return 0;
    }
    for (; s->exponent > 0; s->exponent--)
        multiply(number->limbs, number->count, 10, 0);
    if (s->exponent == 0)
        return rounded(number, 0, s->more, format);
    // So many limbs are put behind the number that a quotient by the power of ten has 64 bits.
    int behind = (int)(-s->exponent * 10 / 96) + 3;
    memmove(number->limbs + behind, number->limbs, (size_t)(number->count - behind) * sizeof(u32));
    memset(number->limbs, 0, (size_t)behind * sizeof(u32));
    for (int step; s->exponent < 0; s->exponent += step) {
        step = s->exponent <= -9 ? 9 : 1;
        s->more |= divide(number->limbs, number->count, step == 9 ? BILLION : 10) != 0;
    }
    return rounded(number, -32 * behind, s->more, format);
}

static int starts_with(const char *text, const char *word) {
    for (; *word != 0; text++, word++)
        if ((*text | 32) != *word)
            return 0;
    return 1;
}

// Reads a number, hexadecimal or not; returns where it ends, or NULL if there is none.
static const char *scan_number(const char *at, u64 *bits, const binary *format) {
    u32 limbs[LIMBS];
    scanned s = {{limbs, LIMBS, 0}, 0, 0, 0};
    memset(limbs, 0, sizeof limbs);
    if (at[0] == '0' && (at[1] | 32) == 'x') {
        const char *end = scan_digits(&s, at + 2, 16);
        if (end != NULL) {
            s.exponent *= 4;
            end = scan_exponent(&s.exponent, end, 'p');
            i64 exponent = s.exponent < -20000 ? -20000 : s.exponent > 20000 ? 20000 : s.exponent;
            *bits = s.digits == 0 ? 0 : rounded(&s.number, (int)exponent, s.more, format);
            return end;
        }
        *bits = 0;
        return at + 1;
    }
    const char *end = scan_digits(&s, at, 10);
    if (end == NULL)
        return NULL;
    end = scan_exponent(&s.exponent, end, 'e');
    *bits = decimal_value(&s, format);
    return end;
}

// Reads a value in a format; returns its bits.
static u64 read_value(const char *text, char **end, const binary *format) {
    int negative;
    u64 bits = 0, infinite = (u64)(format->most - format->least + 2) << (format->bits - 1);
    const char *at = after_sign(text, &negative);
    if (starts_with(at, "infinity")) {
        at += 8;
        bits = infinite;
    } else if (starts_with(at, "inf")) {
        at += 3;
        bits = infinite;
    } else if (starts_with(at, "nan")) {
        at += 3;
        bits = infinite | 1UL << (format->bits - 2);
    } else {
        at = scan_number(at, &bits, format);
    }
    if (end != NULL)
        *end = (char *)(at == NULL ? text : at);
    return at != NULL && negative ? bits | (infinite + (1UL << (format->bits - 1))) : bits;
}

typedef union {
    u64 bits;
    double value;
} double_bits;

typedef union {
    u32 bits;
    float value;
} float_bits;

double strtod(const char *text, char **end) {
    binary format;
    set_format(&format, 53, 1023);
    return ((double_bits){.bits = read_value(text, end, &format)}).value;
}

float strtof(const char *text, char **end) {
    binary format;
    set_format(&format, 24, 127);
    return ((float_bits){.bits = (u32)read_value(text, end, &format)}).value;
}

double atof(const char *text) {
    return strtod(text, NULL);
}
