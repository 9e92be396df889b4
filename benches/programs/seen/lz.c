/* Packs bytes by pairs of offset and length, found through chains of hashes, and unpacks them:
   comparing and copying of bytes, unpredictable branches. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SMALL
enum { SIZE = 3000, ROUNDS = 2 };
#else
enum { SIZE = 600000, ROUNDS = 40 };
#endif
enum { HASH_BITS = 14, WINDOW = 32768, SHORTEST = 4, LONGEST = 255 + SHORTEST, TRIES = 24 };

static int32_t head[1 << HASH_BITS], chain[WINDOW];

static uint32_t hash(const uint8_t *p) {
  uint32_t four = (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
  return four * 2654435761u >> (32 - HASH_BITS);
}

static void enter(const uint8_t *in, int at) {
  uint32_t h = hash(in + at);
  chain[at & (WINDOW - 1)] = head[h];
  head[h] = at;
}

static int longest(const uint8_t *in, int at, int size, int *offset) {
  int best = 0, most = size - at < LONGEST ? size - at : LONGEST;
  int candidate = head[hash(in + at)];
  for (int tries = TRIES; tries && candidate >= 0 && at - candidate < WINDOW; tries--) {
    int length = 0;
    while (length < most && in[candidate + length] == in[at + length]) length++;
    if (length > best) {
      best = length;
      *offset = at - candidate;
    }
    candidate = chain[candidate & (WINDOW - 1)];
  }
  return best;
}

/* A byte of flags stands before each eight items. */
static int pack(const uint8_t *in, int size, uint8_t *out) {
  int at = 0, to = 0, flags = 0, bit = 8;
  for (int i = 0; i < 1 << HASH_BITS; i++) head[i] = -1;
  while (at < size) {
    int offset = 0, length = at + SHORTEST <= size ? longest(in, at, size, &offset) : 0;
    if (bit == 8) {
      flags = to++;
      out[flags] = 0;
      bit = 0;
    }
    if (length >= SHORTEST) {
      out[flags] |= (uint8_t)(1 << bit);
      out[to++] = (uint8_t)offset;
      out[to++] = (uint8_t)(offset >> 8);
      out[to++] = (uint8_t)(length - SHORTEST);
    } else {
      length = 1;
      out[to++] = in[at];
    }
    for (int end = at + length; at < end; at++)
      if (at + SHORTEST <= size) enter(in, at);
    bit++;
  }
  return to;
}

static int unpack(const uint8_t *in, int size, uint8_t *out) {
  int at = 0, to = 0;
  while (at < size) {
    int flags = in[at++];
    for (int bit = 0; bit < 8 && at < size; bit++) {
      if (flags >> bit & 1) {
        int offset = in[at] | in[at + 1] << 8, length = in[at + 2] + SHORTEST;
        at += 3;
        for (; length > 0; length--, to++) out[to] = out[to - offset];
      } else {
        out[to++] = in[at++];
      }
    }
  }
  return to;
}

int main(void) {
  static const char *const words[] = {"the ", "register ", "of ", "a block ",
                                     "value", "s are ", "moved ", ".\n"};
  uint8_t *in = malloc(SIZE + 16), *packed = malloc(SIZE * 2), *out = malloc(SIZE + 16);
  uint32_t seed = 5, check = 0, same = 0;
  for (int at = 0; at < SIZE;) {
    seed = seed * 1103515245u + 12345u;
    if (seed >> 28 == 0) {
      in[at++] = (uint8_t)('0' + (seed >> 16) % 10);
      continue;
    }
    for (const char *word = words[seed >> 20 & 7]; *word && at < SIZE;) in[at++] = (uint8_t)*word++;
  }
  for (int round = 0; round < ROUNDS; round++) {
    int size = pack(in, SIZE, packed);
    check = check * 31 + (uint32_t)size;
    same += unpack(packed, size, out) == SIZE && !memcmp(in, out, SIZE);
    in[(round * 7919 + 1) % SIZE] ^= 1;
  }
  printf("lz %u %u\n", check, same);
  free(in);
  free(packed);
  free(out);
  return 0;
}
