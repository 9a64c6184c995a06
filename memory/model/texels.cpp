// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/model/texels.h"

#include <algorithm>
#include <bit>

namespace gputest::memory {

TexelOrder::TexelOrder(const ImageShape& image, std::string_view tile)
    : image_(image), size_(image.size()) {
  if (tile.empty() || image.height == 1)
    return;
  texel_ = std::bit_ceil(image.texel);
  along_row_.assign(static_cast<std::size_t>(std::countr_zero(texel_)), true);
  std::size_t in_front = along_row_.size();
  for (const char bit : tile)
    if (bit == 'x' && in_front != 0)
      --in_front;
    else
      along_row_.push_back(bit == 'x');
  width_bits_ = static_cast<unsigned>(std::ranges::count(along_row_, true));
  height_bits_ = static_cast<unsigned>(along_row_.size()) - width_bits_;
  const auto tiles = [](std::uint64_t length, unsigned bits) {
    return (length + (std::uint64_t{1} << bits) - 1) >> bits;
  };
  across_ = tiles(image.width * texel_, width_bits_);
  down_ = tiles(image.height, height_bits_);
  alignment_ = std::uint64_t{1} << along_row_.size();
  size_ = across_ * down_ * image.depth * alignment_;
}

std::pair<std::uint64_t, std::uint64_t> TexelOrder::texels_in(std::uint64_t bytes) const {
  if (along_row_.empty())
    return {std::max<std::uint64_t>(1, bytes / image_.texel), 1};
  std::uint64_t wide = 1, high = 1;
  for (std::size_t bit = 0; bit < along_row_.size() && bytes > 1; ++bit, bytes /= 2)
    (along_row_[bit] ? wide : high) *= 2;
  return {std::max<std::uint64_t>(1, wide / texel_), high};
}

std::uint64_t TexelOrder::offset(std::uint64_t linear) const {
  if (along_row_.empty())
    return linear;
  const std::uint64_t number = linear / image_.texel;
  std::uint64_t x = number % image_.width * texel_ + linear % image_.texel;
  const std::uint64_t row = number / image_.width, slice = row / image_.height;
  std::uint64_t y = row % image_.height, within = 0;
  const std::uint64_t tile = (slice * down_ + (y >> height_bits_)) * across_ + (x >> width_bits_);
  for (std::size_t bit = 0; bit < along_row_.size(); ++bit) {
    std::uint64_t& from = along_row_[bit] ? x : y;
    within |= (from & 1) << bit;
    from >>= 1;
  }
  return tile << along_row_.size() | within;
}

} // namespace gputest::memory
