// Memory and strings.

// Functions that call none need no frame of the program's stack.
#define ALWAYS_INLINE static inline __attribute__((always_inline))

// Copies upwards by words, of which the last overlaps the one before. Each is read whole before it
// is written, and the last is read first, so ranges may overlap if `to` is at least a word below
// `from`.
ALWAYS_INLINE void copy_up(char *to, const char *from, size_t size) {
    if (size >= 8) {
        size_t end = size - 8;
        u64 last = *(const u64 *)(from + end);
        for (size_t at = 0; at < end; at += 8)
            *(u64 *)(to + at) = *(const u64 *)(from + at);
        *(u64 *)(to + end) = last;
    } else if (size >= 4) {
        u32 first = *(const u32 *)from, last = *(const u32 *)(from + size - 4);
        *(u32 *)to = first;
        *(u32 *)(to + size - 4) = last;
    } else {
        for (; size > 0; size--)
            *to++ = *from++;
    }
}

void *memcpy(void *to, const void *from, size_t size) {
    copy_up(to, from, size);
    return to;
}

static void copy_down(char *to, const char *from, size_t size) {
    for (; size >= 8; size -= 8)
        *(u64 *)(to + size - 8) = *(const u64 *)(from + size - 8);
    for (; size > 0; size--)
        to[size - 1] = from[size - 1];
}

void *memmove(void *to, const void *from, size_t size) {
    u64 above = (u64)to - (u64)from, below = (u64)from - (u64)to;
    if (above < 8 || below < 8) {
        // Words would overwrite what is still to be read.
        if (above < 8)
            for (size_t n = size; n > 0; n--)
                ((char *)to)[n - 1] = ((const char *)from)[n - 1];
        else
            for (size_t n = 0; n < size; n++)
                ((char *)to)[n] = ((const char *)from)[n];
    } else if (above < size) {
        copy_down(to, from, size);
    } else {
        copy_up(to, from, size);
    }
    return to;
}

void *memset(void *to, int value, size_t size) {
    char *at = to;
    u64 word = (u8)value * 0x0101010101010101;
    if (size >= 8) {
        // The last word overlaps the one before.
        char *last = at + size - 8;
        for (; at < last; at += 8)
            *(u64 *)at = word;
        *(u64 *)last = word;
        return to;
    }
    for (; size > 0; size--)
        *at++ = (char)value;
    return to;
}

int memcmp(const void *first, const void *second, size_t size) {
    const u8 *one = first, *other = second;
    for (; size >= 8 && *(const u64 *)one == *(const u64 *)other; size -= 8, one += 8, other += 8)
        ;
    for (; size > 0; size--, one++, other++)
        if (*one != *other)
            return *one - *other;
    return 0;
}

int bcmp(const void *first, const void *second, size_t size) {
    return memcmp(first, second, size);
}

void *memchr(const void *bytes, int value, size_t size) {
    const u8 *at = bytes;
    for (size_t n = 0; n < size; n++)
        if (at[n] == (u8)value)
            return (void *)(at + n);
    return NULL;
}

// True if one of the bytes of a word is 0.
static int has_zero(u64 word) {
    return ((word - 0x0101010101010101) & ~word & 0x8080808080808080) != 0;
}

// Reads aligned words, which hold bytes of the text at least up to its end.
size_t strlen(const char *text) {
    const char *at = text;
    for (; ((u64)at & 7) != 0; at++)
        if (*at == 0)
            return (size_t)(at - text);
    while (!has_zero(*(const u64 *)at))
        at += 8;
    // One of the first seven bytes is 0, or else the last. They are read anew, which clang does not
    // know: what it makes of the word instead depends on the order of bytes.
    __asm__("" : "+r"(at));
#pragma clang loop unroll(full)
    for (int n = 0; n < 7; n++)
        if (at[n] == 0)
            return (size_t)(at + n - text);
    return (size_t)(at + 7 - text);
}

size_t strnlen(const char *text, size_t most) {
    size_t length = 0;
    while (length < most && text[length] != 0)
        length++;
    return length;
}

int strncmp(const char *first, const char *second, size_t most) {
    const u8 *one = (const u8 *)first, *other = (const u8 *)second;
    for (; most > 0; most--, one++, other++)
        if (*one != *other || *one == 0)
            return *one - *other;
    return 0;
}

int strcmp(const char *first, const char *second) {
    return strncmp(first, second, ~0UL);
}

char *stpcpy(char *to, const char *from) {
    while ((*to = *from++) != 0)
        to++;
    return to;
}

char *strcpy(char *to, const char *from) {
    stpcpy(to, from);
    return to;
}

char *strncpy(char *to, const char *from, size_t size) {
    size_t length = strnlen(from, size);
    memcpy(to, from, length);
    memset(to + length, 0, size - length);
    return to;
}

char *strcat(char *to, const char *from) {
    stpcpy(to + strlen(to), from);
    return to;
}

char *strncat(char *to, const char *from, size_t most) {
    size_t length = strnlen(from, most);
    char *end = to + strlen(to);
    memcpy(end, from, length);
    end[length] = 0;
    return to;
}

char *strchr(const char *text, int value) {
    for (;; text++) {
        if (*text == (char)value)
            return (char *)text;
        if (*text == 0)
            return NULL;
    }
}

char *strrchr(const char *text, int value) {
    const char *found = NULL;
    for (;; text++) {
        if (*text == (char)value)
            found = text;
        if (*text == 0)
            return (char *)found;
    }
}

char *strstr(const char *text, const char *part) {
    size_t length = strlen(part);
    for (;; text++) {
        if (strncmp(text, part, length) == 0)
            return (char *)text;
        if (*text == 0)
            return NULL;
    }
}

// Returns how many bytes at the start of a text are among `set`, or are not.
static size_t span(const char *text, const char *set, int wanted) {
    size_t length = 0;
    while (text[length] != 0 && (strchr(set, text[length]) != NULL) == wanted)
        length++;
    return length;
}

size_t strspn(const char *text, const char *set) {
    return span(text, set, 1);
}

size_t strcspn(const char *text, const char *set) {
    return span(text, set, 0);
}

char *strpbrk(const char *text, const char *set) {
    text += strcspn(text, set);
    return *text == 0 ? NULL : (char *)text;
}

char *strdup(const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    return copy == NULL ? NULL : memcpy(copy, text, size);
}

int isdigit(int c) { return (u32)c - '0' < 10; }
int isupper(int c) { return (u32)c - 'A' < 26; }
int islower(int c) { return (u32)c - 'a' < 26; }
int isalpha(int c) { return ((u32)c | 32) - 'a' < 26; }
int isalnum(int c) { return isalpha(c) || isdigit(c); }
int isxdigit(int c) { return isdigit(c) || ((u32)c | 32) - 'a' < 6; }
int isspace(int c) { return c == ' ' || (u32)c - '\t' < 5; }
int isblank(int c) { return c == ' ' || c == '\t'; }
int isprint(int c) { return (u32)c - ' ' < 95; }
int isgraph(int c) { return (u32)c - '!' < 94; }
int iscntrl(int c) { return (u32)c < 32 || c == 127; }
int ispunct(int c) { return isgraph(c) && !isalnum(c); }
int tolower(int c) { return isupper(c) ? c + 32 : c; }
int toupper(int c) { return islower(c) ? c - 32 : c; }
