// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/shards.h"

#include "gputest/error.h"
#include "model/files.h"
#include "model/json.h"
#include "runtime/plan/description.h"
#include "runtime/plan/plan.h"
#include "store/store.h"

#include <cstdio>
#include <fmt/format.h>
#include <optional>

namespace gputest::runtime {

namespace fs = std::filesystem;

Shard shard_of(const model::Settings& settings) {
  if (!settings.given("shard"))
    return {};
  const std::string text = settings.text("shard");
  const std::optional<Shard> shard = model::shard_in(text);
  if (!shard)
    throw UsageError(fmt::format("--shard '{}': give K/N, the K-th of N parts, such as 1/4", text));
  return *shard;
}

fs::path result_of(const fs::path& whole, const Shard& shard) {
  return folder_of(whole.parent_path() / "shards", shard) /
         fmt::format("{}-{}-of-{}.json", whole.stem().string(), shard.number, shard.of);
}

void prepare_shard(Plan& plan, const Options& /*options*/) {
  if (const Shard shard = shard_of(plan.analysis); shard.is_part())
    plan.result = result_of(plan.result, shard);
}

std::string content_of(const Plan& plan, const KernelDescription& description) {
  const fs::path variant = plan.kernel_dir / plan.variant_file("coverage.cl"); // with all headers
  const auto text = model::read_text(variant);
  Json json{
      {"analysis", plan.run->name},
      {"kernel", plan.kernel},
      {"function", plan.function},
      {"text", store::content_hash(text ? *text : model::read_text(plan.source).value_or(""))},
      {"options", plan.settings.build_options},
      {"definitions", plan.settings.definitions},
      {"cl_std", plan.settings.cl_std},
      {"lock_step", description.lock_step}, // that of inputs which are made
      {"arguments", description.arguments},
      {"requirements", description.requirements},
      {"settings", Json::array()},
      {"cases", Json::array()}};
  for (const auto& [name, value] : plan.analysis.pairs())
    if (!name.ends_with(".shard") && !name.ends_with(".shards") && !name.ends_with(".time-limit"))
      json["settings"].push_back({name, value});
  for (const TestCase& test_case : plan.cases) {
    const BoundCase bound = bind_case(test_case, plan.interface, plan.defaults);
    const Launch& launch = bound.launch;
    std::string bytes;
    for (const LaunchArgument& argument : bound.arguments) {
      bytes += fmt::format("{} {} {}{};", argument.name, argument.bytes.size(), argument.local_size,
                           argument.is_null ? " null" : "");
      bytes.append(reinterpret_cast<const char*>(argument.bytes.data()), argument.bytes.size());
    }
    json["cases"].push_back({test_case.name, launch.dimensions, launch.global_size,
                             launch.local_size, launch.global_offset, launch.lock_step,
                             store::content_hash(bytes), test_case.expected.empty(),
                             test_case.recorded});
  }
  return store::content_hash(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::string content_with_program(const Plan& plan, const KernelDescription& description) {
  return store::content_hash(content_of(plan, description) +
                             model::read_text("/proc/self/exe").value_or(""));
}

int gather_shards(const Plan& plan, unsigned shards, const std::string& content,
                  const ShardWork& work) {
  const auto is_there = [&](const fs::path& result) {
    try {
      if (!fs::exists(result))
        return false;
      const Json json = model::parse_file(result);
      return json.is_object() && json.value("content", Json()) == content &&
             json.value("format", Json()) == work.format;
    } catch (const model::FormatError&) { // cut off
      return false;
    }
  };
  for (unsigned number = 1; number <= shards; ++number) {
    const Shard shard{number, shards};
    const fs::path result = result_of(plan.result, shard);
    if (!is_there(result)) {
      fmt::print("nothing is there of the shard {}/{}: it runs here\n", number, shards);
      std::fflush(stdout);
      fs::create_directories(result.parent_path());
      const int code = work.run(shard, result);
      if (!is_there(result))
        return code == 0 ? 3 : code;
    }
    work.take(shard, result);
  }
  return 0;
}

} // namespace gputest::runtime
