// What is decided about schedules before a device is touched.
#include "runtime/analyses/schedules/case_check.h"
#include "runtime/analyses/schedules/plan.h"
#include "runtime/analyses/schedules/programs.h"
#include "runtime/analyses/schedules/search.h"
#include "runtime/machine/opencl/device.h"
#include "runtime/variants/schedule_state.h"
#include "templates/state.h"
#include "tests/catch.h"

#include <algorithm>

namespace gputest::runtime {
namespace {

using model::Order;
using model::Schedule;
using model::Strategy;

model::Sizes sizes(std::array<std::uint64_t, 3> global, std::array<std::uint64_t, 3> local,
                   unsigned dimensions = 1) {
  return {.dimensions = dimensions, .global = global, .local = local};
}

std::size_t count(const SearchSettings& settings, const model::Sizes& of, bool items = true) {
  return schedules_of(settings, "case", of, items).size();
}

} // namespace

TEST_CASE("the schedules of a strategy") {
  const model::Sizes many = sizes({64, 1, 1}, {4, 1, 1});
  CHECK(count({.strategy = "permute"}, many) == 10);
  CHECK(count({.strategy = "first"}, many) == 10);
  CHECK(count({.strategy = "first"}, sizes({12, 1, 1}, {4, 1, 1})) == 3);
  CHECK(count({.strategy = "reverse"}, many) == 2);
  CHECK(count({.strategy = "serial", .count = 4}, many) == 4);
  CHECK(count({.strategy = "all"}, many) == 32);
  // What changes nothing is left out.
  CHECK(count({.strategy = "permute"}, sizes({1, 1, 1}, {1, 1, 1})) == 0);
  CHECK(count({.strategy = "all"}, sizes({8, 1, 1}, {8, 1, 1})) == 11);
  CHECK(count({.strategy = "all"}, sizes({8, 1, 1}, {8, 1, 1}), false) == 0);
}

TEST_CASE("parts of an order that follow each other are launched together") {
  Schedule serial;
  serial.strategy = Strategy::Serial;
  serial.groups.kind = Order::Kind::Reverse;
  Places places = places_of(serial, sizes({29, 1, 1}, {4, 1, 1})); // the last has one work-item
  const std::vector<std::uint32_t> groups = places.groups;
  CHECK(places.parts.size() == 8);
  join_parts(places, 3);
  CHECK(places.groups == groups);
  std::vector<std::pair<std::size_t, std::size_t>> parts;
  for (const Part& part : places.parts)
    parts.emplace_back(part.first, part.count);
  CHECK(parts == std::vector<std::pair<std::size_t, std::size_t>>{{0, 1}, {1, 3}, {4, 3}, {7, 1}});
  CHECK(places.parts[0].shape[0] == 1);
}

TEST_CASE("random schedules depend on the seed and the case alone") {
  const model::Sizes of = sizes({64, 1, 1}, {4, 1, 1});
  const auto one = schedules_of({.strategy = "permute", .seed = 1}, "case", of, true),
             again = schedules_of({.strategy = "permute", .seed = 1}, "case", of, true);
  CHECK(one == again);
  const auto more = schedules_of({.strategy = "permute", .count = 20, .seed = 1}, "case", of, true);
  CHECK(std::equal(one.begin(), one.end(), more.begin()));
  // Seeds next to each other have no schedule in common.
  for (const Schedule& schedule :
       schedules_of({.strategy = "permute", .seed = 2}, "case", of, true))
    CHECK(std::ranges::find(one, schedule) == one.end());
  CHECK(schedules_of({.strategy = "permute", .seed = 1}, "other", of, true).front().groups !=
        one.front().groups);
  // Work-items keep their order where they must.
  for (const Schedule& schedule : schedules_of({.strategy = "permute"}, "case", of, false))
    CHECK(schedule.items.kind == Order::Kind::Launched);
}

TEST_CASE("groups that are not full change places among themselves") {
  const model::Sizes of = sizes({10, 5, 1}, {4, 2, 1}, 2); // 3 x 3 groups, the last ones smaller
  CHECK_FALSE(is_uniform(of));
  CHECK(shape_of(of, 0) == std::array<std::size_t, 3>{4, 2, 1});
  CHECK(shape_of(of, 2) == std::array<std::size_t, 3>{2, 2, 1});
  CHECK(shape_of(of, 8) == std::array<std::size_t, 3>{2, 1, 1});
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    std::vector<std::uint32_t> order =
        fitted(of, model::permutation({.kind = Order::Kind::Random, .seed = seed}, 9));
    for (std::uint32_t place = 0; place < 9; ++place)
      CHECK(shape_of(of, order[place]) == shape_of(of, place));
    std::ranges::sort(order);
    CHECK(order == model::permutation({}, 9));
  }
}

TEST_CASE("the section says where everybody stands") {
  model::Sizes of = sizes({4, 4, 1}, {2, 2, 1}, 2);
  of.offset = {0, 1ull << 33, 0};
  const std::vector<std::uint32_t> groups{3, 2, 1, 0}, items{1, 0, 3, 2};
  const auto words = schedule_section(of, groups, items);
  REQUIRE(words.size() == schedule_section_words(of));
  CHECK(words[GPUTEST_SCHEDULE_GLOBAL_SIZE] == 4);
  CHECK(words[GPUTEST_SCHEDULE_GLOBAL_OFFSET + 2] == 0);
  CHECK(words[GPUTEST_SCHEDULE_GLOBAL_OFFSET + 3] == 2);
  CHECK(words[GPUTEST_SCHEDULE_GROUP_COUNTS + 1] == 2);
  CHECK(words[GPUTEST_SCHEDULE_LOCAL_SIZE] == 2);
  const auto at = [&](std::size_t place) {
    return std::array{words[place], words[place + 1], words[place + 2]};
  };
  CHECK(at(GPUTEST_SCHEDULE_GROUPS) == std::array<std::uint32_t, 3>{1, 1, 0});
  CHECK(at(GPUTEST_SCHEDULE_GROUPS + 3) == std::array<std::uint32_t, 3>{0, 1, 0});
  CHECK(at(words[GPUTEST_SCHEDULE_ITEMS]) == std::array<std::uint32_t, 3>{1, 0, 0});
  CHECK(schedule_section(of, groups, {})[GPUTEST_SCHEDULE_ITEMS] == 0);
}

TEST_CASE("a local size is chosen where there is none") {
  Launch launch{.global_size = {96, 1, 1}, .local_size = {0, 0, 0}};
  CHECK(with_local_size(launch, 1024).local_size[0] == 12);
  CHECK(with_local_size(launch, 4).local_size[0] == 4);
  launch.global_size[0] = 7;
  CHECK(with_local_size(launch, 1024).local_size[0] == 1);
  launch.local_size = {7, 1, 1};
  CHECK(with_local_size(launch, 1024).local_size[0] == 7);
}

TEST_CASE("a launch is cut to what an argument says") {
  const Launch launch{.global_size = {64, 8, 1}, .local_size = {16, 2, 1}, .dimensions = 2};
  const Launch shorter = cut(launch, 0, 40);
  CHECK(shorter.global_size == std::array<std::size_t, 3>{40, 8, 1});
  CHECK(shorter.local_size == std::array<std::size_t, 3>{8, 2, 1});
}

TEST_CASE("a plan of schedules is what the settings say") {
  model::Settings settings(*model::find_analysis(model::analyses(), "schedules"));
  CHECK(make_schedule_plan(settings).count == 10);
  CHECK(make_schedule_plan(settings).strategy == "all");
  settings.set("count", "7");
  settings.set("strategy", "serial");
  CHECK(make_schedule_plan(settings).count == 7);
  CHECK(make_schedule_plan(settings).strategy == "serial");
  CHECK(make_schedule_plan(settings).repeat == 3);
}

TEST_CASE("atomics belong to the core since OpenCL 1.1") {
  CHECK(has_atomics("OpenCL 1.2 pocl", ""));
  CHECK(has_atomics("OpenCL 1.0 old", "cl_khr_global_int32_base_atomics"));
  CHECK_FALSE(has_atomics("OpenCL 1.0 old", "cl_khr_fp64"));
}

} // namespace gputest::runtime
