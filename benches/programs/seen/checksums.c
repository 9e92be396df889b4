/* Sums of bytes: Adler-32, Fletcher's of 64 bits, CRC-32 by four tables, CRC-64 bit by bit, and a
   hash with rotations: loops whose next turn needs the last one. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef SMALL
enum { SIZE = 1000, ROUNDS = 3 };
#else
enum { SIZE = 400000, ROUNDS = 270 };
#endif

static uint32_t tables[4][256];

static void make_tables(void) {
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t crc = i;
    for (int bit = 0; bit < 8; bit++) crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
    tables[0][i] = crc;
  }
  for (int t = 1; t < 4; t++)
    for (int i = 0; i < 256; i++) {
      uint32_t crc = tables[t - 1][i];
      tables[t][i] = crc >> 8 ^ tables[0][crc & 255];
    }
}

static uint32_t crc32(const uint8_t *p, int size) {
  uint32_t crc = ~0u;
  for (; size >= 4; size -= 4, p += 4) {
    crc ^= (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
    crc = tables[3][crc & 255] ^ tables[2][crc >> 8 & 255] ^ tables[1][crc >> 16 & 255] ^
          tables[0][crc >> 24];
  }
  for (; size; size--) crc = crc >> 8 ^ tables[0][(crc ^ *p++) & 255];
  return ~crc;
}

static uint64_t crc64(const uint8_t *p, int size) {
  uint64_t crc = 0;
  for (int i = 0; i < size; i++) {
    crc ^= (uint64_t)p[i] << 56;
    for (int bit = 0; bit < 8; bit++) crc = crc << 1 ^ (crc >> 63 ? 0x42f0e1eba9ea3693u : 0);
  }
  return crc;
}

static uint32_t adler(const uint8_t *p, int size) {
  uint32_t a = 1, b = 0;
  while (size) {
    int run = size < 5552 ? size : 5552;
    size -= run;
    for (; run; run--) {
      a += *p++;
      b += a;
    }
    a %= 65521;
    b %= 65521;
  }
  return b << 16 | a;
}

static uint64_t fletcher(const uint8_t *p, int size) {
  uint64_t a = 0, b = 0;
  for (int i = 0; i + 1 < size; i += 2) {
    a = (a + (uint32_t)(p[i] | p[i + 1] << 8)) % 65535;
    b = (b + a) % 65535;
  }
  return b << 32 | a;
}

static uint64_t rotating(const uint8_t *p, int size) {
  uint64_t lanes[4] = {1, 2, 3, 4};
  for (int i = 0; i < size; i++) {
    uint64_t *lane = &lanes[i & 3];
    *lane = (*lane ^ p[i]) * 0x9e3779b185ebca87u;
    *lane = *lane << 27 | *lane >> 37;
  }
  return lanes[0] ^ lanes[1] * 3 ^ lanes[2] * 5 ^ lanes[3] * 7;
}

int main(void) {
  uint8_t *bytes = malloc(SIZE);
  uint32_t seed = 23;
  uint64_t check = 0;
  make_tables();
  for (int i = 0; i < SIZE; i++) {
    seed = seed * 1664525u + 1013904223u;
    bytes[i] = (uint8_t)(seed >> 24);
  }
  for (int round = 0; round < ROUNDS; round++) {
    bytes[round % SIZE]++;
    check = check * 31 + crc32(bytes + 1, SIZE - 2);
    check = check * 31 + adler(bytes, SIZE);
    check = check * 31 + fletcher(bytes, SIZE);
    check = check * 31 + rotating(bytes, SIZE);
    check = check * 31 + crc64(bytes, SIZE / 8);
  }
  printf("checksums %llu %08x\n", (unsigned long long)check, crc32((const uint8_t *)"123456789", 9));
  free(bytes);
  return 0;
}
