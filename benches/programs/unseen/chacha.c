/* Encrypts by ChaCha20 and authenticates by a polynomial over a prime of 61 bits: rotations of 32
   bits, sixteen live values, products of 128 bits from parts. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SMALL
enum { SIZE = 1000, ROUNDS = 2 };
#else
enum { SIZE = 1000000, ROUNDS = 100 };
#endif

static uint32_t rotated(uint32_t x, int by) { return x << by | x >> (32 - by); }

#define QUARTER(a, b, c, d)                                                                        \
  (a += b, d = rotated(d ^ a, 16), c += d, b = rotated(b ^ c, 12), a += b, d = rotated(d ^ a, 8),  \
   c += d, b = rotated(b ^ c, 7))

static void block(const uint32_t *in, uint8_t *out) {
  uint32_t x[16];
  memcpy(x, in, sizeof x);
  for (int round = 0; round < 10; round++) {
    QUARTER(x[0], x[4], x[8], x[12]);
    QUARTER(x[1], x[5], x[9], x[13]);
    QUARTER(x[2], x[6], x[10], x[14]);
    QUARTER(x[3], x[7], x[11], x[15]);
    QUARTER(x[0], x[5], x[10], x[15]);
    QUARTER(x[1], x[6], x[11], x[12]);
    QUARTER(x[2], x[7], x[8], x[13]);
    QUARTER(x[3], x[4], x[9], x[14]);
  }
  for (int i = 0; i < 16; i++) {
    uint32_t word = x[i] + in[i];
    for (int byte = 0; byte < 4; byte++) out[i * 4 + byte] = (uint8_t)(word >> 8 * byte);
  }
}

static void encrypt(uint32_t *state, uint8_t *text, int size) {
  uint8_t key[64];
  for (int at = 0; at < size; at += 64) {
    int run = size - at < 64 ? size - at : 64;
    block(state, key);
    state[12]++;
    for (int i = 0; i < run; i++) text[at + i] ^= key[i];
  }
}

/* Returns a * b modulo 2^61 - 1; both are less than 2^61. */
static uint64_t times(uint64_t a, uint64_t b) {
  uint64_t prime = ((uint64_t)1 << 61) - 1;
  uint64_t al = a & 0xffffffffu, ah = a >> 32, bl = b & 0xffffffffu, bh = b >> 32;
  uint64_t low = al * bl, middle = ah * bl, other = al * bh;
  uint64_t carry = (low >> 32) + (middle & 0xffffffffu) + (other & 0xffffffffu);
  uint64_t high = ah * bh + (middle >> 32) + (other >> 32) + (carry >> 32);
  low = (low & 0xffffffffu) | carry << 32;
  uint64_t sum = (low & prime) + (low >> 61 | high << 3);
  sum = (sum & prime) + (sum >> 61);
  return sum >= prime ? sum - prime : sum;
}

static uint64_t authenticate(const uint8_t *text, int size, uint64_t key) {
  uint64_t sum = 0;
  for (int at = 0; at + 7 <= size; at += 7) {
    uint64_t word = 0;
    for (int i = 0; i < 7; i++) word |= (uint64_t)text[at + i] << 8 * i;
    sum = times((sum + word) % (((uint64_t)1 << 61) - 1), key);
  }
  return sum;
}

int main(void) {
  /* The constants and the key of the example in RFC 8439, section 2.3.2. */
  uint32_t state[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, 0x03020100, 0x07060504,
                        0x0b0a0908, 0x0f0e0d0c, 0x13121110, 0x17161514, 0x1b1a1918, 0x1f1e1d1c,
                        1, 0x09000000, 0x4a000000, 0};
  uint8_t *text = calloc(SIZE, 1);
  uint64_t check = 0;
  uint8_t first = 0;
  for (int round = 0; round < ROUNDS; round++) {
    encrypt(state, text, SIZE);
    if (!round) first = text[0];
    check = check * 31 + authenticate(text, SIZE, 0x123456789abcdefu + (uint64_t)round);
  }
  printf("chacha %llu %02x\n", (unsigned long long)check, (unsigned)first);
  free(text);
  return 0;
}
