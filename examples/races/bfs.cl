// One step of a breadth-first search: every vertex of the frontier finds its neighbours, those of v
// being neighbours[first[v]] up to, and without, neighbours[first[v + 1]].
kernel void bfs(global const uint* first, global const uint* neighbours, const uint vertices,
                volatile global int* level, global int* frontier, global int* next) {
  const uint v = get_global_id(0);
  if (v >= vertices || !frontier[v])
    return;
  frontier[v] = 0;
  for (uint edge = first[v]; edge < first[v + 1]; ++edge) {
    const uint w = neighbours[edge];
#ifdef FIXED
    if (atomic_cmpxchg(&level[w], -1, level[v] + 1) == -1) // one of several finds it
      next[w] = 1;
#else
    if (level[w] >= 0)
      continue;
    level[w] = level[v] + 1;
    frontier[w] = 1; // a work-item that comes later takes it for one of this step
#endif
  }
}
