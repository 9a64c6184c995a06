// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A reference is a user's C++ function that gets a kernel's arguments and computes the same. The
// harness compares what both computed.
//
// A generated harness names the arguments. The user's function determines their C++ types:
//
//     template <class... Arguments>
//     void call_reference(const gputest::Launch& launch, Arguments... arguments) {
//       if constexpr (requires { sum_reference(arguments..., launch); })
//         sum_reference(arguments..., launch);
//       else
//         sum_reference(arguments...);
//     }
//     …
//     .reference = [](const gputest::ReferenceCall& call) {
//       call_reference(call.launch(), call.pointer<cl_float>("data"), call.scalar<cl_int>("n"));
//     }
//
// For each kind of argument, this list gives what the call passes, and what the function may take:
//
// - a pointer to a scalar or vector: pointer<cl_float>(name); U*, const U* or std::span<U>
// - a pointer to a struct of 32 bytes: struct_pointer<32>(name); the same
// - a scalar by value: scalar<cl_float>(name); a number
// - a vector or struct of 16 bytes by value: value<16>(name); a trivially copyable type of 16 bytes
// - an image: image(name); gputest::ImageView or U*
// - a sampler: sampler(name); gputest::SamplerView
//
// Unions are passed like structs. The template argument of pointer and scalar is
// model::host_name_of() of the type's scalar: cl_float for float and float4, cl_half (16 bits) for
// half. Buffers are copies of what the kernel started with. __local buffers are zero-filled memory
// of the same size.
#pragma once

#include "gputest/launch.h"

#include <CL/cl.h>

#include <cstring>
#include <span>
#include <type_traits>

namespace gputest {

namespace detail {
// Throws std::invalid_argument, which says that the image's channels have `actual` bytes.
[[noreturn]] void refuse_channel(std::size_t actual);
// Throws std::invalid_argument, which says that the argument has another size.
[[noreturn]] void refuse_size(const char* argument);
} // namespace detail

// The pixels of an image, without gaps. x varies fastest.
struct ImageView {
  std::byte* data = nullptr;
  std::size_t width = 1, height = 1, depth = 1; // depth: or layers
  unsigned channels = 4;
  std::size_t channel_size = 4; // bytes

  // Returns the first channel of a pixel. Throws std::invalid_argument unless a Channel has
  // channel_size bytes.
  template <class Channel>
  Channel* pixel(std::size_t x, std::size_t y = 0, std::size_t z = 0) const {
    if (sizeof(Channel) != channel_size)
      detail::refuse_channel(channel_size);
    return reinterpret_cast<Channel*>(data +
                                      ((z * height + y) * width + x) * channels * channel_size);
  }
  template <class U> operator U*() const { return reinterpret_cast<U*>(data); }
};

struct SamplerView {
  cl_addressing_mode addressing_mode = CL_ADDRESS_CLAMP_TO_EDGE;
  cl_filter_mode filter_mode = CL_FILTER_NEAREST;
  bool normalized_coordinates = false;
};

namespace detail {

// A buffer of the kernel. It converts to a pointer to, or a span of, the type that the reference
// function takes. Fits::check() says whether a type fits.
template <class Fits> class PointerView {
public:
  explicit PointerView(std::span<std::byte> bytes) : bytes_(bytes) {}

  template <class U> operator U*() const {
    Fits::template check<U>();
    return reinterpret_cast<U*>(bytes_.data());
  }
  template <class U> operator std::span<U>() const {
    Fits::template check<U>();
    return {reinterpret_cast<U*>(bytes_.data()), bytes_.size() / sizeof(U)};
  }

private:
  std::span<std::byte> bytes_;
};

template <class T> struct ElementsFit {
  template <class U> static constexpr void check() {
    if constexpr (std::is_void_v<U>) {
    } else if constexpr (std::is_arithmetic_v<U>) {
      static_assert(sizeof(U) == sizeof(T) &&
                        std::is_floating_point_v<U> == std::is_floating_point_v<T>,
                    "the reference function takes a pointer to another type than the kernel does");
    } else {
      static_assert(
          std::is_trivially_copyable_v<U> && sizeof(U) % sizeof(T) == 0,
          "the reference function takes a pointer to a type that the kernel's does not match");
    }
  }
};

template <std::size_t Size> struct StructsFit {
  template <class U> static constexpr void check() {
    static_assert(
        std::is_trivially_copyable_v<U> && Size % sizeof(U) == 0,
        "the reference function's struct has another size than the kernel's: check the padding");
  }
};

} // namespace detail

// A buffer whose elements are T or vectors of T.
template <class T> using PointerArgument = detail::PointerView<detail::ElementsFit<T>>;

// A buffer of structs or unions of Size bytes.
template <std::size_t Size>
using StructPointerArgument = detail::PointerView<detail::StructsFit<Size>>;

// A vector, struct or union by value.
template <std::size_t Size> class ValueArgument {
public:
  explicit ValueArgument(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <class U>
    requires(std::is_trivially_copyable_v<U> && std::is_default_constructible_v<U> &&
             sizeof(U) == Size)
  operator U() const {
    U value;
    std::memcpy(&value, bytes_.data(), Size);
    return value;
  }

private:
  std::span<const std::byte> bytes_;
};

// REFERENCE HOST: a device function, compiled for the host and called for each of `count` threads.
// Buffer i has bytes[i] bytes. Returns the name of a buffer that has too few elements; null: none.
using HostVersion = const char*(std::size_t count, void* const* buffers, const std::size_t* bytes);

// One kernel launch as a reference function sees it. The runtime makes it and owns its arguments.
// Its functions throw std::invalid_argument for names that the kernel does not have.
class ReferenceCall {
public:
  struct Argument {
    const char* name;
    std::span<std::byte> bytes; // a buffer's elements, or the value
    ImageView image;
    SamplerView sampler;
  };

  ReferenceCall(const Launch& launch, std::span<const Argument> arguments)
      : launch_(launch), arguments_(arguments) {}

  const Launch& launch() const { return launch_; }

  template <class T> PointerArgument<T> pointer(const char* name) const {
    return PointerArgument<T>(find(name).bytes);
  }
  template <std::size_t Size> StructPointerArgument<Size> struct_pointer(const char* name) const {
    return StructPointerArgument<Size>(find(name).bytes);
  }
  template <class T> T scalar(const char* name) const {
    T value{};
    const std::span<std::byte> bytes = find(name).bytes;
    if (bytes.size() != sizeof(T))
      detail::refuse_size(name);
    std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
  }
  template <std::size_t Size> ValueArgument<Size> value(const char* name) const {
    return ValueArgument<Size>(find(name).bytes);
  }
  ImageView image(const char* name) const { return find(name).image; }
  SamplerView sampler(const char* name) const { return find(name).sampler; }

  // Calls it with all arguments. Throws std::invalid_argument for a buffer with too few elements.
  void run_on_host(HostVersion& version) const;

private:
  const Argument& find(const char* name) const;

  Launch launch_;
  std::span<const Argument> arguments_;
};

} // namespace gputest
