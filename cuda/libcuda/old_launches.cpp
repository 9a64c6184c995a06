// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches in the style before CUDA 4: calls set the kernel's shape and arguments one by one.
#include "cuda/libcuda/libcuda.h"

#include <algorithm>
#include <array>

using namespace gputest::cuda;

namespace {

struct Prepared {
  std::array<int, 3> block{1, 1, 1};
  unsigned shared_bytes = 0;
  std::size_t size = 0;
  std::vector<std::byte> arguments;
};

Prepared& prepared_of(CUfunction function) {
  static auto* const all = new std::map<CUfunction, Prepared>; // NOLINT
  return (*all)[function];
}

// Calls `what` with the prepared launch of a function.
template <typename What> CUresult prepare(CUfunction function, What&& what) {
  return driver_call([&] {
    if (!State::get().kernel(function))
      return CUDA_ERROR_INVALID_HANDLE;
    return what(prepared_of(function));
  });
}

CUresult set_argument(CUfunction function, int offset, const void* value, std::size_t size) {
  return prepare(function, [&](Prepared& prepared) {
    if (offset < 0 || !value)
      return CUDA_ERROR_INVALID_VALUE;
    const std::size_t end = static_cast<std::size_t>(offset) + size;
    if (prepared.arguments.size() < end)
      prepared.arguments.resize(end);
    std::memcpy(prepared.arguments.data() + offset, value, size);
    return CUDA_SUCCESS;
  });
}

} // namespace

extern "C" {
CUresult cuFuncSetBlockShape(CUfunction function, int x, int y, int z) {
  return prepare(function, [&](Prepared& prepared) {
    if (x <= 0 || y <= 0 || z <= 0)
      return CUDA_ERROR_INVALID_VALUE;
    prepared.block = {x, y, z};
    return CUDA_SUCCESS;
  });
}
CUresult cuFuncSetSharedSize(CUfunction function, unsigned int bytes) {
  return prepare(function, [&](Prepared& prepared) {
    prepared.shared_bytes = bytes;
    return CUDA_SUCCESS;
  });
}
CUresult cuParamSetSize(CUfunction function, unsigned int bytes) {
  return prepare(function, [&](Prepared& prepared) {
    prepared.size = bytes;
    return CUDA_SUCCESS;
  });
}
CUresult cuParamSeti(CUfunction function, int offset, unsigned int value) {
  return set_argument(function, offset, &value, sizeof value);
}
CUresult cuParamSetf(CUfunction function, int offset, float value) {
  return set_argument(function, offset, &value, sizeof value);
}
CUresult cuParamSetv(CUfunction function, int offset, void* values, unsigned int bytes) {
  return set_argument(function, offset, values, bytes);
}
CUresult cuLaunchGridAsync(CUfunction function, int width, int height, CUstream stream) {
  return prepare(function, [&](Prepared& prepared) {
    if (width <= 0 || height <= 0)
      return CUDA_ERROR_INVALID_VALUE;
    std::size_t size = prepared.size;
    prepared.arguments.resize(std::max(prepared.arguments.size(), size));
    void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, prepared.arguments.data(),
                     CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
    const auto& [x, y, z] = prepared.block;
    return cuLaunchKernel(function, static_cast<unsigned>(width), static_cast<unsigned>(height), 1,
                          static_cast<unsigned>(x), static_cast<unsigned>(y),
                          static_cast<unsigned>(z), prepared.shared_bytes, stream, nullptr,
                          prepared.arguments.empty() ? nullptr : extra);
  });
}
CUresult cuLaunchGrid(CUfunction function, int width, int height) {
  return cuLaunchGridAsync(function, width, height, nullptr);
}
CUresult cuLaunch(CUfunction function) {
  return cuLaunchGrid(function, 1, 1);
}
}
