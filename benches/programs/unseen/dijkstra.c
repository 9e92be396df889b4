/* Finds shortest ways through a graph by a queue with priorities, components by a union of sets, and
   an order by depth: heaps of indices, arrays of edges, unpredictable loads. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SMALL
enum { NODES = 200, ROUNDS = 2 };
#else
enum { NODES = 20000, ROUNDS = 100 };
#endif
enum { EDGES = NODES * 5 };

static int first[NODES + 1], target[EDGES], weight[EDGES], from_node[EDGES];
static int distance[NODES], heap[NODES], place[NODES], heap_size;
static int parent[NODES], stack[NODES], next_edge[NODES];

static void rise(int at) {
  int node = heap[at];
  for (; at > 0 && distance[heap[(at - 1) / 2]] > distance[node]; at = (at - 1) / 2) {
    place[heap[at] = heap[(at - 1) / 2]] = at;
  }
  heap[at] = node;
  place[node] = at;
}

static int take(void) {
  int top = heap[0], node = heap[--heap_size], at = 0;
  for (int child; (child = 2 * at + 1) < heap_size; at = child) {
    if (child + 1 < heap_size && distance[heap[child + 1]] < distance[heap[child]]) child++;
    if (distance[heap[child]] >= distance[node]) break;
    place[heap[at] = heap[child]] = at;
  }
  heap[at] = node;
  place[node] = at;
  return top;
}

static uint32_t shortest(int start) {
  uint32_t sum = 0;
  for (int i = 0; i < NODES; i++) distance[i] = INT32_MAX, place[i] = -1;
  distance[start] = 0;
  heap_size = 1;
  heap[0] = start;
  while (heap_size) {
    int node = take();
    sum = sum * 3 + (uint32_t)distance[node];
    for (int edge = first[node]; edge < first[node + 1]; edge++) {
      int to = target[edge], length = distance[node] + weight[edge];
      if (length >= distance[to]) continue;
      distance[to] = length;
      if (place[to] < 0) heap[place[to] = heap_size++] = to;
      rise(place[to]);
    }
  }
  return sum;
}

static int root_of(int node) {
  while (parent[node] != node) node = parent[node] = parent[parent[node]];
  return node;
}

static uint32_t components(int lightest) {
  uint32_t count = NODES;
  for (int i = 0; i < NODES; i++) parent[i] = i;
  for (int edge = 0; edge < EDGES; edge++) {
    if (weight[edge] < lightest) continue;
    int a = root_of(from_node[edge]), b = root_of(target[edge]);
    count -= a != b;
    parent[a] = b;
  }
  return count;
}

static uint32_t depth_first(void) {
  uint32_t sum = 0, number = 0;
  for (int i = 0; i < NODES; i++) next_edge[i] = -1;
  for (int start = 0; start < NODES; start++) {
    int depth = 0;
    if (next_edge[start] >= 0) continue;
    stack[depth++] = start;
    next_edge[start] = first[start];
    while (depth) {
      int node = stack[depth - 1];
      if (next_edge[node] == first[node + 1]) {
        sum += ++number * (uint32_t)node;
        depth--;
        continue;
      }
      int to = target[next_edge[node]++];
      if (next_edge[to] >= 0) continue;
      next_edge[to] = first[to];
      stack[depth++] = to;
    }
  }
  return sum;
}

int main(void) {
  uint32_t seed = 40, check = 0;
  for (int edge = 0, node = 0; node < NODES; node++) {
    first[node] = edge;
    for (int end = node == NODES - 1 ? EDGES : edge + 2 + node % 7; edge < end && edge < EDGES; edge++) {
      seed = seed * 1664525u + 1013904223u;
      from_node[edge] = node;
      target[edge] = (int)((seed >> 8) % NODES);
      weight[edge] = 1 + (int)(seed >> 24);
    }
    first[node + 1] = edge;
  }
  for (int round = 0; round < ROUNDS; round++) {
    check = check * 31 + shortest(round * 37 % NODES);
    check = check * 31 + components(round * 5 % 256);
    check = check * 31 + depth_first();
  }
  printf("dijkstra %u\n", check);
  return 0;
}
