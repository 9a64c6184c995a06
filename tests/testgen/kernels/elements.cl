// Kernels that are right for inputs that obey a REQUIRE over elements, each with a twin that is
// wrong for some of these.

kernel void spmv(global const int* row_start, global const int* col, global const float* values,
                 global const float* x, global float* y, int rows) {
  int row = get_global_id(0);
  if (row >= rows)
    return;
  float sum = 0;
  for (int k = row_start[row]; k < row_start[row + 1]; ++k)
    sum += values[k] * x[col[k]];
  y[row] = sum;
}

kernel void spmv_wrong(global const int* row_start, global const int* col,
                       global const float* values, global const float* x, global float* y,
                       int rows) {
  int row = get_global_id(0);
  if (row >= rows)
    return;
  float sum = 0;
  for (int k = row_start[row]; k <= row_start[row + 1]; ++k) // the next row's first, too
    sum += values[k] * x[col[k]];
  y[row] = sum;
}

// One level of a breadth-first search.
kernel void bfs(global const int* row_start, global const int* neighbour, global const int* level,
                global int* next, int nodes, int current) {
  int node = get_global_id(0);
  if (node >= nodes || level[node] != current)
    return;
  for (int k = row_start[node]; k < row_start[node + 1]; ++k)
    if (level[neighbour[k]] < 0)
      atomic_max(&next[neighbour[k]], current + 1);
}

kernel void bfs_wrong(global const int* row_start, global const int* neighbour,
                      global const int* level, global int* next, int nodes, int current) {
  int node = get_global_id(0);
  if (node > nodes || level[node] != current) // there is no such node
    return;
  for (int k = row_start[node]; k < row_start[node + 1]; ++k)
    if (level[neighbour[k]] < 0)
      atomic_max(&next[neighbour[k]], current + 1);
}

kernel void scatter(global const uint* place, global const int* in, global int* out) {
  int i = get_global_id(0);
  if (in[i] > 3)
    out[place[i]] = in[i];
  else
    out[place[i]] = -i;
}

kernel void scatter_wrong(global const uint* place, global const int* in, global int* out) {
  int i = get_global_id(0);
  out[place[i] / 2] = in[i] + i;
}

kernel void histogram(global const uint* keys, global uint* bins, uint count) {
  uint i = get_global_id(0);
  if (i < count)
    atomic_inc(&bins[keys[i]]);
}

kernel void histogram_wrong(global const uint* keys, global uint* bins, uint count) {
  uint i = get_global_id(0);
  if (i < count)
    bins[keys[i]] += i;
}

kernel void segments(global const uint* first, global const float* in, global float* out,
                     uint count) {
  uint segment = get_global_id(0);
  if (segment >= count)
    return;
  float sum = 0;
  uint k = first[segment];
  while (k != first[segment + 1]) // never ends where the next begins before
    sum += in[k++];
  out[segment] = sum;
}

kernel void segments_wrong(global const uint* first, global const float* in, global float* out,
                           uint count) {
  uint segment = get_global_id(0);
  if (segment >= count)
    return;
  float sum = 0;
  uint k = first[segment];
  do { // a segment may have no element
    sum += in[k++];
  } while (k != first[segment + 1]);
  out[segment] = sum;
}

// Draws by weights that add up to 1.
kernel void draw(global const float* weights, global const float* points, global int* out,
                 int count) {
  int i = get_global_id(0);
  float left = points[i];
  int k = 0;
  while (left > weights[k]) { // a point within the last weight ends it
    left -= weights[k];
    ++k;
  }
  out[i] = k;
}

// Reached by numbers in an order alone, which the solver must know.
kernel void ordered(global const int* sorted, global int* out) {
  int i = get_global_id(0);
  if (i == 0 && sorted[1] == 70001 && sorted[2] == 70003)
    out[0] = 1;
  if (i == 0 && sorted[2] == 5 && sorted[1] == 9) // impossible
    out[0] = 2;
}
