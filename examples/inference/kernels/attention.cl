// Attention of one head with softmax on the way: keys and values pass by in tiles, a group for each query.
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#define HEAD 16 // work-items of a group, and numbers of a vector
#define KEYS 4  // of a tile

__attribute__((reqd_work_group_size(HEAD, 1, 1)))
__attribute__((intel_reqd_sub_group_size(16)))
kernel void attention(global const float* q, global const float* keys, global const float* values,
                      global float* out, int count, int causal, float scale) {
  local float tile_k[KEYS][HEAD], tile_v[KEYS][HEAD];
  const int query = get_group_id(0), d = get_local_id(0);
  const float mine = q[query * HEAD + d] * scale;
  float most = -INFINITY, sum = 0, result = 0;

  const int end = causal ? min(query + 1, count) : count;
  for (int from = 0; from < end; from += KEYS) {
    const int here = min(KEYS, end - from);
    for (int i = 0; i < here; ++i) {
      tile_k[i][d] = keys[(from + i) * HEAD + d];
      tile_v[i][d] = values[(from + i) * HEAD + d];
    }
#ifndef NO_BARRIER
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
#ifdef WHOLE_TILES
    for (int i = 0; i < KEYS; ++i) {
#else
    for (int i = 0; i < here; ++i) {
#endif
      // each work-item sums its numbers of the reversed key, so tiles are read across work-items
      const float score = sub_group_reduce_add(sub_group_shuffle(mine, HEAD - 1 - d) * tile_k[i][HEAD - 1 - d]);
      const float next = fmax(most, score);
      const float kept = exp(most - next), weight = exp(score - next);
      sum = sum * kept + weight;
      result = result * kept + weight * tile_v[i][d];
      most = next;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[query * HEAD + d] = result / sum;
}
