struct pair { int low, high; };

kernel void k(global int* out, int n) {
  int with = 1;
  int without;
  int array[4];
  int2 vector;
  struct pair both;
  global int* pointer;
  local int shared;
  with = 2;
  without = 3;
  array[0] = 4;
  vector.x = 5;
  both.low = 6;
  pointer = out;
  pointer[0] = 7;
  shared = 8;
  n = 9;
  without += 10;
  out[0] = 11;
  for (int i = 0; i < n; ++i)
    array[i] = 12;
  for (int i = 0; i < n; ++i)
    out[i] = 13;
  if (without > 14)
    out[1] = array[0] + vector.x + both.low + with;
}
