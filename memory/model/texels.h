// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the texels of an image lie in memory: row by row, or in tiles.
//
// A tile is described by the bits of an offset in it, the lowest first: the next bit of the byte in
// its row (x) or of the row (y). "xxxxyxyyx" is a tile of 64 bytes and 8 rows, in which 16 bytes of
// a row lie beside 16 bytes of the next one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gputest::memory {

constexpr std::uint32_t kMostTexels = 8; // that a filter reads

struct ImageShape {
  std::uint64_t width = 1, height = 1, depth = 1; // in texels; depth: slices or layers
  std::uint64_t texel = 4;                        // bytes

  std::uint64_t row() const { return width * texel; }
  std::uint64_t size() const { return row() * height * depth; } // bytes, row by row
};

// Tiles follow each other in a row of tiles, then come those below, then the next slice. Images of
// one row have no tiles. In a tile, the bits of a byte in its texel come first.
class TexelOrder {
public:
  // Texels lie row by row if `tile` has no letters.
  TexelOrder(const ImageShape& image, std::string_view tile);

  // Returns the offset of a byte in memory. `linear`: its offset row by row.
  std::uint64_t offset(std::uint64_t linear) const;
  std::uint64_t size() const { return size_; }           // bytes in memory
  std::uint64_t alignment() const { return alignment_; } // a tile, or 1

  // Returns how many texels of a row, and how many rows, lie together in so many bytes, a power of
  // two.
  std::pair<std::uint64_t, std::uint64_t> texels_in(std::uint64_t bytes) const;

private:
  ImageShape image_;
  std::vector<bool> along_row_; // by bit of the offset in a tile
  std::uint64_t texel_ = 1;     // bytes from one texel to the next
  unsigned width_bits_ = 0, height_bits_ = 0;
  std::uint64_t across_ = 1, down_ = 1; // tiles of a slice
  std::uint64_t size_ = 0, alignment_ = 1;
};

} // namespace gputest::memory
