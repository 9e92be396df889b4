/* A plugin of QEMU's: how many instructions a program executes below an address. Its functions are declared here, as the
   header does not come with the emulator. Arguments: out=FILE, below=ADDRESS. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct qemu_plugin_tb;
typedef void (*translated)(uint64_t id, struct qemu_plugin_tb *block);
typedef void (*finished)(uint64_t id, void *data);
void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, translated call);
void qemu_plugin_register_atexit_cb(uint64_t id, finished call, void *data);
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *block, int operation, void *to, uint64_t value);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *block);

enum { ADD = 0 };

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

static uint64_t count, below;
static char out[4096];

static void translate(uint64_t id, struct qemu_plugin_tb *block) {
    (void)id;
    if (qemu_plugin_tb_vaddr(block) < below)
        qemu_plugin_register_vcpu_tb_exec_inline(block, ADD, &count, qemu_plugin_tb_n_insns(block));
}

static void finish(uint64_t id, void *data) {
    (void)id, (void)data;
    FILE *file = fopen(out, "w");
    if (file) {
        fprintf(file, "%llu\n", (unsigned long long)count);
        fclose(file);
    }
}

__attribute__((visibility("default"))) int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv) {
    (void)info;
    for (int i = 0; i < argc; i++) {
        if (!strncmp(argv[i], "out=", 4))
            snprintf(out, sizeof out, "%s", argv[i] + 4);
        else if (!strncmp(argv[i], "below=", 6))
            below = strtoull(argv[i] + 6, NULL, 0);
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
    qemu_plugin_register_atexit_cb(id, finish, NULL);
    return 0;
}
