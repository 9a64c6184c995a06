// Libraries declare classes of <cooperative_groups.h> themselves, where CUDA has them, before it or
// after it, and have names of their own in the namespace `cuda`. It includes nothing of theirs.
namespace cooperative_groups {
namespace __v1 {
class thread_block;
template <unsigned int Size, typename Parent> class thread_block_tile;
} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups

template <typename Group> struct KindOf {
  static constexpr int value = 0;
};
template <> struct KindOf<cooperative_groups::thread_block> {
  static constexpr int value = 1;
};
template <typename Parent> struct KindOf<cooperative_groups::thread_block_tile<32, Parent>> {
  static constexpr int value = 2;
};
template <typename Parent> struct KindOf<cooperative_groups::thread_block_tile<64, Parent>> {
  static constexpr int value = 3;
};

#include <cooperative_groups.h>

#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cooperative_groups {
namespace __v1 {
class thread_block;
template <unsigned int Size, typename Parent> class thread_block_tile;
} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups

namespace cuda {
template <size_t Alignment> struct aligned_size_t {
  size_t bytes;
  __device__ operator size_t() const { return bytes; }
};
} // namespace cuda

#include "check.h"

namespace cg = cooperative_groups;

template <typename Group> __device__ int kind_of(const Group&) {
  return KindOf<Group>::value;
}

__device__ int size_of(const cooperative_groups::__v1::thread_block_tile<32>& tile) {
  return (int)tile.num_threads();
}

__global__ void kinds(const int* in, int* out) {
  __shared__ int copy[128];
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const auto two = cg::tiled_partition<64>(block);
  const cg::thread_block_tile<4> four = cg::tiled_partition<4>(warp);
  cg::memcpy_async(block, copy, in, cuda::aligned_size_t<4>{sizeof(copy)});
  cg::wait(block);
  int* mine = out + 7 * threadIdx.x;
  mine[0] = kind_of(block);
  mine[1] = kind_of(warp);
  mine[2] = kind_of(two);
  mine[3] = kind_of(four);
  mine[4] = size_of(warp);
  mine[5] = cg::reduce(four, copy[threadIdx.x], cg::plus<int>());
  mine[6] = (int)(four.meta_group_rank() * 100 + four.meta_group_size());
}

int main() {
  int in[128];
  for (int i = 0; i < 128; ++i)
    in[i] = i * i;
  const Device<int> device_in(128, in), out(7 * 128);
  kinds<<<1, 128>>>(device_in.data, out.data);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int thread : {0, 37, 127}) {
    const int first = thread / 4 * 4;
    EXPECT(out[7 * thread] == 1);
    EXPECT(out[7 * thread + 1] == 2);
    EXPECT(out[7 * thread + 2] == 3);
    EXPECT(out[7 * thread + 3] == 0);
    EXPECT(out[7 * thread + 4] == 32);
    EXPECT(out[7 * thread + 5] == in[first] + in[first + 1] + in[first + 2] + in[first + 3]);
    EXPECT(out[7 * thread + 6] == thread % 32 / 4 * 100 + 8);
  }
  return wrong;
}
