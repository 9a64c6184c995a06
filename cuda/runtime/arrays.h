// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA arrays: rows of texels in the device's memory.
#pragma once

#include "cuda/include/cuda_runtime_api.h"
#include "cuda/include/gputest_cuda/textures.h"
#include "cuda/runtime/state.h"

#include <cstdint>
#include <vector>

struct cudaArray {
  gputest::cuda::Live<cudaArray> live{};
  cudaChannelFormatDesc desc;
  cudaExtent extent; // as the program gave it; missing dimensions are 0
  unsigned flags;
  std::uint64_t address;
  std::size_t pitch, slice; // bytes
};

struct cudaMipmappedArray {
  gputest::cuda::Live<cudaMipmappedArray> live{};
  std::vector<cudaArray_t> levels;
};

namespace gputest::cuda {

std::size_t texel_size(const cudaChannelFormatDesc& desc); // bytes

// Returns the unit, in bytes, of widths and positions in rows for cudaMemcpy3D: the texel size of
// an array that takes part, or 1 if none does. CUDA's reference gives positions in linear memory in
// bytes, but GPUs count texels there, too.
std::size_t unit_of_copy(const cudaArray* from, const cudaArray* to);

// Returns the description of an array, without addressing and filtering.
__gputest_texture texture_of(const cudaArray& array);

// These do the work of the runtime API's functions. The library calls them instead, because
// programs may wrap the API's.
cudaError_t create_texture(State& state, const cudaResourceDesc& resource,
                           const cudaTextureDesc& desc, const cudaResourceViewDesc* view,
                           cudaTextureObject_t& object);
cudaError_t create_surface(State& state, const cudaResourceDesc& resource,
                           cudaSurfaceObject_t& object);
cudaError_t destroy_object(State& state, std::uint64_t object);

} // namespace gputest::cuda
