#define SWAP(type, a, b)                                                                           \
  do {                                                                                             \
    const type kept = (a);                                                                         \
    (a) = (b);                                                                                     \
    (b) = kept;                                                                                    \
  } while (0)

// One step of a bitonic sort of n pairs, n a power of two: compares elements `distance` apart. Blocks
// of `block` elements are sorted up and down in turns; `descending` starts with down. A sort runs
//   for block = 2, 4, …, n: for distance = block / 2, …, 2, 1: one launch
kernel void sort_step(global uint* restrict keys, global uint* restrict values, const uint n,
                      const uint block, const uint distance, const uint descending) {
  const uint left = get_global_id(0), right = left ^ distance;
  if (right <= left || right >= n)
    return;

  const uint low = keys[left], high = keys[right];
  const bool up = !(left & block) != !!descending;
  if (up ? low > high : low < high) {
    SWAP(uint, keys[left], keys[right]);
    SWAP(uint, values[left], values[right]);
  }
}
