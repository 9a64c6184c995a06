// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C++ values as kernel arguments: which ones run_kernel accepts, and how their types map to OpenCL
// C's.
#pragma once

#include "gputest/reference.h"

#include <CL/cl.h>

#include <cstddef>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>

namespace gputest {

// __local memory for `count` elements.
template <class T> struct Local {
  std::size_t count;
};
template <class T> Local<T> local(std::size_t count) {
  return {count};
}

// A buffer of `count` zeros. Result::output returns its content after the launch.
template <class T> struct Out {
  std::size_t count;
};
template <class T> Out<T> out(std::size_t count) {
  return {count};
}

// An image. `pixels` is copied to the image before the launch. If `read_back` is not null, the
// image is copied there after the launch.
struct Image {
  cl_mem_object_type type = CL_MEM_OBJECT_IMAGE2D;
  cl_image_format format{CL_RGBA, CL_FLOAT};
  std::size_t width = 1, height = 1, depth = 1; // depth: or layers
  std::span<const std::byte> pixels;            // bytes of all pixels; x varies fastest, no gaps
  std::byte* read_back = nullptr;
};

struct Sampler {
  cl_addressing_mode addressing_mode = CL_ADDRESS_CLAMP_TO_EDGE;
  cl_filter_mode filter_mode = CL_FILTER_NEAREST;
  bool normalized_coordinates = false;
};

namespace detail {

// Returns the sampler that words of test cases describe. Empty words mean clamp_to_edge and
// nearest. Throws UsageError beginning with `what`.
Sampler sampler_named(const std::string& addressing_mode, const std::string& filter_mode,
                      bool normalized_coordinates, const std::string& what);

// One argument on its way to the device. It refers to the caller's memory.
struct KernelArgument {
  enum class Kind { Value, Buffer, Local, Image, Sampler };
  Kind kind = Kind::Value;
  std::string type{};                 // OpenCL C's name of the element; empty: a struct or union
  std::size_t element_size = 0;       // bytes
  std::span<const std::byte> bytes{}; // before the launch
  std::size_t size = 0;               // bytes; if `bytes` is empty, the memory is zero-filled
  std::byte* read_back = nullptr;     // where the content goes after the launch; null: nowhere
  bool output = false;                // kept for Result::output
  bool is_null = false;               // Buffer: a null pointer
  Image image{};
  Sampler sampler{};
};

// Returns OpenCL C's name of a scalar. It follows from kind and size, so long and long long need no
// special case.
template <class T> std::string scalar_name() {
  static_assert(!std::is_same_v<std::remove_cv_t<T>, bool>,
                "bool cannot be a kernel argument: its size depends on the device");
  if constexpr (std::is_floating_point_v<T>) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "OpenCL C has no such floating-point type");
    return sizeof(T) == 4 ? "float" : "double";
  } else {
    constexpr const char* kNames[] = {"char", "short", "int", "long"};
    constexpr int kIndex = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    return std::string(std::is_signed_v<T> ? "" : "u") + kNames[kIndex];
  }
}

// get() returns OpenCL C's name of T, or an empty text for the user's structs and unions.
template <class T> struct TypeName {
  static std::string get() {
    if constexpr (std::is_enum_v<T>)
      return scalar_name<std::underlying_type_t<T>>();
    else if constexpr (std::is_arithmetic_v<T>)
      return scalar_name<T>();
    else
      return {};
  }
};

// There is no row for a width of 3, because cl_float3 is the same type as cl_float4.
#define GPUTEST_VECTOR(scalar, width)                                                              \
  template <> struct TypeName<cl_##scalar##width> {                                                \
    static std::string get() {                                                                     \
      return #scalar #width;                                                                       \
    }                                                                                              \
  };
#define GPUTEST_VECTORS(scalar)                                                                    \
  GPUTEST_VECTOR(scalar, 2)                                                                        \
  GPUTEST_VECTOR(scalar, 4)                                                                        \
  GPUTEST_VECTOR(scalar, 8)                                                                        \
  GPUTEST_VECTOR(scalar, 16)
GPUTEST_VECTORS(char)
GPUTEST_VECTORS(uchar)
GPUTEST_VECTORS(short)
GPUTEST_VECTORS(ushort)
GPUTEST_VECTORS(int)
GPUTEST_VECTORS(uint)
GPUTEST_VECTORS(long)
GPUTEST_VECTORS(ulong)
GPUTEST_VECTORS(float)
GPUTEST_VECTORS(double)
#undef GPUTEST_VECTORS
#undef GPUTEST_VECTOR

template <class T>
concept Buffer = std::ranges::contiguous_range<T> && std::ranges::sized_range<T>;

// Overloads for GpuTestCheck's own descriptions of arguments.
template <class T> KernelArgument own_argument(const Local<T>& memory) {
  return {.kind = KernelArgument::Kind::Local,
          .type = TypeName<T>::get(),
          .element_size = sizeof(T),
          .size = memory.count * sizeof(T)};
}

inline KernelArgument own_argument(std::nullptr_t) {
  return {.kind = KernelArgument::Kind::Buffer, .is_null = true};
}

template <class T> KernelArgument own_argument(const Out<T>& buffer) {
  return {.kind = KernelArgument::Kind::Buffer,
          .type = TypeName<T>::get(),
          .element_size = sizeof(T),
          .size = buffer.count * sizeof(T),
          .output = true};
}

inline KernelArgument own_argument(const Image& image) {
  return {.kind = KernelArgument::Kind::Image,
          .bytes = image.pixels,
          .size = image.pixels.size(),
          .read_back = image.read_back,
          .image = image};
}

inline KernelArgument own_argument(const Sampler& sampler) {
  return {.kind = KernelArgument::Kind::Sampler, .sampler = sampler};
}

template <class T> KernelArgument kernel_argument(T& value) {
  using Plain = std::remove_cv_t<T>;
  KernelArgument argument;
  if constexpr (requires { own_argument(value); }) {
    argument = own_argument(value);
  } else if constexpr (Buffer<T>) {
    using Reference = std::remove_reference_t<std::ranges::range_reference_t<T>>;
    using Element = std::remove_cv_t<Reference>;
    static_assert(std::is_trivially_copyable_v<Element>,
                  "elements of a buffer must be trivially copyable");
    const std::span<Reference> elements(std::ranges::data(value), std::ranges::size(value));
    argument.kind = KernelArgument::Kind::Buffer;
    argument.type = TypeName<Element>::get();
    argument.element_size = sizeof(Element);
    argument.bytes = std::as_bytes(elements);
    argument.size = argument.bytes.size();
    if constexpr (!std::is_const_v<Reference>)
      argument.read_back = std::as_writable_bytes(elements).data();
  } else {
    static_assert(!std::is_pointer_v<Plain>,
                  "a pointer does not say how many elements there are: pass a std::span");
    static_assert(std::is_trivially_copyable_v<Plain>, "a value must be trivially copyable");
    argument.type = TypeName<Plain>::get();
    argument.element_size = argument.size = sizeof(Plain);
    argument.bytes = std::as_bytes(std::span<const Plain, 1>(&value, 1));
  }
  return argument;
}

template <class Pixels>
Image image(cl_mem_object_type type, cl_image_format format, Pixels& pixels, std::size_t width,
            std::size_t height, std::size_t depth) {
  const KernelArgument argument = kernel_argument(pixels);
  return {type, format, width, height, depth, argument.bytes, argument.read_back};
}

} // namespace detail

// Return an image argument. `pixels` is a span, vector or array of channels or of whole pixels.
// Const pixels are only read. Sizes are in pixels.
template <class Pixels>
Image image1d(Pixels& pixels, std::size_t width, cl_image_format format = {CL_RGBA, CL_FLOAT}) {
  return detail::image(CL_MEM_OBJECT_IMAGE1D, format, pixels, width, 1, 1);
}
template <class Pixels>
Image image1d_buffer(Pixels& pixels, std::size_t width,
                     cl_image_format format = {CL_RGBA, CL_FLOAT}) {
  return detail::image(CL_MEM_OBJECT_IMAGE1D_BUFFER, format, pixels, width, 1, 1);
}
template <class Pixels>
Image image1d_array(Pixels& pixels, std::size_t width, std::size_t layers,
                    cl_image_format format = {CL_RGBA, CL_FLOAT}) {
  return detail::image(CL_MEM_OBJECT_IMAGE1D_ARRAY, format, pixels, width, 1, layers);
}
template <class Pixels>
Image image2d(Pixels& pixels, std::size_t width, std::size_t height,
              cl_image_format format = {CL_RGBA, CL_FLOAT}) {
  return detail::image(CL_MEM_OBJECT_IMAGE2D, format, pixels, width, height, 1);
}
template <class Pixels>
Image image2d_array(Pixels& pixels, std::size_t width, std::size_t height, std::size_t layers,
                    cl_image_format format = {CL_RGBA, CL_FLOAT}) {
  return detail::image(CL_MEM_OBJECT_IMAGE2D_ARRAY, format, pixels, width, height, layers);
}
template <class Pixels>
Image image3d(Pixels& pixels, std::size_t width, std::size_t height, std::size_t depth,
              cl_image_format format = {CL_RGBA, CL_FLOAT}) {
  return detail::image(CL_MEM_OBJECT_IMAGE3D, format, pixels, width, height, depth);
}

} // namespace gputest
