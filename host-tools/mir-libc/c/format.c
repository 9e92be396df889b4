// `printf` and its relatives.

static void put_integer(sink *out, field *f, const char *prefix, u64 value, u32 base, int upper) {
    char digits[24];
    char *first = digits + sizeof digits;
    i64 start = out->count;
    for (u64 rest = value; rest != 0; rest /= base)
        *--first = digit_of((u32)(rest % base), upper);
    i64 length = digits + sizeof digits - first;
    i64 zeros = (f->precision < 0 ? 1 : f->precision) - length;
    if (base == 8 && f->alternate && zeros <= 0 && (value != 0 || f->precision == 0))
        zeros = 1;
    if (zeros < 0)
        zeros = 0;
    if (f->precision >= 0)
        f->zero = 0;
    begin(out, f, prefix, zeros + length);
    fill(out, '0', zeros);
    put(out, first, length);
    end(out, f, start);
}

static i64 signed_argument(const field *f, void *list) {
    i64 value = __next_word(list);
    switch (f->length) {
    case 'H':
        return (signed char)value;
    case 'h':
        return (short)value;
    case 0:
        return (int)value;
    default:
        return value;
    }
}

static u64 unsigned_argument(const field *f, void *list) {
    u64 value = (u64)__next_word(list);
    switch (f->length) {
    case 'H':
        return (u8)value;
    case 'h':
        return (unsigned short)value;
    case 0:
        return (u32)value;
    default:
        return value;
    }
}

static void put_pointer(sink *out, field *f, u64 value) {
    if (value == 0)
        return put_text(out, f, "(nil)", 5);
    put_integer(out, f, f->plus ? "+0x" : f->space ? " 0x" : "0x", value, 16, 0);
}

static void put_string(sink *out, field *f, const char *text) {
    if (text == NULL)
        text = f->precision < 0 || f->precision >= 6 ? "(null)" : "";
    put_text(out, f, text, (i64)strnlen(text, (size_t)f->precision));
}

// Converts one argument; returns 0 if the conversion is not known.
static int convert(sink *out, field *f, char conversion, void *list) {
    int upper = conversion >= 'A' && conversion <= 'Z';
    char byte;
    switch (conversion) {
    case '%':
        put(out, "%", 1);
        return 1;
    case 'd':
    case 'i': {
        i64 value = signed_argument(f, list);
        u64 size = value < 0 ? 0ul - (u64)value : (u64)value;
        put_integer(out, f, sign_of(f, value < 0), size, 10, 0);
        return 1;
    }
    case 'u':
        put_integer(out, f, "", unsigned_argument(f, list), 10, 0);
        return 1;
    case 'o':
        put_integer(out, f, "", unsigned_argument(f, list), 8, 0);
        return 1;
    case 'x':
    case 'X': {
        u64 value = unsigned_argument(f, list);
        const char *prefix = !f->alternate || value == 0 ? "" : upper ? "0X" : "0x";
        put_integer(out, f, prefix, value, 16, upper);
        return 1;
    }
    case 'c':
        byte = (char)__next_word(list);
        put_text(out, f, &byte, 1);
        return f->length == 0;
    case 's':
        put_string(out, f, (const char *)__next_word(list));
        return f->length == 0;
    case 'p':
        put_pointer(out, f, (u64)__next_word(list));
        return 1;
    default:
        return put_real(out, f, conversion, list);
    }
}

// Reads a width or precision; that of `*` comes from the list.
static i64 number(const char **format, void *list) {
    if (**format == '*') {
        ++*format;
        return (int)__next_word(list);
    }
    i64 value = 0;
    for (; isdigit(**format); ++*format)
        if (value <= INT_MAX)
            value = value * 10 + (**format - '0');
    return value;
}

static void read_flags(field *f, const char **format) {
    for (;; ++*format) {
        switch (**format) {
        case '-':
            f->left = 1;
            break;
        case '+':
            f->plus = 1;
            break;
        case ' ':
            f->space = 1;
            break;
        case '#':
            f->alternate = 1;
            break;
        case '0':
            f->zero = 1;
            break;
        default:
            return;
        }
    }
}

// Reads a length: 'H' stands for `hh`, 'l' for all that are 64 bits.
static char read_length(const char **format) {
    char length = 0;
    for (;; ++*format) {
        switch (**format) {
        case 'h':
            length = length == 'h' ? 'H' : 'h';
            break;
        case 'l':
        case 'j':
        case 'z':
        case 't':
            length = 'l';
            break;
        case 'L':
            length = 'L';
            break;
        default:
            return length;
        }
    }
}

static void read_field(field *f, const char **format, void *list) {
    read_flags(f, format);
    f->width = number(format, list);
    if (f->width < 0) {
        f->left = 1;
        f->width = -f->width;
    }
    f->precision = -1;
    if (**format == '.') {
        ++*format;
        f->precision = number(format, list);
        if (f->precision < 0)
            f->precision = -1;
    }
    f->length = read_length(format);
}

// Puts all that a format says; returns the number of bytes, or -1 if there are too many, they
// cannot be written, or the format has a conversion that is not known, such as %n.
static int put_all(sink *out, const char *format, void *list) {
    int known = 1;
    while (*format != 0 && known) {
        const char *start = format;
        while (*format != 0 && *format != '%')
            format++;
        put(out, start, format - start);
        if (*format == 0)
            break;
        format++;
        field f = {0};
        read_field(&f, &format, list);
        known = *format != 0 && convert(out, &f, *format, list) && out->count <= INT_MAX;
        format++;
    }
    flush(out);
    return known && !out->failed && out->count <= INT_MAX ? (int)out->count : -1;
}

// Prints the arguments of a list as `printf` does.
int __print(const FILE *stream, const char *format, void *list) {
    sink out;
    open(&out, stream);
    return put_all(&out, format, list);
}

// Prints the arguments of a list as `snprintf` does.
int __print_to(char *to, size_t size, const char *format, void *list) {
    sink out;
    if (size > (size_t)LONG_MAX - (size_t)to)
        size = (size_t)LONG_MAX - (size_t)to;
    out.at = to;
    out.end = size == 0 ? to : to + size - 1;
    out.count = 0;
    out.handle = NO_HANDLE;
    out.failed = 0;
    int count = put_all(&out, format, list);
    if (size != 0)
        *out.at = 0;
    return count;
}
