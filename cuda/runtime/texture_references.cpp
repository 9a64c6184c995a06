// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texture and surface references. Binding creates an object and writes its handle to the device's
// variable (cuda/include/gputest_cuda/texture_references.h).
#include "cuda/include/gputest_cuda/texture_references.h"
#include "cuda/runtime/arrays.h"
#include "cuda/runtime/call.h"

#include <algorithm>

using namespace gputest::cuda;

namespace {

constexpr std::uint64_t kAlignment = 512; // cudaDeviceProp::textureAlignment

struct Bound {
  std::uint64_t object = 0;
  std::size_t offset = 0; // bytes
};

struct References {
  std::map<const void*, bool> are_normalized;         // textures that return floats between 0 and 1
  std::map<std::pair<const void*, int>, Bound> bound; // of each device
};
References& references() {
  static auto* const all = new References; // NOLINT
  return *all;
}

cudaError_t write_handle(State& state, const void* reference, std::uint64_t object) {
  const VariableInfo* const variable = state.variable(reference);
  if (!variable)
    return cudaErrorInvalidTexture;
  auto* const address = reinterpret_cast<void*>(variable->address);
  std::memcpy(state.heap.view(address), &object, sizeof object);
  state.written(address, sizeof object);
  return cudaSuccess;
}

cudaError_t unbind(State& state, const void* reference) {
  const auto found = references().bound.find({reference, State::device()});
  if (found == references().bound.end())
    return cudaSuccess;
  const std::uint64_t object = found->second.object;
  references().bound.erase(found);
  if (const cudaError_t error = write_handle(state, reference, 0))
    return error;
  return destroy_object(state, object);
}

cudaError_t bind(State& state, const textureReference* reference, const cudaResourceDesc& resource,
                 std::size_t offset = 0) {
  const auto known = references().are_normalized.find(reference);
  if (known == references().are_normalized.end())
    return cudaErrorInvalidTexture;
  cudaTextureDesc desc{};
  std::ranges::copy(reference->addressMode, desc.addressMode);
  desc.filterMode = reference->filterMode;
  desc.readMode = known->second ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  desc.sRGB = reference->sRGB;
  desc.normalizedCoords = reference->normalized;
  desc.maxAnisotropy = reference->maxAnisotropy;
  desc.mipmapFilterMode = reference->mipmapFilterMode;
  desc.mipmapLevelBias = reference->mipmapLevelBias;
  desc.minMipmapLevelClamp = reference->minMipmapLevelClamp;
  desc.maxMipmapLevelClamp = reference->maxMipmapLevelClamp;
  if (const cudaError_t error = unbind(state, reference))
    return error;
  cudaTextureObject_t object = 0;
  if (const cudaError_t error = create_texture(state, resource, desc, nullptr, object))
    return error;
  references().bound[{reference, State::device()}] = {.object = object, .offset = offset};
  return write_handle(state, reference, object);
}

// Binds memory to a reference. Fetches begin at a multiple of kAlignment in the allocation; the
// program adds the `left` bytes to its coordinates. `describe`: fills the resource for an address
// and a number of bytes.
template <typename Describe>
cudaError_t bind_memory(std::size_t* offset, const textureReference* reference, const void* pointer,
                        const cudaChannelFormatDesc* desc, const Describe& describe) {
  return call([&](State& state) {
    const Allocation* const memory = state.heap.find(pointer);
    if (!reference || !desc || !memory)
      return cudaErrorInvalidValue;
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    const std::size_t left = (address - memory->address) % kAlignment;
    if (offset)
      *offset = left;
    if (left && !offset)
      return cudaErrorInvalidValue;
    const std::uint64_t begin = address - left, end = memory->address + memory->size;
    return bind(state, reference, describe(reinterpret_cast<void*>(begin), end - begin, left),
                left);
  });
}

} // namespace

extern "C" {
// Is called before main() by each object file. `is_normalized`: from the reference's type.
void __cudaRegisterTexture(void** handle, const textureReference* reference, const void**,
                           const char* name, int, int is_normalized, int) {
  State& state = State::get();
  const Lock lock(state.mutex);
  state.module_of(handle).variables[reference] = name;
  references().are_normalized[reference] = is_normalized != 0;
}
void __cudaRegisterSurface(void** handle, const surfaceReference* reference, const void**,
                           const char* name, int, int) {
  State& state = State::get();
  const Lock lock(state.mutex);
  state.module_of(handle).variables[reference] = name;
}

cudaError_t cudaBindTexture(size_t* offset, const textureReference* reference, const void* pointer,
                            const cudaChannelFormatDesc* desc, size_t size) {
  return bind_memory(
      offset, reference, pointer, desc, [&](void* begin, std::size_t bytes, std::size_t left) {
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypeLinear;
        resource.res.linear = {.devPtr = begin,
                               .desc = *desc,
                               .sizeInBytes = size < bytes - left ? size + left : bytes};
        return resource;
      });
}
cudaError_t cudaBindTexture2D(size_t* offset, const textureReference* reference,
                              const void* pointer, const cudaChannelFormatDesc* desc, size_t width,
                              size_t height, size_t pitch) {
  return bind_memory(offset, reference, pointer, desc, [&](void* begin, std::size_t, std::size_t) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D = {
        .devPtr = begin, .desc = *desc, .width = width, .height = height, .pitchInBytes = pitch};
    return resource;
  });
}
cudaError_t cudaBindTextureToArray(const textureReference* reference, cudaArray_const_t array,
                                   const cudaChannelFormatDesc*) {
  return call([&](State& state) {
    if (!reference || !array)
      return cudaErrorInvalidValue;
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = const_cast<cudaArray_t>(array);
    return bind(state, reference, resource);
  });
}
cudaError_t cudaBindTextureToMipmappedArray(const textureReference* reference,
                                            cudaMipmappedArray_const_t array,
                                            const cudaChannelFormatDesc*) {
  return call([&](State& state) {
    if (!reference || !array)
      return cudaErrorInvalidValue;
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = const_cast<cudaMipmappedArray_t>(array);
    return bind(state, reference, resource);
  });
}
cudaError_t cudaUnbindTexture(const textureReference* reference) {
  return call([&](State& state) {
    return references().are_normalized.contains(reference) ? unbind(state, reference)
                                                           : cudaErrorInvalidTexture;
  });
}
cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const textureReference* reference) {
  return call([&](State&) {
    const auto found = references().bound.find({reference, State::device()});
    if (found == references().bound.end())
      return cudaErrorInvalidTextureBinding;
    *offset = found->second.offset;
    return cudaSuccess;
  });
}
cudaError_t cudaGetTextureReference(const textureReference** reference, const void* symbol) {
  return call([&](State&) {
    if (!references().are_normalized.contains(symbol))
      return cudaErrorInvalidTexture;
    *reference = static_cast<const textureReference*>(symbol);
    return cudaSuccess;
  });
}
cudaError_t cudaBindSurfaceToArray(const surfaceReference* reference, cudaArray_const_t array,
                                   const cudaChannelFormatDesc*) {
  return call([&](State& state) {
    if (!array)
      return cudaErrorInvalidValue;
    if (!state.variable(reference))
      return cudaErrorInvalidSurface;
    if (const cudaError_t error = unbind(state, reference))
      return error;
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = const_cast<cudaArray_t>(array);
    cudaSurfaceObject_t object = 0;
    if (const cudaError_t error = create_surface(state, resource, object))
      return error;
    references().bound[{reference, State::device()}] = {.object = object, .offset = 0};
    return write_handle(state, reference, object);
  });
}
cudaError_t cudaGetSurfaceReference(const surfaceReference** reference, const void* symbol) {
  return call([&](State& state) {
    if (!state.variable(symbol))
      return cudaErrorInvalidSurface;
    *reference = static_cast<const surfaceReference*>(symbol);
    return cudaSuccess;
  });
}
}
