/* Traces rays through spheres above a floor, with shadows and mirrors: doubles in structures by
   value, square roots, recursion. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#ifdef SMALL
enum { WIDTH = 24, HEIGHT = 16 };
#else
enum { WIDTH = 2400, HEIGHT = 1500 };
#endif
enum { SPHERES = 7, DEPTH = 4 };

struct vector { double x, y, z; };
struct ray { struct vector from, to; };
struct sphere { struct vector centre; double radius, mirror; struct vector colour; };

static struct sphere spheres[SPHERES];
static const struct vector light = {-6, 9, -5};

static struct vector make(double x, double y, double z) { return (struct vector){x, y, z}; }
static struct vector plus(struct vector a, struct vector b) { return make(a.x + b.x, a.y + b.y, a.z + b.z); }
static struct vector times(struct vector a, double by) { return make(a.x * by, a.y * by, a.z * by); }
static struct vector minus(struct vector a, struct vector b) { return plus(a, times(b, -1)); }
static double dot(struct vector a, struct vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static struct vector unit(struct vector a) { return times(a, 1 / sqrt(dot(a, a))); }

static double hit(const struct sphere *s, const struct ray *ray) {
  struct vector away = minus(ray->from, s->centre);
  double b = dot(away, ray->to), d = b * b - dot(away, away) + s->radius * s->radius;
  if (d < 0) return 0;
  double root = sqrt(d);
  if (-b - root > 1e-6) return -b - root;
  return -b + root > 1e-6 ? -b + root : 0;
}

/* Returns the sphere that a ray meets first, or -1, and the distance. */
static int nearest(const struct ray *ray, double *distance) {
  int found = -1;
  for (int i = 0; i < SPHERES; i++) {
    double d = hit(&spheres[i], ray);
    if (d > 0 && (found < 0 || d < *distance)) {
      found = i;
      *distance = d;
    }
  }
  return found;
}

static struct vector trace(struct ray ray, int depth) {
  double distance = 0, mirror = 0.2;
  struct vector colour, normal = {0, 1, 0}, at;
  int found = nearest(&ray, &distance);
  if (found >= 0) {
    const struct sphere *s = &spheres[found];
    at = plus(ray.from, times(ray.to, distance));
    normal = times(minus(at, s->centre), 1 / s->radius);
    colour = s->colour;
    mirror = s->mirror;
  } else if (ray.to.y < -1e-6) {
    at = plus(ray.from, times(ray.to, -ray.from.y / ray.to.y));
    int dark = ((int)(at.x + 1000) + (int)(at.z + 1000)) & 1;
    if (at.x * at.x + at.z * at.z > 400) return make(0.5, 0.6, 0.7);
    colour = dark ? make(0.1, 0.1, 0.1) : make(0.9, 0.9, 0.8);
  } else {
    return make(0.4 + ray.to.y / 2, 0.6, 0.9);
  }
  struct ray to_light = {at, unit(minus(light, at))};
  double bright = dot(normal, to_light.to), unused = 0;
  if (bright < 0 || nearest(&to_light, &unused) >= 0) bright = 0;
  colour = times(colour, 0.2 + 0.8 * bright);
  if (depth == 0 || mirror == 0) return colour;
  struct ray next = {at, minus(ray.to, times(normal, 2 * dot(ray.to, normal)))};
  return plus(times(colour, 1 - mirror), times(trace(next, depth - 1), mirror));
}

int main(void) {
  uint32_t check = 0;
  for (int i = 0; i < SPHERES; i++) {
    spheres[i].centre = make(i * 1.5 - 4.5, 0.8 + 0.4 * (i % 3), 1 + 2.0 * (i % 2));
    spheres[i].radius = 0.7 + 0.1 * (i % 4);
    spheres[i].mirror = i % 3 * 0.3;
    spheres[i].colour = make(0.3 + 0.1 * i, 0.9 - 0.1 * i, 0.5);
  }
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++) {
      double right = (x - WIDTH / 2) * 1.2 / WIDTH, up = (HEIGHT / 2 - y) * 0.9 / HEIGHT - 0.1;
      struct ray ray = {{0, 2, -9}, unit(make(right, up, 1))};
      struct vector c = trace(ray, DEPTH);
      uint32_t red = (uint32_t)(c.x * 255), green = (uint32_t)(c.y * 255), blue = (uint32_t)(c.z * 255);
      check = check * 31 + (red << 16 | green << 8 | blue);
    }
  printf("rays %u\n", check);
  return 0;
}
