// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/schedules/schedule.h"

#include "model/files.h"
#include "model/json.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <numeric>
#include <random>

namespace gputest::model {
namespace {

constexpr std::uint32_t kSet = 10;

void expect_permutation(const std::vector<std::uint32_t>& listed, std::uint64_t count) {
  if (listed.size() != count)
    throw FormatError(fmt::format("no permutation: {} numbers for {}", listed.size(), count));
  std::vector<bool> seen(listed.size());
  for (const std::uint32_t element : listed) {
    if (element >= count)
      throw FormatError(fmt::format("no permutation: {} is not below {}, and counting begins at 0",
                                    element, count));
    if (seen[element])
      throw FormatError(fmt::format("no permutation: {} is there twice", element));
    seen[element] = true;
  }
}

// Throws FormatError if a work-item does not exist in such a launch.
std::vector<Turn> turns_of(const Json& json, const Sizes& sizes) {
  for (const Json& element : required_array(json, "turns")) {
    const bool numbers = element.is_array() && element.size() == 3 &&
                         holds<std::uint32_t>(element[0]) && holds<std::uint32_t>(element[1]) &&
                         holds<std::uint64_t>(element[2]);
    if (!numbers || element[0].get<std::uint64_t>() >= sizes.group_count() ||
        element[1].get<std::uint64_t>() >= sizes.items_of_group())
      throw FormatError(fmt::format("turn {} is not [work-group, work-item of it, number of "
                                    "accesses] of a launch with {} groups of {}",
                                    element.dump(), sizes.group_count(), sizes.items_of_group()));
  }
  return json["turns"].get<std::vector<Turn>>();
}

void expect_items(const Sizes& sizes) {
  for (const auto& [key, numbers] :
       {std::pair("global_size", &sizes.global), std::pair("local_size", &sizes.local)})
    if (std::ranges::count(*numbers, 0U) != 0)
      throw FormatError(fmt::format("key '{}': 0 is no whole number from 1", key));
}

Json program_to_json(const ProgramLaunches& program) {
  Json json{{"command", program.command},
            {"directory", program.directory},
            {"kernel_files", program.kernel_files},
            {"kernels", program.kernels},
            {"launches", program.launches}};
  if (program.oracle.is_given)
    json["oracle"] = to_json(program.oracle);
  return json;
}

ProgramLaunches program_from_json(const Json& json) {
  ProgramLaunches program;
  program.command = required<std::vector<std::string>>(json, "command");
  if (program.command.empty())
    throw FormatError("key 'command' is empty");
  program.directory = required<std::string>(json, "directory");
  program.kernel_files = required<std::vector<std::string>>(json, "kernel_files");
  program.kernels = required<std::vector<std::string>>(json, "kernels");
  for (const Json& launch : required_array(json, "launches")) {
    if (!holds<std::uint32_t>(launch) || launch.get<std::uint32_t>() == 0)
      throw FormatError("key 'launches': " + launch.dump() + " is no whole number from 1");
    program.launches.push_back(launch.get<std::uint32_t>());
  }
  if (const auto oracle = optional<Json>(json, "oracle"))
    program.oracle = oracle_from_json(*oracle);
  return program;
}

std::uint32_t index_count(std::uint64_t count, std::string_view what) {
  if (count > std::numeric_limits<std::uint32_t>::max())
    throw FormatError(fmt::format("{} {} are too many to be ordered", count, what));
  return static_cast<std::uint32_t>(count);
}

} // namespace

std::vector<std::uint32_t> permutation(const Order& order, std::uint32_t count) {
  if (order.kind == Order::Kind::Listed) {
    expect_permutation(order.listed, count);
    return order.listed;
  }
  std::vector<std::uint32_t> result(count);
  std::iota(result.begin(), result.end(), 0);
  if (order.kind == Order::Kind::Reverse)
    std::ranges::reverse(result);
  if (order.kind == Order::Kind::Random) {
    std::mt19937_64 random(order.seed);
    for (std::size_t left = result.size(); left > 1; --left)
      std::swap(result[left - 1], result[random() % left]);
  }
  return result;
}

std::string text_of(const Order& order) {
  return order.kind == Order::Kind::Random ? fmt::format("random {}", order.seed)
                                           : std::string(name_of(order.kind));
}

Json to_json(const Order& order) {
  Json json{{"order", name_of(order.kind)}};
  if (order.kind == Order::Kind::Random)
    json["seed"] = order.seed;
  if (order.kind == Order::Kind::Listed)
    json["permutation"] = order.listed;
  return json;
}

Order order_from_json(const Json& json, std::uint64_t count) {
  const auto name = required<std::string>(json, "order");
  const auto kind = named<Order::Kind>(name);
  if (!kind)
    throw FormatError(
        fmt::format("order '{}' is none of: as launched, reverse, random, listed", name));
  Order order{.kind = *kind};
  if (order.kind == Order::Kind::Random)
    order.seed = required<std::uint64_t>(json, "seed");
  if (order.kind == Order::Kind::Listed) {
    for (const Json& element : required_array(json, "permutation")) {
      if (!holds<std::uint32_t>(element))
        throw FormatError("no permutation: " + element.dump() + " is no whole number from 0");
      order.listed.push_back(element.get<std::uint32_t>());
    }
    expect_permutation(order.listed, count);
  }
  return order;
}

std::vector<std::vector<std::uint32_t>> stages(const Schedule& schedule) {
  const std::uint32_t count = index_count(schedule.sizes.group_count(), "work-groups");
  const std::vector<std::uint32_t> order = permutation(schedule.groups, count);
  std::vector<std::vector<std::uint32_t>> result;
  switch (schedule.strategy) {
  case Strategy::Permute:
  case Strategy::Interleave:
    result.push_back(order);
    break;
  case Strategy::Serial:
    for (const std::uint32_t group : order)
      result.push_back({group});
    break;
  case Strategy::First: {
    std::vector<std::uint32_t> targets, others;
    for (const std::uint32_t group : order)
      (group % kSet == schedule.target ? targets : others).push_back(group);
    for (auto& stage : {targets, others})
      if (!stage.empty())
        result.push_back(stage);
    break;
  }
  }
  return result;
}

std::string text_of(const Schedule& schedule) {
  std::string text(name_of(schedule.strategy));
  if (schedule.strategy == Strategy::First)
    text += fmt::format(", group {} of each ten", schedule.target);
  if (schedule.strategy == Strategy::Interleave)
    text += fmt::format(", {} turns", schedule.turns.size());
  if (schedule.groups.kind != Order::Kind::Launched)
    text += ", groups " + text_of(schedule.groups);
  if (schedule.items.kind != Order::Kind::Launched)
    text += ", work-items " + text_of(schedule.items);
  return text;
}

void to_json(Json& json, const Turn& turn) {
  json = {turn.group, turn.item, turn.accesses};
}

void from_json(const Json& json, Turn& turn) {
  turn = {json.at(0), json.at(1), json.at(2)};
}

void to_json(Json& json, const Schedule& schedule) {
  json = {
      {"format", "gputest-schedule-1"}, {"kernel", schedule.kernel}, {"case", schedule.test_case}};
  if (schedule.program)
    json["program"] = program_to_json(*schedule.program);
  else
    json["harness"] = schedule.harness;
  to_json(json, schedule.sizes);
  json["strategy"] = name_of(schedule.strategy);
  if (!schedule.device.empty())
    json["device"] = schedule.device;
  if (schedule.strategy == Strategy::Interleave) {
    json["turns"] = schedule.turns;
    return;
  }
  if (schedule.strategy == Strategy::First)
    json["target"] = schedule.target;
  json["groups"] = to_json(schedule.groups);
  json["items"] = to_json(schedule.items);
}

void from_json(const Json& json, Schedule& schedule) {
  expect_format(json, "gputest-schedule-1");
  schedule = Schedule();
  schedule.kernel = required<std::string>(json, "kernel");
  schedule.test_case = required<std::string>(json, "case");
  schedule.harness = optional<std::string>(json, "harness").value_or("");
  if (const auto program = optional<Json>(json, "program"))
    schedule.program = program_from_json(*program);
  from_json(json, schedule.sizes);
  expect_items(schedule.sizes);
  const auto strategy = required<std::string>(json, "strategy");
  if (const auto known = named<Strategy>(strategy))
    schedule.strategy = *known;
  else
    throw FormatError(
        fmt::format("strategy '{}' is none of: permute, first, serial, interleave", strategy));
  schedule.device = optional<std::string>(json, "device").value_or("");
  if (schedule.strategy == Strategy::Interleave) {
    if (schedule.program)
      throw FormatError("strategy 'interleave' is the simulator's alone, and no program's");
    schedule.turns = turns_of(json, schedule.sizes);
    return;
  }
  if (schedule.strategy == Strategy::First)
    schedule.target = required<unsigned>(json, "target");
  if (schedule.target >= kSet)
    throw FormatError(fmt::format("target {} is not below {}", schedule.target, kSet));
  const auto order = [&](const char* key, std::uint64_t count) {
    try {
      return order_from_json(required<Json>(json, key), count);
    } catch (const FormatError& error) {
      throw FormatError(fmt::format("{}: {}", key, error.what()));
    }
  };
  schedule.groups = order("groups", index_count(schedule.sizes.group_count(), "work-groups"));
  schedule.items = order("items", index_count(schedule.sizes.items_of_group(), "work-items"));
}

Schedule read_schedule(const std::filesystem::path& file) {
  return read_json_file(file, [](const Json& json) { return json.get<Schedule>(); });
}

void write_schedule(const Schedule& schedule, const std::filesystem::path& file) {
  write_atomically(file, pretty(schedule));
}

} // namespace gputest::model
