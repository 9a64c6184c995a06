// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuFFT over FFTW. A plan is kept as its description; FFTW's is made for each execution, by FFTW's
// estimate, which measures nothing and so gives the same sums each time.
#include "cuda/libraries/fft/include/cufftXt.h"
#include "cuda/libraries/fft/plan.h"

#include <fftw3.h>
#include <map>
#include <mutex>
#include <optional>
#include <type_traits>

namespace gputest::cuda::libraries::fft {
namespace {

SystemLibrary of_double("libfftw3.so.3", "libfftw3-double3");  // NOLINT
SystemLibrary of_single("libfftw3f.so.3", "libfftw3-single3"); // NOLINT

class Plans {
public:
  static Plans& get() {
    static Plans plans;
    return plans;
  }
  cufftHandle add() {
    const std::lock_guard lock(mutex_);
    plans_[++last_] = {};
    return last_;
  }
  std::optional<Plan> find(cufftHandle handle) {
    const std::lock_guard lock(mutex_);
    const auto found = plans_.find(handle);
    return found == plans_.end() ? std::nullopt : std::optional(found->second);
  }
  void set(cufftHandle handle, const Plan& plan) {
    const std::lock_guard lock(mutex_);
    plans_[handle] = plan;
  }
  bool remove(cufftHandle handle) {
    const std::lock_guard lock(mutex_);
    return plans_.erase(handle) > 0;
  }

private:
  std::mutex mutex_;
  std::map<cufftHandle, Plan> plans_;
  cufftHandle last_ = 0;
};

#define GPUTEST_FFTW(library, function) GPUTEST_SYSTEM_FUNCTION(library, function)

// Executes a plan of FFTW's.
void execute(fftwf_plan plan) {
  GPUTEST_FFTW(of_single, fftwf_execute)(plan);
  GPUTEST_FFTW(of_single, fftwf_destroy_plan)(plan);
}
void execute(fftw_plan plan) {
  GPUTEST_FFTW(of_double, fftw_execute)(plan);
  GPUTEST_FFTW(of_double, fftw_destroy_plan)(plan);
}

// FFTW does not keep the input of all transforms, and cuFFT keeps it unless the output is in its
// place. `flags`: for FFTW.
template <typename Complex, typename Real, typename OfComplex, typename OfReal, typename ToReal>
void transform(const Plan& p, void* in, void* out, int direction, OfComplex of_complex,
               OfReal of_real, ToReal to_real) {
  const int idist = static_cast<int>(p.in.distance), odist = static_cast<int>(p.out.distance);
  const unsigned flags = FFTW_ESTIMATE | FFTW_UNALIGNED;
  if (reads_real(p.type))
    execute(of_real(p.rank, p.n.data(), p.batch, static_cast<Real*>(in), p.in.sizes.data(),
                    p.in.stride, idist, static_cast<Complex*>(out), p.out.sizes.data(),
                    p.out.stride, odist, flags | (in == out ? 0 : FFTW_PRESERVE_INPUT)));
  else if (writes_real(p.type)) {
    std::vector<std::byte> kept; // several dimensions destroy the input
    if (in != out && p.rank > 1) {
      std::size_t size = static_cast<std::size_t>(p.in.distance * (p.batch - 1));
      std::size_t of_one = 1;
      for (int i = 0; i < p.rank; ++i) {
        const auto sizes = sizes_of(p, false);
        const auto index = static_cast<std::size_t>(i);
        of_one = (of_one - 1) * static_cast<std::size_t>(i == 0 ? 1 : p.in.sizes[index]) +
                 static_cast<std::size_t>(sizes[index]);
      }
      size += (of_one - 1) * static_cast<std::size_t>(p.in.stride) + 1;
      const auto* const begin = static_cast<const std::byte*>(in);
      kept.assign(begin, begin + size * sizeof(Complex));
      in = kept.data();
    }
    execute(to_real(p.rank, p.n.data(), p.batch, static_cast<Complex*>(in), p.in.sizes.data(),
                    p.in.stride, idist, static_cast<Real*>(out), p.out.sizes.data(), p.out.stride,
                    odist, flags | (p.rank == 1 && in != out ? FFTW_PRESERVE_INPUT : 0)));
  } else {
    execute(of_complex(p.rank, p.n.data(), p.batch, static_cast<Complex*>(in), p.in.sizes.data(),
                       p.in.stride, idist, static_cast<Complex*>(out), p.out.sizes.data(),
                       p.out.stride, odist, direction, flags));
  }
}

void run(const Plan& plan, void* in, void* out, int direction) {
  if (is_double(plan.type))
    transform<fftw_complex, double>(plan, in, out, direction,
                                    GPUTEST_FFTW(of_double, fftw_plan_many_dft),
                                    GPUTEST_FFTW(of_double, fftw_plan_many_dft_r2c),
                                    GPUTEST_FFTW(of_double, fftw_plan_many_dft_c2r));
  else
    transform<fftwf_complex, float>(plan, in, out, direction,
                                    GPUTEST_FFTW(of_single, fftwf_plan_many_dft),
                                    GPUTEST_FFTW(of_single, fftwf_plan_many_dft_r2c),
                                    GPUTEST_FFTW(of_single, fftwf_plan_many_dft_c2r));
}

// `type`: that of the function; null: any.
cufftResult execute(cufftHandle handle, const char* name, const cufftType* type, void* in,
                    void* out, int direction) {
  std::optional<Plan> plan = Plans::get().find(handle);
  if (!plan || plan->rank == 0 || (type && plan->type != *type))
    return CUFFT_INVALID_PLAN;
  if (!in || !out || (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE))
    return CUFFT_INVALID_VALUE;
  if (in == out)
    pad_rows(*plan);
  HostWork work{.call = std::string(name) + "()", .operands = {}, .find_more = {}, .run = {}};
  for (const Operand& operand : operands_of(*plan, "idata", in, plan->in, reads_real(plan->type)))
    work.operands.push_back(read(operand));
  for (const Operand& operand :
       operands_of(*plan, "odata", out, plan->out, writes_real(plan->type)))
    work.operands.push_back(written(operand));
  work.run = [=] { run(*plan, at(in), at(out), direction); };
  return gputest_cuda_host_work(plan->stream, work) == cudaSuccess ? CUFFT_SUCCESS
                                                                   : CUFFT_EXEC_FAILED;
}

bool open_libraries() {
  return of_double.open("cuFFT") && of_single.open("cuFFT");
}

} // namespace
} // namespace gputest::cuda::libraries::fft

using namespace gputest::cuda::libraries::fft;

// The host needs no memory of the device.
static void no_work(size_t* size) {
  if (size)
    *size = 0;
}

// Makes a plan, and a handle for it if there is none.
template <typename Size>
static cufftResult make_plan(cufftHandle handle, int rank, const Size* n, const Size* inembed,
                             std::int64_t istride, std::int64_t idist, const Size* onembed,
                             std::int64_t ostride, std::int64_t odist, cufftType type,
                             std::int64_t batch, size_t* size) {
  std::optional<Plan> plan = Plans::get().find(handle);
  if (!plan || plan->rank != 0)
    return CUFFT_INVALID_PLAN;
  if (const cufftResult result =
          make(*plan, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch))
    return result;
  no_work(size);
  Plans::get().set(handle, *plan);
  return CUFFT_SUCCESS;
}
template <typename... Arguments>
static cufftResult new_plan(cufftHandle* handle, Arguments... arguments) {
  if (const cufftResult result = cufftCreate(handle))
    return result;
  const cufftResult result = make_plan<int>(*handle, arguments..., nullptr);
  if (result != CUFFT_SUCCESS)
    cufftDestroy(*handle);
  return result;
}
static cufftResult check(int rank, const int* n, cufftType type, int batch, size_t* size) {
  Plan plan;
  no_work(size);
  return make<int>(plan, rank, n, nullptr, 1, 0, nullptr, 1, 0, type, batch);
}

extern "C" {
cufftResult cufftCreate(cufftHandle* plan) {
  if (!plan)
    return CUFFT_INVALID_VALUE;
  *plan = 0;
  if (!open_libraries())
    return CUFFT_SETUP_FAILED;
  *plan = Plans::get().add();
  return CUFFT_SUCCESS;
}
cufftResult cufftDestroy(cufftHandle plan) {
  return Plans::get().remove(plan) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
cufftResult cufftPlan1d(cufftHandle* plan, int nx, cufftType type, int batch) {
  const int* const none = nullptr;
  return new_plan(plan, 1, static_cast<const int*>(&nx), none, 1, 0, none, 1, 0, type, batch);
}
cufftResult cufftPlan2d(cufftHandle* plan, int nx, int ny, cufftType type) {
  const int n[] = {nx, ny}, *const none = nullptr;
  return new_plan(plan, 2, static_cast<const int*>(n), none, 1, 0, none, 1, 0, type, 1);
}
cufftResult cufftPlan3d(cufftHandle* plan, int nx, int ny, int nz, cufftType type) {
  const int n[] = {nx, ny, nz}, *const none = nullptr;
  return new_plan(plan, 3, static_cast<const int*>(n), none, 1, 0, none, 1, 0, type, 1);
}
cufftResult cufftPlanMany(cufftHandle* plan, int rank, int* n, int* inembed, int istride, int idist,
                          int* onembed, int ostride, int odist, cufftType type, int batch) {
  return new_plan(plan, rank, static_cast<const int*>(n), static_cast<const int*>(inembed), istride,
                  idist, static_cast<const int*>(onembed), ostride, odist, type, batch);
}
cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch, size_t* size) {
  return make_plan<int>(plan, 1, &nx, nullptr, 1, 0, nullptr, 1, 0, type, batch, size);
}
cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t* size) {
  const int n[] = {nx, ny};
  return make_plan<int>(plan, 2, n, nullptr, 1, 0, nullptr, 1, 0, type, 1, size);
}
cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type,
                            size_t* size) {
  const int n[] = {nx, ny, nz};
  return make_plan<int>(plan, 3, n, nullptr, 1, 0, nullptr, 1, 0, type, 1, size);
}
cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int* n, int* inembed, int istride,
                              int idist, int* onembed, int ostride, int odist, cufftType type,
                              int batch, size_t* size) {
  return make_plan<int>(plan, rank, n, inembed, istride, idist, onembed, ostride, odist, type,
                        batch, size);
}
cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long* n, long long* inembed,
                                long long istride, long long idist, long long* onembed,
                                long long ostride, long long odist, cufftType type, long long batch,
                                size_t* size) {
  return make_plan<long long>(plan, rank, n, inembed, istride, idist, onembed, ostride, odist, type,
                              batch, size);
}
cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long* n, long long* inembed,
                                long long istride, long long idist, cudaDataType in,
                                long long* onembed, long long ostride, long long odist,
                                cudaDataType out, long long batch, size_t* size, cudaDataType) {
  constexpr struct {
    cudaDataType in, out;
    cufftType type;
  } kTypes[] = {{CUDA_C_32F, CUDA_C_32F, CUFFT_C2C}, {CUDA_R_32F, CUDA_C_32F, CUFFT_R2C},
                {CUDA_C_32F, CUDA_R_32F, CUFFT_C2R}, {CUDA_C_64F, CUDA_C_64F, CUFFT_Z2Z},
                {CUDA_R_64F, CUDA_C_64F, CUFFT_D2Z}, {CUDA_C_64F, CUDA_R_64F, CUFFT_Z2D}};
  for (const auto& row : kTypes)
    if (row.in == in && row.out == out)
      return cufftMakePlanMany64(plan, rank, n, inembed, istride, idist, onembed, ostride, odist,
                                 row.type, batch, size);
  return CUFFT_NOT_SUPPORTED; // half precision
}
cufftResult cufftEstimate1d(int nx, cufftType type, int batch, size_t* size) {
  return check(1, &nx, type, batch, size);
}
cufftResult cufftEstimate2d(int nx, int ny, cufftType type, size_t* size) {
  const int n[] = {nx, ny};
  return check(2, n, type, 1, size);
}
cufftResult cufftEstimate3d(int nx, int ny, int nz, cufftType type, size_t* size) {
  const int n[] = {nx, ny, nz};
  return check(3, n, type, 1, size);
}
cufftResult cufftEstimateMany(int rank, int* n, int*, int, int, int*, int, int, cufftType type,
                              int batch, size_t* size) {
  return check(rank, n, type, batch, size);
}
cufftResult cufftGetSize1d(cufftHandle, int nx, cufftType type, int batch, size_t* size) {
  return check(1, &nx, type, batch, size);
}
cufftResult cufftGetSize2d(cufftHandle, int nx, int ny, cufftType type, size_t* size) {
  return cufftEstimate2d(nx, ny, type, size);
}
cufftResult cufftGetSize3d(cufftHandle, int nx, int ny, int nz, cufftType type, size_t* size) {
  return cufftEstimate3d(nx, ny, nz, type, size);
}
cufftResult cufftGetSizeMany(cufftHandle, int rank, int* n, int*, int, int, int*, int, int,
                             cufftType type, int batch, size_t* size) {
  return check(rank, n, type, batch, size);
}
cufftResult cufftGetSize(cufftHandle handle, size_t* size) {
  no_work(size);
  return Plans::get().find(handle) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
cufftResult cufftSetWorkArea(cufftHandle handle, void*) {
  return Plans::get().find(handle) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
cufftResult cufftSetAutoAllocation(cufftHandle handle, int) {
  return Plans::get().find(handle) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream) {
  std::optional<Plan> plan = Plans::get().find(handle);
  if (!plan)
    return CUFFT_INVALID_PLAN;
  plan->stream = stream;
  Plans::get().set(handle, *plan);
  return CUFFT_SUCCESS;
}
cufftResult cufftGetVersion(int* version) {
  if (!version)
    return CUFFT_INVALID_VALUE;
  *version = CUFFT_VERSION;
  return CUFFT_SUCCESS;
}
cufftResult cufftGetProperty(libraryPropertyType type, int* value) {
  if (!value)
    return CUFFT_INVALID_VALUE;
  *value = type == MAJOR_VERSION   ? CUFFT_VER_MAJOR
           : type == MINOR_VERSION ? CUFFT_VER_MINOR
                                   : CUFFT_VER_PATCH;
  return CUFFT_SUCCESS;
}
#define GPUTEST_EXEC(name, In, Out)                                                                \
  cufftResult cufftExec##name(cufftHandle plan, In* in, Out* out) {                                \
    constexpr cufftType kType = CUFFT_##name;                                                      \
    return execute(plan, __func__, &kType, in, out,                                                \
                   reads_real(kType) ? CUFFT_FORWARD : CUFFT_INVERSE);                             \
  }
GPUTEST_EXEC(R2C, cufftReal, cufftComplex)
GPUTEST_EXEC(C2R, cufftComplex, cufftReal)
GPUTEST_EXEC(D2Z, cufftDoubleReal, cufftDoubleComplex)
GPUTEST_EXEC(Z2D, cufftDoubleComplex, cufftDoubleReal)
cufftResult cufftExecC2C(cufftHandle plan, cufftComplex* in, cufftComplex* out, int direction) {
  constexpr cufftType kType = CUFFT_C2C;
  return execute(plan, __func__, &kType, in, out, direction);
}
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex* in, cufftDoubleComplex* out,
                         int direction) {
  constexpr cufftType kType = CUFFT_Z2Z;
  return execute(plan, __func__, &kType, in, out, direction);
}
cufftResult cufftXtExec(cufftHandle plan, void* in, void* out, int direction) {
  return execute(plan, __func__, nullptr, in, out, direction);
}
}
