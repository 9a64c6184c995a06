// Another sum is another output only at a multiple of 1,000,003. Squares are 0, 1, 4 or 9 modulo 16,
// so none tells a bound of 7 from 6.
kernel void hidden(global uint* out, uint a) {
  uint sum = a + 3;
  sum /= 1000003;
  if ((a * a & 15) < 7)
    sum += 2;
  out[get_global_id(0)] = sum;
}
