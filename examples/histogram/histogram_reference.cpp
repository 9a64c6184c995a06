#include <CL/cl.h>

#include <algorithm>

// One pass over the data for each bin.
void histogram_reference(const cl_uchar* data, cl_uint n, cl_uint* total) {
  for (int bin = 0; bin < 64; ++bin)
    total[bin] += static_cast<cl_uint>(
        std::count_if(data, data + n, [bin](cl_uchar byte) { return byte / 4 == bin; }));
}
