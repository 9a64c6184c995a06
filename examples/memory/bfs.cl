// One level of a breadth-first search: who is in the frontier makes neighbours that nobody has seen
// part of the next one. Each node has DEGREE neighbours.
#define DEGREE 4

kernel void bfs(global const uint* neighbours, global const uchar* frontier, global uchar* seen,
                global uchar* next, global int* distance) {
  const uint node = get_global_id(0);
  if (!frontier[node])
    return;
  const int here = distance[node];
  for (uint k = 0; k < DEGREE; ++k) {
    const uint to = neighbours[node * DEGREE + k];
    if (!seen[to]) {
      seen[to] = 1;
      next[to] = 1;
      distance[to] = here + 1;
    }
  }
}
