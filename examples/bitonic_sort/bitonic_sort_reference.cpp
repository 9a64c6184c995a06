#include <CL/cl.h>

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

// Block by block: gather the two halves of each comparison, sort the two, put them back.
void sort_step_reference(cl_uint* keys, cl_uint* values, cl_uint n, cl_uint block, cl_uint distance,
                         cl_uint descending) {
  using Element = std::pair<cl_uint, cl_uint>;
  for (cl_uint start = 0; start < n; start += 2 * distance)
    for (cl_uint i = start; i < start + distance; ++i) {
      std::vector<Element> two = {{keys[i], values[i]}, {keys[i + distance], values[i + distance]}};
      const bool down = (i / block % 2 == 1) != (descending != 0);
      std::stable_sort(two.begin(), two.end(), [down](const Element& a, const Element& b) {
        return down ? a.first > b.first : a.first < b.first;
      });
      std::tie(keys[i], values[i]) = two[0];
      std::tie(keys[i + distance], values[i + distance]) = two[1];
    }
}
