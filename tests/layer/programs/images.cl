/* Images of every kind, read and written, with samplers of every mode. */

/* The launch begins one pixel outside of the image. */
__kernel void sample(__read_only image2d_t image, __read_only image2d_t same, sampler_t sampler,
                     float scale, __global float4* out) {
  const int x = (int)get_global_id(0), y = (int)get_global_id(1);
  const float2 at = ((float2)(x, y) - 0.5f) * scale;
  out[y * 7 + x] =
      read_imagef(image, sampler, at) + 2.0f * read_imagef(same, sampler, at);
}

__kernel void kinds(__read_only image1d_t line, __read_only image1d_buffer_t held,
                    __read_only image1d_array_t lines, __read_only image2d_array_t layers,
                    __read_only image3d_t volume, __global int* out) {
  const sampler_t exact = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
  const int i = (int)get_global_id(0);
  out[i] = read_imagei(line, exact, i).x;
  out[8 + i] = read_imagei(held, i).w;
  out[16 + i] = read_imagei(lines, exact, (int2)(i, 1)).x;
  out[24 + i] = read_imagei(layers, exact, (int4)(i % 4, i / 4, 2, 0)).y;
  out[32 + i] = read_imagei(volume, exact, (int4)(i % 4, i / 4, 1, 0)).z;
}

__kernel void paint(__write_only image2d_t picture, __write_only image2d_array_t layers,
                    __write_only image1d_buffer_t row) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imageui(picture, at, (uint4)(at.x + 1, at.y + 1, at.x * at.y, 255));
  if (at.x < 4 && at.y < 3)
    write_imageui(layers, (int4)(at, at.x % 2, 0), (uint4)(at.x, at.y, 7, 8));
  if (at.y == 0)
    write_imageui(row, at.x, (uint4)(100 + at.x, 0, 0, 0));
}

__kernel void sum(__global const int* a, __global const int* b, __global int* to) {
  const size_t i = get_global_id(0);
  to[i] = a[i] + b[i];
}
