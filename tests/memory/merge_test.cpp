// Work-items of a warp as one: who runs together, and in which order.
#include "memory/trace/merge.h"
#include "tests/catch.h"

#include <fmt/format.h>

using namespace gputest::memory;

namespace {

BlockStep reads(std::uint32_t reference) {
  return {.compute = 0, .kind = BlockStep::Kind::Access, .reference = reference, .plain = true};
}

// "0(0,1) 1(0)": references with the lanes that took part; "+3" instructions, "|" a barrier.
std::string merged(const ItemShape& shape, const std::vector<ItemWords>& items,
                   std::size_t unrolled = 1, Division division = {}) {
  LaunchTrace trace;
  trace.warp_size = items.size();
  for (unsigned i = 0; i < 4; ++i)
    trace.references.push_back({.object = 0, .size = 4});
  WarpWriter writer(trace);
  merge_warp(shape, trace, items, {.unrolled = unrolled, .division = division}, writer);
  std::string text;
  WarpReader reader(trace, trace.warps.front());
  WarpEvent event;
  while (reader.next(event)) {
    text += text.empty() ? "" : " ";
    if (event.kind == WarpEvent::Kind::Compute)
      text += fmt::format("+{}", event.count);
    else if (event.kind == WarpEvent::Kind::Barrier)
      text += "|";
    else {
      text += fmt::format("{}(", event.reference);
      for (const Place& place : event.places)
        text += fmt::format("{}{}", &place == event.places.data() ? "" : ",", place.lane);
      text += ")";
    }
  }
  return text;
}

} // namespace

TEST_CASE("Both sides of a branch run one after the other, and all meet where they join") {
  // 0 branches to 1 or 2, and both go to 3.
  const ItemShape shape{.blocks = {{.place = 0, .steps = {reads(0)}},
                                   {.place = 1, .steps = {reads(1)}, .compute = 5},
                                   {.place = 2, .steps = {reads(2)}},
                                   {.place = 3, .steps = {reads(3)}}},
                        .loop_places = {}};
  CHECK(merged(shape, {{0, 8, 1, 8, 3, 8}, {0, 8, 2, 8, 3, 8}, {0, 8, 1, 8, 3, 8}}) ==
        "0(0,1,2) 1(0,2) +5 2(1) 3(0,1,2)");
  CHECK(merged(shape, {{0, 8, 1, 8, 3, 8}, {0, 8, 1, 8, 3, 8}}) == "0(0,1) 1(0,1) +5 3(0,1)");
  CHECK(merged(shape, {{}, {0, 8, 1, 8, 3, 8}}) == "0(1) 1(1) +5 3(1)"); // nobody is in lane 0
}

TEST_CASE("Iterations of a loop go together, and who leaves early waits behind it") {
  // 0 enters the loop 1; 2 is its other block; 3 comes behind.
  const ItemShape shape{.blocks = {{.place = 0},
                                   {.place = 1, .loops = {0}, .header_of = 0, .compute = 1},
                                   {.place = 2, .loops = {0}, .steps = {reads(2)}},
                                   {.place = 3, .steps = {reads(3)}}},
                        .loop_places = {1}};
  const ItemWords twice{0, 1, 2, 8, 1, 2, 8, 1, 3, 8}, once{0, 1, 2, 8, 1, 3, 8};
  CHECK(merged(shape, {twice, once}) == "+1 2(0,1) +1 2(0) +1 3(0,1)");
  CHECK(merged(shape, {once, twice}) == "+1 2(0,1) +1 2(1) +1 3(0,1)");
}

TEST_CASE("Instructions that count iterations are made once in several, and others in front") {
  const ItemShape shape{.blocks = {{.place = 0},
                                   {.place = 1,
                                    .loops = {0},
                                    .header_of = 0,
                                    .steps = {reads(1)},
                                    .compute = 1,
                                    .less = {.unrolled = 4, .in_front = 10, .fused = 100}},
                                   {.place = 2}},
                        .loop_places = {1}};
  const std::vector<ItemWords> thrice{{0, 1, 8, 1, 8, 1, 8, 2}};
  CHECK(merged(shape, thrice) == "1(0) +115 1(0) +115 1(0) +115");
  CHECK(merged(shape, thrice, 2) == "1(0) +15 1(0) +1 1(0) +5");
  CHECK(merged(shape, thrice, 4) == "1(0) +15 1(0) +1 1(0) +1");
}

TEST_CASE("A division is several instructions, and those of a divisor that stays are made once") {
  const auto divides = [](const Divisions& divisions) {
    return ItemShape{.blocks = {{.place = 0},
                                {.place = 1,
                                 .loops = {0},
                                 .header_of = 0,
                                 .steps = {reads(1)},
                                 .less = {.divisions = divisions}},
                                {.place = 2}},
                     .loop_places = {1}};
  };
  const std::vector<ItemWords> twice{{0, 1, 8, 1, 8, 2}};
  const Division division{.instructions = 17, .divisor = 8};
  const ItemShape changes = divides({.always = 2, .divisors = 1});
  CHECK(merged(changes, twice) == "1(0) +2 1(0) +2");
  CHECK(merged(changes, twice, 4, division) == "1(0) +26 1(0) +26");
  CHECK(merged(divides({.always = 1, .divisors_in_front = 1}), twice, 4, division) ==
        "1(0) +17 1(0) +9");
  CHECK(merged(divides({.in_front = 1, .divisors_in_front = 1}), twice, 4, division) ==
        "1(0) +17 1(0)");
}

TEST_CASE("Who skips a part of an iteration waits for the next one") {
  // As `while (…) if (…) continue; else …`: 2 is run in some iterations, and 1 is where all meet.
  const ItemShape shape{.blocks = {{.place = 0},
                                   {.place = 1, .loops = {0}, .header_of = 0, .steps = {reads(1)}},
                                   {.place = 2, .loops = {0}, .steps = {reads(2)}},
                                   {.place = 3}},
                        .loop_places = {1}};
  const ItemWords skips_first{0, 1, 8, 1, 8, 2, 8, 3}, skips_second{0, 1, 8, 2, 8, 1, 8, 3};
  // In the first iteration lane 1 runs block 2, in the second one lane 0.
  CHECK(merged(shape, {skips_first, skips_second}) == "1(0,1) 2(1) 1(0,1) 2(0)");
}

TEST_CASE("An inner loop begins anew in each iteration of the outer one") {
  // 1 is the outer header, 2 the inner one, 3 ends the outer iteration.
  const ItemShape shape{
      .blocks = {{.place = 0},
                 {.place = 1, .loops = {0}, .header_of = 0},
                 {.place = 2, .loops = {0, 1}, .header_of = 1, .steps = {reads(2)}},
                 {.place = 3, .loops = {0}, .steps = {reads(3)}},
                 {.place = 4}},
      .loop_places = {1, 2}};
  // Lane 0: inner loop twice, then once. Lane 1: once, then twice.
  CHECK(merged(shape, {{0, 1, 2, 8, 2, 8, 3, 8, 1, 2, 8, 3, 8, 4},
                       {0, 1, 2, 8, 3, 8, 1, 2, 8, 2, 8, 3, 8, 4}}) ==
        "2(0,1) 2(0) 3(0,1) 2(0,1) 2(1) 3(0,1)");
}

TEST_CASE("Barriers, and places of which it shows when they are accessed what they belong to") {
  ItemShape shape{.blocks = {{.place = 0, .steps = {reads(0)}}}, .loop_places = {}};
  shape.blocks[0].steps[0].plain = false;
  shape.blocks[0].steps.push_back({.compute = 2, .kind = BlockStep::Kind::Barrier});
  // Lane 1's is no memory that others share.
  CHECK(merged(shape, {{0, 3, 16, 4}, {0, kNoObject, 0, 4}, {0, 1, 24, 2}}) == "0(0,2) +2 |");
  CHECK(merged(shape, {{0, kNoObject, 0, 4}}) == "+3 |");
}
