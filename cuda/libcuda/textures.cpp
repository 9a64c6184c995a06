// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays, textures and surfaces: converts descriptions between the driver API and the runtime API.
#include "cuda/libcuda/libcuda.h"

#include <algorithm>
#include <cstring>

using namespace gputest::cuda;

namespace {

struct Format {
  CUarray_format format;
  int bits;
  cudaChannelFormatKind kind;
};
constexpr Format kFormats[] = {{CU_AD_FORMAT_UNSIGNED_INT8, 8, cudaChannelFormatKindUnsigned},
                               {CU_AD_FORMAT_UNSIGNED_INT16, 16, cudaChannelFormatKindUnsigned},
                               {CU_AD_FORMAT_UNSIGNED_INT32, 32, cudaChannelFormatKindUnsigned},
                               {CU_AD_FORMAT_SIGNED_INT8, 8, cudaChannelFormatKindSigned},
                               {CU_AD_FORMAT_SIGNED_INT16, 16, cudaChannelFormatKindSigned},
                               {CU_AD_FORMAT_SIGNED_INT32, 32, cudaChannelFormatKindSigned},
                               {CU_AD_FORMAT_HALF, 16, cudaChannelFormatKindFloat},
                               {CU_AD_FORMAT_FLOAT, 32, cudaChannelFormatKindFloat}};

// The description has no bits where there is no such format.
cudaChannelFormatDesc channels(CUarray_format format, unsigned count) {
  for (const Format& one : kFormats)
    if (one.format == format && (count == 1 || count == 2 || count == 4))
      return {one.bits, count > 1 ? one.bits : 0, count > 2 ? one.bits : 0,
              count > 2 ? one.bits : 0, one.kind};
  return {};
}

cudaError_t describe(const CUDA_RESOURCE_DESC& from, cudaResourceDesc& to) {
  std::memset(&to, 0, sizeof to);
  to.resType = static_cast<cudaResourceType>(from.resType);
  switch (from.resType) {
  case CU_RESOURCE_TYPE_ARRAY:
    to.res.array.array = from.res.array.hArray;
    return cudaSuccess;
  case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
    to.res.mipmap.mipmap = from.res.mipmap.hMipmappedArray;
    return cudaSuccess;
  case CU_RESOURCE_TYPE_LINEAR:
    to.res.linear.devPtr = at(from.res.linear.devPtr);
    to.res.linear.desc = channels(from.res.linear.format, from.res.linear.numChannels);
    to.res.linear.sizeInBytes = from.res.linear.sizeInBytes;
    return to.res.linear.desc.x ? cudaSuccess : cudaErrorInvalidValue;
  case CU_RESOURCE_TYPE_PITCH2D:
    to.res.pitch2D.devPtr = at(from.res.pitch2D.devPtr);
    to.res.pitch2D.desc = channels(from.res.pitch2D.format, from.res.pitch2D.numChannels);
    to.res.pitch2D.width = from.res.pitch2D.width;
    to.res.pitch2D.height = from.res.pitch2D.height;
    to.res.pitch2D.pitchInBytes = from.res.pitch2D.pitchInBytes;
    return to.res.pitch2D.desc.x ? cudaSuccess : cudaErrorInvalidValue;
  }
  return cudaErrorInvalidValue;
}

void tell_format(const cudaChannelFormatDesc& desc, CUarray_format& format, unsigned& channels) {
  channels = desc.w ? 4 : desc.y ? 2 : 1;
  for (const Format& one : kFormats)
    if (one.bits == desc.x && one.kind == desc.f)
      format = one.format;
}

// The other way round.
CUDA_RESOURCE_DESC description_of(const cudaResourceDesc& from) {
  CUDA_RESOURCE_DESC to{};
  to.resType = static_cast<CUresourcetype>(from.resType);
  switch (from.resType) {
  case cudaResourceTypeArray:
    to.res.array.hArray = from.res.array.array;
    break;
  case cudaResourceTypeMipmappedArray:
    to.res.mipmap.hMipmappedArray = from.res.mipmap.mipmap;
    break;
  case cudaResourceTypeLinear:
    to.res.linear.devPtr = reinterpret_cast<CUdeviceptr>(from.res.linear.devPtr);
    tell_format(from.res.linear.desc, to.res.linear.format, to.res.linear.numChannels);
    to.res.linear.sizeInBytes = from.res.linear.sizeInBytes;
    break;
  case cudaResourceTypePitch2D:
    to.res.pitch2D.devPtr = reinterpret_cast<CUdeviceptr>(from.res.pitch2D.devPtr);
    tell_format(from.res.pitch2D.desc, to.res.pitch2D.format, to.res.pitch2D.numChannels);
    to.res.pitch2D.width = from.res.pitch2D.width;
    to.res.pitch2D.height = from.res.pitch2D.height;
    to.res.pitch2D.pitchInBytes = from.res.pitch2D.pitchInBytes;
    break;
  }
  return to;
}

// Reads a description of the object by the runtime API and converts it with `convert`.
template <typename From, typename To, typename Get, typename Convert>
CUresult get_of(To* to, unsigned long long object, Get&& ask, Convert&& convert,
                const char* caller = __builtin_FUNCTION()) {
  return driver_call(
      [&] {
        From of{};
        const cudaError_t error = to ? ask(&of, object) : cudaErrorInvalidValue;
        if (!error)
          *to = convert(of);
        return error;
      },
      caller);
}

cudaChannelFormatDesc format_of(const cudaResourceDesc& resource) {
  cudaChannelFormatDesc desc{};
  cudaArray_t array = nullptr;
  switch (resource.resType) {
  case cudaResourceTypeArray:
    array = resource.res.array.array;
    break;
  case cudaResourceTypeMipmappedArray:
    cudaGetMipmappedArrayLevel(&array, resource.res.mipmap.mipmap, 0);
    break;
  case cudaResourceTypeLinear:
    return resource.res.linear.desc;
  case cudaResourceTypePitch2D:
    return resource.res.pitch2D.desc;
  }
  if (array)
    cudaGetChannelDesc(&desc, array);
  return desc;
}

} // namespace

extern "C" {
CUresult cuArray3DCreate_v2(CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR* descriptor) {
  return driver_call([&] {
    if (!array || !descriptor)
      return cudaErrorInvalidValue;
    const cudaChannelFormatDesc desc = channels(descriptor->Format, descriptor->NumChannels);
    return cudaMalloc3DArray(array, &desc,
                             {descriptor->Width, descriptor->Height, descriptor->Depth},
                             descriptor->Flags);
  });
}
CUresult cuMipmappedArrayCreate(CUmipmappedArray* array, const CUDA_ARRAY3D_DESCRIPTOR* descriptor,
                                unsigned int levels) {
  return driver_call([&] {
    if (!array || !descriptor)
      return cudaErrorInvalidValue;
    const cudaChannelFormatDesc desc = channels(descriptor->Format, descriptor->NumChannels);
    return cudaMallocMipmappedArray(array, &desc,
                                    {descriptor->Width, descriptor->Height, descriptor->Depth},
                                    levels, descriptor->Flags);
  });
}
CUresult cuDeviceGetTexture1DLinearMaxWidth(size_t* width, CUarray_format format, unsigned count,
                                            CUdevice device) {
  return driver_call([&] {
    const cudaChannelFormatDesc desc = channels(format, count);
    if (!width || desc.x == 0)
      return cudaErrorInvalidValue;
    return cudaDeviceGetTexture1DLinearMaxWidth(width, &desc, device);
  });
}
CUresult cuArrayCreate_v2(CUarray* array, const CUDA_ARRAY_DESCRIPTOR* descriptor) {
  if (!descriptor)
    return CUDA_ERROR_INVALID_VALUE;
  const CUDA_ARRAY3D_DESCRIPTOR same{.Width = descriptor->Width,
                                     .Height = descriptor->Height,
                                     .Depth = 0,
                                     .Format = descriptor->Format,
                                     .NumChannels = descriptor->NumChannels,
                                     .Flags = 0};
  return cuArray3DCreate_v2(array, &same);
}
CUresult cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR* descriptor, CUarray array) {
  return driver_call([&] {
    if (!descriptor)
      return cudaErrorInvalidValue;
    cudaChannelFormatDesc desc{};
    cudaExtent extent{};
    if (const cudaError_t error = cudaArrayGetInfo(&desc, &extent, &descriptor->Flags, array))
      return error;
    descriptor->Width = extent.width;
    descriptor->Height = extent.height;
    descriptor->Depth = extent.depth;
    tell_format(desc, descriptor->Format, descriptor->NumChannels);
    return cudaSuccess;
  });
}
CUresult cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR* descriptor, CUarray array) {
  CUDA_ARRAY3D_DESCRIPTOR all{};
  const CUresult error = cuArray3DGetDescriptor_v2(descriptor ? &all : nullptr, array);
  if (!error)
    *descriptor = {.Width = all.Width,
                   .Height = all.Height,
                   .Format = all.Format,
                   .NumChannels = all.NumChannels};
  return error;
}
CUresult cuTexObjectCreate(CUtexObject* object, const CUDA_RESOURCE_DESC* resource,
                           const CUDA_TEXTURE_DESC* texture, const CUDA_RESOURCE_VIEW_DESC* view) {
  return driver_call([&] {
    cudaResourceDesc of;
    if (!object || !resource || !texture)
      return cudaErrorInvalidValue;
    if (const cudaError_t error = describe(*resource, of))
      return error;
    cudaTextureDesc how;
    std::memset(&how, 0, sizeof how);
    for (int i = 0; i < 3; ++i)
      how.addressMode[i] = static_cast<cudaTextureAddressMode>(texture->addressMode[i]);
    how.filterMode = static_cast<cudaTextureFilterMode>(texture->filterMode);
    // By default, integers of 8 and 16 bits are read as numbers from 0 to 1.
    const cudaChannelFormatDesc format = format_of(of);
    const bool normalized = !(texture->flags & CU_TRSF_READ_AS_INTEGER) &&
                            format.f != cudaChannelFormatKindFloat && format.x < 32;
    how.readMode = normalized ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    how.sRGB = (texture->flags & CU_TRSF_SRGB) != 0;
    std::copy_n(texture->borderColor, 4, how.borderColor);
    how.normalizedCoords = (texture->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
    how.maxAnisotropy = texture->maxAnisotropy;
    how.mipmapFilterMode = static_cast<cudaTextureFilterMode>(texture->mipmapFilterMode);
    how.mipmapLevelBias = texture->mipmapLevelBias;
    how.minMipmapLevelClamp = texture->minMipmapLevelClamp;
    how.maxMipmapLevelClamp = texture->maxMipmapLevelClamp;
    cudaResourceViewDesc seen{};
    if (view)
      seen = {static_cast<cudaResourceViewFormat>(view->format),
              view->width,
              view->height,
              view->depth,
              view->firstMipmapLevel,
              view->lastMipmapLevel,
              view->firstLayer,
              view->lastLayer};
    return cudaCreateTextureObject(object, &of, &how, view ? &seen : nullptr);
  });
}
CUresult cuSurfObjectCreate(CUsurfObject* object, const CUDA_RESOURCE_DESC* resource) {
  return driver_call([&] {
    cudaResourceDesc of;
    if (!object || !resource)
      return cudaErrorInvalidValue;
    if (const cudaError_t error = describe(*resource, of))
      return error;
    return cudaCreateSurfaceObject(object, &of);
  });
}
CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC* resource, CUtexObject object) {
  return get_of<cudaResourceDesc>(resource, object, cudaGetTextureObjectResourceDesc,
                                  description_of);
}
CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC* resource, CUsurfObject object) {
  return get_of<cudaResourceDesc>(resource, object, cudaGetSurfaceObjectResourceDesc,
                                  description_of);
}
CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC* texture, CUtexObject object) {
  return get_of<cudaTextureDesc>(
      texture, object, cudaGetTextureObjectTextureDesc, [&](const cudaTextureDesc& from) {
        cudaResourceDesc resource{};
        const bool of_object = cudaGetTextureObjectResourceDesc(&resource, object) == cudaSuccess;
        CUDA_TEXTURE_DESC to{};
        for (int i = 0; i < 3; ++i)
          to.addressMode[i] = static_cast<CUaddress_mode>(from.addressMode[i]);
        to.filterMode = static_cast<CUfilter_mode>(from.filterMode);
        const bool of_integers = of_object && format_of(resource).f != cudaChannelFormatKindFloat;
        to.flags =
            (of_integers && from.readMode == cudaReadModeElementType ? CU_TRSF_READ_AS_INTEGER
                                                                     : 0) |
            (from.normalizedCoords ? CU_TRSF_NORMALIZED_COORDINATES : 0) |
            (from.sRGB ? CU_TRSF_SRGB : 0);
        to.maxAnisotropy = from.maxAnisotropy;
        to.mipmapFilterMode = static_cast<CUfilter_mode>(from.mipmapFilterMode);
        to.mipmapLevelBias = from.mipmapLevelBias;
        to.minMipmapLevelClamp = from.minMipmapLevelClamp;
        to.maxMipmapLevelClamp = from.maxMipmapLevelClamp;
        std::copy_n(from.borderColor, 4, to.borderColor);
        return to;
      });
}
CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC* view, CUtexObject object) {
  return get_of<cudaResourceViewDesc>(
      view, object, cudaGetTextureObjectResourceViewDesc, [](const cudaResourceViewDesc& from) {
        return CUDA_RESOURCE_VIEW_DESC{.format = static_cast<CUresourceViewFormat>(from.format),
                                       .width = from.width,
                                       .height = from.height,
                                       .depth = from.depth,
                                       .firstMipmapLevel = from.firstMipmapLevel,
                                       .lastMipmapLevel = from.lastMipmapLevel,
                                       .firstLayer = from.firstLayer,
                                       .lastLayer = from.lastLayer,
                                       .reserved = {}};
      });
}
}
