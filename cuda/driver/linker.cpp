// The driver API's linker, for device code that gputest-cuda and NVRTC have made.
#include "cuda/driver/driver.h"
#include "ir/cuda/image.h"

#include <fstream>
#include <iterator>

using namespace gputest::cuda;

struct CUlinkState_st {
  std::string containers, linked;
};

namespace {

CUresult add(CUlinkState linker, CUjitInputType type, const void* data) {
  if (!linker || !data)
    return linker ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
  if (type >= CU_JIT_NUM_INPUT_TYPES)
    return CUDA_ERROR_INVALID_VALUE;
  std::string container;
  if (const cudaError_t error = code_of_image(data, container))
    return result_of(error);
  linker->containers += container;
  return CUDA_SUCCESS;
}

} // namespace

extern "C" {
CUresult cuLinkCreate_v2(unsigned int count, CUjit_option* options, void** values,
                         CUlinkState* linker) {
  return driver_call([&] {
    if (!linker)
      return CUDA_ERROR_INVALID_VALUE;
    answer_jit_options(count, options, values);
    *linker = new CUlinkState_st;
    return CUDA_SUCCESS;
  });
}
CUresult cuLinkAddData_v2(CUlinkState linker, CUjitInputType type, void* data, size_t, const char*,
                          unsigned int count, CUjit_option* options, void** values) {
  return driver_call([&] {
    answer_jit_options(count, options, values);
    return add(linker, type, data);
  });
}
CUresult cuLinkAddFile_v2(CUlinkState linker, CUjitInputType type, const char* file,
                          unsigned int count, CUjit_option* options, void** values) {
  return driver_call([&] {
    answer_jit_options(count, options, values);
    std::ifstream stream(file ? file : "", std::ios::binary);
    if (!stream)
      return CUDA_ERROR_FILE_NOT_FOUND;
    std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    bytes.append(64, '\0'); // what it begins with is looked at
    return add(linker, type, bytes.data());
  });
}
CUresult cuLinkComplete(CUlinkState linker, void** cubin, size_t* size) {
  return driver_call([&] {
    if (!linker)
      return CUDA_ERROR_INVALID_HANDLE;
    if (linker->containers.empty())
      return CUDA_ERROR_INVALID_IMAGE;
    linker->linked = text_of_image(linker->containers, "");
    if (cubin)
      *cubin = linker->linked.data();
    if (size)
      *size = linker->linked.size() + 1;
    return CUDA_SUCCESS;
  });
}
CUresult cuLinkDestroy(CUlinkState linker) {
  return driver_call([&] {
    if (!linker)
      return CUDA_ERROR_INVALID_HANDLE;
    delete linker;
    return CUDA_SUCCESS;
  });
}
}
