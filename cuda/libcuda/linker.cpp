// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver API's linker, for PTX, and device code that gputest-cuda and NVRTC have made.
#include "cuda/libcuda/libcuda.h"
#include "ir/cuda/image.h"

#include <fstream>
#include <iterator>
#include <optional>

using namespace gputest::cuda;

struct CUlinkState_st {
  gputest::cuda::Live<CUlinkState_st> live{};
  std::string containers, linked;
  gputest::cuda::JitLog log;
};

namespace {

// `log`: the call's own log; without it, the linker's log is used.
CUresult add(CUlinkState linker, CUjitInputType type, const void* data, std::size_t size,
             const char* name, const std::optional<JitLog>& log) {
  if (!is_live(linker))
    return CUDA_ERROR_INVALID_HANDLE;
  if (!data || (log && log->is_wrong()))
    return CUDA_ERROR_INVALID_VALUE;
  if (type >= CU_JIT_NUM_INPUT_TYPES)
    return CUDA_ERROR_INVALID_VALUE;
  State& state = State::get();
  std::string containers;
  const JitLog& chosen = log ? *log : linker->log;
  if (const cudaError_t error =
          state.containers_of(data, size, name ? name : "", chosen, containers))
    return result_of(error);
  if (const cudaError_t error = state.check(containers, false, chosen))
    return result_of(error);
  linker->containers += containers;
  return CUDA_SUCCESS;
}

std::optional<JitLog> log_of(unsigned int count, const CUjit_option* options, void** values) {
  return count > 0 ? std::optional(JitLog(count, options, values)) : std::nullopt;
}

} // namespace

extern "C" {
CUresult cuLinkCreate_v2(unsigned int count, CUjit_option* options, void** values,
                         CUlinkState* linker) {
  return driver_call([&] {
    const JitLog log(count, options, values);
    if (!linker || log.is_wrong())
      return CUDA_ERROR_INVALID_VALUE;
    *linker = new CUlinkState_st;
    (*linker)->log = log;
    return CUDA_SUCCESS;
  });
}
CUresult cuLinkAddData_v2(CUlinkState linker, CUjitInputType type, void* data, size_t size,
                          const char* name, unsigned int count, CUjit_option* options,
                          void** values) {
  return driver_call(
      [&] { return add(linker, type, data, size, name, log_of(count, options, values)); });
}
CUresult cuLinkAddFile_v2(CUlinkState linker, CUjitInputType type, const char* file,
                          unsigned int count, CUjit_option* options, void** values) {
  return driver_call([&] {
    const std::optional<JitLog> log = log_of(count, options, values);
    std::ifstream stream(file ? file : "", std::ios::binary);
    if (!stream)
      return CUDA_ERROR_FILE_NOT_FOUND;
    std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    bytes.append(64, '\0'); // the first bytes are examined
    return add(linker, type, bytes.data(), 0, file, log);
  });
}
CUresult cuLinkComplete(CUlinkState linker, void** cubin, size_t* size) {
  return driver_call([&] {
    if (!is_live(linker))
      return CUDA_ERROR_INVALID_HANDLE;
    if (linker->containers.empty())
      return CUDA_ERROR_INVALID_IMAGE;
    if (const cudaError_t error = State::get().check(linker->containers, true, linker->log))
      return result_of(error);
    linker->linked = gputest::ir::cuda::text_of_image(linker->containers, "");
    if (cubin)
      *cubin = linker->linked.data();
    if (size)
      *size = linker->linked.size() + 1;
    return CUDA_SUCCESS;
  });
}
CUresult cuLinkDestroy(CUlinkState linker) {
  return driver_call([&] {
    if (!is_live(linker))
      return CUDA_ERROR_INVALID_HANDLE;
    delete linker;
    return CUDA_SUCCESS;
  });
}
}
