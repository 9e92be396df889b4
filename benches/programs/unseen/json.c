/* Parses a JSON text into a tree, looks keys up in it, and writes it again: bytes, recursion, an
   arena of nodes, comparison of strings. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SMALL
enum { RECORDS = 20, ROUNDS = 2 };
#else
enum { RECORDS = 4000, ROUNDS = 400 };
#endif

enum kind { NUL, FALSE, TRUE, NUMBER, STRING, ARRAY, OBJECT };

struct node {
  enum kind kind;
  int length, key_length;
  const char *text, *key;
  double number;
  struct node *child, *next;
};

static struct node *arena;
static size_t used;
static const char *at;
static uint32_t hash;

static struct node *new_node(enum kind kind) {
  struct node *node = &arena[used++];
  memset(node, 0, sizeof *node);
  node->kind = kind;
  return node;
}

static void blanks(void) { while (*at == ' ' || *at == '\n' || *at == '\t') at++; }

static const char *string(int *length) {
  const char *start = ++at;
  while (*at != '"') at += *at == '\\' ? 2 : 1;
  *length = (int)(at++ - start);
  return start;
}

static double number(void) {
  int negative = *at == '-';
  double value = 0, scale = 1;
  if (negative) at++;
  while (*at >= '0' && *at <= '9') value = value * 10 + (*at++ - '0');
  if (*at == '.')
    for (at++; *at >= '0' && *at <= '9'; scale *= 10) value = value * 10 + (*at++ - '0');
  return (negative ? -value : value) / scale;
}

static struct node *word(const char *wanted, enum kind kind) {
  for (; *wanted; wanted++)
    if (*at++ != *wanted) exit(1);
  return new_node(kind);
}

static struct node *parse(void) {
  struct node *node;
  blanks();
  switch (*at) {
  case 'n': return word("null", NUL);
  case 't': return word("true", TRUE);
  case 'f': return word("false", FALSE);
  case '"': node = new_node(STRING); node->text = string(&node->length); return node;
  case '[': case '{': {
    int is_object = *at == '{';
    node = new_node(is_object ? OBJECT : ARRAY);
    struct node **end = &node->child;
    at++;
    for (blanks(); *at != ']' && *at != '}'; blanks()) {
      const char *key = 0;
      int length = 0;
      if (is_object) {
        key = string(&length);
        blanks();
        at++;
      }
      struct node *child = parse();
      child->key = key;
      child->key_length = length;
      *end = child;
      end = &child->next;
      node->length++;
      blanks();
      if (*at == ',') at++;
    }
    at++;
    return node;
  }
  default: node = new_node(NUMBER); node->number = number(); return node;
  }
}

static const struct node *find(const struct node *object, const char *key) {
  size_t length = strlen(key);
  for (const struct node *child = object->child; child; child = child->next)
    if ((size_t)child->key_length == length && !memcmp(child->key, key, length)) return child;
  return 0;
}

static void put(const char *text, int length) {
  for (int i = 0; i < length; i++) hash = (hash ^ (uint8_t)text[i]) * 16777619u;
}

static void write(const struct node *node) {
  static const char *const words[] = {"null", "false", "true"};
  if (node->key) put(node->key, node->key_length);
  if (node->kind == STRING) put(node->text, node->length);
  else if (node->kind <= TRUE) put(words[node->kind], (int)strlen(words[node->kind]));
  else if (node->kind == NUMBER) hash += (uint32_t)(int64_t)(node->number * 100);
  put("[", 1);
  for (const struct node *child = node->child; child; child = child->next) write(child);
}

int main(void) {
  char *text = malloc(RECORDS * 160 + 16), *end = text;
  uint32_t seed = 1;
  end += sprintf(end, "[");
  for (int i = 0; i < RECORDS; i++) {
    seed = seed * 1664525u + 1013904223u;
    end += sprintf(end, "%s{\"id\": %d, \"name\": \"n\\\"%u\", \"price\": -%u.%02u, ",
                   i ? ",\n" : "", i, seed >> 20, seed >> 16 & 1023, (seed >> 8) % 100);
    end += sprintf(end, "\"tags\": [\"a%u\", true, null],\n \"in\": {\"x\": %u, \"ok\": false}}",
                   seed & 255, seed >> 12 & 4095);
  }
  sprintf(end, "]");
  arena = malloc((RECORDS * 11 + 1) * sizeof *arena);
  double sum = 0;
  for (int round = 0; round < ROUNDS; round++) {
    used = 0;
    at = text;
    const struct node *root = parse();
    for (const struct node *record = root->child; record; record = record->next)
      sum += find(record, "price")->number + find(find(record, "in"), "x")->number;
    write(root);
  }
  printf("json %u %.2f %zu\n", hash, sum, used);
  free(arena);
  free(text);
  return 0;
}
