/* Joins two tables of rows by hashing, with open addressing and with chains, and sums by group:
   hashes by multiplication, loads that miss, rows of several widths. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SMALL
enum { CUSTOMERS = 100, ORDERS = 400, ROUNDS = 2, BITS = 8 };
#else
enum { CUSTOMERS = 30000, ORDERS = 400000, ROUNDS = 50, BITS = 16 };
#endif
enum { CITIES = 97 };

struct customer { uint64_t key; uint16_t city; uint8_t is_active; };
struct order { uint32_t number; int16_t amount; uint64_t customer; };
struct group { uint64_t city; int64_t sum; uint32_t count; struct group *next; };

static struct customer *customers;
static struct order *orders;
static int32_t *slots;
static struct group groups[CITIES], *chains[32];

static uint32_t slot_of(uint64_t key) { return (uint32_t)(key * 0x9e3779b97f4a7c15u >> (64 - BITS)); }

static void build(void) {
  memset(slots, 255, sizeof *slots << BITS);
  for (int i = 0; i < CUSTOMERS; i++) {
    uint32_t slot = slot_of(customers[i].key);
    while (slots[slot] >= 0) slot = (slot + 1) & ((1 << BITS) - 1);
    slots[slot] = i;
  }
}

static const struct customer *find(uint64_t key) {
  for (uint32_t slot = slot_of(key); slots[slot] >= 0; slot = (slot + 1) & ((1 << BITS) - 1))
    if (customers[slots[slot]].key == key) return &customers[slots[slot]];
  return 0;
}

static struct group *group_of(uint64_t city, int *count) {
  struct group **chain = &chains[city * 2654435761u >> 7 & 31];
  for (struct group *group = *chain; group; group = group->next)
    if (group->city == city) return group;
  struct group *group = &groups[(*count)++];
  *group = (struct group){.city = city, .next = *chain};
  return *chain = group;
}

int main(void) {
  uint64_t seed = 12;
  uint32_t check = 0, misses = 0;
  customers = malloc(CUSTOMERS * sizeof *customers);
  orders = malloc(ORDERS * sizeof *orders);
  slots = malloc(sizeof *slots << BITS);
  for (int i = 0; i < CUSTOMERS; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    customers[i] = (struct customer){seed >> 20, (uint16_t)((seed >> 40) % CITIES), seed >> 60 != 0};
  }
  for (int i = 0; i < ORDERS; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    uint64_t key = seed >> 61 ? customers[(seed >> 20) % CUSTOMERS].key : seed;
    orders[i] = (struct order){(uint32_t)i, (int16_t)(seed >> 45), key};
  }
  for (int round = 0; round < ROUNDS; round++) {
    int count = 0;
    memset(chains, 0, sizeof chains);
    build();
    for (int i = round; i < ORDERS; i++) {
      const struct customer *customer = find(orders[i].customer);
      if (!customer) {
        misses++;
      } else if (customer->is_active) {
        struct group *group = group_of(customer->city, &count);
        group->sum += orders[i].amount;
        group->count++;
      }
    }
    for (int i = 0; i < count; i++)
      check = check * 31 + (uint32_t)groups[i].sum + groups[i].count * (uint32_t)groups[i].city;
  }
  printf("joins %u %u\n", check, misses);
  free(customers);
  free(orders);
  free(slots);
  return 0;
}
