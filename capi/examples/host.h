/* What an operating system lends: memory from malloc, executable pages from mmap. */
#define _GNU_SOURCE
#include <mir_nostd.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static void *take(void *state, size_t size, size_t alignment) {
    void *block = NULL;
    (void)state;
    return posix_memalign(&block, alignment < sizeof(void *) ? sizeof(void *) : alignment, size) == 0 ? block : NULL;
}

static void give_back(void *state, void *block, size_t size, size_t alignment) {
    (void)state, (void)size, (void)alignment;
    free(block);
}

/* Pages that are mapped once: each is either writable or executable. */
static bool reserve(void *state, size_t bytes, uintptr_t close_to, mir_region *region) {
    (void)state, (void)close_to;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    region->bytes = (bytes + page - 1) / page * page;
    region->write = region->run = mmap(NULL, region->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return region->run != MAP_FAILED;
}

static bool make_writable(void *state, const mir_region *region, size_t offset, size_t bytes) {
    (void)state;
    return mprotect((char *)region->run + offset, bytes, PROT_READ | PROT_WRITE) == 0;
}

static bool make_executable(void *state, const mir_region *region, size_t offset, size_t bytes) {
    (void)state;
    mir_flush_instructions((char *)region->run + offset, bytes);
    return mprotect((char *)region->run + offset, bytes, PROT_READ | PROT_EXEC) == 0;
}

static void release(void *state, const mir_region *region) {
    (void)state;
    munmap(region->run, region->bytes);
}

static mir_settings host_settings(bool has_pages) {
    mir_settings settings = {.allocator = {NULL, take, give_back}};
    if (has_pages) {
        settings.pages = (mir_pages){NULL, (size_t)sysconf(_SC_PAGESIZE), reserve, make_writable, make_executable, release};
    }
    return settings;
}
