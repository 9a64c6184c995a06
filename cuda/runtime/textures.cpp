// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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
  cudaResourceViewDesc view;
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
  case cudaResourceTypeMipmappedArray:
    if (!resource.res.mipmap.mipmap)
      return cudaErrorInvalidResourceHandle;
    texture = texture_of(*resource.res.mipmap.mipmap->levels.front());
    return cudaSuccess;
  }
  return cudaErrorInvalidValue;
}

// Writes the object's description, and those of its levels behind it.
cudaError_t create(State& state, const __gputest_texture& texture, const Object& object,
                   unsigned long long* handle) {
  std::vector<__gputest_texture> all{texture};
  if (object.resource.resType == cudaResourceTypeMipmappedArray)
    for (const cudaArray_t level : object.resource.res.mipmap.mipmap->levels) {
      const __gputest_texture of_level = texture_of(*level);
      __gputest_texture& one = all.emplace_back(texture);
      one.data = of_level.data;
      one.width = of_level.width;
      one.height = of_level.height;
      one.depth = of_level.depth;
      one.pitch = of_level.pitch;
      one.slice = of_level.slice;
    }
  const std::size_t size = all.size() * sizeof texture;
  const std::uint64_t address = state.allocate(size, MemoryKind::Device, 0, "texture object");
  if (address == 0)
    return cudaErrorMemoryAllocation;
  if (all.size() > 1) {
    all.front().levels = reinterpret_cast<const __gputest_texture*>(address) + 1;
    all.front().level_count = static_cast<int>(all.size()) - 1;
  }
  std::memcpy(state.heap.view(reinterpret_cast<void*>(address)), all.data(), size);
  state.written(reinterpret_cast<void*>(address), size);
  objects()[address] = object;
  *handle = address;
  return cudaSuccess;
}

template <typename Part>
cudaError_t get(unsigned long long handle, Part& part, Part Object::* which) {
  return call([&](State&) {
    const auto found = objects().find(handle);
    if (found == objects().end())
      return cudaErrorInvalidValue;
    part = found->second.*which;
    return cudaSuccess;
  });
}

} // namespace

namespace gputest::cuda {

cudaError_t create_texture(State& state, const cudaResourceDesc& resource,
                           const cudaTextureDesc& desc, const cudaResourceViewDesc* view,
                           cudaTextureObject_t& object) {
  __gputest_texture texture;
  if (const cudaError_t error = describe(resource, texture))
    return error;
  for (int i = 0; i < 3; ++i)
    texture.address[i] = desc.addressMode[i];
  texture.linear = desc.filterMode == cudaFilterModeLinear;
  texture.normalized_read = desc.readMode == cudaReadModeNormalizedFloat;
  texture.normalized_coordinates = desc.normalizedCoords;
  std::memcpy(texture.border, desc.borderColor, sizeof texture.border);
  texture.between_levels = desc.mipmapFilterMode == cudaFilterModeLinear;
  texture.bias = desc.mipmapLevelBias;
  texture.least_level = desc.minMipmapLevelClamp;
  texture.most_level = desc.maxMipmapLevelClamp;
  if (texture.linear && !texture.normalized_read && texture.format.f != cudaChannelFormatKindFloat)
    return cudaErrorInvalidFilterSetting;
  if (texture.normalized_read && texture.format.x == 32 &&
      texture.format.f != cudaChannelFormatKindFloat)
    return cudaErrorInvalidNormSetting;
  return create(state, texture, {resource, desc, view ? *view : cudaResourceViewDesc{}}, &object);
}

cudaError_t create_surface(State& state, const cudaResourceDesc& resource,
                           cudaSurfaceObject_t& object) {
  __gputest_texture texture;
  if (const cudaError_t error = describe(resource, texture))
    return error;
  return create(state, texture, {resource, {}, {}}, &object);
}

cudaError_t destroy_object(State& state, std::uint64_t object) {
  if (objects().erase(object) == 0)
    return object == 0 ? cudaSuccess : cudaErrorInvalidValue;
  state.free(object);
  return cudaSuccess;
}

} // namespace gputest::cuda

extern "C" {
cudaError_t cudaCreateTextureObject(cudaTextureObject_t* handle, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* desc, const cudaResourceViewDesc* view) {
  return call([&](State& state) {
    return handle && resource && desc ? create_texture(state, *resource, *desc, view, *handle)
                                      : cudaErrorInvalidValue;
  });
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  return call([&](State& state) { return destroy_object(state, object); });
}
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaTextureObject_t object) {
  return get(object, *resource, &Object::resource);
}
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* texture, cudaTextureObject_t object) {
  return get(object, *texture, &Object::texture);
}
cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* view,
                                                 cudaTextureObject_t object) {
  return get(object, *view, &Object::view);
}
cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaSurfaceObject_t object) {
  return get(object, *resource, &Object::resource);
}
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* handle, const cudaResourceDesc* resource) {
  return call([&](State& state) {
    return handle && resource ? create_surface(state, *resource, *handle) : cudaErrorInvalidValue;
  });
}
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
  return call([&](State& state) { return destroy_object(state, object); });
}
}
