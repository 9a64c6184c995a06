// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions for devices. There are GPUTEST_CUDA_DEVICES equal ones; the default is one.
#include "cuda/include/gputest_cuda/device_facts.h"
#include "cuda/runtime/call.h"
#include "cuda/runtime/limits.h"
#include "cuda/runtime/order/host_faults.h"

#include <cstdio>
#include <cstring>

using namespace gputest::cuda;

namespace {

cudaDeviceProp properties(int device) {
  cudaDeviceProp p;
  std::memset(&p, 0, sizeof p);
  std::snprintf(p.name, sizeof p.name, "GpuTestCheck simulator");
  p.totalGlobalMem = kTotalMemory;
  p.sharedMemPerBlock = kSharedOfBlock;
  p.sharedMemPerBlockOptin = kSharedOfBlockOptIn;
  p.sharedMemPerMultiprocessor = kSharedOfMultiprocessor;
  p.reservedSharedMemPerBlock = 1024;
  p.regsPerBlock = p.regsPerMultiprocessor = 65536;
  p.warpSize = State::get().warp_size();
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
  p.memoryPoolSupportedHandleTypes = cudaMemHandleTypePosixFileDescriptor;
  p.ipcEventSupported = 1;
  p.singleToDoublePrecisionPerfRatio = 2;
  p.pciBusID = 1 + device;
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
  p.clusterLaunch = 1;
  p.persistingL2CacheMaxSize = p.l2CacheSize * 3 / 4;
  p.accessPolicyMaxWindowSize = 128 << 20;
  p.hostRegisterReadOnlySupported = 1;
  p.deviceNumaId = -1; // its memory belongs to no NUMA node
  std::memcpy(p.uuid.bytes, "GpuTestCheck-sim", sizeof p.uuid.bytes);
  p.uuid.bytes[15] = static_cast<char>(p.uuid.bytes[15] + device);
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

// Pairs of devices, the first of which may access the memory of the second.
std::set<std::pair<int, int>>& peers() {
  static auto* const all = new std::set<std::pair<int, int>>; // NOLINT
  return *all;
}

cudaError_t done() {
  return call([](State&) { return cudaSuccess; });
}

// For functions that do not use a device, so they work after an error that stays.
template <typename Value> cudaError_t tell(Value* to, Value value) {
  if (!to)
    return State::get().report(cudaErrorInvalidValue);
  *to = value;
  return cudaSuccess;
}

} // namespace

void State::tell_device(const LoadedCode& code, int device) const {
  for (const auto& [name, variable] : code.variables) {
    if (name.find("cuda_device_facts") == name.npos) // each unit that asks has one
      continue;
    auto facts = std::make_unique<gputest_device_facts>();
    facts->device = device;
    facts->devices = devices_;
    const cudaDeviceProp prop = properties(device);
    for (int i = 1; i < cudaDevAttrMax; ++i)
      facts->attributes[i] = attribute_of(prop, static_cast<cudaDeviceAttr>(i));
    for (const auto& [limit, value] : limits)
      if (limit < GPUTEST_CUDA_LIMITS) {
        facts->limits[limit] = value;
        facts->has_limit[limit] = true;
      }
    std::memcpy(heap.view(reinterpret_cast<const void*>(variable.address)), facts.get(),
                sizeof *facts);
  }
}

void State::tell_limits() {
  for (const auto& [code, device] : asking_)
    tell_device(code, device);
}

extern "C" {
cudaError_t cudaGetDeviceCount(int* count) {
  return tell(count, State::get().devices());
}
cudaError_t cudaGetDevice(int* device) {
  return tell(device, State::device());
}
cudaError_t cudaSetDevice(int device) { // which succeeds on a device that has had an error
  State& state = State::get();
  const Lock lock(state.mutex);
  if (!wrong_device(device))
    State::choose_device(device);
  return state.report(wrong_device(device));
}
cudaError_t cudaSetValidDevices(int* devices, int count) {
  return call([&](State&) {
    if (count > 0 && !devices)
      return cudaErrorInvalidValue;
    for (int i = 0; i < count; ++i)
      if (wrong_device(devices[i]))
        return cudaErrorInvalidDevice;
    return cudaSuccess;
  });
}
cudaError_t cudaInitDevice(int device, unsigned int, unsigned int) {
  return cudaSetDevice(device);
}
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) {
  return tell(device, 0);
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* prop, int device) {
  return call([&](State&) {
    if (!prop)
      return cudaErrorInvalidValue;
    if (!wrong_device(device))
      *prop = properties(device);
    return wrong_device(device);
  });
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attr, int device) {
  return call([&](State&) {
    if (wrong_device(device))
      return cudaErrorInvalidDevice;
    if (!value || attr <= 0 || attr >= cudaDevAttrMax)
      return cudaErrorInvalidValue;
    *value = attribute_of(properties(device), attr);
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetPCIBusId(char* pciBusId, int length, int device) {
  if (!pciBusId || length <= 0)
    return State::get().report(cudaErrorInvalidValue);
  std::snprintf(pciBusId, static_cast<std::size_t>(length), "0000:%02x:00.0", 1 + device);
  return State::get().report(wrong_device(device));
}
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* pciBusId) {
  return call([&](State& state) { // with or without the domain, and with or without the function
    unsigned domain = 0, bus = 0, slot = 0;
    if (!device || !pciBusId ||
        (std::sscanf(pciBusId, "%x:%x:%x", &domain, &bus, &slot) != 3 &&
         (domain = 0, std::sscanf(pciBusId, "%x:%x", &bus, &slot) != 2)))
      return cudaErrorInvalidValue;
    if (domain != 0 || slot != 0 || bus == 0 || !state.is_device(static_cast<int>(bus) - 1))
      return cudaErrorInvalidDevice;
    *device = static_cast<int>(bus) - 1;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceSynchronize(void) {
  if (const cudaError_t error = end_captures_by(Unsafe::Device))
    return error;
  wait_for_device();
  return after_waiting();
}
cudaError_t cudaThreadSynchronize(void) {
  return cudaDeviceSynchronize();
}
cudaError_t cudaDeviceReset(void) {
  State& state = State::get();
  const bool was_broken = state.is_broken();
  const cudaError_t error = was_broken ? cudaSuccess : cudaDeviceSynchronize();
  const Lock lock(state.mutex);
  if (was_broken)
    state.reset();
  if (HostFaults* const faults = state.host_faults())
    faults->freed_all(); // by the device
  return error;
}
cudaError_t cudaThreadExit(void) {
  return cudaDeviceSynchronize();
}
cudaError_t cudaThreadGetLimit(size_t* value, cudaLimit limit) {
  return cudaDeviceGetLimit(value, limit);
}
cudaError_t cudaThreadSetLimit(cudaLimit limit, size_t value) {
  return cudaDeviceSetLimit(limit, value);
}
cudaError_t cudaThreadGetCacheConfig(cudaFuncCache* config) {
  return cudaDeviceGetCacheConfig(config);
}
cudaError_t cudaThreadSetCacheConfig(cudaFuncCache config) {
  return cudaDeviceSetCacheConfig(config);
}
cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  return call([&](State& state) {
    state.device_flags = flags;
    return cudaSuccess;
  });
}
cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
  return call([&](State& state) {
    if (!flags)
      return cudaErrorInvalidValue;
    *flags = state.device_flags;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  return call([&](State& state) {
    const auto found = state.limits.find(limit);
    if (found == state.limits.end())
      return cudaErrorUnsupportedLimit;
    if (!value)
      return cudaErrorInvalidValue;
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
    state.tell_limits();
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return call_with({config}, [&](State&) {
    *config = cudaFuncCachePreferNone;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
  return done();
}
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  return call_with({config}, [&](State&) {
    *config = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
  });
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
  return call([&](State&) {
    if (!can)
      return cudaErrorInvalidValue;
    *can = device != peer;
    return wrong_device(device) ? cudaErrorInvalidDevice : wrong_device(peer);
  });
}
// Peer access is recorded but not enforced.
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags) {
  return call([&](State&) {
    if (flags != 0)
      return cudaErrorInvalidValue;
    if (wrong_device(peer))
      return cudaErrorInvalidDevice;
    if (peer == State::device())
      return cudaErrorPeerAccessUnsupported;
    return peers().emplace(State::device(), peer).second ? cudaSuccess
                                                         : cudaErrorPeerAccessAlreadyEnabled;
  });
}
cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return call([&](State&) {
    if (wrong_device(peer))
      return cudaErrorInvalidDevice;
    return peers().erase({State::device(), peer}) == 1 ? cudaSuccess
                                                       : cudaErrorPeerAccessNotEnabled;
  });
}
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attr, int device, int peer) {
  return call([&](State&) {
    if (wrong_device(device) || wrong_device(peer) || device == peer)
      return cudaErrorInvalidDevice;
    *value = attr != cudaDevP2PAttrPerformanceRank; // the first rank has the number 0
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t* width, const cudaChannelFormatDesc*,
                                                 int device) {
  return call_with({width}, [&](State&) {
    *width = static_cast<size_t>(properties(0).maxTexture1DLinear);
    return wrong_device(device);
  });
}
cudaError_t cudaCtxResetPersistingL2Cache(void) {
  return done();
}
// The attributes say that no other device writes to the device's memory directly, so nothing can be
// flushed.
cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTarget,
                                               cudaFlushGPUDirectRDMAWritesScope) {
  return call([](State&) { return cudaErrorNotSupported; });
}
cudaError_t cudaDriverGetVersion(int* version) {
  return tell(version, CUDART_VERSION);
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  return tell(version, CUDART_VERSION);
}
cudaError_t cudaProfilerStart(void) {
  return cudaSuccess;
}
cudaError_t cudaProfilerStop(void) {
  return cudaSuccess;
}
}
