struct pair { int low, high; };

kernel void k(global int* out, local int* given, int n) {
  local int tile[8];
  local struct pair both;
  int own[2];
  int l = get_local_id(0);
  tile[l] = 1;
  own[0] = 2;
  given[l] = 3;
  if (l < 4)
    tile[l] = 4;
  for (int i = 0; i < 5; ++i)
    given[i] = own[0];
  tile[l] += 6;
  both.low = 7;
  if (l < 8)
    out[l] = tile[l];
}
