// Windows of an image as columns of a matrix, for convolution by a product of matrices.
typedef struct {
  int width, height, kernel_size, stride, padding, dilation, out_width, out_height;
} Shape;

kernel void im2col(global const float* image, global float* columns, Shape s, int channels) {
  const int at = get_global_id(0);
  const int places = s.out_width * s.out_height;
#ifdef NO_TAIL
  if (at > channels * places)
#else
  if (at >= channels * places)
#endif
    return;
  const int x = at % s.out_width, y = at / s.out_width % s.out_height, channel = at / places;
  global const float* from = image + channel * s.width * s.height;
  global float* to = columns + channel * s.kernel_size * s.kernel_size * places + y * s.out_width + x;
  for (int ky = 0; ky < s.kernel_size; ++ky)
    for (int kx = 0; kx < s.kernel_size; ++kx) {
      const int2 p = (int2)(x, y) * s.stride - s.padding + (int2)(kx, ky) * s.dilation;
      float value = 0;
#ifdef ONE_SIDE
      if (all(p < (int2)(s.width, s.height)))
#else
      if (all(p >= 0) && all(p < (int2)(s.width, s.height)))
#endif
        value = image[channel * s.width * s.height + p.y * s.width + p.x];
      *to = value;
      to += places;
    }
}
