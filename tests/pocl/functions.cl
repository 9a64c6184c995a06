// Built-in functions of each kind: of one value and of vectors, that call others, for images, atomics and printf().
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

float of_image(read_only image2d_t image, int i) {
  return read_imagef(image, nearest, (int2)(i, 0)).x;
}

kernel void k(global float* data) {
  local int count;
  int i = get_global_id(0);
  if (get_local_id(0) == 0)
    count = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&count, i);
  barrier(CLK_LOCAL_MEM_FENCE);
  float4 v = vload4(i / 8, data);
  int exponent;
  float whole;
  v = shuffle(pow(fabs(sin(v)) + 1.0f, lgamma(v)), (uint4)(3, 2, 1, 0));
  float sum = remainder(data[i], 3.0f) + frexp(data[i], &exponent) + fract(tgamma(v.x), &whole) + exponent + whole;
  sum += dot(v, normalize(v)) + native_exp(v.y * 0.01f) + convert_float(mad_sat(i, 1 << 20, 5)) + count;
  ushort stored[4];
  vstore_half(sum, 1, (half*)stored);
  sum += vload_half(1, (half*)stored) + convert_uchar_sat_rte(sum) + popcount(i) + as_float(rotate(as_int(sum), 32));
  if (i == 63)
    printf("%d %f\n", i, v.x);
  barrier(CLK_GLOBAL_MEM_FENCE);
  data[i] = sum;
}
