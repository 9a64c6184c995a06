// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Helpers for functions of the driver API. Functions of the runtime API do the work, but leave no
// error for cudaGetLastError().
#pragma once

#include "cuda/include/cuda.h"
#include "cuda/runtime/call.h"

#include <cstring>
#include <string_view>
#include <utility>

struct CUctx_st {
  unsigned flags = 0;
  bool primary = false;
  int device = 0;
  unsigned attached = 0; // how often cuCtxAttach() was called
  unsigned long long id = next_id();

private:
  static unsigned long long next_id();
};

namespace gputest::cuda {

CUresult result_of(cudaError_t error);

// Returns an error unless cuInit() has been called and, if driver_calls.def says that `function`
// needs one, the thread has a context: one of its own, or the runtime API's after a call of it.
CUresult not_ready(std::string_view function);

// Returns whether driver_calls.def says that a thread without a context may call the function.
bool needs_no_context(std::string_view function);

// Converts a copy to the runtime API's parameters.
cudaError_t parameters_of(const CUDA_MEMCPY3D& p, cudaMemcpy3DParms& parameters);

// Fills `arguments` with pointers into the packed block of arguments that `extra` describes.
cudaError_t unpack(const KernelInfo& kernel, void** extra, std::vector<void*>& arguments);

inline void* at(CUdeviceptr pointer) {
  return reinterpret_cast<void*>(pointer);
}

// Returns the runtime API's number of the device or of the host.
inline int device_of(const CUmemLocation& location) {
  return location.type == CU_MEM_LOCATION_TYPE_HOST ? cudaCpuDeviceId : location.id;
}

// Converts between structures with the same layout.
template <typename To, typename From> To as(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

// Runs `caller`, a function of the driver API, under the lock. `what` returns a cudaError_t or a
// CUresult.
template <typename What>
CUresult driver_call(What&& what, const char* caller = __builtin_FUNCTION()) {
  State& state = State::get();
  const Lock lock(state.mutex);
  if (const CUresult error = not_ready(caller))
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
