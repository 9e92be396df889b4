#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int64_t number = 21;
int64_t twice(int64_t x) { return 2 * x; }
int64_t add(int64_t, int64_t), pick(int64_t), name_of(int64_t), hook(int64_t, int64_t);
char *text(void);
extern void *table[4];
extern struct { int64_t three; double third; } value;

void mir_fault(const char *function, uint64_t kind, uint64_t instruction)
{
  printf("fault %s %d %d\n", function, (int)kind, (int)instruction);
  exit(3);
}

int main(void)
{
  int64_t *space = (int64_t *)table[2] - 1;
  printf("%d %s %d %.3f\n", (int)add(1, 2), text(), (int)value.three, value.third);
  printf("%d %d\n", (int)((int64_t (*)(void))table[0])(), table[3] == &number);
  printf("%d %d %d\n", (int)space[0], (int)space[1], (int)space[2]);
  printf("%d %d %d %d %d\n", (int)pick(0), (int)pick(1), (int)name_of(0), (int)name_of(1), (int)name_of(2));
  text()[0] = 'T';
  printf("%s %d\n", text(), (int)hook(9, 4));
  hook(1, number - 21);
  return 0;
}
