// CUDA arrays: rows of texels in the device's memory.
#pragma once

#include "cuda/include/cuda_runtime_api.h"
#include "cuda/include/gputest_cuda/textures.h"
#include "cuda/runtime/state.h"

#include <cstdint>
#include <vector>

struct cudaArray {
  cudaChannelFormatDesc desc;
  cudaExtent extent; // as the program gave it: 0 for dimensions that are not there
  unsigned flags;
  std::uint64_t address;
  std::size_t pitch, slice; // bytes
};

struct cudaMipmappedArray {
  std::vector<cudaArray_t> levels;
};

namespace gputest::cuda {

std::size_t texel_size(const cudaChannelFormatDesc& desc); // bytes

// Bytes of one of the numbers that cudaMemcpy3D takes for widths and positions in rows: a texel of
// an array that takes part, else 1. CUDA's reference has positions in linear memory in bytes; GPUs
// count texels there, too.
std::size_t unit_of_copy(const cudaArray* from, const cudaArray* to);

// Without addressing and filtering.
__gputest_texture texture_of(const cudaArray& array);

// The objects of the runtime API's functions, without these: programs may have them wrapped.
cudaError_t create_texture(State& state, const cudaResourceDesc& resource,
                           const cudaTextureDesc& desc, const cudaResourceViewDesc* view,
                           cudaTextureObject_t& object);
cudaError_t create_surface(State& state, const cudaResourceDesc& resource,
                           cudaSurfaceObject_t& object);
cudaError_t destroy_object(State& state, std::uint64_t object);

} // namespace gputest::cuda
