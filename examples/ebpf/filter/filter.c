/* A packet filter: takes an Ethernet frame and its length, and a context; returns 1 if the frame may
   pass: ARP, and IPv4 whose header has a right checksum, but no TCP to the closed port. It counts
   what it drops, and tells helper 1. */

typedef unsigned char u8;
typedef unsigned long long u64;

struct context {
  u64 closed_port;
  u64 dropped;
};

static long (*const report)(u64 reason, u64 detail) = (void *)1;

static u64 drop(struct context *context, u64 reason, u64 detail) {
  context->dropped++;
  report(reason, detail);
  return 0;
}

static u64 big16(const u8 *at) { return at[0] << 8 | at[1]; }

/* Returns the one's complement sum of a header: 0xFFFF if its checksum is right. */
static __attribute__((noinline)) u64 sum(const u8 *at, u64 length) {
  u64 sum = 0;
  for (u64 i = 0; i < length; i += 2)
    sum += big16(at + i);
  while (sum >> 16)
    sum = (sum & 0xFFFF) + (sum >> 16);
  return sum;
}

u64 filter(const u8 *frame, u64 length, struct context *context) {
  if (length < 14 + 20)
    return drop(context, 0, length);
  u64 protocol = big16(frame + 12);
  if (protocol != 0x0800)
    return protocol == 0x0806 ? 1 : drop(context, 1, protocol);
  const u8 *header = frame + 14;
  u64 bytes = (header[0] & 15) * 4;
  if (bytes < 20 || 14 + bytes + 4 > length)
    return drop(context, 0, length);
  u64 total = sum(header, bytes);
  if (total != 0xFFFF)
    return drop(context, 2, total);
  u64 port = big16(header + bytes + 2);
  return header[9] != 6 || port != context->closed_port ? 1 : drop(context, 3, port);
}
