typedef struct {
  float weight;
  int kind[2];
} particle;

kernel void scale(global float* data, int n, float factor) {
  const int i = get_global_id(0);
  if (i < n)
    data[i] *= factor;
}

kernel void weigh(global const particle* particles, global float* sums, int count) {
  float sum = 0;
  for (int i = get_global_id(0); i < count; i += get_global_size(0))
    if (particles[i].kind[0] > particles[i].kind[1])
      sum += particles[i].weight;
  sums[get_global_id(0)] = sum;
}
