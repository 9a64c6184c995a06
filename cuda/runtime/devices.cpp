// The device: there is one.
#include "cuda/runtime/call.h"
#include "cuda/runtime/limits.h"

#include <cstdio>
#include <cstring>

using namespace gputest::cuda;

namespace {

cudaDeviceProp properties() {
  cudaDeviceProp p;
  std::memset(&p, 0, sizeof p);
  std::snprintf(p.name, sizeof p.name, "GpuTestCheck simulator");
  p.totalGlobalMem = kTotalMemory;
  p.sharedMemPerBlock = kSharedOfBlock;
  p.sharedMemPerBlockOptin = kSharedOfBlockOptIn;
  p.sharedMemPerMultiprocessor = kSharedOfMultiprocessor;
  p.reservedSharedMemPerBlock = 1024;
  p.regsPerBlock = p.regsPerMultiprocessor = 65536;
  p.warpSize = 32;
  p.memPitch = 2147483647;
  p.maxThreadsPerBlock = static_cast<int>(kThreadsOfBlock);
  for (int i = 0; i < 3; ++i) {
    p.maxThreadsDim[i] = static_cast<int>(kMostThreads[i]);
    p.maxGridSize[i] = static_cast<int>(kMostBlocks[i]);
  }
  p.clockRate = 1000000;
  p.memoryClockRate = 1000000;
  p.memoryBusWidth = 64;
  p.l2CacheSize = 1 << 20;
  p.totalConstMem = 65536;
  p.major = kMajor;
  p.minor = kMinor;
  p.textureAlignment = 512;
  p.texturePitchAlignment = 32;
  p.surfaceAlignment = 512;
  p.deviceOverlap = 1;
  p.asyncEngineCount = 1;
  p.multiProcessorCount = kMultiprocessors;
  p.integrated = 0;
  p.canMapHostMemory = 1;
  p.concurrentKernels = 1;
  p.unifiedAddressing = 1;
  p.managedMemory = 1;
  p.concurrentManagedAccess = 1;
  p.maxThreadsPerMultiProcessor = kThreadsOfMultiprocessor;
  p.maxBlocksPerMultiProcessor = kBlocksOfMultiprocessor;
  p.streamPrioritiesSupported = 1;
  p.globalL1CacheSupported = p.localL1CacheSupported = 1;
  p.computePreemptionSupported = 1;
  p.hostRegisterSupported = 1;
  p.memoryPoolsSupported = 1;
  p.singleToDoublePrecisionPerfRatio = 2;
  p.pciBusID = 1;
  p.maxTexture1D = p.maxTexture1DMipmap = p.maxSurface1D = 131072;
  p.maxTexture1DLinear = 1 << 28;
  for (int i = 0; i < 2; ++i) {
    p.maxTexture2D[i] = p.maxSurface2D[i] = 65536;
    p.maxTexture2DLinear[i] = 131072;
    p.maxTexture2DGather[i] = 32768;
    p.maxTexture2DLayered[i] = p.maxSurface2DLayered[i] = 32768;
  }
  p.maxTexture2DLinear[2] = 2097120;
  p.maxTexture2DLayered[2] = p.maxTexture1DLayered[1] = 2048;
  p.maxTexture1DLayered[0] = 32768;
  for (int i = 0; i < 3; ++i)
    p.maxTexture3D[i] = p.maxSurface3D[i] = 16384;
  p.maxTextureCubemap = p.maxSurfaceCubemap = 32768;
  for (int i = 0; i < 2; ++i)
    p.maxTexture2DMipmap[i] = 32768;
  p.maxTextureCubemapLayered[0] = p.maxSurfaceCubemapLayered[0] = 32768;
  p.maxTextureCubemapLayered[1] = p.maxSurfaceCubemapLayered[1] = 2046;
  p.maxSurface1DLayered[0] = 32768;
  p.maxSurface1DLayered[1] = p.maxSurface2DLayered[2] = 2048;
  for (int i = 0; i < 3; ++i)
    p.maxTexture3DAlt[i] = 16384;
  p.cooperativeLaunch = 1;
  p.persistingL2CacheMaxSize = p.l2CacheSize * 3 / 4;
  p.accessPolicyMaxWindowSize = 128 << 20;
  p.hostRegisterReadOnlySupported = 1;
  std::memcpy(p.uuid.bytes, "GpuTestCheck-sim", sizeof p.uuid.bytes);
  return p;
}

int attribute_of(const cudaDeviceProp& p, cudaDeviceAttr attribute) {
  switch (attribute) {
#define GPUTEST_CUDA_ATTRIBUTE(name, driver, number, value)                                        \
  case cudaDevAttr##name:                                                                          \
    return static_cast<int>(value);
#include "cuda/include/gputest_cuda/attributes.def"
#undef GPUTEST_CUDA_ATTRIBUTE
  default:
    break;
  }
  const std::map<int, int> of_driver{
#define GPUTEST_CUDA_ATTRIBUTE(name, driver, number, value)
#define GPUTEST_CUDA_DRIVER_ATTRIBUTE(driver, number, value) {number, value},
#include "cuda/include/gputest_cuda/attributes.def"
#undef GPUTEST_CUDA_ATTRIBUTE
  };
  const auto found = of_driver.find(attribute);
  return found == of_driver.end() ? 0 : found->second;
}

cudaError_t wrong_device(int device) {
  return device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaError_t done() {
  return call([](State&) { return cudaSuccess; });
}

} // namespace

extern "C" {
cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  return call([&](State&) { return wrong_device(device); });
}
cudaError_t cudaSetValidDevices(int*, int) {
  return done();
}
cudaError_t cudaInitDevice(int device, unsigned int, unsigned int) {
  return cudaSetDevice(device);
}
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* prop, int device) {
  return call([&](State&) {
    if (device == 0)
      *prop = properties();
    return wrong_device(device);
  });
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attr, int device) {
  return call([&](State&) {
    if (device != 0)
      return cudaErrorInvalidDevice;
    if (attr <= 0 || attr >= cudaDevAttrMax)
      return cudaErrorInvalidValue;
    *value = attribute_of(properties(), attr);
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetPCIBusId(char* pciBusId, int length, int device) {
  std::snprintf(pciBusId, static_cast<std::size_t>(length), "0000:01:00.0");
  return State::get().report(wrong_device(device));
}
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char*) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize(void) {
  State& state = State::get();
  const Lock lock(state.mutex);
  state.flush();
  return state.report(state.device_error());
}
cudaError_t cudaThreadSynchronize(void) {
  return cudaDeviceSynchronize();
}
cudaError_t cudaDeviceReset(void) {
  return cudaDeviceSynchronize();
}
cudaError_t cudaThreadExit(void) {
  return cudaDeviceSynchronize();
}
cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  return call([&](State& state) {
    state.device_flags = flags;
    return cudaSuccess;
  });
}
cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
  return call([&](State& state) {
    *flags = state.device_flags;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  return call([&](State& state) {
    const auto found = state.limits.find(limit);
    if (found == state.limits.end())
      return cudaErrorUnsupportedLimit;
    *value = found->second;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return call([&](State& state) {
    const auto found = state.limits.find(limit);
    if (found == state.limits.end())
      return cudaErrorUnsupportedLimit;
    found->second = value;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  *config = cudaFuncCachePreferNone;
  return cudaSuccess;
}
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
  return done();
}
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  *config = cudaSharedMemBankSizeFourByte;
  return cudaSuccess;
}
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) {
  return done();
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least)
    *least = 0;
  if (greatest)
    *greatest = -5;
  return cudaSuccess;
}
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  *can = 0;
  return State::get().report(device == 0 && peer == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned int) {
  return State::get().report(cudaErrorInvalidDevice);
}
cudaError_t cudaDeviceDisablePeerAccess(int) {
  return State::get().report(cudaErrorPeerAccessNotEnabled);
}
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr, int, int) {
  *value = 0;
  return State::get().report(cudaErrorInvalidDevice); // there are no two
}
cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t* width, const cudaChannelFormatDesc*,
                                                 int device) {
  *width = static_cast<size_t>(properties().maxTexture1DLinear);
  return State::get().report(wrong_device(device));
}
cudaError_t cudaCtxResetPersistingL2Cache(void) {
  return done();
}
cudaError_t cudaDriverGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaProfilerStart(void) {
  return cudaSuccess;
}
cudaError_t cudaProfilerStop(void) {
  return cudaSuccess;
}
}
