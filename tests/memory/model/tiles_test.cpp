// What work-groups have of an object in local memory.
#include "memory/model/tiles.h"

#include "tests/catch.h"

using namespace gputest::memory;

TEST_CASE("A group has the sectors that it used last, and no other group's") {
  Tiles tiles(2);
  CHECK_FALSE(tiles.use(0, 5));
  CHECK(tiles.use(0, 5));
  CHECK_FALSE(tiles.use(1, 5));
  CHECK_FALSE(tiles.use(0, 6));
  CHECK(tiles.use(0, 5));
  CHECK_FALSE(tiles.use(0, 7)); // in place of 6
  CHECK(tiles.use(0, 5));
  CHECK_FALSE(tiles.use(0, 6));
  CHECK_FALSE(tiles.use(0, 7));
  CHECK(tiles.use(1, 5));
}
