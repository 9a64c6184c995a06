// What is written is what is read.
#include "memory/model/trace.h"
#include "tests/catch.h"

#include <algorithm>
#include <random>

using namespace gputest::memory;

namespace {

bool same(const std::vector<Place>& one, const std::vector<Place>& other) {
  return std::ranges::equal(one, other, [](const Place& a, const Place& b) {
    return a.lane == b.lane && a.object == b.object && a.offset == b.offset && a.size == b.size;
  });
}

LaunchTrace empty_trace(std::size_t warp_size) {
  LaunchTrace trace;
  trace.warp_size = warp_size;
  trace.references = {{.object = 0, .size = 4}, {.object = -1, .size = 0}};
  return trace;
}

} // namespace

TEST_CASE("Events come back as they were") {
  std::mt19937_64 random(5);
  for (const std::size_t warp_size : {1, 8, 32, 64}) {
    LaunchTrace trace = empty_trace(warp_size);
    std::vector<WarpEvent> written;
    WarpWriter writer(trace);
    for (unsigned i = 0; i < 3'000; ++i) {
      WarpEvent event;
      switch (random() % 6) {
      case 0:
        if (!written.empty() && written.back().kind == WarpEvent::Kind::Compute)
          continue; // two become one
        event.count = 1 + random() % 1'000;
        writer.compute(event.count);
        break;
      case 1:
        event.kind = WarpEvent::Kind::Barrier;
        writer.barrier();
        break;
      default: {
        event.kind = WarpEvent::Kind::Access;
        event.reference = static_cast<std::uint32_t>(random() % 2);
        const bool regular = random() % 2 == 0, all = random() % 2 == 0;
        const std::uint64_t begin = random() % 100'000, stride = random() % 4096;
        for (std::uint32_t lane = 0; lane < warp_size; ++lane) {
          if (!all && random() % 2 == 0)
            continue;
          Place place{.lane = lane, .offset = regular ? begin + lane * stride : random() % 100'000};
          place.object = event.reference == 0 ? 0 : static_cast<std::uint32_t>(random() % 3);
          place.size = event.reference == 0 ? 4 : static_cast<std::uint32_t>(random() % 20);
          event.places.push_back(place);
        }
        if (event.places.empty())
          continue;
        writer.access(event.reference, event.places);
      }
      }
      written.push_back(event);
    }
    writer.end();
    WarpReader reader(trace, trace.warps.front());
    WarpEvent event;
    for (const WarpEvent& expected : written) {
      REQUIRE(reader.next(event));
      REQUIRE(event.kind == expected.kind);
      if (event.kind == WarpEvent::Kind::Compute)
        REQUIRE(event.count == expected.count);
      if (event.kind == WarpEvent::Kind::Access) {
        REQUIRE(event.reference == expected.reference);
        REQUIRE(same(event.places, expected.places));
      }
    }
    CHECK_FALSE(reader.next(event));
  }
}

TEST_CASE("A lane may have several places, and another number of them than the next one") {
  LaunchTrace trace = empty_trace(8);
  const std::vector<Place> places{{.lane = 1, .object = 0, .offset = 40, .size = 4},
                                  {.lane = 1, .object = 0, .offset = 44, .size = 4},
                                  {.lane = 1, .object = 0, .offset = 8, .size = 4},
                                  {.lane = 4, .object = 0, .offset = 100, .size = 4},
                                  {.lane = 7, .object = 0, .offset = 0, .size = 4},
                                  {.lane = 7, .object = 0, .offset = 40, .size = 4}};
  WarpWriter writer(trace);
  writer.access(0, places);
  std::vector<Place> others = places;
  others[3].object = 1;
  writer.access(0, others);
  writer.access(0, std::span(places).first(1));
  writer.end();
  WarpReader reader(trace, trace.warps.front());
  WarpEvent event;
  REQUIRE(reader.next(event));
  CHECK(same(event.places, places));
  REQUIRE(reader.next(event));
  CHECK(same(event.places, others));
  REQUIRE(reader.next(event));
  CHECK(event.places.size() == 1);
  CHECK_FALSE(reader.next(event));
}

TEST_CASE("Places at one distance take few bytes") {
  LaunchTrace trace = empty_trace(32);
  WarpWriter writer(trace);
  std::vector<Place> places;
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    places.push_back({.lane = lane, .object = 0, .offset = 100'000 + 4 * lane, .size = 4});
  writer.access(0, places);
  writer.end();
  CHECK(trace.code.size() == 6); // reference, flags, 3 of the offset, the distance
}
