#include "model/schedules/schedule.h"

#include "tests/catch.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

namespace gputest::model {
namespace {

Schedule example() {
  Schedule schedule{.kernel = "sum", .test_case = "small", .harness = "../sum_harness"};
  schedule.sizes = {.dimensions = 2, .global = {10, 4, 1}, .local = {4, 2, 1}};
  schedule.groups = {.kind = Order::Kind::Random, .seed = 17};
  schedule.items = {.kind = Order::Kind::Listed, .listed = {3, 1, 0, 2, 7, 6, 5, 4}};
  return schedule;
}

std::string refusal(const std::function<void(nlohmann::ordered_json&)>& change) {
  nlohmann::ordered_json json = example();
  change(json);
  try {
    json.get<Schedule>();
  } catch (const FormatError& error) {
    return error.what();
  }
  return "";
}

} // namespace

TEST_CASE("a random order is the same on every machine") {
  const Order order{.kind = Order::Kind::Random, .seed = 1};
  CHECK(permutation(order, 10) == std::vector<std::uint32_t>{1, 7, 3, 9, 4, 0, 5, 2, 6, 8});
  CHECK(permutation(order, 1) == std::vector<std::uint32_t>{0});
  CHECK(permutation(order, 0).empty());
}

TEST_CASE("orders are permutations") {
  for (const Order::Kind kind : {Order::Kind::Launched, Order::Kind::Reverse, Order::Kind::Random})
    for (const std::uint32_t count : {1u, 2u, 7u, 1000u}) {
      std::vector<std::uint32_t> order = permutation({.kind = kind, .seed = count}, count);
      std::ranges::sort(order);
      CHECK(order == permutation({}, count));
    }
  CHECK(permutation({.kind = Order::Kind::Reverse}, 3) == std::vector<std::uint32_t>{2, 1, 0});
  CHECK_THROWS_AS(permutation({.kind = Order::Kind::Listed, .listed = {0, 0}}, 2), FormatError);
}

TEST_CASE("every pair of groups comes in both orders equally often") {
  int first = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed)
    first += permutation({.kind = Order::Kind::Random, .seed = seed}, 8)[0] == 3 ? 1 : 0;
  CHECK(first > 90);
  CHECK(first < 160);
}

TEST_CASE("Sizes of launches count groups and work-items") {
  const Sizes ragged{.dimensions = 2, .global = {7, 4, 1}, .local = {3, 2, 1}, .offset = {5, 0, 0}};
  CHECK(ragged.groups() == std::array<std::uint64_t, 3>{3, 2, 1});
  CHECK(ragged.group_count() == 6);
  CHECK(ragged.items() == 28);
  CHECK(ragged.items_of_group() == 6);
  CHECK(text_of(ragged) == "7 x 4 work-items in groups of 3 x 2");
  const nlohmann::ordered_json json = ragged;
  CHECK(json.dump() == R"({"global_size":[7,4],"local_size":[3,2],"global_offset":[5,0]})");
  CHECK(json.get<Sizes>() == ragged);
  const Sizes huge{.dimensions = 2, .global = {1ull << 40, 1ull << 40, 1}, .local = {1, 1, 1}};
  CHECK(huge.items() == std::numeric_limits<std::uint64_t>::max()); // and no small number
}

TEST_CASE("what a schedule starts, and in which stages") {
  Schedule schedule = example(); // 3 x 2 groups
  CHECK(schedule.sizes.group_count() == 6);
  CHECK(schedule.sizes.items_of_group() == 8);
  CHECK(Sizes{.dimensions = 2, .global = {6, 4, 1}, .local = {0, 0, 0}}.group_count() == 1);
  schedule.groups = {.kind = Order::Kind::Reverse};
  CHECK(stages(schedule) == std::vector<std::vector<std::uint32_t>>{{5, 4, 3, 2, 1, 0}});
  schedule.strategy = Strategy::Serial;
  CHECK(stages(schedule).size() == 6);
  CHECK(stages(schedule).front() == std::vector<std::uint32_t>{5});
  schedule.strategy = Strategy::First;
  schedule.target = 2;
  CHECK(stages(schedule) == std::vector<std::vector<std::uint32_t>>{{2}, {5, 4, 3, 1, 0}});
  schedule.target = 9; // nobody
  CHECK(stages(schedule) == std::vector<std::vector<std::uint32_t>>{{5, 4, 3, 2, 1, 0}});
}

TEST_CASE("a schedule is read as it was written") {
  Schedule schedule = example();
  CHECK(nlohmann::ordered_json(schedule).get<Schedule>() == schedule);
  schedule.strategy = Strategy::First;
  schedule.target = 4;
  schedule.groups = {.kind = Order::Kind::Reverse};
  CHECK(nlohmann::ordered_json(schedule).get<Schedule>() == schedule);
  CHECK(text_of(schedule) == "first, group 4 of each ten, groups reverse, work-items listed");
}

TEST_CASE("turns of work-items are read as they were written, and refused where there are none") {
  Schedule schedule = example();
  schedule.groups = schedule.items = {};
  schedule.device = "simulator";
  schedule.strategy = Strategy::Interleave;
  schedule.turns = {{5, 7, 3}, {0, 0, 1}};
  CHECK(nlohmann::ordered_json(schedule).get<Schedule>() == schedule);
  CHECK(text_of(schedule) == "interleave, 2 turns");
  const auto refused = [&](const nlohmann::ordered_json& turn) {
    nlohmann::ordered_json json = schedule;
    json["turns"][1] = turn;
    try {
      json.get<Schedule>();
    } catch (const FormatError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(refused({6, 0, 1}) == "turn [6,0,1] is not [work-group, work-item of it, number of "
                              "accesses] of a launch with 6 groups of 8");
  CHECK(refused({0, 8, 1}) != "");
  CHECK(refused({0, 0}) != "");
  CHECK(refused({0, 0, -1}) != "");
  CHECK(refused("all") != "");
  nlohmann::ordered_json json = schedule;
  json["program"] = {{"command", {"./a"}},
                     {"directory", "/"},
                     {"kernel_files", nlohmann::ordered_json::array()},
                     {"kernels", {"k.k"}},
                     {"launches", {1}}};
  CHECK_THROWS_WITH(json.get<Schedule>(),
                    "strategy 'interleave' is the simulator's alone, and no program's");
}

TEST_CASE("wrong schedules are refused, and it is said what is wrong") {
  using Json = nlohmann::ordered_json;
  CHECK(refusal([](Json& json) { json["format"] = "gputest-schedule-9"; }) ==
        "format is 'gputest-schedule-9', expected 'gputest-schedule-1'; another version of "
        "GpuTestCheck has written it: make it again with this");
  CHECK(refusal([](Json& json) { json["strategy"] = "best"; }) ==
        "strategy 'best' is none of: permute, first, serial, interleave");
  CHECK(refusal([](Json& json) { json["groups"]["order"] = "sorted"; }) ==
        "groups: order 'sorted' is none of: as launched, reverse, random, listed");
  CHECK(refusal([](Json& json) { json["items"]["permutation"] = {0, 1}; }) ==
        "items: no permutation: 2 numbers for 8");
  CHECK(refusal([](Json& json) { json["items"]["permutation"][0] = 1; }) ==
        "items: no permutation: 1 is there twice");
  CHECK(refusal([](Json& json) { json["items"]["permutation"][0] = 8; }) ==
        "items: no permutation: 8 is not below 8, and counting begins at 0");
  CHECK(refusal([](Json& json) { json["items"]["permutation"][0] = -1; }) ==
        "items: no permutation: -1 is no whole number from 0");
  CHECK(refusal([](Json& json) { json["global_size"] = Json::array(); }) ==
        "key 'global_size': give 1 to 3 numbers");
  CHECK(refusal([](Json& json) { json["local_size"] = {4}; }) ==
        "key 'local_size' has 1 numbers, not 2");
  CHECK(refusal([](Json& json) { json["local_size"] = {4, 0}; }) ==
        "key 'local_size': 0 is no whole number from 1");
  CHECK(refusal([](Json& json) { json["global_size"] = {9000000000u, 9000000000u}; }) != "");
  CHECK(refusal([](Json& json) {
          json["strategy"] = "first";
          json["target"] = 10;
        }) == "target 10 is not below 10");
  CHECK(refusal([](Json& json) { json.erase("groups"); }) == "groups: key 'groups' is missing");
}

TEST_CASE("a schedule of a program's launches") {
  Schedule schedule{.kernel = "a.sum", .test_case = "tests", .harness = ""};
  schedule.program = {.command = {"./tests", "two words"},
                      .directory = "/somewhere",
                      .kernel_files = {"a.cl"},
                      .kernels = {"a.sum"},
                      .launches = {3, 7}};
  schedule.strategy = Strategy::First;
  schedule.target = 4;
  const nlohmann::ordered_json json = schedule;
  CHECK(json.get<Schedule>() == schedule);
  CHECK_FALSE(json.contains("harness"));
  CHECK_FALSE(json["program"].contains("oracle"));
  Schedule judged = schedule;
  judged.program->oracle = {.exit_code = false,
                            .output = true,
                            .reads = true,
                            .fail_expression = "FAIL(ED)?",
                            .tolerance = 1e-6,
                            .is_given = true};
  CHECK(nlohmann::ordered_json(judged).get<Schedule>() == judged);
  const auto refused = [&](const char* key, const nlohmann::ordered_json& value) {
    nlohmann::ordered_json changed = json;
    changed["program"][key] = value;
    try {
      changed.get<Schedule>();
    } catch (const FormatError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(refused("command", nlohmann::ordered_json::array()) == "key 'command' is empty");
  CHECK(refused("launches", {0}) == "key 'launches': 0 is no whole number from 1");
  CHECK(refused("oracle", {{"judges", {"luck"}}}).starts_with("key 'oracle': "));
  CHECK(refused("oracle", {{"judges", {"reads"}}, {"tolerance", -1}}) != "");
  CHECK(refused("oracle", {{"judges", {"output"}}, {"fail_regular_expression", "("}}) != "");
  CHECK(refused("kernels", "sum") == "key 'kernels' has the wrong type: \"sum\"");
}

} // namespace gputest::model
