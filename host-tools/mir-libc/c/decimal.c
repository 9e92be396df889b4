// Floating-point conversions of `printf`, with exact digits.

// The decimal digits of a value, nine to a chunk: `whole` chunks before the point, the first of
// them 0, so that it can take a carry.
typedef struct {
    u32 *chunks;
    int whole;
    int count;
    // True if the value has digits behind the chunks.
    int more;
} decimal;

static u32 power_of_ten(int exponent) {
    u32 power = 1;
    for (; exponent > 0; exponent--)
        power *= 10;
    return power;
}

static u32 digit(const decimal *d, i64 at) {
    i64 chunk = at / 9;
    return chunk < d->count ? d->chunks[chunk] / power_of_ten(8 - (int)(at % 9)) % 10 : 0;
}

// Computes the chunks, of which there are at most `room` behind the point; uses the number up.
static void expand(decimal *d, big *number, int room) {
    int above = number->count - number->fraction;
    u32 *whole = number->limbs + number->fraction;
    for (int at = d->whole - 1; at >= 0; at--)
        d->chunks[at] = divide(whole, above, BILLION);
    d->count = d->whole;
    d->more = 0;
    int low = 0;
    for (;;) {
        while (low < number->fraction && number->limbs[low] == 0)
            low++;
        if (low == number->fraction)
            return;
        if (room-- == 0)
            break;
        u32 chunk = multiply(number->limbs + low, number->fraction - low, BILLION, 0);
        d->chunks[d->count++] = chunk;
    }
    d->more = 1;
}

// Rounds to the first `keep` digits, to even if two values are equally near.
static void round_to(decimal *d, i64 keep) {
    if (keep >= 9 * (i64)d->count)
        return;
    int at = (int)(keep / 9);
    u32 unit = power_of_ten(9 - (int)(keep % 9));
    u32 rest = d->chunks[at] % unit;
    int more = d->more;
    for (int n = at + 1; n < d->count; n++)
        more |= d->chunks[n] != 0;
    u32 odd = keep > 0 ? digit(d, keep - 1) & 1 : 0;
    int up = rest > unit / 2 || (rest == unit / 2 && (more || odd));
    d->chunks[at] -= rest;
    d->count = at + 1;
    d->more = 0;
    if (!up)
        return;
    d->chunks[at] += unit;
    for (; at > 0 && d->chunks[at] >= BILLION; at--) {
        d->chunks[at] -= BILLION;
        d->chunks[at - 1]++;
    }
}

// Returns the place of the first digit that is not 0; that of the first before the point for 0.
static i64 first_digit(const decimal *d) {
    int at = 0;
    while (at < d->count && d->chunks[at] == 0)
        at++;
    if (at == d->count)
        return 9 * (i64)d->whole - 1;
    i64 place = 9 * (i64)at;
    while (digit(d, place) == 0)
        place++;
    return place;
}

// Returns the place after the last digit that is not 0.
static i64 after_last_digit(const decimal *d) {
    i64 place = 9 * (i64)d->count;
    while (place > 0 && digit(d, place - 1) == 0)
        place--;
    return place;
}

static void put_digits(sink *out, const decimal *d, i64 from, i64 count) {
    char digits[9];
    while (count > 0 && from / 9 < d->count) {
        u32 chunk = d->chunks[from / 9];
        for (int n = 8; n >= 0; n--, chunk /= 10)
            digits[n] = (char)('0' + chunk % 10);
        i64 length = 9 - from % 9;
        if (length > count)
            length = count;
        put(out, digits + from % 9, length);
        from += length;
        count -= length;
    }
    fill(out, '0', count);
}

// Writes an exponent of at least `least` digits, with its letter and sign; returns its length.
static int exponent_text(char *to, char letter, int exponent, int least) {
    char digits[8];
    int count = 0, length = 0;
    u32 rest = (u32)(exponent < 0 ? -exponent : exponent);
    to[length++] = letter;
    to[length++] = exponent < 0 ? '-' : '+';
    do {
        digits[count++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest != 0 || count < least);
    while (count > 0)
        to[length++] = digits[--count];
    return length;
}

// Puts digits as %f does: `precision` of them behind the point.
static void put_fixed(sink *out, field *f, const decimal *d, const char *sign, i64 precision) {
    i64 start = out->count, point = 9 * (i64)d->whole;
    i64 from = first_digit(d);
    if (from >= point)
        from = point - 1;
    int dot = precision > 0 || f->alternate;
    begin(out, f, sign, point - from + dot + precision);
    put_digits(out, d, from, point - from);
    put(out, ".", dot);
    put_digits(out, d, point, precision);
    end(out, f, start);
}

// Puts digits as %e does: one, and `precision` of them behind the point.
static void put_scientific(sink *out, field *f, const decimal *d, const char *sign, i64 precision,
                           char letter) {
    char exponent[12];
    i64 start = out->count, from = first_digit(d);
    int length = exponent_text(exponent, letter, (int)(9 * (i64)d->whole - 1 - from), 2);
    int dot = precision > 0 || f->alternate;
    begin(out, f, sign, 1 + dot + precision + length);
    put_digits(out, d, from, 1);
    put(out, ".", dot);
    put_digits(out, d, from + 1, precision);
    put(out, exponent, length);
    end(out, f, start);
}

// Puts digits as %g does.
static void put_general(sink *out, field *f, decimal *d, const char *sign, char letter) {
    i64 precision = f->precision == 0 ? 1 : f->precision;
    round_to(d, first_digit(d) + precision);
    i64 from = first_digit(d);
    i64 exponent = 9 * (i64)d->whole - 1 - from;
    int fixed = exponent >= -4 && exponent < precision;
    i64 digits = precision;
    if (!f->alternate) {
        i64 least = fixed && exponent > 0 ? exponent + 1 : 1;
        digits = after_last_digit(d) - from;
        if (digits < least)
            digits = least;
    }
    if (fixed)
        put_fixed(out, f, d, sign, digits - 1 - exponent);
    else
        put_scientific(out, f, d, sign, digits - 1, letter);
}

static i64 least_of(i64 one, i64 other) {
    return one < other ? one : other;
}

// Puts a finite value by %e, %f or %g.
static void put_decimal(sink *out, field *f, const real *value, const char *sign, char conversion) {
    int fraction, count;
    int top = measure(value, &fraction, &count);
    if (f->precision < 0)
        f->precision = 6;
    char lower = (char)(conversion | 32), letter = (char)(conversion - lower + 'e');
    // A decimal digit behind the point takes more than 3 bits, so a chunk of zeros 27 at least.
    i64 zeros = lower != 'f' && top < 0 && top > -20000 ? -top / 27 + 1 : 0;
    i64 room = least_of(f->precision / 9 + zeros + 2, fraction * 32 / 9 + 1);
    u32 limbs[count];
    decimal d;
    d.whole = (count - fraction) * 11 / 10 + 2;
    u32 chunks[d.whole + room];
    d.chunks = chunks;
    big number = {limbs, count, fraction};
    load(&number, value);
    expand(&d, &number, (int)room);
    if (lower == 'g')
        return put_general(out, f, &d, sign, letter);
    if (lower == 'f') {
        round_to(&d, 9 * (i64)d.whole + f->precision);
        return put_fixed(out, f, &d, sign, f->precision);
    }
    round_to(&d, first_digit(&d) + 1 + f->precision);
    put_scientific(out, f, &d, sign, f->precision, letter);
}

// Rounds a number to a multiple of 2^weight, to even if two are equally near.
static void round_binary(big *number, int weight) {
    int odd = nibble(number, weight) & 1, half = nibble(number, weight - 1) & 1;
    if (half && (odd || lowest(number) < weight - 1))
        add_word(number, 1, weight);
}

// Puts the digits of %a: one, `precision` behind the point, and the exponent.
static void put_hex_digits(sink *out, field *f, const big *number, const char *prefix, int lead,
                           int upper) {
    char exponent[12];
    i64 start = out->count;
    u32 first = nibble(number, lead), carry = nibble(number, lead + 4);
    int shown = carry != 0 ? lead + 4 : lead;
    if (is_zero_number(number))
        shown = 0;
    int length = exponent_text(exponent, upper ? 'P' : 'p', shown, 1);
    int dot = f->precision > 0 || f->alternate;
    char byte = digit_of(carry != 0 ? carry : first, upper);
    begin(out, f, prefix, 1 + dot + f->precision + length);
    put(out, &byte, 1);
    put(out, ".", dot);
    int left = (lead - lowest(number) + 3) / 4;
    for (i64 n = 0; n < f->precision && n < left; n++) {
        byte = digit_of(nibble(number, lead - 4 * (int)(n + 1)), upper);
        put(out, &byte, 1);
    }
    fill(out, '0', f->precision - (left < 0 ? 0 : least_of(left, f->precision)));
    put(out, exponent, length);
    end(out, f, start);
}

// Puts a finite value by %a.
static void put_hex(sink *out, field *f, const real *value, const char *sign, int upper) {
    char prefix[4];
    int fraction, count, lead = value->lead;
    measure(value, &fraction, &count);
    u32 limbs[count];
    big number = {limbs, count, fraction};
    load(&number, value);
    if (value->pair) {
        lead = highest(&number) - 1;
        if (lead < -1022)
            lead = -1022;
    }
    int digits = (lead - lowest(&number) + 3) / 4;
    if (f->precision < 0)
        f->precision = digits < 0 ? 0 : digits;
    else if (f->precision < digits)
        round_binary(&number, lead - 4 * (int)f->precision);
    stpcpy(stpcpy(prefix, sign), upper ? "0X" : "0x");
    put_hex_digits(out, f, &number, prefix, lead, upper);
}

// Puts the next argument, a floating-point value; returns 0 if the conversion is none of those.
static int put_real(sink *out, field *f, char conversion, void *list) {
    real value = {0};
    char lower = (char)(conversion | 32);
    int upper = lower != conversion;
    if (lower != 'a' && lower != 'e' && lower != 'f' && lower != 'g')
        return 0;
    if (f->length == 'L')
        take_long_double(&value, __next_long_double(list));
    else
        take_double(&value, __next_double(list));
    const char *sign = sign_of(f, value.negative);
    if (value.kind != FINITE) {
        i64 start = out->count;
        f->zero = 0;
        begin(out, f, sign, 3);
        put(out, value.kind == INFINITE ? (upper ? "INF" : "inf") : (upper ? "NAN" : "nan"), 3);
        end(out, f, start);
    } else if (lower == 'a') {
        put_hex(out, f, &value, sign, upper);
    } else {
        put_decimal(out, f, &value, sign, conversion);
    }
    return 1;
}
