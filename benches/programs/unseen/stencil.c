/* Spreads heat in a box of floats, blurs an image of bytes, and filters a signal of 16 bits: floats of
   32 bits, neighbours in three dimensions, saturating sums. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifdef SMALL
enum { BOX = 10, STEPS = 3, IMAGE = 40, SIGNAL = 200, ROUNDS = 1 };
#else
enum { BOX = 50, STEPS = 14, IMAGE = 400, SIGNAL = 40000, ROUNDS = 150 };
#endif
enum { TAPS = 24 };

static float box[2][BOX][BOX][BOX];
static uint8_t image[2][IMAGE][IMAGE];
static int16_t signal[SIGNAL], filtered[SIGNAL];

static void heat(float (*from)[BOX][BOX], float (*to)[BOX][BOX]) {
  for (int z = 1; z < BOX - 1; z++)
    for (int y = 1; y < BOX - 1; y++)
      for (int x = 1; x < BOX - 1; x++) {
        float around = from[z][y][x - 1] + from[z][y][x + 1] + from[z][y - 1][x] + from[z][y + 1][x] +
                       from[z - 1][y][x] + from[z + 1][y][x];
        to[z][y][x] = from[z][y][x] + 0.125f * (around - 6.0f * from[z][y][x]);
      }
}

static void blur(void) {
  static const int weights[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
  for (int y = 1; y < IMAGE - 1; y++)
    for (int x = 1; x < IMAGE - 1; x++) {
      int sum = 8;
      for (int dy = 0; dy < 3; dy++)
        for (int dx = 0; dx < 3; dx++) sum += weights[dy][dx] * image[0][y + dy - 1][x + dx - 1];
      image[1][y][x] = (uint8_t)(sum >> 4);
    }
}

/* Darkens what is flat and brightens edges. */
static void edges(void) {
  for (int y = 1; y < IMAGE - 1; y++)
    for (int x = 1; x < IMAGE - 1; x++) {
      int across = image[1][y][x + 1] - image[1][y][x - 1], down = image[1][y + 1][x] - image[1][y - 1][x];
      int size = (across < 0 ? -across : across) + (down < 0 ? -down : down);
      int bright = image[0][y][x] + size * 2 - 9;
      image[0][y][x] = (uint8_t)(bright < 0 ? 0 : bright > 255 ? 255 : bright);
    }
}

static void filter(const int16_t *taps) {
  for (int i = 0; i + TAPS <= SIGNAL; i++) {
    int32_t sum = 1 << 14;
    for (int k = 0; k < TAPS; k++) sum += signal[i + k] * taps[k];
    sum /= 32768;
    filtered[i] = (int16_t)(sum > 32767 ? 32767 : sum < -32768 ? -32768 : sum);
  }
}

int main(void) {
  uint32_t seed = 70, check = 0;
  int16_t taps[TAPS];
  float sum = 0;
  for (int k = 0; k < TAPS; k++) taps[k] = (int16_t)(2600 - (k - 11) * (k - 12) * 30);
  for (int y = 0; y < IMAGE; y++)
    for (int x = 0; x < IMAGE; x++) {
      seed = seed * 1664525u + 1013904223u;
      image[0][y][x] = (uint8_t)(seed >> 24);
    }
  for (int round = 0; round < ROUNDS; round++) {
    memset(box, 0, sizeof box);
    box[0][BOX / 2][BOX / 2][BOX / 2] = 1000 + (float)round;
    for (int step = 0; step < STEPS; step++) heat(box[step & 1], box[(step + 1) & 1]);
    sum += box[STEPS & 1][BOX / 2][BOX / 2 + 1][BOX / 2];
    blur();
    edges();
    for (int i = 0; i < SIGNAL; i++) {
      seed = seed * 1664525u + 1013904223u;
      signal[i] = (int16_t)((int)(seed >> 16) - 32768);
    }
    filter(taps);
    check = check * 31 + image[0][IMAGE / 2][round % IMAGE] + (uint16_t)filtered[SIGNAL / 2];
  }
  printf("stencil %.3f %u\n", (double)sum, check);
  return 0;
}
