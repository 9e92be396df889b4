// The output of `printf` and its relatives, and their fields.

// A place for text: memory from `at` to `end`, which for a handle is `buffer` and is emptied when
// it is full.
typedef struct {
    char *at, *end;
    i64 count;
    i64 handle;
    int failed;
    char buffer[128];
} sink;

#define NO_HANDLE (-1)

// The flags, width and precision between `%` and the conversion.
typedef struct {
    int left, plus, space, alternate, zero;
    i64 width;
    // -1 if there is none.
    i64 precision;
    char length;
} field;

static void open(sink *out, const FILE *stream) {
    out->at = out->buffer;
    out->end = out->buffer + sizeof out->buffer;
    out->count = 0;
    out->handle = stream->handle;
    out->failed = 0;
}

static void flush(sink *out) {
    if (out->handle == NO_HANDLE)
        return;
    if (!out->failed)
        out->failed = write_all(out->handle, out->buffer, (size_t)(out->at - out->buffer));
    out->at = out->buffer;
}

static void put(sink *out, const char *bytes, i64 count) {
    out->count += count;
    while (count > 0) {
        i64 room = out->end - out->at;
        if (room == 0) {
            if (out->handle == NO_HANDLE)
                return;
            flush(out);
            continue;
        }
        if (room > count)
            room = count;
        memcpy(out->at, bytes, (size_t)room);
        out->at += room;
        bytes += room;
        count -= room;
    }
}

static void fill(sink *out, char byte, i64 count) {
    if (out->handle == NO_HANDLE && out->at == out->end && count > 0) {
        out->count += count;
        return;
    }
    for (; count > 0; count--)
        put(out, &byte, 1);
}

// Puts what stands before a body of `length` bytes: blanks, the prefix, zeros.
static void begin(sink *out, const field *f, const char *prefix, i64 length) {
    i64 before = (i64)strlen(prefix);
    i64 rest = f->width - before - length;
    if (!f->left && !f->zero)
        fill(out, ' ', rest);
    put(out, prefix, before);
    if (!f->left && f->zero)
        fill(out, '0', rest);
}

// Puts the blanks after a field that began when `start` bytes were put.
static void end(sink *out, const field *f, i64 start) {
    if (f->left)
        fill(out, ' ', start + f->width - out->count);
}

static void put_text(sink *out, field *f, const char *text, i64 length) {
    i64 start = out->count;
    f->zero = 0;
    begin(out, f, "", length);
    put(out, text, length);
    end(out, f, start);
}

static const char *sign_of(const field *f, int negative) {
    return negative ? "-" : f->plus ? "+" : f->space ? " " : "";
}

static char digit_of(u32 value, int upper) {
    return (char)(value < 10 ? '0' + value : (upper ? 'A' : 'a') - 10 + value);
}
