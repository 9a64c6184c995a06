kernel void test(global int* out, volatile local uint* bins, global int* list) {
  local int counter[2];
  const int i = get_global_id(0);
  atomic_inc(&bins[i & 3]);
  atomic_add(&out[i], 2);
  list[atomic_add(counter, 1)] = atomic_sub(out + 1, i);
  atomic_max(&out[2], i);
  out[3] = atomic_xor(&out[4], i) + atomic_dec(&counter[1]);
  out[5] = atomic_min(&out[6], i);
  atomic_xchg(&out[7], i);
  atomic_cmpxchg(&out[8], 1, i);
  atom_add(&out[9], i);
  out[10] = atomic_or(&out[11], i) + atomic_and(counter, atomic_inc(&out[12]));
  if (atomic_cmpxchg(&bins[0], 0u, 1u) == 0u)
    out[13] = atomic_add(&out[14], (short)i);
  atomic_or(out++, 1);
}
