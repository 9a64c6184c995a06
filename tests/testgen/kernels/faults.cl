// One fault each, which most inputs do not show.

// Writes behind the buffer where n is a multiple of 7.
kernel void outside(global int* data, int n) {
  const int i = get_global_id(0);
  if (i < n)
    data[i] = i;
  if (i == 0 && n % 7 == 0)
    data[n] = 0;
}

// Neighbours write to one place where mode is 3.
kernel void racy(global int* data, int mode) {
  const int i = get_global_id(0);
  data[mode == 3 && i > 0 ? i - 1 : i] = i;
}

// 10 and 11 stay what they are for ever.
kernel void endless(global int* data, int n) {
  const int i = get_global_id(0);
  if (i >= n)
    return;
  int rest = data[i];
  while (rest != 0)
    rest = rest > 9 && rest < 12 ? rest : rest / 2;
  data[i] = rest;
}

// Two faults: either is found while the other is there.
kernel void both(global int* data, int n) {
  const int i = get_global_id(0);
  if (n == 5 && i == 0)
    data[n] = 0;
  if (i < n)
    data[n == 4 ? 0 : i] = i;
}

kernel void sound(global const int* a, global int* out, int n) {
  const int i = get_global_id(0);
  if (i < n)
    out[i] = a[i] > 5 ? 5 : a[i];
}
