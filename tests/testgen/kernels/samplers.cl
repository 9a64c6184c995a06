// Read in the three ways for which samplers differ.
kernel void fetched(read_only image2d_t in, sampler_t how, global float* out) {
  out[get_global_id(0)] = read_imagef(in, how, (int2)(get_global_id(0), 0)).x;
}
kernel void whole(read_only image2d_t in, sampler_t how, global int* out) {
  out[get_global_id(0)] = read_imagei(in, how, (float2)(get_global_id(0), 0.5f)).x;
}
kernel void filtered(read_only image2d_t in, sampler_t how, global float* out) {
  out[get_global_id(0)] = read_imagef(in, how, (float2)(get_global_id(0), 0.5f)).x;
}
