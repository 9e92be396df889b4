/* Counts words by their length: structures, function pointers, variable arguments, the C library. */
#include <stdio.h>
#include <string.h>

struct count {
    int length;
    long words;
};

static const char text[] = "a program in C comes through LLVM IR and runs where no compiler has ever been";

static long each_word(const char *at, void (*take)(struct count *, size_t), struct count *counts) {
    long words = 0;
    while (*at != '\0') {
        size_t length = strcspn(at, " ");
        take(counts, length);
        words++;
        at += length + (at[length] == ' ');
    }
    return words;
}

static void count_length(struct count *counts, size_t length) {
    counts[length].length = (int)length;
    counts[length].words++;
}

int main(void) {
    struct count counts[16] = {{0, 0}};
    long words = each_word(text, count_length, counts);
    for (int length = 0; length < 16; length++) {
        if (counts[length].words != 0) {
            printf("%2d letters: %ld\n", counts[length].length, counts[length].words);
        }
    }
    printf("%ld words, %.2f letters each\n", words, (double)(sizeof text - (size_t)words) / (double)words);
    return 0;
}
