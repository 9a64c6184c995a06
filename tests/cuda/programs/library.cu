// libcu++, groups that update atomics, barriers by C's functions, DPX, and shuffles of half
// precision.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/std/array>
#include <cuda/std/atomic>
#include <cuda/std/bit>
#include <cuda/std/chrono>
#include <cuda/std/complex>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <cuda/std/variant>
#include <cuda_awbarrier_primitives.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <nv/target>

#include "check.h"

namespace cg = cooperative_groups;

__global__ void standard(int* out) {
  cuda::std::array<int, 4> four{1, 2, 3, 4};
  int sum = four.at(1);
  for (const int value : four)
    sum += value;
  out[0] = sum;
  auto [count, weight] = cuda::std::make_tuple(3, 2.5f);
  out[1] = (int)((float)count * weight * 2);
  const cuda::std::optional<int> none, some(5);
  out[2] = none.value_or(some.value());
  cuda::std::complex<float> i(0, 1);
  i = i * i;
  out[3] = (int)i.real();
  cuda::std::pair<int, int> both{1, 2};
  cuda::std::swap(both.first, both.second);
  out[4] = both.first * 10 + both.second;
  const cuda::std::variant<int, float> either = 7;
  out[5] = cuda::std::get<int>(either);
  static_assert(cuda::std::is_same_v<decltype(four)::value_type, int>);
  using namespace cuda::std::chrono;
  out[6] = (int)duration_cast<milliseconds>(seconds(2)).count();
  out[7] = cuda::std::numeric_limits<int>::max() == 0x7fffffff && cuda::std::greater<int>()(2, 1);
  const unsigned word = 0x00f0'0000 + out[7] - 1;
  out[8] = cuda::std::exchange(both.first, 9) * 10 + both.first;
  out[9] = cuda::std::popcount(word) + 10 * cuda::std::countl_zero(word) +
           1000 * cuda::std::countr_zero(word);
  out[10] = cuda::std::has_single_bit(word + 0x0010'0000) + 10 * cuda::std::bit_width(word);
  out[11] = cuda::std::bit_floor(word) + cuda::std::bit_ceil(word) == 0x0180'0000;
  out[12] = cuda::std::rotl(word, 12) + cuda::std::rotr(word, 20) == 0x1e && //
            cuda::std::rotl(word, 0) == word && cuda::std::countl_zero(word - word) == 32;
  out[13] = cuda::std::bit_cast<int>(1.0F) == 0x3f80'0000;
}

__global__ void out_of_range(int* out) {
  cuda::std::array<int, 4> four{};
  *out = four.at(*out + 4);
}

// 256 threads, and 32 counters.
using Counter = cuda::atomic<int, cuda::thread_scope_device>;
__global__ void groups(Counter* counters, int* out) {
  const cg::thread_block block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const auto part = cg::tiled_partition<8>(warp);
  const cg::thread_block_tile<8> copy = part;
  const int thread = (int)block.thread_rank();
  cg::reduce_update_async(warp, counters[0], thread, cg::plus<int>());
  cg::reduce_update_async(part, counters[1], thread, cg::greater<int>());
  const int before = cg::exclusive_scan_update(warp, counters[2], 2);
  const int after = cg::inclusive_scan_update(warp, counters[3], 2, cg::plus<int>());
  const auto same = cg::labeled_partition(warp, thread % 3);
  const auto odd = cg::binary_partition(warp, thread % 2 == 1);
  const auto eight = cg::tiled_partition<64>(block);
  int* mine = out + 8 * thread;
  mine[0] = (int)(copy.meta_group_rank() * 100 + part.meta_group_size());
  mine[1] = before % 64 == 2 * (thread % 32) && after % 64 == (2 * (thread % 32) + 2) % 64;
  mine[2] = (int)(same.meta_group_rank() * 10 + same.meta_group_size());
  mine[3] = (int)(odd.meta_group_rank() * 10 + odd.meta_group_size());
  mine[4] = cg::inclusive_scan(eight, 1);
  mine[5] = cg::exclusive_scan(eight, 1);
  mine[6] = eight.shfl_down(thread, 40);
}

__global__ void barriers(int* out) {
  __shared__ __mbarrier_t barrier;
  alignas(8) __shared__ char room[sizeof(cuda::latch<cuda::thread_scope_block>)];
  auto& latch = *reinterpret_cast<cuda::latch<cuda::thread_scope_block>*>(room);
  __shared__ int sum;
  if (threadIdx.x == 0) {
    __mbarrier_init(&barrier, blockDim.x);
    new (&latch) cuda::latch<cuda::thread_scope_block>(blockDim.x);
    sum = 0;
  }
  __syncthreads();
  atomicAdd(&sum, 1);
  const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
  while (!__mbarrier_test_wait(&barrier, token))
    ;
  const int first = sum;
  latch.arrive_and_wait();
  if (threadIdx.x == 5)
    sum = 1000;
  __syncthreads();
  out[threadIdx.x] = first + sum;
}

__global__ void numbers(int* out) {
  bool first;
  out[0] = __viaddmax_s32(1, 2, 4) * 100 + __viaddmin_s32_relu(-5, 2, 7);
  out[1] = __vimax3_s32(1, 5, 3) * 100 + (int)__vimin3_u32(4, 2, 3);
  out[2] = __vibmax_s32(3, 4, &first) + (first ? 100 : 0);
  out[3] = (int)__viaddmax_s16x2(0x00010001, 0x00020002, 0x00010005);
  bool high, low;
  out[4] = (int)__vimin_s16x2_relu(0xffff0003, 0x00010004);
  out[6] = (int)__vibmax_s16x2(0xffff0003, 0x00010003, &high, &low) * 4 + high * 2 + low;
  const float lane = (float)threadIdx.x;
  const __half2 pair = __shfl_xor_sync(~0u, __floats2half2_rn(lane, -lane), 1);
  const __nv_bfloat16 next = __shfl_down_sync(~0u, __float2bfloat16(lane), 1);
  if (threadIdx.x == 2)
    out[5] = (int)(__low2float(pair) - __high2float(pair) + 10 * __bfloat162float(next));
}

// What cuda::std has of its own, and code that depends on what is compiled for.
__host__ __device__ inline int target() {
  int result = 0;
  NV_IF_TARGET(NV_IS_DEVICE, (result += 1;), (result += 2;))
  NV_IF_TARGET(NV_IS_HOST, (result += 10;))
  NV_DISPATCH_TARGET(NV_PROVIDES_SM_90, (result += 100;), NV_PROVIDES_SM_70, (result += 200;),
                     NV_ANY_TARGET, (result += 300;))
  return result;
}
__device__ cuda::std::atomic<short> small_counter;
__global__ void own_classes(int* out) {
  __shared__ cuda::std::atomic_flag flag;
  flag.clear(); // shared memory begins with any values
  cuda::std::atomic_int count{4};
  count ^= 1;
  out[0] = count;
  out[1] = flag.test_and_set() + 2 * flag.test_and_set();
  flag.clear();
  out[2] = flag.test();
  small_counter.fetch_add(300);
  out[3] = small_counter--;
  int values[] = {1, 2, 3, 4};
  cuda::std::span<int> all(values);
  int sum = 0;
  for (const int value : all.subspan(1, 2))
    sum += value;
  out[4] = sum * 10 + (int)all.last(1).size() + (int)all.size_bytes();
  out[5] = target();
}

int main() {
  Device<int> out(2048);
  standard<<<1, 1>>>(out.data);
  const int values[] = {12, 15, 5, -1, 21, 7, 2000, 1, 29, 20084, 241, 1, 1, 1};
  for (int i = 0; i < 14; ++i)
    EXPECT(out[i] == values[i]);

  Counter* counters = nullptr;
  cudaMallocManaged(&counters, 4 * sizeof(Counter));
  for (int i = 0; i < 4; ++i)
    new (counters + i) Counter(0);
  groups<<<1, 256>>>(counters, out.data);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(counters[0].load() == 255 * 128);
  EXPECT(counters[1].load() == 255);
  EXPECT(counters[2].load() == 512 && counters[3].load() == 512);
  for (int thread = 0; thread < 256; ++thread) {
    EXPECT(out[8 * thread] == thread % 32 / 8 * 100 + 4);
    EXPECT(out[8 * thread + 1] == 1);
    EXPECT(out[8 * thread + 3] == thread % 2 * 10 + 2);
    EXPECT(out[8 * thread + 4] == thread % 64 + 1 && out[8 * thread + 5] == thread % 64);
    EXPECT(out[8 * thread + 6] == (thread % 64 < 24 ? thread + 40 : thread));
  }
  for (int thread = 0; thread < 32; ++thread) // the parts are numbered by their lowest lanes
    EXPECT(out[8 * thread + 2] == thread % 3 * 10 + 3);

  barriers<<<1, 64>>>(out.data);
  EXPECT(out[0] == 1064 && out[63] == 1064);

  numbers<<<1, 32>>>(out.data);
  const int more[] = {400, 502, 4, 0x00030005, 3, 36, 0x10003 * 4 + 1};
  for (int i = 0; i < 7; ++i)
    EXPECT(out[i] == more[i]);

  own_classes<<<1, 1>>>(out.data);
  const int classes[] = {5, 2, 0, 300, 50 + 1 + 16, 1 + 200};
  for (int i = 0; i < 6; ++i)
    EXPECT(out[i] == classes[i]);
  EXPECT(target() == 2 + 10 + 300);

  cudaMemset(out.data, 0, 4);
  out_of_range<<<1, 1>>>(out.data); // there are no exceptions: the kernel traps
  EXPECT(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
  return wrong;
}
