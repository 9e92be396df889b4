#include <stdint.h>
#include <stdio.h>
#include <unwind.h>

int64_t outer(int64_t (*)(void), int64_t), big(int64_t (*)(void), int64_t), moving(int64_t (*)(void), int64_t), early(int64_t (*)(void), int64_t);
int main(void);

struct walk { int frames, found; };

static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *data)
{
  struct walk *walk = data;
  if (_Unwind_FindEnclosingFunction((void *)(_Unwind_GetIP(context) - 1)) == (void *)main) {
    walk->found = 1;
    return _URC_END_OF_STACK;
  }
  walk->frames++;
  return _URC_NO_REASON;
}

static int64_t walk(void)
{
  struct walk walk = {0, 0};
  _Unwind_Backtrace(step, &walk);
  return walk.found ? walk.frames : -1000;
}

int main(void)
{
  printf("%d %d\n", (int)outer(walk, 0), (int)outer(walk, 5));
  printf("%d\n", (int)big(walk, 3));
  printf("%d\n", (int)moving(walk, 3));
  printf("%d %d %d\n", (int)early(walk, 0), (int)early(walk, 3), (int)early(walk, 15));
  return 0;
}
