// Headers that programs include: those that only name others, profilers' marks, and what libcu++ has besides the C++
// library.
// Link: -lnvToolsExt
// clang-format off
#include <builtin_types.h>
#include <channel_descriptor.h>
#include <common_functions.h>
#include <cuda.h>
#include <cudaProfiler.h>
#include <cuda_awbarrier.h>
#include <cuda_awbarrier_helpers.h>
#include <cuda_bf16.hpp>
#include <cuda_device_runtime_api.h>
#include <cuda_fp16.hpp>
#include <cuda_fp4.hpp>
#include <cuda_fp6.hpp>
#include <cuda_fp8.hpp>
#include <cuda_pipeline.h>
#include <cuda_pipeline_helpers.h>
#include <cuda_pipeline_primitives.h>
#include <cuda_profiler_api.h>
#include <cuda_stdint.h>
#include <cuda_surface_types.h>
#include <cuda_texture_types.h>
#include <cudart_platform.h>
#include <crt/common_functions.h>
#include <crt/device_double_functions.h>
#include <crt/device_functions.h>
#include <crt/func_macro.h>
#include <crt/host_config.h>
#include <crt/host_defines.h>
#include <crt/math_functions.h>
#include <crt/mma.h>
#include <curand_globals.h>
#include <curand_lognormal.h>
#include <curand_mrg32k3a.h>
#include <curand_normal.h>
#include <curand_normal_static.h>
#include <curand_philox4x32_x.h>
#include <curand_poisson.h>
#include <curand_precalc.h>
#include <curand_uniform.h>
#include <device_atomic_functions.h>
#include <device_atomic_functions.hpp>
#include <device_double_functions.h>
#include <device_double_functions.hpp>
#include <device_functions.h>
#include <device_functions.hpp>
#include <device_launch_parameters.h>
#include <device_types.h>
#include <driver_functions.h>
#include <func_macro.h>
#include <host_config.h>
#include <host_defines.h>
#include <library_types.h>
#include <math_functions.h>
#include <math_functions.hpp>
#include <math_functions_dbl_ptx3.h>
#include <mma.h>
#include <nvfunctional>
#include <nvToolsExt.h>
#include <nvToolsExtCuda.h>
#include <nvToolsExtCudaRt.h>
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCuda.h>
#include <nvtx3/nvToolsExtCudaRt.h>
#include <nvtx3/nvtx3.hpp>
#include <sm_20_atomic_functions.h>
#include <sm_20_atomic_functions.hpp>
#include <sm_20_intrinsics.h>
#include <sm_20_intrinsics.hpp>
#include <sm_30_intrinsics.h>
#include <sm_30_intrinsics.hpp>
#include <sm_32_atomic_functions.h>
#include <sm_32_atomic_functions.hpp>
#include <sm_32_intrinsics.h>
#include <sm_32_intrinsics.hpp>
#include <sm_35_atomic_functions.h>
#include <sm_35_intrinsics.h>
#include <sm_60_atomic_functions.h>
#include <sm_60_atomic_functions.hpp>
#include <sm_61_intrinsics.h>
#include <sm_61_intrinsics.hpp>
#include <surface_functions.h>
#include <surface_functions.hpp>
#include <surface_indirect_functions.h>
#include <surface_indirect_functions.hpp>
#include <surface_types.h>
#include <texture_fetch_functions.h>
#include <texture_fetch_functions.hpp>
#include <texture_indirect_functions.h>
#include <texture_indirect_functions.hpp>
#include <texture_types.h>
#include <vector_functions.h>
#include <vector_functions.hpp>
#include <cuda/access_property>
#include <cuda/annotated_ptr>
#include <cuda/cmath>
#include <cuda/discard_memory>
#include <cuda/functional>
#include <cuda/ptx>
#include <cuda/std/bitset>
#include <cuda/std/concepts>
#include <cuda/std/ctime>
#include <cuda/std/exception>
#include <cuda/std/expected>
#include <cuda/std/mdspan>
#include <cuda/std/memory>
#include <cuda/std/new>
#include <cuda/std/numbers>
#include <cuda/std/ranges>
#include <cuda/std/source_location>
#include <cuda/std/string_view>
#include <cuda/stream_ref>
// clang-format on

#ifndef __NVCC__
#error "Programs ask for it where they have code of CUDA"
#endif

#include "check.h"

#include <cuComplex.h>
#include <math_constants.h>

static_assert(CUDA_R_16F == 2 && CUDA_R_8F_E5M2 == 29 && PATCH_LEVEL == 2);
static_assert(sizeof(uint64_t) == 8);

enum class Problem { none, odd, negative };
__host__ __device__ cuda::std::expected<int, Problem> half_of(int n) {
  if (n < 0)
    return cuda::std::unexpected(Problem::negative);
  if (n % 2)
    return cuda::std::unexpected<Problem>(Problem::odd);
  return n / 2;
}
__host__ __device__ inline int expected_values() {
  const auto quarter = half_of(12).and_then(half_of).transform([](int n) { return n * 10; });
  const auto wrong = half_of(6).and_then(half_of).or_else([](Problem p) { return half_of(p == Problem::odd ? 200 : 0); });
  const auto error = half_of(-2).transform_error([](Problem p) { return static_cast<int>(p) * 1000; });
  cuda::std::expected<void, int> nothing, failed(cuda::std::unexpect, 7);
  return *quarter + wrong.value() + error.error() + (nothing ? 10000 : 0) + failed.error() + (half_of(3) == cuda::std::unexpected(Problem::odd)) +
         half_of(5).value_or(-1) + (half_of(4) == 2);
}

using Matrix = cuda::std::mdspan<int, cuda::std::dextents<int, 2>>;
__host__ __device__ inline int elements(int* data) {
  Matrix rows(data, 3, 4);
  const cuda::std::mdspan deduced(data, 2, 6);
  rows(1, 2) = 5;
  const cuda::std::mdspan<const int, cuda::std::dextents<int, 2>> same = rows;
  cuda::std::mdspan<int, cuda::std::extents<int, 3, cuda::std::dynamic_extent>, cuda::std::layout_left> columns(data, 4);
  columns(2, 1) = 7; // data[5]
  const std::array<int, 2> strides{1, 4};
  const cuda::std::layout_stride::mapping<cuda::std::dextents<int, 2>> every_fourth(cuda::std::dextents<int, 2>(4, 3), strides);
  const cuda::std::mdspan<int, cuda::std::dextents<int, 2>, cuda::std::layout_stride> turned(data, every_fourth);
  return same(1, 2) + 10 * rows(1, 1) + 100 * turned(2, 1) + 1000 * (int)columns.extent(1) + (deduced.rank() == 2) +
         10000 * (rows.size() == 12 && rows.stride(0) == 4 && columns.static_extent(0) == 3 && turned.is_exhaustive() && columns.rank_dynamic() == 1) +
         100000 * rows[std::array<int, 2>{1, 2}];
}

__global__ void of_libraries(int* out, int* data) {
  out[0] = expected_values();
  out[1] = elements(data);
  cuda::annotated_ptr<int, cuda::access_property::persisting> kept(data);
  kept[0] = 3;
  out[2] = *kept + *cuda::associate_access_property(data, cuda::access_property::streaming{});
  out[3] = cuda::ceil_div(7, 2) * 100 + cuda::round_up(7, 4) * 10 + cuda::round_down(7, 4);
  out[5] = (int)(cuda::ptx::get_sreg_tid_x() + cuda::ptx::get_sreg_nctaid_x() * 10 + cuda::ptx::get_sreg_lanemask_le() * 100 + cuda::ptx::get_sreg_nwarpid() * 1000);
  out[4] = cuda::maximum<int>()(3, 5) * 10 + (int)cuda::minimum<>()(2.5f, 7);
}
__global__ void value_of_none(int* out) {
  *out = half_of(*out + 1).value();
}
template <typename F> __global__ void apply(int* out, F f) {
  *out = f(*out);
}

// As the older samples write it.
__global__ void old_names(int* out, const int* in) {
  namespace old = nvcuda::experimental;
  __shared__ old::awbarrier barrier;
  __shared__ int copied[64];
  if (threadIdx.x == 0)
    init(&barrier, blockDim.x);
  __syncthreads();
  old::pipeline pipe;
  old::memcpy_async(copied[threadIdx.x], in[threadIdx.x], pipe);
  pipe.commit_and_wait();
  barrier.wait(barrier.arrive());
  out[threadIdx.x] = copied[threadIdx.x ^ 1];
}

// Quotients and sizes of numbers whose squares are out of range, and where the sum of cuCfma() is rounded.
__host__ __device__ bool complex_numbers() {
  const cuFloatComplex large = make_cuFloatComplex(3e30F, -4e30F), one = cuCdivf(large, large);
  const cuDoubleComplex tiny = make_cuDoubleComplex(3e-200, 4e-200);
  const cuFloatComplex sum = cuCfmaf(make_cuFloatComplex(1, 1), make_cuFloatComplex(1, 1), make_cuFloatComplex(3e-8F, 0));
  return fabsf(one.x - 1) < 1e-6F && fabsf(one.y) < 1e-6F && cuCabsf(large) / 5e30F > 0.999999F && cuCabs(tiny) / 5e-200 > 0.999999 &&
         cuCabs(cuCdiv(tiny, tiny)) > 0.999999 && cuCabsf(make_cuFloatComplex(0, 0)) == 0 && isinf(cuCabsf(make_cuFloatComplex(-HUGE_VALF, 1))) &&
         sum.x == 0 && sum.y == 2;
}

__maxnreg__(32) __global__ void constants(double* out) {
  const double4_32a four = make_double4_32a(CUDART_LNT, CUDART_SQRT_2PI, CUDART_THIRD_F, CUDART_TWO_TO_M54);
  out[0] = four.x + four.y;
  out[1] = four.z;
  const cuDoubleComplex wide = cuComplexFloatToDouble(cuComplexDoubleToFloat(make_cuDoubleComplex(CUDART_PI, 1)));
  out[2] = complex_numbers() ? wide.x : 0;
}

#ifndef NVTX3_CPP_DEFINITIONS_V1_0
#error "nvtx3.hpp says which version of NVTX's C++ interface it has"
#endif
struct nvtx_domain {
  static constexpr const char* name{"test"};
};
struct nvtx_message {
  static constexpr const char* message{"text"};
};
struct nvtx_category {
  static constexpr const char* name{"kind"};
  static constexpr nvtx3::category::id_type id{7};
};
static void named_ranges(bool wanted) {
  NVTX3_V1_FUNC_RANGE_IF_IN(nvtx_domain, wanted);
  static const nvtx3::v1::registered_string_in<nvtx_domain> name{"loop"};
  static const nvtx3::v1::event_attributes attributes{name, nvtx3::color{0xff00ff00}};
  nvtx3::v1::scoped_range_in<nvtx_domain> range{attributes};
  nvtx3::mark_in<nvtx_domain>(nvtx3::registered_string_in<nvtx_domain>::get<nvtx_message>(),
                              nvtx3::named_category_in<nvtx_domain>::get<nvtx_category>());
  EXPECT(nvtx3::named_category::get<nvtx_category>().get_id() == 7);
  EXPECT(nvtx3::color(nvtx3::rgb{1, 2, 3}).get_value() == 0xff010203);
  EXPECT(&nvtx3::domain::get<nvtx_domain>() == &nvtx3::domain::get<nvtx_domain>());
  EXPECT(!nvtx3::range_handle{} && nvtx3::range_handle{3}.get_value() == 3);
}

static void marks() {
  nvtxEventAttributes_t event = {};
  event.version = NVTX_VERSION;
  event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  event.messageType = NVTX_MESSAGE_TYPE_ASCII;
  event.message.ascii = "all";
  EXPECT(nvtxRangePushEx(&event) < 0 && nvtxRangePush("part") < 0 && nvtxRangePop() < 0); // nobody counts
  nvtxMark("here");
  nvtxRangeEnd(nvtxRangeStart("from here"));
  nvtxDomainHandle_t domain = nvtxDomainCreate("domain");
  nvtxDomainRangePushEx(domain, &event);
  nvtxDomainRangePop(domain);
  nvtxDomainDestroy(domain);
  nvtxNameCudaStream(nullptr, "default");
  const nvtx3::scoped_range range{"scope", nvtx3::rgb{1, 2, 3}, nvtx3::payload{5}};
  NVTX3_FUNC_RANGE();
  nvtx3::mark("there");
  nvtx3::end_range(nvtx3::start_range("open"));
  named_ranges(true);
}

// CUDA 12 has left these names to programs.
template <typename T> struct surface {
  T texture;
};
static int texture = 3;

// Functions as values: lambdas with captures, pointers, none, copies of each other.
__host__ __device__ int thrice(int x) {
  return 3 * x;
}
__device__ int applied(const nvstd::function<int(int)>& f, int x) {
  return f ? f(x) : -1;
}
__global__ void functions(int* out) {
  int five = 5, ones = 0;
  nvstd::function<int(int)> f = [=](int x) { return x + five; }, g;
  out[0] = applied(f, 2) * 100 + applied(g, 2);
  g = [&five](int x) { return x * five; };
  five = 6;
  f = g;
  g = thrice;
  swap(f, g);
  out[1] = f(2) * 100 + g(2);
  const nvstd::function<void(int&)> increment = [](int& x) { ++x; };
  increment(ones);
  f = nullptr;
  out[2] = 100 * ones + (f == nullptr) + 2 * (g != nullptr);
}

int main() {
  EXPECT(surface<int>{texture}.texture == 3);
  marks();
  Device<int> out(64), data(64);
  of_libraries<<<1, 1>>>(out.data, data.data);
  int host[12] = {};
  const int expected = 30 + 100 + 2000 + 10000 + 7 + 1 - 1 + 1;
  EXPECT(expected_values() == expected && elements(host) == 514576);
  EXPECT(out[0] == expected && out[1] == 514576);
  EXPECT(out[2] == 6 && out[3] == 484 && out[4] == 52 && out[5] == 64110);
  apply<<<1, 1>>>(out.data, cuda::proclaim_return_type<int>([] __device__(int n) { return n + 1; }));
  EXPECT(out[0] == expected + 1);
  const Device<double> doubles(3);
  constants<<<1, 1>>>(doubles.data);
  EXPECT(complex_numbers());
  EXPECT(doubles[0] == 2.3025850929940459 + 2.5066282746310007 && doubles[1] == 1.f / 3 && doubles[2] == (float)CUDART_PI);
  static_assert(alignof(double4_32a) == 32 && alignof(ulonglong4_16a) == 16);
  EXPECT(cudaCreateChannelDescHalf4().w == 16);
  old_names<<<1, 64>>>(out.data, data.data);
  EXPECT(out[0] == data[1] && out[63] == data[62]);

  cudaStream_t stream = nullptr;
  EXPECT(cudaStreamCreate(&stream) == cudaSuccess);
  const cuda::stream_ref ref(stream);
  ref.sync();
  EXPECT(ref.get() == stream && ref.is_done() && ref == cuda::stream_ref(stream));
  EXPECT(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  bool thrown = false;
  try {
    ref.sync();
  } catch (const cuda::cuda_error& error) {
    thrown = error.status() == cudaErrorStreamCaptureUnsupported;
  }
  cudaGraph_t graph = nullptr;
  EXPECT(thrown && cudaStreamEndCapture(stream, &graph) == cudaErrorStreamCaptureInvalidated);
  thrown = false;
  try {
    half_of(3).value();
  } catch (const cuda::std::bad_expected_access<Problem>& error) {
    thrown = error.error() == Problem::odd;
  }
  EXPECT(thrown);
  functions<<<1, 1>>>(out.data);
  EXPECT(out[0] == 699 && out[1] == 612 && out[2] == 103);
  nvstd::function<double(double)> half = [](double x) { return x / 2; };
  EXPECT(half(3) == 1.5);
  half = nullptr;
  thrown = false;
  try {
    half(3);
  } catch (const std::bad_function_call&) {
    thrown = true;
  }
  EXPECT(thrown);
  cudaGetLastError();
  cudaMemset(out.data, 0, sizeof(int));
  value_of_none<<<1, 1>>>(out.data); // there are no exceptions: the kernel traps
  EXPECT(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
  return wrong;
}
