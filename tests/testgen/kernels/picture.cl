constant sampler_t plain = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
kernel void picture(read_only image2d_t in, write_only image2d_t out) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  float4 colour = read_imagef(in, plain, at);
  if (colour.x > 0.75f && colour.y < 0.25f)
    colour = (float4)(1, 0, 0, 1);
  if (at.x < get_image_width(out) && at.y < get_image_height(out))
    write_imagef(out, at, colour + (float4)(at.x, at.y, 0, 0));
}
