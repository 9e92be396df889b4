// Sorting, searching, and random numbers.

typedef int compare(const void *, const void *);

static void swap(char *one, char *other, size_t size) {
    for (; size >= 8; size -= 8, one += 8, other += 8) {
        u64 word = *(u64 *)one;
        *(u64 *)one = *(u64 *)other;
        *(u64 *)other = word;
    }
    for (; size > 0; size--, one++, other++) {
        char byte = *one;
        *one = *other;
        *other = byte;
    }
}

// Moves element `at` of a heap of `count` down to where it belongs.
static void sift(char *base, size_t at, size_t count, size_t size, compare *order) {
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= count)
            return;
        if (child + 1 < count && order(base + child * size, base + (child + 1) * size) < 0)
            child++;
        if (order(base + at * size, base + child * size) >= 0)
            return;
        swap(base + at * size, base + child * size, size);
        at = child;
    }
}

// Sorts by heap: in place, without recursion, and never in more than n log n steps.
void qsort(void *elements, size_t count, size_t size, compare *order) {
    char *base = elements;
    for (size_t at = count / 2; at > 0; at--)
        sift(base, at - 1, count, size, order);
    for (size_t end = count; end > 1; end--) {
        swap(base, base + (end - 1) * size, size);
        sift(base, 0, end - 1, size, order);
    }
}

void *bsearch(const void *key, const void *elements, size_t count, size_t size, compare *order) {
    const char *base = elements;
    while (count > 0) {
        const char *middle = base + count / 2 * size;
        int found = order(key, middle);
        if (found == 0)
            return (void *)middle;
        if (found > 0) {
            base = middle + size;
            count--;
        }
        count /= 2;
    }
    return NULL;
}

// The state of the generator less 1, so that it begins with the seed 1.
static u64 random_state;

void srand(u32 seed) {
    random_state = (u64)seed - 1;
}

int rand(void) {
    u64 state = (random_state + 1) * 6364136223846793005 + 1442695040888963407;
    random_state = state - 1;
    return (int)(state >> 33);
}

int abs(int value) { return value < 0 ? (int)(0u - (u32)value) : value; }
i64 labs(i64 value) { return value < 0 ? (i64)(0ul - (u64)value) : value; }
i64 llabs(i64 value) { return labs(value); }
