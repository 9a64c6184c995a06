// Blocks of 16 bytes with a scale and a least number to halves, and the largest size of all.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#ifdef SMALL_SCOPE
#define SCOPE memory_scope_work_group
#else
#define SCOPE memory_scope_device
#endif

kernel void dequantise(global const uchar* bytes, global const half* scale_least, global half* out,
                       global atomic_uint* largest, int blocks) {
  const int block = get_global_id(0);
  float16 values = 0;
#ifdef LAST_BLOCK
  if (block <= blocks) {
#else
  if (block < blocks) {
#endif
    const half2 s = vload2(block, scale_least);
    values = fma(convert_float16(vload16(block, bytes)), (float16)(s.x), (float16)(s.y));
    vstore16(convert_half16_rte(values), block, out);
  }
  const float16 size = fabs(values);
  const float8 a = fmax(size.lo, size.hi);
  const float4 b = fmax(a.lo, a.hi);
  const float2 c = fmax(b.lo, b.hi);
  const float most = work_group_reduce_max(fmax(c.x, c.y));
  if (get_local_id(0) == 0)
    atomic_fetch_max_explicit(largest, as_uint(most), memory_order_relaxed, SCOPE);
}
