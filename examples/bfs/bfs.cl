#define UNVISITED -1

// One level of a breadth-first search. The neighbours of v are neighbours[first[v]] up to, and
// without, neighbours[first[v + 1]]. Vertices not seen before that are next to one of level `depth`
// get level depth + 1, and `discovered` grows by their number; the search ends when it does not.
kernel void expand(global const uint* first, global const uint* neighbours, const uint vertices,
                   const int depth, volatile global int* level, volatile global uint* discovered) {
  const uint v = get_global_id(0);
  if (v >= vertices || level[v] != depth)
    return;

  for (uint edge = first[v], end = first[v + 1]; edge < end; ++edge) {
    const uint w = neighbours[edge];
    if (level[w] != UNVISITED)
      continue;
    // Another vertex of this level may claim w between the two looks at it.
    if (atomic_cmpxchg(&level[w], UNVISITED, depth + 1) == UNVISITED)
      atomic_inc(discovered);
  }
}
