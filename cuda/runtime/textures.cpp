// Texture and surface objects: descriptions in the device's memory, which device code reads
// (cuda/include/gputest_cuda/textures.h).
#include "cuda/runtime/arrays.h"
#include "cuda/runtime/call.h"

#include <cstring>

using namespace gputest::cuda;

namespace {

struct Object {
  cudaResourceDesc resource;
  cudaTextureDesc texture;
};
std::map<std::uint64_t, Object>& objects() {
  static auto* const all = new std::map<std::uint64_t, Object>; // NOLINT
  return *all;
}

cudaError_t describe(const cudaResourceDesc& resource, __gputest_texture& texture) {
  std::memset(&texture, 0, sizeof texture);
  switch (resource.resType) {
  case cudaResourceTypeArray:
    if (!resource.res.array.array)
      return cudaErrorInvalidResourceHandle;
    texture = texture_of(*resource.res.array.array);
    return cudaSuccess;
  case cudaResourceTypeLinear: {
    const auto& linear = resource.res.linear;
    texture.data = static_cast<unsigned char*>(linear.devPtr);
    texture.format = linear.desc;
    texture.width = texel_size(linear.desc) ? linear.sizeInBytes / texel_size(linear.desc) : 0;
    return texture.width ? cudaSuccess : cudaErrorInvalidValue;
  }
  case cudaResourceTypePitch2D: {
    const auto& rows = resource.res.pitch2D;
    texture.data = static_cast<unsigned char*>(rows.devPtr);
    texture.format = rows.desc;
    texture.width = rows.width;
    texture.height = rows.height;
    texture.pitch = rows.pitchInBytes;
    return cudaSuccess;
  }
  default: // mipmapped arrays are not there
    return cudaErrorNotSupported;
  }
}

cudaError_t create(State& state, const __gputest_texture& texture, const Object& object,
                   unsigned long long* handle) {
  const std::uint64_t address =
      state.allocate(sizeof texture, MemoryKind::Device, 0, "texture object");
  if (address == 0)
    return cudaErrorMemoryAllocation;
  std::memcpy(state.heap.view(reinterpret_cast<void*>(address)), &texture, sizeof texture);
  state.written(reinterpret_cast<void*>(address), sizeof texture);
  objects()[address] = object;
  *handle = address;
  return cudaSuccess;
}

cudaError_t destroy(unsigned long long handle) {
  return call([&](State& state) {
    if (objects().erase(handle) == 0)
      return handle == 0 ? cudaSuccess : cudaErrorInvalidValue;
    state.free(handle);
    return cudaSuccess;
  });
}

} // namespace

extern "C" {
cudaError_t cudaCreateTextureObject(cudaTextureObject_t* handle, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* desc, const cudaResourceViewDesc*) {
  return call([&](State& state) {
    __gputest_texture texture;
    if (const cudaError_t error = describe(*resource, texture))
      return error;
    for (int i = 0; i < 3; ++i)
      texture.address[i] = desc->addressMode[i];
    texture.linear = desc->filterMode == cudaFilterModeLinear;
    texture.normalized_read = desc->readMode == cudaReadModeNormalizedFloat;
    texture.normalized_coordinates = desc->normalizedCoords;
    std::memcpy(texture.border, desc->borderColor, sizeof texture.border);
    if (texture.linear && !texture.normalized_read &&
        texture.format.f != cudaChannelFormatKindFloat)
      return cudaErrorInvalidFilterSetting;
    if (texture.normalized_read && texture.format.x == 32 &&
        texture.format.f != cudaChannelFormatKindFloat)
      return cudaErrorInvalidNormSetting;
    return create(state, texture, {*resource, *desc}, handle);
  });
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  return destroy(object);
}
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaTextureObject_t object) {
  return call([&](State&) {
    const auto found = objects().find(object);
    if (found == objects().end())
      return cudaErrorInvalidValue;
    *resource = found->second.resource;
    return cudaSuccess;
  });
}
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* texture, cudaTextureObject_t object) {
  return call([&](State&) {
    const auto found = objects().find(object);
    if (found == objects().end())
      return cudaErrorInvalidValue;
    *texture = found->second.texture;
    return cudaSuccess;
  });
}
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* handle, const cudaResourceDesc* resource) {
  return call([&](State& state) {
    __gputest_texture texture;
    if (const cudaError_t error = describe(*resource, texture))
      return error;
    return create(state, texture, {*resource, {}}, handle);
  });
}
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
  return destroy(object);
}
}
