// Streams without buffers, but for input.

static FILE streams[3] = {{0}, {1}, {2}};
FILE *stdin = &streams[0];
FILE *stdout = &streams[1];
FILE *stderr = &streams[2];

static int last_error;

static int *error_number(void) {
    return &last_error;
}

int *__errno_location(void) {
    return &last_error;
}

static int write_all(i64 handle, const char *bytes, size_t count) {
    while (count > 0) {
        i64 written = write(handle, bytes, (i64)count);
        if (written <= 0)
            return EOF;
        bytes += written;
        count -= (size_t)written;
    }
    return 0;
}

size_t fwrite(const void *bytes, size_t size, size_t count, FILE *stream) {
    if (size == 0 || write_all(stream->handle, bytes, size * count) != 0)
        return 0;
    return count;
}

int fputs(const char *text, FILE *stream) {
    return write_all(stream->handle, text, strlen(text));
}

int fputc(int c, FILE *stream) {
    char byte = (char)c;
    return write_all(stream->handle, &byte, 1) == 0 ? (u8)c : EOF;
}

int putc(int c, FILE *stream) {
    return fputc(c, stream);
}

int putchar(int c) {
    return fputc(c, &streams[1]);
}

int puts(const char *text) {
    return fputs(text, &streams[1]) != 0 ? EOF : fputs("\n", &streams[1]);
}

int fflush(FILE *stream) {
    (void)stream;
    return 0;
}

// The bytes that were read from standard input and not taken yet.
static u8 input[512];
static u32 input_at, input_end;

int fgetc(FILE *stream) {
    if (stream->handle != 0)
        return EOF;
    if (input_at == input_end) {
        i64 count = read(0, input, sizeof input);
        if (count <= 0 || count > (i64)sizeof input)
            return EOF;
        input_at = 0;
        input_end = (u32)count;
    }
    return input[input_at++];
}

int getc(FILE *stream) {
    return fgetc(stream);
}

int getchar(void) {
    return fgetc(&streams[0]);
}

int ungetc(int c, FILE *stream) {
    if (c == EOF || stream->handle != 0 || input_at == 0)
        return EOF;
    input[--input_at] = (u8)c;
    return (u8)c;
}

char *fgets(char *to, int size, FILE *stream) {
    int length = 0;
    while (length < size - 1) {
        int c = fgetc(stream);
        if (c == EOF)
            break;
        to[length++] = (char)c;
        if (c == '\n')
            break;
    }
    if (length == 0)
        return NULL;
    to[length] = 0;
    return to;
}

size_t fread(void *to, size_t size, size_t count, FILE *stream) {
    size_t bytes = size * count, done = 0;
    for (; done < bytes; done++) {
        int c = fgetc(stream);
        if (c == EOF)
            break;
        ((u8 *)to)[done] = (u8)c;
    }
    return size == 0 ? 0 : done / size;
}

_Noreturn void abort(void) {
    // The status of a process that SIGABRT ended, as a shell sees it.
    exit(134);
}
