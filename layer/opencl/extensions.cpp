// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/opencl/extensions.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <mutex>
#include <string_view>
#include <utility>

namespace gputest::layer {
namespace {

// clCommandNDRangeKernelKHR, whose types' names have changed between versions of the headers.
using Record = cl_int(CL_API_CALL*)(void* buffer, cl_command_queue queue, const void* properties,
                                    cl_kernel kernel, cl_uint dimensions, const std::size_t* offset,
                                    const std::size_t* global, const std::size_t* local,
                                    cl_uint count, const cl_uint* waits, cl_uint* point,
                                    void** handle);

constexpr std::size_t kPlatforms = 8; // a function each

struct Extensions {
  std::function<void(cl_kernel)> recorded;
  std::mutex mutex;
  std::array<Record, kPlatforms> functions{};
};
// OpenCL's functions have no other way to their data, as in wrappers.cpp.
Extensions& extensions() {
  static auto* const all = new Extensions; // programs call OpenCL from destructors
  return *all;
}

template <std::size_t index>
cl_int CL_API_CALL record(void* buffer, cl_command_queue queue, const void* properties,
                          cl_kernel kernel, cl_uint dimensions, const std::size_t* offset,
                          const std::size_t* global, const std::size_t* local, cl_uint count,
                          const cl_uint* waits, cl_uint* point, void** handle) {
  const cl_int error =
      extensions().functions[index](buffer, queue, properties, kernel, dimensions, offset, global,
                                    local, count, waits, point, handle);
  if (error == CL_SUCCESS)
    extensions().recorded(kernel);
  return error;
}

template <std::size_t... indices>
constexpr std::array<Record, kPlatforms> watching(std::index_sequence<indices...>) {
  return {record<indices>...};
}

void* watched(const char* name, void* function) {
  if (!function || !name || name != std::string_view("clCommandNDRangeKernelKHR"))
    return function;
  const auto known = reinterpret_cast<Record>(function);
  static constexpr auto kWatching = watching(std::make_index_sequence<kPlatforms>());
  auto& functions = extensions().functions;
  const std::lock_guard lock(extensions().mutex);
  auto place = std::ranges::find(functions, known);
  if (place == functions.end())
    place = std::ranges::find(functions, Record{nullptr});
  if (place == functions.end())
    return function;
  *place = known;
  return reinterpret_cast<void*>(kWatching[static_cast<std::size_t>(place - functions.begin())]);
}

void* CL_API_CALL get_address(const char* name) {
  return watched(name, implementation().clGetExtensionFunctionAddress(name));
}

void* CL_API_CALL get_address_for_platform(cl_platform_id platform, const char* name) {
  return watched(name, implementation().clGetExtensionFunctionAddressForPlatform(platform, name));
}

} // namespace

void install_extensions(cl_icd_dispatch& dispatch, std::function<void(cl_kernel)> recorded) {
  extensions().recorded = std::move(recorded);
  dispatch.clGetExtensionFunctionAddress = get_address;
  dispatch.clGetExtensionFunctionAddressForPlatform = get_address_for_platform;
}

} // namespace gputest::layer
