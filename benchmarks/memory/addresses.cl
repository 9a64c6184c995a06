// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose addresses depend on what buffers hold (addresses.py). addresses.cu has the same in
// CUDA.

kernel void histogram(global const uint* keys, global uint* bins) {
  atomic_inc(&bins[keys[get_global_id(0)] % 256]);
}

kernel void histogram_local(global const uint* keys, global uint* bins) {
  local uint own[256];
  const uint i = get_local_id(0);
  own[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = 0; k < 4; ++k)
    atomic_inc(&own[keys[k * get_global_size(0) + get_global_id(0)] & 255]);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&bins[i], own[i]);
}

kernel void gather(global const uint* index, global const float* in, global float* out) {
  out[get_global_id(0)] = in[index[get_global_id(0)]];
}

kernel void scatter(global const uint* index, global const float* in, global float* out) {
  out[index[get_global_id(0)]] = in[get_global_id(0)];
}

kernel void spmv(global const uint* columns, global const float* values, global const float* x,
                 global float* y) {
  const uint row = get_global_id(0), rows = get_global_size(0);
  float sum = 0;
  for (uint k = 0; k < 4; ++k)
    sum += values[k * rows + row] * x[columns[k * rows + row]];
  y[row] = sum;
}

kernel void bfs(global const uint* neighbours, global const uchar* frontier, global uchar* seen,
                global uchar* next) {
  const uint node = get_global_id(0);
  if (!frontier[node])
    return;
  for (uint k = 0; k < 4; ++k) {
    const uint to = neighbours[node * 4 + k];
    if (!seen[to])
      next[to] = 1;
  }
}

kernel void hash_table(global const uint* keys, global const uint* table, global uint* found) {
  const uint key = keys[get_global_id(0)];
  uint slot = key * 2654435761u >> 22;
  for (uint k = 0; k < 4 && table[slot] != 0 && table[slot] != key; ++k)
    slot = (slot + 1) % 1024;
  found[get_global_id(0)] = slot;
}

kernel void table_local(global const uint* index, global float* out) {
  local float table[1024];
  for (uint i = get_local_id(0); i < 1024; i += get_local_size(0))
    table[i] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (uint k = 0; k < 4; ++k)
    sum += table[index[k * get_global_size(0) + get_global_id(0)] % 1024];
  out[get_global_id(0)] = sum;
}
