struct point { int x; double y; struct point *next; };
enum colour { RED, BLUE = 7 };
static long weigh(int n, struct point *p) {
  short total = n;
  int squares[3] = {1, 4, 9};
  enum colour c = BLUE;
  total += squares[2] - p->next->x;
  return total + c;
}
int main(void) {
  struct point p = {5, 2.5, &p};
  return weigh(6, &p);
}
