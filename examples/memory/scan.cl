// Inclusive prefix sums of one work-group's elements, as many as it has work-items.

// Hillis and Steele: log n rounds, in each of which all work-items add.
kernel void scan_naive(global const int* in, global int* out, local int* from, local int* to) {
  const uint i = get_local_id(0), n = get_local_size(0);
  from[i] = in[i];
  for (uint distance = 1; distance < n; distance *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    to[i] = i >= distance ? from[i] + from[i - distance] : from[i];
    local int* const other = from;
    from = to;
    to = other;
  }
  out[i] = from[i];
}

// Blelloch: up a tree and down again. The exclusive sums, to which each adds its own element. A
// power of two of work-items.
kernel void scan_efficient(global const int* in, global int* out, local int* tree) {
  const uint i = get_local_id(0), n = get_local_size(0);
  tree[i] = in[i];
  for (uint step = 1; step < n; step *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint right = 2 * step * (i + 1) - 1;
    if (right < n)
      tree[right] += tree[right - step];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i == 0)
    tree[n - 1] = 0;
  for (uint step = n / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint right = 2 * step * (i + 1) - 1;
    if (right < n) {
      const int left = tree[right - step];
      tree[right - step] = tree[right];
      tree[right] += left;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = tree[i] + in[i];
}

// As scan_efficient, with a place left free behind each 16 elements, so that the work-items of a
// round do not meet in a bank.
#define PADDED(i) ((i) + ((i) >> 4))

kernel void scan_best(global const int* in, global int* out, local int* tree) {
  const uint i = get_local_id(0), n = get_local_size(0);
  tree[PADDED(i)] = in[i];
  for (uint step = 1; step < n; step *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint right = 2 * step * (i + 1) - 1;
    if (right < n)
      tree[PADDED(right)] += tree[PADDED(right - step)];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i == 0)
    tree[PADDED(n - 1)] = 0;
  for (uint step = n / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint right = 2 * step * (i + 1) - 1;
    if (right < n) {
      const int left = tree[PADDED(right - step)];
      tree[PADDED(right - step)] = tree[PADDED(right)];
      tree[PADDED(right)] += left;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = tree[PADDED(i)] + in[i];
}
