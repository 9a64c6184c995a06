// Addresses of objects, and what moves them.
#include "memory/model/layout.h"
#include "tests/catch.h"

using namespace gputest::memory;

namespace {

LaunchTrace three_objects() {
  LaunchTrace trace;
  trace.objects = {{.name = "a", .local = false, .size = 300},
                   {.name = "tile", .local = true, .size = 100},
                   {.name = "b", .local = false, .size = 16}};
  return trace;
}

std::uint64_t address(const Layout& layout, std::uint32_t object, std::uint64_t offset,
                      std::size_t slot = 0) {
  return layout.address({.lane = 0, .object = object, .offset = offset, .size = 4}, slot);
}

} // namespace

TEST_CASE("Arguments follow each other at multiples of 256, local memory of groups behind them") {
  const LaunchTrace trace = three_objects();
  const Layout layout(trace);
  CHECK(address(layout, 0, 8) == 8);
  CHECK(address(layout, 2, 0) == 512); // 300 bytes end in the second 256
  CHECK(layout.local_size() == 256);
  CHECK(address(layout, 1, 4, 0) == 772);
  CHECK(address(layout, 1, 4, 3) == 772 + 3 * 256);
  CHECK(layout.local_address({.object = 1, .offset = 4}) == 4);
}

TEST_CASE("A part of an object lies in it, and moves with it") {
  LaunchTrace trace = three_objects();
  trace.objects.push_back({.name = "middle", .size = 200, .part_of = 0, .part_begin = 100});
  const Layout layout(trace);
  CHECK(address(layout, 3, 8) == address(layout, 0, 108));
  CHECK(layout.begin_of(3) == 100);
  CHECK(address(layout, 2, 0) == 512); // it takes no place of its own
  const Layout changed(trace, {{.object = 0, .moved = 64, .row = 100, .padding = 4}});
  CHECK(address(changed, 3, 8) == address(changed, 0, 108));
  CHECK(address(changed, 3, 8) == 64 + 108 + 4);
}

TEST_CASE("A place in front of a part is in the object itself") {
  LaunchTrace trace = three_objects();
  trace.objects.push_back({.name = "middle", .size = 200, .part_of = 0, .part_begin = 100});
  const WarpWriter writer(trace);
  const auto settled = [&](std::uint64_t offset) {
    const Place place = writer.settled({.lane = 0, .object = 3, .offset = offset, .size = 4});
    return std::pair(place.object, place.offset);
  };
  CHECK(settled(0) == std::pair(std::uint32_t{3}, std::uint64_t{0}));
  CHECK(settled(196) == std::pair(std::uint32_t{3}, std::uint64_t{196}));
  CHECK(settled(static_cast<std::uint64_t>(-8)) == std::pair(std::uint32_t{0}, std::uint64_t{92}));
}

TEST_CASE("An object can be moved, and its rows padded") {
  const LaunchTrace trace = three_objects();
  const Layout moved(trace, {{.object = 0, .moved = 64}});
  CHECK(address(moved, 0, 8) == 72);
  CHECK(address(moved, 2, 0) == 512);
  // 300 bytes in rows of 100 take 3 times 4 bytes more.
  const Layout padded(trace, {{.object = 0, .row = 100, .padding = 4}});
  CHECK(address(padded, 0, 99) == 99);
  CHECK(address(padded, 0, 100) == 104);
  CHECK(address(padded, 0, 250) == 258);
  CHECK(address(padded, 2, 0) == 512);
  const Layout local(trace, {{.object = 1, .row = 32, .padding = 4}});
  CHECK(local.local_address({.object = 1, .offset = 64}) == 72);
}

TEST_CASE("Fields of structures can lie in arrays of their own, and columns of a matrix together") {
  LaunchTrace trace = three_objects();
  trace.objects[0].size = 48;
  // Three elements of 16 bytes with fields of 4 and 12.
  const Layout fields(trace, {{.object = 0, .element = 16, .fields = {0, 4}}});
  CHECK(address(fields, 0, 0) == 0);
  CHECK(address(fields, 0, 16) == 4);
  CHECK(address(fields, 0, 34) == 10);
  CHECK(address(fields, 0, 4) == 12);
  CHECK(address(fields, 0, 20) == 24);
  CHECK(address(fields, 0, 47) == 47);
  CHECK(address(fields, 2, 0) == 256);
  // Rows of 16 bytes as columns of 4.
  const Layout columns(trace, {{.object = 0, .element = 16, .fields = {0, 4, 8, 12}}});
  for (std::uint64_t row = 0; row < 3; ++row)
    for (std::uint64_t column = 0; column < 4; ++column)
      CHECK(address(columns, 0, 16 * row + 4 * column) == 4 * (3 * column + row));
}

TEST_CASE("Words of private arrays lie beside those of the next work-item, warp by warp") {
  LaunchTrace trace = three_objects();
  trace.warp_size = 4;
  trace.groups = {0, 2};
  trace.objects[0].own = true; // 300 bytes, and 4 behind them
  trace.objects[2].own = true; // 16 bytes
  const Layout layout(trace);
  const auto own = [&](std::uint32_t object, std::uint64_t offset, std::uint32_t lane,
                       std::size_t slot = 0, std::size_t warp = 0) {
    return layout.address({.lane = lane, .object = object, .offset = offset, .size = 4}, slot,
                          warp) -
           Layout::kOwnBegin;
  };
  CHECK(own(0, 0, 0) == 0);
  CHECK(own(0, 0, 3) == 12);
  CHECK(own(0, 4, 0) == 16);
  CHECK(own(0, 6, 1) == 22);
  CHECK(own(2, 0, 0) == 304 * 4);
  CHECK(own(0, 0, 0, 0, 1) == 320 * 4);
  CHECK(own(0, 0, 0, 1, 0) == 2 * 320 * 4);
}
