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
