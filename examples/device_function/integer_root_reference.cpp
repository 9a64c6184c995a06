#include <CL/cl.h>

#include <span>

// By bisection over all roots, with squares in 64 bits.
void integer_root_reference(std::span<const cl_uint> n, std::span<cl_uint> result) {
  for (std::size_t i = 0; i < n.size(); ++i) {
    cl_ulong root = 0, above = 65536;
    while (above - root > 1) {
      const cl_ulong middle = (root + above) / 2;
      (middle * middle <= n[i] ? root : above) = middle;
    }
    result[i] = static_cast<cl_uint>(root);
  }
}
