// What other processes would get, as a device answers that shares nothing: its attributes say so
// (cudaDevAttrIpcEventSupport, cudaDevAttrMemoryPoolSupportedHandleTypes).
#include "cuda/runtime/call.h"

using namespace gputest::cuda;

namespace {

cudaError_t shares_nothing(bool valid) {
  return call([&](State&) { return valid ? cudaErrorNotSupported : cudaErrorInvalidValue; });
}

} // namespace

extern "C" {
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* pointer) {
  return call([&](State& state) {
    return handle && state.heap.find(pointer) ? cudaErrorNotSupported : cudaErrorInvalidValue;
  });
}
cudaError_t cudaIpcOpenMemHandle(void** pointer, cudaIpcMemHandle_t, unsigned int) {
  return shares_nothing(pointer);
}
cudaError_t cudaIpcCloseMemHandle(void* pointer) {
  return shares_nothing(pointer);
}
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* handle, cudaEvent_t event) {
  return shares_nothing(handle && event);
}
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* event, cudaIpcEventHandle_t) {
  return shares_nothing(event);
}
cudaError_t cudaMemPoolExportToShareableHandle(void* handle, cudaMemPool_t pool,
                                               cudaMemAllocationHandleType, unsigned int) {
  return shares_nothing(handle && pool);
}
cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t* pool, void*,
                                                 cudaMemAllocationHandleType, unsigned int) {
  return shares_nothing(pool);
}
cudaError_t cudaMemPoolExportPointer(cudaMemPoolPtrExportData* data, void* pointer) {
  return shares_nothing(data && pointer);
}
cudaError_t cudaMemPoolImportPointer(void** pointer, cudaMemPool_t pool,
                                     cudaMemPoolPtrExportData* data) {
  return shares_nothing(pointer && pool && data);
}
}
