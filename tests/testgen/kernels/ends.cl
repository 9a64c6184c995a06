// Adds by exchanges, and repeats where another work-item was faster.
kernel void exchange(global int* sum, global const int* values, int n) {
  const int i = get_global_id(0);
  if (i >= n)
    return;
  int before, now = atomic_or(sum, 0);
  do {
    before = now;
    now = atomic_cmpxchg(sum, before, before + values[i]);
  } while (now != before);
}

// Waits until as many work-items have arrived as its caller wants.
kernel void raised(global int* arrived, global int* out, int goal) {
  atomic_inc(arrived);
  while (atomic_add(arrived, 0) < goal)
    ;
  out[get_global_id(0)] = goal;
}

// A condition behind rounds of a hash.
kernel void hashed(global uint* out, global const uint* words, uint n) {
  const uint i = get_global_id(0);
  uint hash = 0x9e3779b9u + n;
  for (uint round = 0; round < 16; ++round) {
    hash ^= words[i * 4 + round % 4];
    hash = (hash << 13 | hash >> 19) * 0x85ebca6bu;
    hash ^= hash >> 16;
  }
  out[i] = hash == 0x12345678u ? 1 : hash;
}

// Each level is larger than the one before by its number.
typedef struct {
  int of[16];
} Levels;
kernel void levels(global int* out, Levels all) {
  int right = 0;
  for (int i = 1; i < 16; ++i)
    if (all.of[i] == all.of[i - 1] + i)
      ++right;
  if (right == 15)
    out[get_global_id(0)] = all.of[15];
}
