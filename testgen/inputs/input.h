// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The input of one launch of a kernel: its sizes, and the bytes of each argument.
#pragma once

#include "model/launches/sizes.h"
#include "runtime/cases/bytes.h"

#include <array>
#include <compare>
#include <cstdint>
#include <vector>

namespace gputest::testgen {

using Shape = model::Sizes;

// The most bytes of an argument of an input.
constexpr std::size_t kMostBytes = std::size_t{1} << 18;

// The content of one argument.
struct Content {
  runtime::Bytes bytes;                         // of values, buffers and images
  std::size_t local_size = 0;                   // bytes of __local memory
  std::array<std::uint32_t, 3> extent{1, 1, 1}; // of images: width, height, depth or layers
  std::uint32_t sampler = 0;                    // index in kSamplers
  bool is_null = false;                         // of buffers: a null pointer, which has no bytes

  bool operator==(const Content&) const = default;
  auto operator<=>(const Content&) const = default;
};

struct Input {
  Shape shape;
  std::vector<Content> arguments{}; // by position

  bool operator==(const Input&) const = default;
  auto operator<=>(const Input&) const = default;

  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const Content& content : arguments)
      sum += content.bytes.size() + content.local_size;
    return sum;
  }
};

// The samplers that inputs use, in the words of test cases. Which of them a kernel may get depends
// on how it reads images: with the others, reads are undefined (OpenCL C 1.2, 6.12.14.2).
struct SamplerChoice {
  const char *addressing, *filter;
  bool normalized;
};
inline constexpr std::array kSamplers{SamplerChoice{"clamp_to_edge", "nearest", false},
                                      SamplerChoice{"clamp", "nearest", false},
                                      SamplerChoice{"clamp_to_edge", "nearest", true},
                                      SamplerChoice{"repeat", "nearest", true},
                                      SamplerChoice{"clamp_to_edge", "linear", false},
                                      SamplerChoice{"mirrored_repeat", "linear", true},
                                      SamplerChoice{"none", "nearest", false}};
inline constexpr unsigned kSamplersOfIntegerCoordinates = 2; // these are the numbers of samplers,
                                                             // from the first on, that each kind of
                                                             // kernel may get
inline constexpr unsigned kSamplersOfIntegers = 4;           // read_imagei(), read_imageui()
inline constexpr unsigned kSamplersOfFloats = 6; // with the last one, no coordinate may be outside

} // namespace gputest::testgen
