kernel void test(global int* out, global const float* in) {
  out[0] = convert_int(in[0]) + convert_int_rte(in[1]) + convert_uchar_sat_rtz(in[2]);
  out[1] = convert_int(out[2]) + (int)convert_float_rtp(out[3]);
  const int2 pair = convert_int2_rtn(vload2(0, in));
  out[2] = pair.x;
}
