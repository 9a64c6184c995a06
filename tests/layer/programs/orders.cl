/* Each kernel with what it depends on. N is 128, groups have 16 work-items. */

__kernel void independent(__global const int* in, __global int* out) {
  const size_t i = get_global_id(0);
  out[i] = in[i] * 2 + (int)get_group_id(0);
}

/* Each group adds what the one before it has left, if that has run. */
__kernel void between(__global int* data) {
  const size_t i = get_global_id(0);
  if (i >= get_local_size(0))
    data[i] += data[i - get_local_size(0)];
}

/* The barrier between the two lines is missing. */
__kernel void within(__global const int* in, __global int* out, __local int* scratch) {
  const size_t i = get_local_id(0);
  scratch[i] = in[get_global_id(0)];
  out[get_global_id(0)] = i + 1 < get_local_size(0) ? scratch[i] : scratch[0] + scratch[i - 1];
}

/* A group waits for the one before it. */
__kernel void waits(__global volatile int* flags, __global int* out) {
  const size_t group = get_group_id(0);
  if (get_local_id(0) == 0) {
    while (group > 0 && atomic_add(flags + group - 1, 0) == 0)
      ;
    out[group] = group == 0 ? 1 : out[group - 1] + 1;
    atomic_xchg(flags + group, 1);
  }
}

/* The sum of floats depends on their order, a little. */
__kernel void float_sum(__global const float* in, __global float* sum) {
  volatile __global int* bits = (volatile __global int*)sum;
  int expected, before = *bits;
  do {
    expected = before;
    before = atomic_cmpxchg(bits, expected, as_int(as_float(expected) + in[get_global_id(0)]));
  } while (before != expected);
}

/* Sizes that the launch leaves open, in two dimensions. */
__kernel void grid(__global int* out) {
  out[get_global_id(1) * get_global_size(0) + get_global_id(0)] =
      (int)(get_global_id(0) * 100 + get_global_id(1));
}

/* With its barrier, right in any order; without it, right as long as work-items come in theirs. */
__kernel void shift(__global const int* in, __global int* out, __local int* scratch) {
  const size_t i = get_local_id(0);
  scratch[i] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = i > 0 ? scratch[i - 1] : 0;
}
