// Buffers that may be null: tested in a helper, beside other conditions, and without an access.
float weight_at(global const float* weights, int i) {
  if (!weights)
    return 1;
  return weights[i];
}

kernel void nulls(global float* out, global const int* mask, global const float* weights,
                  global int* errors, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  float sum = weight_at(weights, i);
  if (mask != NULL && mask[i] == 3)
    sum = 0;
  if (errors == 0 && n > 40)
    sum = -1;
  out[i] = sum + i;
}
