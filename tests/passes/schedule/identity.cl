// Everything that tells a work-item who it is, in helper functions, macros and nested calls too.
#define ITEM get_local_id
#define ROW(d) get_global_id((d) + 1)

size_t offset_of(uint dimension) { return get_global_offset(dimension); }
size_t declared_first(void);

kernel void test(global ulong* out) {
  out[ITEM(0)] = get_group_id(0) + ROW(0);
  out[get_global_id(get_local_id(0))] = get_group_id(1) + get_num_groups(0) + get_global_size(0);
  out[get_local_size(0)] = offset_of(2) + declared_first() + get_work_dim();
}

size_t declared_first(void) { return get_group_id(2); }

kernel void other(global ulong* out) { test(out); }
