// Adds up `data` with one atomic addition for each work-item. No update is lost, but the order of the
// additions decides the last bits.
kernel void float_sum(global const float* data, global float* sum) {
  volatile global uint* bits = (volatile global uint*)sum;
  const float mine = data[get_global_id(0)];
  uint old = *bits, seen = old;
  do {
    old = seen;
    seen = atomic_cmpxchg(bits, old, as_uint(as_float(old) + mine));
  } while (seen != old);
}
