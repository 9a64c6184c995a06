struct Shape {
  int width, height, kernel_size, stride, padding, dilation, out_width, out_height;
};

void im2col_reference(const float* image, float* columns, Shape s, int channels) {
  for (int channel = 0; channel < channels; ++channel)
    for (int ky = 0; ky < s.kernel_size; ++ky)
      for (int kx = 0; kx < s.kernel_size; ++kx)
        for (int y = 0; y < s.out_height; ++y)
          for (int x = 0; x < s.out_width; ++x) {
            const int px = x * s.stride - s.padding + kx * s.dilation,
                      py = y * s.stride - s.padding + ky * s.dilation;
            *columns++ = px >= 0 && py >= 0 && px < s.width && py < s.height
                             ? image[(channel * s.height + py) * s.width + px]
                             : 0;
          }
}
