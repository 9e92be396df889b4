#include <inttypes.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>

int64_t through(int64_t, int64_t);
void mir_fault(const char *, uint64_t, uint64_t);

static jmp_buf back;
static volatile int64_t notes, leave;

/* Changes what it may. */
int64_t note(int64_t n)
{
  volatile double a = n % 1000, b = a * 3 + 1, c = b - a, d = c / 7;
  notes++;
  if (leave && notes == leave)
    longjmp(back, 3);
  return n + (int64_t)(a + b + c + d);
}

void mir_fault(const char *function, uint64_t kind, uint64_t insn)
{
  (void)kind; (void)insn;
  printf("fault in %s\n", function);
  longjmp(back, 2);
}

static void run(int64_t n, int64_t k, int64_t at)
{
  volatile int64_t sum = -1;
  int how;
  notes = 0; leave = at;
  if ((how = setjmp(back)) == 0)
    sum = through(n, k);
  printf("%" PRId64 " %" PRId64 ": %d %" PRId64 " %" PRId64 "\n", n, k, how, sum, notes);
}

int main(void)
{
  run(1, 1, 0);
  run(5, 3, 0);
  run(5, 0, 0);
  run(9, 6, 0);
  run(9, 8, 0);
  run(9, 7, 4);
  run(40, 7, 0);
  return 5;
}
