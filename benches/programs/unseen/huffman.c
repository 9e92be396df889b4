/* Packs bytes by Huffman's code and unpacks them by walking the tree and by a table: a heap, streams
   of bits, small tables. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SMALL
enum { SIZE = 2000, ROUNDS = 1 };
#else
enum { SIZE = 800000, ROUNDS = 50 };
#endif
enum { PEEK = 10 };

struct node { uint32_t weight; int16_t left, right; };

static struct node nodes[511];
static int heap[256], heap_size, node_count;
static uint32_t codes[256];
static uint8_t lengths[256];
static struct { uint8_t symbol, length; } table[1 << PEEK];

static int lighter(int a, int b) {
  return nodes[a].weight < nodes[b].weight || (nodes[a].weight == nodes[b].weight && a < b);
}

static void push(int node) {
  int at = heap_size++;
  for (; at && lighter(node, heap[(at - 1) / 2]); at = (at - 1) / 2) heap[at] = heap[(at - 1) / 2];
  heap[at] = node;
}

static int pop(void) {
  int top = heap[0], moved = heap[--heap_size], at = 0;
  for (int child; (child = at * 2 + 1) < heap_size; at = child) {
    if (child + 1 < heap_size && lighter(heap[child + 1], heap[child])) child++;
    if (!lighter(heap[child], moved)) break;
    heap[at] = heap[child];
  }
  heap[at] = moved;
  return top;
}

static void number(int node, uint32_t code, int length) {
  if (node < 256) {
    codes[node] = code;
    lengths[node] = (uint8_t)length;
    for (uint32_t rest = 0; length <= PEEK && rest < 1u << (PEEK - length); rest++) {
      table[code << (PEEK - length) | rest].symbol = (uint8_t)node;
      table[code << (PEEK - length) | rest].length = (uint8_t)length;
    }
    return;
  }
  number(nodes[node].left, code << 1, length + 1);
  number(nodes[node].right, code << 1 | 1, length + 1);
}

static int build(const uint8_t *in) {
  memset(nodes, 0, sizeof nodes);
  memset(table, 0, sizeof table);
  for (int i = 0; i < SIZE; i++) nodes[in[i]].weight++;
  for (int i = 0; i < 256; i++)
    if (nodes[i].weight) push(i);
  for (node_count = 256; heap_size > 1; push(node_count++)) {
    int left = pop(), right = pop();
    uint32_t weight = nodes[left].weight + nodes[right].weight;
    nodes[node_count] = (struct node){weight, (int16_t)left, (int16_t)right};
  }
  int root = pop();
  number(root, 0, 0);
  return root;
}

static size_t pack(const uint8_t *in, uint8_t *out) {
  uint64_t bits = 0;
  int count = 0;
  size_t to = 0;
  for (int i = 0; i < SIZE; i++) {
    bits = bits << lengths[in[i]] | codes[in[i]];
    for (count += lengths[in[i]]; count >= 8; count -= 8) out[to++] = (uint8_t)(bits >> (count - 8));
  }
  out[to++] = (uint8_t)(bits << (8 - count));
  return to;
}

static void unpack(const uint8_t *in, uint8_t *out, int root) {
  uint32_t bits = 0;
  for (int i = 0, count = 0; i < SIZE; i++) {
    for (; count < 24; count += 8) bits |= (uint32_t)*in++ << (24 - count);
    int length = table[bits >> (32 - PEEK)].length, node = root;
    if (length) node = table[bits >> (32 - PEEK)].symbol;
    else
      for (; node >= 256; length++) node = bits << length >> 31 ? nodes[node].right : nodes[node].left;
    out[i] = (uint8_t)node;
    bits <<= length;
    count -= length;
  }
}

int main(void) {
  uint8_t *in = malloc(SIZE), *packed = calloc(SIZE * 3 + 8, 1), *out = malloc(SIZE);
  uint32_t seed = 14, check = 0, same = 0;
  for (int i = 0; i < SIZE; i++) {
    seed = seed * 1664525u + 1013904223u;
    in[i] = (uint8_t)((seed >> 24 & seed >> 16) * (seed >> 30));
  }
  for (int round = 0; round < ROUNDS; round++) {
    in[round] = (uint8_t)round;
    int root = build(in);
    size_t size = pack(in, packed);
    memset(packed + size, 0, 8);
    unpack(packed, out, root);
    check = check * 31 + (uint32_t)size;
    same += !memcmp(in, out, SIZE);
  }
  printf("huffman %u %u\n", check, same);
  free(in);
  free(packed);
  free(out);
  return 0;
}
