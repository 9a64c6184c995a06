#include <CL/cl.h>

#include <algorithm>
#include <vector>

// The other way round: each vertex not yet seen looks for a neighbour's edge that leads to it.
void expand_reference(const cl_uint* first, const cl_uint* neighbours, cl_uint vertices,
                      cl_int depth, cl_int* level, cl_uint* discovered) {
  const std::vector<cl_int> before(level, level + vertices);
  for (cl_uint w = 0; w < vertices; ++w) {
    if (before[w] != -1)
      continue;
    bool reached = false;
    for (cl_uint v = 0; v < vertices; ++v)
      if (before[v] == depth)
        reached |= std::find(neighbours + first[v], neighbours + first[v + 1], w) !=
                   neighbours + first[v + 1];
    if (reached) {
      level[w] = depth + 1;
      ++*discovered;
    }
  }
}
