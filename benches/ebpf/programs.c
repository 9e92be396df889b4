/* The programs of the group `ebpf`, one function each: memory is a length and so many bytes. They
   are compiled to eBPF without extensions, which every implementation takes:

     clang -O2 --target=bpfel -mcpu=v2 -fno-builtin -ffunction-sections -c programs.c
     for name in checksum hash count sieve divide; do
       llvm-objcopy -O binary -j .text.$name programs.o $name.bpf
     done */

typedef unsigned char u8;
typedef unsigned long long u64;

struct memory {
  u64 length;
  u8 bytes[];
};

/* The one's complement sum of the bytes as big-endian numbers of 16 bits. */
u64 checksum(const struct memory *memory) {
  u64 sum = 0;
  for (u64 i = 0; i < memory->length; i += 2)
    sum += memory->bytes[i] << 8 | memory->bytes[i + 1];
  while (sum >> 16)
    sum = (sum & 0xFFFF) + (sum >> 16);
  return sum;
}

/* FNV-1a. */
u64 hash(const struct memory *memory) {
  u64 hash = 0xCBF29CE484222325;
  for (u64 i = 0; i < memory->length; i++)
    hash = (hash ^ memory->bytes[i]) * 0x100000001B3;
  return hash;
}

/* The bytes that are digits. */
u64 count(const struct memory *memory) {
  u64 count = 0;
  for (u64 i = 0; i < memory->length; i++)
    if (memory->bytes[i] >= '0' && memory->bytes[i] <= '9')
      count++;
  return count;
}

/* The primes below the length; the bytes are overwritten. */
u64 sieve(struct memory *memory) {
  u64 primes = 0;
  for (u64 i = 0; i < memory->length; i++)
    memory->bytes[i] = 1;
  for (u64 i = 2; i < memory->length; i++)
    if (memory->bytes[i]) {
      primes++;
      for (u64 j = i + i; j < memory->length; j += i)
        memory->bytes[j] = 0;
    }
  return primes;
}

/* The greatest common divisors of neighbours, added up. */
u64 divide(const struct memory *memory) {
  u64 sum = 0;
  for (u64 i = 0; i + 1 < memory->length; i++) {
    u64 a = memory->bytes[i], b = memory->bytes[i + 1];
    while (b) {
      u64 rest = a % b;
      a = b;
      b = rest;
    }
    sum += a;
  }
  return sum;
}
