// Every work-item writes down who it is, where it belongs.
#define GROUP get_group_id

ulong3 group(void) { return (ulong3)(GROUP(0), GROUP(1), GROUP(2)); }
ulong3 sizes(void) { return (ulong3)(get_global_size(0), get_global_size(1), get_global_size(2)); }

kernel void ids(global ulong* out) {
  local ulong seen[64];
  const ulong3 offset = (ulong3)(get_global_offset(0), get_global_offset(1), get_global_offset(2));
  const ulong3 id = (ulong3)(get_global_id(0), get_global_id(1), get_global_id(2));
  const ulong3 at = id - offset, size = sizes(), mine = group();
  const size_t item = (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
  seen[item] = id.x;
  barrier(CLK_LOCAL_MEM_FENCE);
  global ulong* line = out + 16 * ((at.z * size.y + at.y) * size.x + at.x);
  vstore3(id, 0, line);
  vstore3(mine, 1, line);
  line[6] = get_local_id(0);
  line[7] = get_local_id(1);
  line[8] = get_local_id(2);
  line[9] = get_num_groups(0);
  line[10] = get_num_groups(1);
  line[11] = get_num_groups(2);
  line[12] = get_local_size(0) + 100 * get_local_size(1) + 10000 * get_local_size(2);
  line[13] = get_work_dim();
  line[14] = seen[0];
  line[15] = offset.x + 100 * offset.y + 10000 * offset.z;
}
