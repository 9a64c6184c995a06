// Loops that run never, once, more often, exactly 17 times; and a condition on a local size.
kernel void loops(global int* out, int n) {
  const int i = get_global_id(0);
  int turns = 0;
  for (int k = 0; k < n && k < 40; ++k)
    ++turns;
  if (turns == 17)
    turns = 100;
  if (get_local_size(0) == 3)
    turns += 1000;
  out[i] = turns + i;
}
