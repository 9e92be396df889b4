#include <stdio.h>

void note(int number) { printf("%d\n", number); }

__attribute__((constructor(105))) static void first(void) { puts("C 105"); }
__attribute__((constructor(107))) static void second(void) { puts("C 107"); }
__attribute__((constructor(204))) static void third(void) { puts("C 204"); }
__attribute__((destructor(105))) static void end_first(void) { puts("end of C 105"); }
__attribute__((destructor(107))) static void end_second(void) { puts("end of C 107"); }

int main(void)
{
  puts("main");
  return 7;
}
