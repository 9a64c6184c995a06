// Kernels that are slow in one stage of generation each.

// Each launch takes as long as it may, and some do not end.
kernel void launching(global int* out, global const int* in, int n) {
  const int i = get_global_id(0);
  int sum = 0;
  for (int k = 0; k < 300000; ++k)
    sum = sum * 31 + (in[(k + sum) & 7] ^ n);
  if (n > 1000)
    for (volatile int k = 0; k != -1; k += 2)
      sum ^= k;
  if (sum == 17)
    sum = in[i & 7] > 5 ? 3 : 4;
  out[i] = sum + i;
}

// Conditions of which Z3 and search know nothing within any budget.
kernel void solving(global ulong* out, ulong x, ulong y, ulong z) {
  ulong value = get_global_id(0);
  if (x > 1 && y > 1 && x < 4294967296ul && y < 4294967296ul && x * y == 18446743979220271189ul)
    value += 1;
  if (x * x * x + y * y * y * 3 + z * z * z * 5 == 0x123456789abcdef1ul && x != y && (x ^ y) * z == y * y + 7)
    value += 2;
  if (x * y + z == z * z * x + 12345678901234567ul && y * z * x == 0x7777777777777779ul)
    value += 4;
  out[get_global_id(0)] = value;
}

// Cases that are shrunk element by element, with launches that take their time.
kernel void shrinking(global int* out, global const int* in, int n) {
  const int i = get_global_id(0);
  int odd = 0;
  for (int k = 0; k < 4000; ++k)
    odd += in[(k * 7) & 2047] & 1;
  int work = odd;
  for (int k = 0; k < 3000; ++k)
    work = work * 5 + (work >> 3) + n;
  out[i] = odd > 700 ? work : odd > 300 ? i : 7;
}
