// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/opencl/extensions.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <mutex>
#include <utility>

namespace gputest::layer {
namespace {

// clCommandNDRangeKernelKHR, whose types' names have changed between versions of the headers.
using Record = cl_int(CL_API_CALL*)(void* buffer, cl_command_queue queue, const void* properties,
                                    cl_kernel kernel, cl_uint dimensions, const std::size_t* offset,
                                    const std::size_t* global, const std::size_t* local,
                                    cl_uint count, const cl_uint* waits, cl_uint* point,
                                    void** handle);

// clCreateProgramWithILKHR.
using Create = cl_program(CL_API_CALL*)(cl_context context, const void* text, std::size_t length,
                                        cl_int* error);

constexpr std::size_t kPlatforms = 8; // a function each

template <typename Function> using Functions = std::array<Function, kPlatforms>;

struct Extensions {
  Watchers watchers;
  std::mutex mutex;
  Functions<Record> records{};
  Functions<Create> creates{};
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
      extensions().records[index](buffer, queue, properties, kernel, dimensions, offset, global,
                                  local, count, waits, point, handle);
  if (error == CL_SUCCESS)
    extensions().watchers.recorded(kernel);
  return error;
}

template <std::size_t index>
cl_program CL_API_CALL create(cl_context context, const void* text, std::size_t length,
                              cl_int* error) {
  cl_program program = extensions().creates[index](context, text, length, error);
  if (program)
    extensions().watchers.created(program, {static_cast<const char*>(text), length});
  return program;
}

template <std::size_t... indices>
constexpr Functions<Record> watching_records(std::index_sequence<indices...>) {
  return {record<indices>...};
}

template <std::size_t... indices>
constexpr Functions<Create> watching_creates(std::index_sequence<indices...>) {
  return {create<indices>...};
}

// Returns the one of `watching` that calls `function`, which is put among the `known` ones. If
// there are too many platforms, it returns the function itself.
template <typename Function>
void* replaced(void* function, Functions<Function>& known, const Functions<Function>& watching) {
  const auto own = reinterpret_cast<Function>(function);
  const std::lock_guard lock(extensions().mutex);
  auto place = std::ranges::find(known, own);
  if (place == known.end())
    place = std::ranges::find(known, Function{nullptr});
  if (place == known.end())
    return function;
  *place = own;
  return reinterpret_cast<void*>(watching[static_cast<std::size_t>(place - known.begin())]);
}

void* watched(const char* name, void* function) {
  constexpr auto kIndices = std::make_index_sequence<kPlatforms>();
  if (name && name == std::string_view("clCreateProgramWithILKHR"))
    if (void* const own = extensions().watchers.stand_in())
      return own;
  if (!function || !name)
    return function;
  if (name == std::string_view("clCommandNDRangeKernelKHR"))
    return replaced(function, extensions().records, watching_records(kIndices));
  if (name == std::string_view("clCreateProgramWithILKHR"))
    return replaced(function, extensions().creates, watching_creates(kIndices));
  return function;
}

void* CL_API_CALL get_address(const char* name) {
  return watched(name, implementation().clGetExtensionFunctionAddress(name));
}

void* CL_API_CALL get_address_for_platform(cl_platform_id platform, const char* name) {
  return watched(name, implementation().clGetExtensionFunctionAddressForPlatform(platform, name));
}

} // namespace

void install_extensions(cl_icd_dispatch& dispatch, Watchers watchers) {
  extensions().watchers = std::move(watchers);
  dispatch.clGetExtensionFunctionAddress = get_address;
  dispatch.clGetExtensionFunctionAddressForPlatform = get_address_for_platform;
}

} // namespace gputest::layer
