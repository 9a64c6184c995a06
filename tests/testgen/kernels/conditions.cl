// Launches of another size than those that fuzzing makes.
kernel void sized(global int* out) {
  const size_t i = get_global_id(0);
  if (get_global_size(0) == 201 && get_local_size(0) > 1)
    out[i] = 7;
  else
    out[i] = (int)i;
}

// With an x whose square is 0 in 32 bits, no mutant may divide by it.
kernel void squares(global const int* in, global int* out) {
  const size_t i = get_global_id(0);
  out[i] = 7 + in[i] * in[i];
}
