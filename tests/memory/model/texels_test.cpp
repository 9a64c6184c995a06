// Where texels of images lie: orders by hand, and that no two texels share a byte.
#include "memory/model/texels.h"

#include "tests/catch.h"

#include <set>
#include <utility>

using namespace gputest::memory;

namespace {

constexpr const char *kNvidia = "xxxxyxyyx", *kInterleaved = "xxxyxyxyxy";

// The offset of a texel's first byte.
std::uint64_t offset(const TexelOrder& order, const ImageShape& image, std::uint64_t x,
                     std::uint64_t y, std::uint64_t z = 0) {
  return order.offset(((z * image.height + y) * image.width + x) * image.texel);
}

} // namespace

TEST_CASE("Texels of a tile lie in the order of its bits, and tiles from left to right") {
  const ImageShape image{.width = 100, .height = 20, .depth = 2, .texel = 4};
  const TexelOrder order(image, kNvidia);
  // 16 bytes of a row, then of the next one; 32 bytes to the right; two rows below; the second
  // half of a tile of 64 bytes and 8 rows.
  CHECK(offset(order, image, 3, 0) == 12);
  CHECK(offset(order, image, 0, 1) == 16);
  CHECK(offset(order, image, 4, 0) == 32);
  CHECK(offset(order, image, 0, 2) == 64);
  CHECK(offset(order, image, 0, 4) == 128);
  CHECK(offset(order, image, 8, 0) == 256);
  CHECK(offset(order, image, 15, 7) == 508);
  // 400 bytes of a row are 7 tiles, and 20 rows are 3.
  CHECK(offset(order, image, 16, 0) == 512);
  CHECK(offset(order, image, 0, 8) == 7 * 512);
  CHECK(offset(order, image, 0, 0, 1) == 21 * 512);
  CHECK(order.size() == 42 * 512);
  CHECK(order.alignment() == 512);
  CHECK(order.offset(4 * (100 + 5) + 3) == offset(order, image, 5, 1) + 3);
  CHECK(order.texels_in(32) == std::pair<std::uint64_t, std::uint64_t>(4, 2));
  CHECK(order.texels_in(128) == std::pair<std::uint64_t, std::uint64_t>(8, 4));
}

TEST_CASE("Without a tile, and with one row, texels lie side by side") {
  const ImageShape image{.width = 10, .height = 3, .depth = 2, .texel = 3};
  const TexelOrder rows(image, "");
  CHECK(offset(rows, image, 1, 2, 1) == 3 * (10 * (3 + 2) + 1));
  CHECK(rows.size() == 180);
  CHECK(rows.alignment() == 1);
  CHECK(rows.texels_in(32) == std::pair<std::uint64_t, std::uint64_t>(10, 1));
  const ImageShape line{.width = 100, .height = 1, .depth = 3, .texel = 4};
  const TexelOrder layers(line, kNvidia);
  CHECK(offset(layers, line, 7, 0, 2) == 4 * 207);
  CHECK(layers.size() == 1200);
}

TEST_CASE("Bits within a texel come first, and texels never overlap") {
  const ImageShape large{.width = 8, .height = 8, .texel = 16};
  const TexelOrder order(large, kInterleaved);
  CHECK(order.offset(15) == 15);
  CHECK(offset(order, large, 0, 1) == 16);
  for (const char* const tile : {"", kNvidia, kInterleaved, "xxxxyyxy"})
    for (const std::uint64_t texel : {1, 2, 3, 4, 8, 16}) {
      INFO(tile << ", " << texel << " bytes");
      const ImageShape image{.width = 37, .height = 21, .depth = 2, .texel = texel};
      const TexelOrder all(image, tile);
      std::set<std::uint64_t> bytes;
      for (std::uint64_t byte = 0; byte < image.size(); ++byte) {
        const std::uint64_t at = all.offset(byte);
        if (byte % texel != 0)
          REQUIRE(at == all.offset(byte - 1) + 1);
        bytes.insert(at);
      }
      CHECK(bytes.size() == image.size());
      CHECK(*bytes.rbegin() < all.size());
    }
}
