typedef struct {
  float x, v;
  uint bounces;
} Particle;

// Where something that moves between walls at 0 and 1 is. It meets one wall at most.
float between_walls(const float x) {
  if (x < 0.0f)
    return -x;
  return x > 1.0f ? 2.0f - x : x;
}

kernel void advance(global Particle* particles, const uint n, const float dt) {
  const size_t i = get_global_id(0);
  if (i >= n)
    return;
  const float x = particles[i].x + particles[i].v * dt;
  const float reflected = between_walls(x);
  if (x != reflected) {
    particles[i].v = -particles[i].v;
    particles[i].bounces++;
  }
  particles[i].x = reflected;
}
