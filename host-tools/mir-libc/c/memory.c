// The allocator. The memory between the bounds that the runtime gives is a row of blocks, each
// with a header; after the last block is what was never used. Free blocks are in lists by size,
// and two that touch become one.
//
// Small blocks that are given back wait in lists of one size each, marked as in use, for the next
// call that asks for this size. Only when memory runs out are they given back in earnest.

// The header of a block. `size` counts the header, is a multiple of 16, and has its lowest bit set
// while the block is in use; `before` is the size of the block before, or 0.
typedef struct block {
    u64 size;
    u64 before;
    // Only of a free block: its neighbours in the list.
    struct block *next, *last;
} block;

#define HEADER 16
#define SMALLEST 32
// Sizes below this have a list each.
#define LARGE 512
#define LISTS (LARGE / 16 + 55)
// How many blocks of a list of several sizes are looked at.
#define PATIENCE 16

static block *lists[LISTS];
static block *waiting[LARGE / 16];
// The number of blocks in all lists, and the last list that ever had one.
static u64 listed;
static int last_list;
static block *heap_top;
static u64 heap_end;
// The size of the block before the top, or 0.
static u64 size_before_top;

static block *block_at(const block *from, u64 distance) {
    return (block *)((char *)from + distance);
}

static u64 size_of(const block *b) {
    return b->size & ~1UL;
}

static int list_of(u64 size) {
    if (size < LARGE)
        return (int)(size / 16);
    return LARGE / 16 + 54 - __builtin_clzl(size);
}

static void insert(block *b) {
    int number = list_of(b->size);
    block **list = &lists[number];
    if (number > last_list)
        last_list = number;
    listed++;
    b->next = *list;
    b->last = NULL;
    if (b->next != NULL)
        b->next->last = b;
    *list = b;
}

static void take_out(block *b) {
    listed--;
    if (b->next != NULL)
        b->next->last = b->last;
    if (b->last != NULL)
        b->last->next = b->next;
    else
        lists[list_of(b->size)] = b->next;
}

// Sets the size that the block behind `b`, or the top, knows of `b`.
static void tell_next(block *b) {
    block *next = block_at(b, size_of(b));
    if (next == heap_top)
        size_before_top = size_of(b);
    else
        next->before = size_of(b);
}

// Gives a block back that is in no list and not in use: to the top or to a list.
static void release(block *b) {
    block *next = block_at(b, b->size);
    if (next != heap_top && (next->size & 1) == 0) {
        take_out(next);
        b->size += next->size;
    }
    if (b->before != 0) {
        block *last = (block *)((char *)b - b->before);
        if ((last->size & 1) == 0) {
            take_out(last);
            last->size += b->size;
            b = last;
        }
    }
    if (block_at(b, b->size) == heap_top) {
        size_before_top = b->before;
        heap_top = b;
        return;
    }
    tell_next(b);
    insert(b);
}

// Marks a block that is in no list as used, and gives back what it has beyond `size`.
static void use(block *b, u64 size) {
    u64 rest = size_of(b) - size;
    if (rest < SMALLEST) {
        b->size |= 1;
        return;
    }
    b->size = size | 1;
    block *second = block_at(b, size);
    second->size = rest;
    second->before = size;
    tell_next(second);
    release(second);
}

// Returns a free block of at least `size` bytes, out of its list, or NULL.
static block *find(u64 size) {
    if (listed == 0)
        return NULL;
    int number = list_of(size);
    block *b = lists[number];
    for (int tries = 0; b != NULL && tries < PATIENCE; tries++, b = b->next)
        if (b->size >= size)
            goto found;
    for (number++; number <= last_list; number++)
        if ((b = lists[number]) != NULL)
            goto found;
    return NULL;
found:
    take_out(b);
    return b;
}

// True if the heap holds `size` bytes from `start` on. Its end is asked for anew only where it does
// not seem to: a call of the embedder costs more than all the rest.
static int has_room(u64 start, u64 size) {
    if (start <= heap_end && heap_end - start >= size)
        return 1;
    heap_end = __heap_end();
    return start <= heap_end && heap_end - start >= size;
}

// Takes a block off the memory that was never used.
static block *extend(u64 size) {
    if (heap_top == NULL)
        heap_top = (block *)((__heap_start() + 15) & ~15UL);
    if (!has_room((u64)heap_top, size))
        return NULL;
    block *b = heap_top;
    b->size = size;
    b->before = size_before_top;
    heap_top = block_at(b, size);
    size_before_top = size;
    return b;
}

// Returns the size of a block for that many bytes; 0 if there is none so large.
static u64 block_size(size_t bytes) {
    if (bytes > (u64)LONG_MAX - 64)
        return 0;
    u64 size = (bytes + HEADER + 15) & ~15UL;
    return size < SMALLEST ? SMALLEST : size;
}

// Gives back the blocks that wait; returns whether there were any.
static int release_waiting(void) {
    int any = 0;
    for (int number = 0; number < LARGE / 16; number++)
        for (block *b; (b = waiting[number]) != NULL; any = 1) {
            waiting[number] = b->next;
            b->size = size_of(b);
            release(b);
        }
    return any;
}

// Returns a block that is in no list, or NULL.
static block *obtain(u64 size) {
    block *b = find(size);
    if (b == NULL)
        b = extend(size);
    if (b == NULL && release_waiting())
        b = obtain(size);
    return b;
}

// Returns the memory of a block that is taken from the free ones or made at the heap's end. Apart
// from malloc, so that this is short where a block waits.
static __attribute__((noinline)) void *make(u64 size) {
    block *b = obtain(size);
    if (b == NULL)
        return NULL;
    use(b, size);
    return (char *)b + HEADER;
}

void *malloc(size_t bytes) {
    u64 size = block_size(bytes);
    if (size == 0)
        return NULL;
    block *b;
    if (size < LARGE && (b = waiting[size / 16]) != NULL) {
        waiting[size / 16] = b->next;
        return (char *)b + HEADER;
    }
    return make(size);
}

void free(void *memory) {
    if (memory == NULL)
        return;
    block *b = (block *)((char *)memory - HEADER);
    u64 size = size_of(b);
    if (size < LARGE) {
        b->next = waiting[size / 16];
        waiting[size / 16] = b;
        return;
    }
    b->size = size;
    release(b);
}

void *calloc(size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        return NULL;
    void *memory = malloc(bytes);
    return memory == NULL ? NULL : memset(memory, 0, bytes);
}

// Makes a used block larger where it is, if what follows it is free; returns whether it did.
static int grow(block *b, u64 size) {
    block *next = block_at(b, size_of(b));
    if (next == heap_top) {
        if (!has_room((u64)b, size))
            return 0;
        b->size = size | 1;
        heap_top = block_at(b, size);
        size_before_top = size;
        return 1;
    }
    if ((next->size & 1) != 0 || size_of(b) + next->size < size)
        return 0;
    take_out(next);
    b->size = size_of(b) + next->size;
    tell_next(b);
    use(b, size);
    return 1;
}

void *realloc(void *memory, size_t bytes) {
    if (memory == NULL)
        return malloc(bytes);
    u64 size = block_size(bytes);
    if (size == 0)
        return NULL;
    block *b = (block *)((char *)memory - HEADER);
    u64 had = size_of(b);
    if (had >= size) {
        use(b, size);
        return memory;
    }
    if (grow(b, size))
        return memory;
    void *moved = malloc(bytes);
    if (moved == NULL)
        return NULL;
    memcpy(moved, memory, had - HEADER);
    free(memory);
    return moved;
}
