/* Encrypts a counter by AES-128, byte by byte as the standard tells it: small loops over bytes, a
   table of 256, shifts and exclusive ors. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifdef SMALL
enum { BLOCKS = 50 };
#else
enum { BLOCKS = 1500000 };
#endif

static uint8_t sbox[256], keys[11][16];

static uint8_t twice(uint8_t a) { return (uint8_t)(a << 1 ^ (a >> 7) * 27); }

static uint8_t product(uint8_t a, uint8_t b) {
  uint8_t sum = 0;
  for (; b; b >>= 1, a = twice(a))
    if (b & 1) sum ^= a;
  return sum;
}

static void make_sbox(void) {
  for (unsigned i = 0; i < 256; i++) {
    /* The inverse of i is its power of 254. */
    uint8_t inverse = 1, s;
    for (int n = 0; n < 254; n++) inverse = product(inverse, (uint8_t)i);
    s = inverse;
    for (int n = 1; n < 5; n++) s ^= (uint8_t)(inverse << n | inverse >> (8 - n));
    sbox[i] = s ^ 0x63;
  }
}

static void expand(const uint8_t *key) {
  uint8_t constant = 1;
  memcpy(keys[0], key, 16);
  for (int round = 1; round < 11; round++) {
    const uint8_t *old = keys[round - 1];
    for (int i = 0; i < 16; i++) {
      uint8_t left = i < 4 ? sbox[old[12 + (i + 1) % 4]] : keys[round][i - 4];
      keys[round][i] = old[i] ^ left ^ (i == 0 ? constant : 0);
    }
    constant = twice(constant);
  }
}

static void encrypt(uint8_t *state) {
  uint8_t moved[16];
  for (int i = 0; i < 16; i++) state[i] ^= keys[0][i];
  for (int round = 1; round < 11; round++) {
    for (int column = 0; column < 4; column++)
      for (int row = 0; row < 4; row++)
        moved[column * 4 + row] = sbox[state[(column + row) % 4 * 4 + row]];
    for (int column = 0; column < 4 && round < 10; column++) {
      uint8_t *a = moved + column * 4, all = a[0] ^ a[1] ^ a[2] ^ a[3], first = a[0];
      for (int row = 0; row < 4; row++) {
        uint8_t below = row < 3 ? a[row + 1] : first;
        a[row] ^= all ^ twice(a[row] ^ below);
      }
    }
    for (int i = 0; i < 16; i++) state[i] = moved[i] ^ keys[round][i];
  }
}

int main(void) {
  static const uint8_t key[16] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                                  0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
  uint8_t sum[16] = {0};
  make_sbox();
  expand(key);
  for (uint32_t block = 0; block < BLOCKS; block++) {
    uint8_t state[16] = {0};
    for (int i = 0; i < 4; i++) state[12 + i] = (uint8_t)(block >> (24 - 8 * i));
    encrypt(state);
    for (int i = 0; i < 16; i++) sum[i] = (uint8_t)(sum[i] * 3 + state[i]);
  }
  printf("aes ");
  for (int i = 0; i < 16; i++) printf("%02x", (unsigned)sum[i]);
  printf("\n");
  return 0;
}
