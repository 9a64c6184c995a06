// CUDA kernels whose transactions can be counted by hand, as those of tracer_test.cpp.
#include "ir/error.h"
#include "tests/catch.h"
#include "tests/memory/traced.h"

using namespace gputest;
using namespace gputest::memory;
using namespace gputest::memory::tests;
using gputest::tests::ContainsSubstring;
using Kind = Reference::Kind;

namespace {

GivenArgument shared(std::size_t bytes) {
  return {.kind = ir::Parameter::Kind::Local, .bytes = {}, .local_bytes = bytes};
}

// One column of a tile of 32 x 32 is in one bank, and of 32 x 33 in 32 of them.
const char* const kText = R"(
__constant__ float factors[2] = {2, 3};
template <typename T, int Stride> __global__ void copy(const T* in, T* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[Stride * i] * factors[0];
}
template <int Pad> __global__ void transpose(const float* in, float* out) {
  __shared__ float tile[32][32 + Pad];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[32 * y + x];
  __syncthreads();
  out[32 * y + x] = tile[x][y];
}
__global__ void apart(float* data, int stride) {
  extern __shared__ float part[];
  part[stride * threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = part[stride * threadIdx.x];
}
__global__ void sums(float* data) {
  float sum = data[threadIdx.x];
  for (int step = 16; step > 0; step /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, step);
  if (threadIdx.x % 32 == 0)
    data[threadIdx.x] = sum;
})";

} // namespace

TEST_CASE(
    "Copies of CUDA take a sector for eight neighbouring floats, and one for each far apart") {
  static const Gpu gpu = gpu_named("h200");
  const LaunchTrace near =
      cuda_tracer(kText, "copy<float, 1>")
          .trace(launch_of({256, 1, 1}, {64, 1, 1}, {floats(256), floats(256)}), {32});
  CHECK(near.group_count() == 4);
  CHECK(near.warps.size() == 8);
  REQUIRE(near.references.size() == 3);
  CHECK(near.references[0].file == "k.cu");
  CHECK(near.references[0].line == 5);
  check(counted(near, gpu, Kind::Read, "in"), 8, 32, 32);
  check(counted(near, gpu, Kind::Read, "factors"), 8, 8, 8);
  check(counted(near, gpu, Kind::Write, "out"), 8, 32, 32);
  const LaunchTrace far =
      cuda_tracer(kText, "copy<float, 8>")
          .trace(launch_of({64, 1, 1}, {64, 1, 1}, {floats(512), floats(64)}), {32});
  check(counted(far, gpu, Kind::Read, "in"), 2, 64, 8);
  check(counted(far, gpu, Kind::Write, "out"), 2, 8, 8);
}

TEST_CASE("A column of a __shared__ tile waits 32 times, a padded one once") {
  static const Gpu gpu = gpu_named("h200");
  const TracedLaunch launch = launch_of({32, 32, 1}, {32, 32, 1}, {floats(1024), floats(1024)});
  const LaunchTrace tile = cuda_tracer(kText, "transpose<0>").trace(launch, {32});
  check(counted(tile, gpu, Kind::Write, "tile"), 32, 32, 32);
  check(counted(tile, gpu, Kind::Read, "tile"), 32, 32 * 32, 32);
  const LaunchTrace padded = cuda_tracer(kText, "transpose<1>").trace(launch, {32});
  check(counted(padded, gpu, Kind::Read, "tile"), 32, 32, 32);
  check(counted(padded, gpu, Kind::Write, "out"), 32, 128, 128);
}

TEST_CASE("Dynamic __shared__ memory has banks, too") {
  static const Gpu gpu = gpu_named("h200");
  const Tracer tracer = cuda_tracer(kText, "apart");
  for (const int stride : {1, 2, 8}) {
    const LaunchTrace trace = tracer.trace(
        launch_of({64, 1, 1}, {64, 1, 1}, {floats(64), value(stride), shared(64 * 8 * 4)}), {32});
    const auto times = static_cast<std::uint64_t>(2 * stride);
    check(counted(trace, gpu, Kind::Write, "part"), 2, times, 2);
    check(counted(trace, gpu, Kind::Read, "part"), 2, times, 2);
  }
  CHECK_THROWS_WITH(tracer.trace(launch_of({64, 1, 1}, {64, 1, 1}, {floats(64), value(1)}), {32}),
                    ContainsSubstring("kernel 'apart' has 3 arguments, and 2 are given"));
}

TEST_CASE("Shuffles are no accesses, and what they leave is right") {
  static const Gpu gpu = gpu_named("h200");
  std::vector<std::byte> results;
  const LaunchTrace trace =
      cuda_tracer(kText, "sums")
          .trace(launch_of({64, 1, 1}, {64, 1, 1}, {floats(64)}), {32}, &results);
  CHECK(trace.references.size() == 2);
  check(counted(trace, gpu, Kind::Read, "data"), 2, 8, 8);
  check(counted(trace, gpu, Kind::Write, "data"), 2, 2, 2);
  float sum = 0;
  std::memcpy(&sum, results.data() + 32 * sizeof(float), sizeof sum);
  CHECK(sum == 32);
}
