// Statements that end with the brace of a value, and not of a block.
typedef struct {
  int low, high;
} Pair;

Pair sorted(int a, int b) {
  if (a > b)
    return (Pair){b, a};
  return (Pair){.low = a, .high = b};
}

kernel void test(global int* out, global const int* in) {
  const int i = get_global_id(0);
  Pair pair = {0, 0};
  int2 sum;
  if (i % 2)
    sum = (int2){in[i], 1};
  else
    sum = (int2){1, in[i]};
  for (int n = 0; n < 3; ++n)
    pair = (Pair){pair.low + n, in[i] - n};
  while (pair.low > 9)
    pair = sorted(pair.low - 5, pair.high);
  do
    sum += (int2){1, 2};
  while (sum.y < 4);
  switch (i % 3) {
  case 0:
    pair = (Pair){sum.x, sum.y};
    break;
  default:
    if (pair.low > 1) {
      pair = (Pair){1, pair.high};
    }
  }
  out[i] = sorted(pair.low, pair.high).high + sum.x * sum.y;
}
