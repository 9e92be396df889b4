/* Reads a text in the manner of C into tokens: a table of classes and states, names looked up in a
   table of keywords, numbers, comments, UTF-8 in strings: a branch for each byte. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SMALL
enum { SIZE = 2000, ROUNDS = 1 };
#else
enum { SIZE = 500000, ROUNDS = 400 };
#endif
enum { NAMES = 512 };

enum class { END, BLANK, LETTER, DIGIT, QUOTE, SLASH, SIGN, OTHER };
static uint8_t classes[256];

static struct { char text[16]; int length; uint32_t uses; } names[NAMES];
static int name_count;
static uint32_t tokens, lines, runes, hash;

static void make_classes(void) {
  for (int c = 1; c < 256; c++)
    classes[c] = c <= ' ' ? BLANK : c >= '0' && c <= '9' ? DIGIT
                 : c == '_' || ((c | 32) >= 'a' && (c | 32) <= 'z') ? LETTER
                 : c == '"' ? QUOTE : c == '/' ? SLASH
                 : strchr("+-*=<>&|", c) ? SIGN : OTHER;
}

static int name_of(const char *text, int length) {
  uint32_t h = 0;
  if (length > 16) length = 16;
  for (int i = 0; i < length; i++) h = h * 33 + (uint8_t)text[i];
  for (uint32_t at = h;; at++) {
    int slot = (int)(at % NAMES);
    if (!names[slot].length) {
      if (++name_count == NAMES) exit(1);
      memcpy(names[slot].text, text, (size_t)(names[slot].length = length));
    }
    if (names[slot].length != length || memcmp(names[slot].text, text, (size_t)length)) continue;
    names[slot].uses++;
    return slot;
  }
}

/* Returns the code point at a place of a string, which it moves on. */
static uint32_t rune(const uint8_t **at) {
  uint32_t first = *(*at)++, value;
  int more = first < 0x80 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
  if (!more) return first;
  value = first & (0x3fu >> more);
  for (; more && (**at & 0xc0) == 0x80; more--) value = value << 6 | (*(*at)++ & 0x3fu);
  return value;
}

static const char *number(const char *at) {
  uint64_t value = 0;
  if (at[0] == '0' && at[1] == 'x')
    for (at += 2;; at++) {
      unsigned digit = (unsigned)(*at - '0'), letter = (unsigned)((*at | 32) - 'a');
      if (digit > 9) digit = letter + 10;
      if (digit > 9 && letter > 5) break;
      value = value << 4 | digit;
    }
  else
    for (; classes[(uint8_t)*at] == DIGIT; at++) value = value * 10 + (unsigned)(*at - '0');
  hash = hash * 31 + (uint32_t)value;
  return at;
}

static void scan(const char *at) {
  for (;; tokens++) {
    const char *start = at;
    while (classes[(uint8_t)*at] == BLANK) lines += *at++ == '\n';
    switch ((enum class)classes[(uint8_t)*at]) {
    case END: return;
    case LETTER:
      for (start = at; classes[(uint8_t)*at] == LETTER || classes[(uint8_t)*at] == DIGIT;) at++;
      hash = hash * 31 + (uint32_t)name_of(start, (int)(at - start));
      break;
    case DIGIT: at = number(at); break;
    case QUOTE: {
      const uint8_t *text = (const uint8_t *)at + 1;
      while (*text && *text != '"') {
        hash = hash * 31 + rune(&text);
        runes++;
      }
      at = (const char *)text + (*text == '"');
      break;
    }
    case SLASH:
      if (at[1] == '/') while (*at && *at != '\n') at++;
      else at++;
      break;
    case SIGN: at += classes[(uint8_t)at[1]] == SIGN ? 2 : 1; hash += (uint8_t)at[-1]; break;
    default: at++;
    }
  }
}

int main(void) {
  static const char *const pieces[] = {
    "int value", "while (x1 <= 0x7fe3)\n  ", "return a + ", "\"\xc3\xa4\xe2\x82\xac and z\"",
    ";\n", "// a comment to the end\n", "123456 ", "count_of_all += ",
    "{\n  ", "}\n", "call(b, c[3])", "if (z && !y) ",
    "\"\xf0\x9f\x98\x80\", ", "else", " / 7", "unsigned long ",
  };
  char *text = malloc(SIZE + 64);
  uint32_t seed = 80;
  int size = 0;
  make_classes();
  for (; size < SIZE; text[size++] = ' ') {
    seed = seed * 1664525u + 1013904223u;
    for (const char *piece = pieces[seed >> 28]; *piece; piece++) text[size++] = *piece;
    if (seed >> 26 & 1) text[size++] = (char)('a' + (seed >> 20 & 15));
  }
  text[size] = 0;
  for (int round = 0; round < ROUNDS; round++) scan(text);
  printf("lexer %u %u %u %u %d\n", tokens, lines, runes, hash, name_count);
  free(text);
  return 0;
}
