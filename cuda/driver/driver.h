// How the functions of the driver API are written: those of the runtime API do the work, and leave
// no error behind that cudaGetLastError() would tell.
#pragma once

#include "cuda/include/cuda.h"
#include "cuda/runtime/call.h"

#include <cstring>
#include <utility>

struct CUctx_st {
  unsigned flags = 0;
  bool primary = false;
  int device = 0;
  unsigned attached = 0; // by cuCtxAttach(), besides who has made it
  unsigned long long id = next_id();

private:
  static unsigned long long next_id();
};

namespace gputest::cuda {

CUresult result_of(cudaError_t error);

// Whether cuInit() has been called, and whether the thread has a context: one of its own, or that
// of the runtime API, which it has called.
CUresult not_ready(bool needs_context);

// The same copy in the words of the runtime API.
cudaError_t parameters_of(const CUDA_MEMCPY3D& p, cudaMemcpy3DParms& parameters);

// Pointers into a packed block of arguments, which `extra` gives in their place.
cudaError_t unpack(const KernelInfo& kernel, void** extra, std::vector<void*>& arguments);

inline void* at(CUdeviceptr pointer) {
  return reinterpret_cast<void*>(pointer);
}

// The number that the runtime API has for the place.
inline int device_of(const CUmemLocation& location) {
  return location.type == CU_MEM_LOCATION_TYPE_HOST ? cudaCpuDeviceId : location.id;
}

// Structures of the same members.
template <typename To, typename From> To as(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

// `what` returns a cudaError_t or a CUresult.
template <typename What> CUresult driver_call(What&& what, bool needs_context = true) {
  State& state = State::get();
  const Lock lock(state.mutex);
  if (const CUresult error = not_ready(needs_context))
    return error;
  const ThreadErrors before = State::thread_errors();
  const bool called = state.called;
  const auto result = std::forward<What>(what)();
  State::thread_errors() = before;
  state.called = called;
  if constexpr (std::is_same_v<decltype(result), const CUresult>)
    return result;
  else
    return result_of(result);
}

} // namespace gputest::cuda
