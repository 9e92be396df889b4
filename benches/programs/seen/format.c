/* Formats numbers and strings into a buffer without printf: divisions by ten, digits in reverse,
   padding, a loop over a format with variable arguments. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifdef SMALL
enum { LINES = 100 };
#else
enum { LINES = 1500000 };
#endif

struct buffer {
  char bytes[256];
  int length;
};

static void put(struct buffer *to, char c) {
  if (to->length < (int)sizeof to->bytes) to->bytes[to->length++] = c;
}

static void pad(struct buffer *to, const char *text, int length, int width, char fill) {
  int left = width < 0;
  int blanks = (left ? -width : width) - length;
  for (; !left && blanks > 0; blanks--) put(to, fill);
  for (int i = 0; i < length; i++) put(to, text[i]);
  for (; blanks > 0; blanks--) put(to, ' ');
}

static void number(struct buffer *to, uint64_t value, unsigned base, int negative, int width, char fill) {
  char digits[66];
  int at = sizeof digits;
  do {
    digits[--at] = "0123456789abcdef"[value % base];
    value /= base;
  } while (value);
  if (negative) digits[--at] = '-';
  pad(to, digits + at, (int)sizeof digits - at, width, fill);
}

/* Writes a value of fixed point with three places, rounded. */
static void fixed(struct buffer *to, double value, int width) {
  struct buffer part = {.length = 0};
  if (value < 0) put(&part, '-');
  uint64_t thousandths = (uint64_t)((value < 0 ? -value : value) * 1000 + 0.5);
  number(&part, thousandths / 1000, 10, 0, 0, ' ');
  put(&part, '.');
  number(&part, thousandths % 1000, 10, 0, 3, '0');
  pad(to, part.bytes, part.length, width, ' ');
}

static void format(struct buffer *to, const char *how, ...) {
  va_list list;
  va_start(list, how);
  for (; *how; how++) {
    if (*how != '%') {
      put(to, *how);
      continue;
    }
    int width = 0, left = *++how == '-';
    char fill = ' ';
    if (left) how++;
    if (*how == '0') fill = *how++;
    while (*how >= '0' && *how <= '9') width = width * 10 + (*how++ - '0');
    if (left) width = -width;
    switch (*how) {
    case 'd': {
      int64_t value = va_arg(list, int64_t);
      number(to, value < 0 ? 0 - (uint64_t)value : (uint64_t)value, 10, value < 0, width, fill);
      break;
    }
    case 'x': number(to, va_arg(list, uint64_t), 16, 0, width, fill); break;
    case 'f': fixed(to, va_arg(list, double), width); break;
    case 's': {
      const char *text = va_arg(list, const char *);
      pad(to, text, (int)strlen(text), width, ' ');
      break;
    }
    default: put(to, *how);
    }
  }
  va_end(list);
}

int main(void) {
  static const char *const names[] = {"alpha", "be", "gamma ray", ""};
  uint32_t seed = 17, check = 0;
  for (int line = 0; line < LINES; line++) {
    struct buffer out;
    out.length = 0;
    seed = seed * 1664525u + 1013904223u;
    uint64_t wide = (uint64_t)seed * seed;
    format(&out, "%8d|%-6s|%010x|%12f|100%%|%d\n", (int64_t)(int32_t)seed / 5, names[seed >> 30], wide,
           ((double)seed - 2e9) / 1024, (int64_t)(seed >> 20));
    for (int i = 0; i < out.length; i++) check = (check ^ (uint8_t)out.bytes[i]) * 16777619u;
  }
  printf("format %u\n", check);
  return 0;
}
