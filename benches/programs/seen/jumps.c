/* Evaluates expressions whose errors leave by longjmp: setjmp in a loop, recursion below it,
   variables that live across it. */
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifdef SMALL
enum { ROUNDS = 50 };
#else
enum { ROUNDS = 9000000 };
#endif

struct parser {
  const char *at;
  int depth;
  const int64_t *variables;
  jmp_buf handler;
};

enum error { SYNTAX = 1, DIVISION, DEPTH };

static void fail(struct parser *p, enum error error) { longjmp(p->handler, (int)error); }

static int64_t sum(struct parser *p);

static int64_t factor(struct parser *p) {
  char c = *p->at;
  int64_t value = 0;
  if (c == '(') {
    if (++p->depth > 6) fail(p, DEPTH);
    p->at++;
    value = sum(p);
    if (*p->at != ')') fail(p, SYNTAX);
    p->at++;
    p->depth--;
  } else if (c >= 'a' && c <= 'd') {
    value = p->variables[c - 'a'];
    p->at++;
  } else if (c >= '0' && c <= '9') {
    for (; *p->at >= '0' && *p->at <= '9'; p->at++) value = value * 10 + (*p->at - '0');
  } else {
    fail(p, SYNTAX);
  }
  return value;
}

static int64_t product(struct parser *p) {
  int64_t value = factor(p);
  while (*p->at == '*' || *p->at == '/') {
    char operator = *p->at++;
    int64_t right = factor(p);
    if (operator == '/' && right == 0) fail(p, DIVISION);
    value = operator == '*' ? value * right % 1000003 : value / right;
  }
  return value;
}

static int64_t sum(struct parser *p) {
  int64_t value = product(p);
  while (*p->at == '+' || *p->at == '-') {
    char operator = *p->at++;
    int64_t right = product(p);
    value = operator == '+' ? value + right : value - right;
  }
  return value;
}

/* Returns the value, or minus the error. */
static int64_t evaluate(const char *text, const int64_t *variables) {
  struct parser p = {.at = text, .variables = variables};
  int error = setjmp(p.handler);
  if (error) return -(int64_t)error;
  int64_t value = sum(&p);
  if (*p.at) fail(&p, SYNTAX);
  return value;
}

int main(void) {
  static const char *const texts[] = {
    "1+2*(a-3)", "a/(b-c)", "((((((((1))))))))",
    "a*b+c*d-(a+b)*(c+d)", "12*(3+)", "d/a+7", "(a+b", "b*b*b*b/3-c",
  };
  int64_t variables[4], check = 0;
  uint32_t seed = 1;
  unsigned errors[4] = {0};
  for (unsigned round = 0; round < ROUNDS; round++) {
    seed = seed * 1664525u + 1013904223u;
    for (int i = 0; i < 4; i++) variables[i] = seed >> (8 + 5 * i) & 7;
    int64_t value = evaluate(texts[round & 7], variables);
    if (value < 0 && value >= -DEPTH) errors[-value]++;
    check = (check * 7 + value) % 1000000007;
  }
  printf("jumps %lld %u %u %u\n", (long long)check, errors[1], errors[2], errors[3]);
  return 0;
}
