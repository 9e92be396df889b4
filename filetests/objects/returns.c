/* A return address is right if it lies in the function that made the call: less than LIMIT bytes
   behind its start. */
#include <stdint.h>
#include <stdio.h>

#define LIMIT 4000

extern uintptr_t tell(void), after_calls(long, long, double, double), large(long), moving(long),
    some(long, ...), inner(uintptr_t *), recursive(long, uintptr_t *), loop(long);

static __attribute__((noinline)) int within(uintptr_t address, uintptr_t start) {
  return address > start && address - start < LIMIT;
}

static __attribute__((noinline)) void call_all(void) {
  uintptr_t here = (uintptr_t)&call_all;
  uintptr_t list[4] = {0};
  uintptr_t first = tell(), second = tell();
  printf("%d %d %d\n", within(first, here), within(second, here), first < second);
  printf("%d\n", within(after_calls(-3, -8, 3.0, 4.0), here));
  printf("%d %d\n", within(large(12), here), within(moving(1000), here));
  printf("%d\n", within(some(10, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L), here));
  uintptr_t own = inner(list);
  printf("%d %d\n", within(own, here), within(own, (uintptr_t)&inner));
  printf("%d %d\n", within(list[0], (uintptr_t)&inner), list[0] < list[1]);
  own = recursive(4, list);
  printf("%d %d %d\n", within(own, here), within(list[0], (uintptr_t)&recursive), list[0] == list[3]);
  printf("%d\n", within(loop(5), here));
}

int main(void) {
  call_all();
  return 0;
}
