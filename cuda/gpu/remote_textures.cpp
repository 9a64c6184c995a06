// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays, textures and surfaces (remote.h).
#include "cuda/gpu/reads.h"
#include "cuda/gpu/remote_memory.h"
#include "cuda/gpu/server.h"

extern "C" {
int cudaMallocArray(void** array, const void* format, std::size_t width, std::size_t height,
                    unsigned flags);
int cudaFreeArray(void* array);
int cudaMemcpy2DToArray(void* to, std::size_t x, std::size_t y, const void* from, std::size_t pitch,
                        std::size_t width, std::size_t height, int kind);
int cudaMemcpy2DFromArray(void* to, std::size_t pitch, const void* from, std::size_t x,
                          std::size_t y, std::size_t width, std::size_t height, int kind);
int cudaCreateTextureObject(void** texture, const void* resource, const void* how,
                            const void* view);
int cudaDestroyTextureObject(void* texture);
int cudaCreateSurfaceObject(void** surface, const void* resource);
int cudaDestroySurfaceObject(void* surface);
}

namespace gputest::cuda::gpu {
namespace {

struct Format { // struct cudaChannelFormatDesc
  int x, y, z, w, kind;
};

// Structures of CUDA 13, and of versions before.
struct Resource {
  std::byte bytes[144];
};
struct View {
  std::byte bytes[112];
};
constexpr std::size_t kResourceBefore = 64, kViewBefore = 48;
struct Texture {
  std::byte bytes[72];
};

template <typename Structure> Structure read(const void* from, std::size_t size_before) {
  Structure read{};
  std::memcpy(&read, from, version_in_server() < 13000 ? size_before : sizeof read);
  return read;
}

int make_array(void** array, Format format, std::size_t width, std::size_t height, unsigned flags) {
  return Server::get().keep(cudaMallocArray(array, &format, width, height, flags), array,
                            cudaFreeArray);
}
int make_texture(void** texture, Resource resource, Texture how, bool has_view, View view) {
  return Server::get().keep(
      cudaCreateTextureObject(texture, &resource, &how, has_view ? &view : nullptr), texture,
      cudaDestroyTextureObject);
}
int make_surface(void** surface, Resource resource) {
  return Server::get().keep(cudaCreateSurfaceObject(surface, &resource), surface,
                            cudaDestroySurfaceObject);
}
int copy_to_array(void* bytes, std::size_t width, std::size_t first, std::size_t count, bool,
                  void* array, std::size_t x, std::size_t y) {
  return cudaMemcpy2DToArray(array, x, y + first, bytes, width, width, count, kToDevice);
}
int copy_from_array(void* bytes, std::size_t width, std::size_t first, std::size_t count, bool,
                    const void* array, std::size_t x, std::size_t y) {
  return cudaMemcpy2DFromArray(bytes, width, array, x, y + first, width, count, kToHost);
}

int to_array(void* to, std::size_t x, std::size_t y, const void* from, std::size_t pitch,
             std::size_t width, std::size_t height, int kind) {
  if (!is_here(from, kind, kToHost))
    return forward<cudaMemcpy2DToArray>(to, x, y, from, pitch, width, height, kByAddresses);
  return in_parts<copy_to_array>({bytes_at(from), width, height, pitch}, true, to, x, y);
}
int from_array(void* to, std::size_t pitch, const void* from, std::size_t x, std::size_t y,
               std::size_t width, std::size_t height, int kind) {
  if (!is_here(to, kind, kToDevice))
    return forward<cudaMemcpy2DFromArray>(to, pitch, from, x, y, width, height, kByAddresses);
  return in_parts<copy_from_array>({bytes_at(to), width, height, pitch}, false, from, x, y);
}

int create_texture(void** texture, const void* resource, const void* how, const void* view) {
  const auto given = read<Resource>(resource, kResourceBefore);
  const auto read_view = view ? read<View>(view, kViewBefore) : View{};
  const auto read_how = read<Texture>(how, sizeof(Texture));
  return forward<make_texture>(results(texture), given, read_how, view != nullptr, read_view);
}

} // namespace
} // namespace gputest::cuda::gpu

using namespace gputest::cuda::gpu;

GPUTEST_WRAP(cudaMallocArray,
             (void** array, const void* format, std::size_t width, std::size_t height,
              unsigned flags),
             (array, format, width, height, flags),
             forward<make_array>(results(array), *static_cast<const Format*>(format), width, height,
                                 flags))
GPUTEST_WRAP(cudaFreeArray, (void* array), (array), forward<release<cudaFreeArray>>(array))
GPUTEST_WRAP(cudaMemcpy2DToArray,
             (void* to, std::size_t x, std::size_t y, const void* from, std::size_t pitch,
              std::size_t width, std::size_t height, int kind),
             (to, x, y, from, pitch, width, height, kind),
             to_array(to, x, y, from, pitch, width, height, kind))
GPUTEST_WRAP_THEN(cudaMemcpy2DFromArray,
                  (void* to, std::size_t pitch, const void* from, std::size_t x, std::size_t y,
                   std::size_t width, std::size_t height, int kind),
                  (to, pitch, from, x, y, width, height, kind),
                  from_array(to, pitch, from, x, y, width, height, kind),
                  Reads::get().copied(error, {bytes_at(to), width, height, pitch}, nullptr, kind,
                                      true))
GPUTEST_WRAP(cudaCreateTextureObject,
             (void** texture, const void* resource, const void* how, const void* view),
             (texture, resource, how, view), create_texture(texture, resource, how, view))
GPUTEST_WRAP(cudaDestroyTextureObject, (void* texture), (texture),
             forward<release<cudaDestroyTextureObject>>(texture))
GPUTEST_WRAP(cudaCreateSurfaceObject, (void** surface, const void* resource), (surface, resource),
             forward<make_surface>(results(surface), read<Resource>(resource, kResourceBefore)))
GPUTEST_WRAP(cudaDestroySurfaceObject, (void* surface), (surface),
             forward<release<cudaDestroySurfaceObject>>(surface))

// The library would open the driver even for this.
extern "C" Format __real_cudaCreateChannelDesc(int x, int y, int z, int w, int kind);
extern "C" Format __wrap_cudaCreateChannelDesc(int x, int y, int z, int w, int kind) {
  return is_remote() ? Format{x, y, z, w, kind} : __real_cudaCreateChannelDesc(x, y, z, w, kind);
}
