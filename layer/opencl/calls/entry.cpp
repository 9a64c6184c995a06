// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that ICD loaders call (CL/cl_layer.h). The library exports no others.
#include "layer/opencl/calls/answer.h"
#include "layer/opencl/calls/wrappers.h"
#include "layer/opencl/implementation.h"
#include "layer/opencl/services.h"

#include <CL/cl_layer.h>
#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>

namespace {

constexpr cl_uint kEntries = sizeof(cl_icd_dispatch) / sizeof(void*);

// The loader keeps a pointer to it.
cl_icd_dispatch& dispatch() {
  static cl_icd_dispatch table{};
  return table;
}

// Without a run folder nothing is replaced. A call then costs only what the loader adds.
cl_int init(cl_uint count, const cl_icd_dispatch* target, cl_uint* count_ret,
            const cl_icd_dispatch** dispatch_ret) {
  if (!target || !count_ret || !dispatch_ret)
    return CL_INVALID_VALUE;
  cl_icd_dispatch& table = dispatch();
  std::memcpy(static_cast<void*>(&table), static_cast<const void*>(target),
              std::min(count, kEntries) * sizeof(void*));
  *count_ret = std::min(count, kEntries);
  *dispatch_ret = &table;
  try {
    if (auto settings = gputest::layer::settings_from_environment()) {
      gputest::layer::set_implementation(*target, count);
      gputest::layer::install_wrappers(
          table, std::make_unique<gputest::layer::Services>(std::move(*settings)));
    }
  } catch (const std::exception&) { // the program runs as it would without the layer
  }
  return CL_SUCCESS;
}

} // namespace

extern "C" {

__attribute__((visibility("default"))) CL_API_ENTRY cl_int CL_API_CALL
clGetLayerInfo(cl_layer_info name, std::size_t size, void* value, std::size_t* size_ret) {
  constexpr cl_layer_api_version kVersion = CL_LAYER_API_VERSION_100;
  constexpr char kName[] = "GpuTestCheck";
  switch (name) {
  case CL_LAYER_API_VERSION:
    return gputest::layer::answer(&kVersion, sizeof kVersion, size, value, size_ret);
  case CL_LAYER_NAME:
    return gputest::layer::answer(kName, sizeof kName, size, value, size_ret);
  default:
    return CL_INVALID_VALUE;
  }
}

__attribute__((visibility("default"))) CL_API_ENTRY cl_int CL_API_CALL
clInitLayer(cl_uint count, const cl_icd_dispatch* target, cl_uint* count_ret,
            const cl_icd_dispatch** dispatch_ret) {
  return init(count, target, count_ret, dispatch_ret);
}

// The Khronos loader looks for this function since 2026.05.29, in place of clInitLayer. Older
// headers do not declare it. There is no clDeinitLayer. Exit handlers collect what is left. They
// run before the loader unloads layers, or when it closes the library.
__attribute__((visibility("default"))) CL_API_ENTRY cl_int CL_API_CALL clInitLayerWithProperties(
    cl_uint count, const cl_icd_dispatch* target, cl_uint* count_ret,
    const cl_icd_dispatch** dispatch_ret, const cl_properties* /*properties*/) {
  return init(count, target, count_ret, dispatch_ret);
}
}
