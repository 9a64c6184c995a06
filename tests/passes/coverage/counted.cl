// Loops that are counted before they run, and neighbours of theirs that cannot be.
enum { STEP = 2 };

int helper(int n) {
  int steps = 0;
  for (int i = n; i > 0; i >>= 1)
    ++steps;
  return steps;
}

int escapes(int* n) { return --*n; }

kernel void test(global int* out, global const int* in) {
  local int shared[8];
  const int i = get_global_id(0), lid = get_local_id(0);
  const uint width = get_local_size(0);
  int n = in[i] & 3, sum = 0, k, m = 3;
  for (k = 0; k < n; k++)
    sum += k;
  for (; k != 0; --k)
    sum += 2;
  for (uint a = lid, b = a + n; a < b + 1u; a += STEP)
    sum += a;
  for (size_t a = in[i] & 1; width >= a; a = 2 * a + 3)
    for (long b = (long)n; b <= -n + 2; b += sizeof(int) / 2)
      sum ^= b;
  for (int a = 0; a < n; a++) {
    if (a == 1)
      continue;
    sum -= a;
  }
  for (int offset = 1; offset < 8; offset <<= 1) { // a copy of it records nothing
    shared[lid] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += lid >= offset ? shared[lid - offset] : offset;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int a = 0; a < n; a++) // the bound changes
    --n;
  for (int a = 0; a < n; a++) // so does the variable
    sum += a++;
  for (int a = 0; a < m; a++) // by its address
    sum += escapes(&m);
  for (int a = 0; a < 3; a++) // left early
    if (sum++ > a)
      break;
  for (int a = 0; a < in[a]; a++) // memory
    sum += in[a];
  for (char a = 0; a < n; a++) // promoted
    ++sum;
  for (int a = 0, b = 0; a < 2; a++, b++) // two steps
    sum += b;
  out[i] = sum + helper(n);
}
