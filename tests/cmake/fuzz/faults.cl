// Each doubles what n elements hold, with a fault that most inputs do not show.

kernel void outside(global int* data, int n) {
  const int i = get_global_id(0);
  if (i < n)
    data[i] *= 2;
  if (i == 0 && n % 7 == 0)
    data[n] = 0;
}

kernel void racy(global int* data, int n) {
  const int i = get_global_id(0);
  if (i < n)
    data[n == 5 ? 0 : i] *= 2;
}

kernel void magic(global int* data, int n) {
  const int i = get_global_id(0);
  if (i < n)
    data[i] = data[i] == FORBIDDEN ? 0 : data[i] * 2;
}

kernel void endless(global int* data, int n) {
  const int i = get_global_id(0);
  if (i >= n)
    return;
  int twice = data[i] * 2;
  while (twice == 24)
    twice = data[i] * 2;
  data[i] = twice;
}

// Sorts neighbours.
kernel void pairs(global int* data, int n) {
  const int i = 2 * get_global_id(0);
  if (i + 1 >= n)
    return;
  const int a = data[i], b = data[i + 1];
  data[i] = min(a, b);
  data[i + 1] = FAULT && a == b ? a + 1 : max(a, b);
}
