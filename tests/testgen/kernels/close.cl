// A mutant that differs for one number in four billion, which no list of numbers has.
kernel void close(global uint* out, uint a, uint b) {
  const uint mixed = a * 2654435761u ^ b << 7;
  out[get_global_id(0)] = mixed > 0x9e3779b9u ? get_global_id(0) + 1 : 3;
}
