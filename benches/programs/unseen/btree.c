/* Inserts keys into a B-tree with nodes of up to sixteen, looks keys up, and walks it in order:
   binary search, moving of arrays, pointers to nodes. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SMALL
enum { KEYS = 500, LOOKUPS = 1000 };
#else
enum { KEYS = 400000, LOOKUPS = 2000000 };
#endif
enum { MOST = 15 };

struct node {
  int count, is_leaf;
  uint32_t keys[MOST], values[MOST];
  struct node *children[MOST + 1];
};

static struct node *new_node(int is_leaf) {
  struct node *node = calloc(1, sizeof *node);
  node->is_leaf = is_leaf;
  return node;
}

static int place(const struct node *node, uint32_t key) {
  int low = 0, high = node->count;
  while (low < high) {
    int middle = (low + high) / 2;
    if (node->keys[middle] < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* Splits a full child; its middle key moves up. */
static void split(struct node *parent, int at) {
  struct node *left = parent->children[at], *right = new_node(left->is_leaf);
  int half = MOST / 2;
  right->count = MOST - half - 1;
  size_t bytes = (size_t)right->count * sizeof(uint32_t), behind = (size_t)(parent->count - at);
  memcpy(right->keys, left->keys + half + 1, bytes);
  memcpy(right->values, left->values + half + 1, bytes);
  if (!left->is_leaf)
    memcpy(right->children, left->children + half + 1, ((size_t)right->count + 1) * sizeof(struct node *));
  left->count = half;
  memmove(parent->keys + at + 1, parent->keys + at, behind * sizeof(uint32_t));
  memmove(parent->values + at + 1, parent->values + at, behind * sizeof(uint32_t));
  memmove(parent->children + at + 2, parent->children + at + 1, behind * sizeof(struct node *));
  parent->keys[at] = left->keys[half];
  parent->values[at] = left->values[half];
  parent->children[at + 1] = right;
  parent->count++;
}

static struct node *insert(struct node *root, uint32_t key, uint32_t value) {
  if (root->count == MOST) {
    struct node *above = new_node(0);
    above->children[0] = root;
    root = above;
    split(root, 0);
  }
  for (struct node *node = root;;) {
    int at = place(node, key);
    if (at < node->count && node->keys[at] == key) {
      node->values[at] += value;
      return root;
    }
    if (node->is_leaf) {
      for (int i = node->count; i > at; i--) {
        node->keys[i] = node->keys[i - 1];
        node->values[i] = node->values[i - 1];
      }
      node->keys[at] = key;
      node->values[at] = value;
      node->count++;
      return root;
    }
    if (node->children[at]->count == MOST) split(node, at);
    else node = node->children[at];
  }
}

static const uint32_t *find(const struct node *node, uint32_t key) {
  for (;;) {
    int at = place(node, key);
    if (at < node->count && node->keys[at] == key) return &node->values[at];
    if (node->is_leaf) return 0;
    node = node->children[at];
  }
}

static uint32_t walk(struct node *node, uint32_t sum) {
  for (int i = 0; i <= node->count; i++) {
    if (!node->is_leaf) sum = walk(node->children[i], sum);
    if (i < node->count) sum = sum * 31 + node->keys[i] + node->values[i];
  }
  free(node);
  return sum;
}

int main(void) {
  struct node *root = new_node(1);
  uint32_t seed = 9, found = 0;
  for (uint32_t i = 0; i < KEYS; i++) {
    seed = seed * 1664525u + 1013904223u;
    root = insert(root, (seed >> 8) % (KEYS * 4u), i);
  }
  for (uint32_t i = 0; i < LOOKUPS; i++) {
    seed = seed * 1664525u + 1013904223u;
    const uint32_t *value = find(root, (seed >> 8) % (KEYS * 4u));
    found += value ? *value : 1;
  }
  printf("btree %u %u\n", found, walk(root, 0));
  return 0;
}
