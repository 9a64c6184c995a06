constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
kernel void test(read_only image2d_t in, write_only image2d_t out, read_only image3d_t volume, read_only image1d_t line) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  float4 value = read_imagef(in, nearest, at) + read_imagef(in, nearest, (float2)(0.5f, 0.5f));
  value += read_imagef(volume, nearest, (int4)(at.x, at.y, 1, 0)) + read_imagef(line, nearest, at.x);
  write_imagef(out, at, value);
}
