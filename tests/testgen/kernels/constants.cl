// Conditions that constants of the source decide.
kernel void constants(global uint* out, uint magic, ulong wide, int mode, float ratio) {
  const uint i = get_global_id(0);
  uint value = i;
  if (magic == 0xdeadbeefu)
    value += 1;
  if (wide == 0x123456789abcdef0ul)
    value += 2;
  switch (mode) {
  case 3:
    value += 4;
    break;
  case -17:
    value += 8;
    break;
  default:
    value += 16;
  }
  if (isnan(ratio))
    value += 32;
  if (sin(ratio) > 0.999f)
    value += 64;
  out[i] = value;
}
