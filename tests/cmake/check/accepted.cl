// Turns the elements of each work-group around, twice: one race has a comment.
kernel void accepted(global int* data) {
  local int tile[8], other[8];
  const int l = get_local_id(0);
  tile[l] = data[get_global_id(0)]; // gputest: ignore[race] the groups of this device run in step
  other[l] = tile[7 - l];
  data[get_global_id(0)] = other[7 - l];
}
