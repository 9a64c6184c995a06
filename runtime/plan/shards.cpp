#include "runtime/plan/shards.h"

#include "gputest/error.h"
#include "model/files.h"
#include "runtime/plan/description.h"
#include "runtime/plan/plan.h"
#include "store/store.h"

#include <cstdio>
#include <fmt/format.h>

namespace gputest::runtime {

namespace fs = std::filesystem;

Shard shard_of(const model::Settings& settings) {
  if (!settings.given("shard"))
    return {};
  const std::string text = settings.text("shard");
  Shard shard;
  char rest = 0;
  const bool is_shard =
      std::sscanf(text.c_str(), "%9u/%9u%c", &shard.number, &shard.of, &rest) == 2;
  if (!is_shard || shard.number < 1 || shard.number > shard.of)
    throw UsageError(fmt::format("--shard '{}': give K/N, the K-th of N parts, such as 1/4", text));
  return shard;
}

fs::path folder_of(const fs::path& shards, const Shard& shard) {
  return shards / fmt::format("{}-of-{}", shard.number, shard.of);
}

fs::path result_of(const fs::path& whole, const Shard& shard) {
  return folder_of(whole.parent_path() / "shards", shard) /
         fmt::format("{}-{}-of-{}.json", whole.stem().string(), shard.number, shard.of);
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
      {"arguments", description.arguments},
      {"requirements", description.requirements},
      {"settings", Json::array()},
      {"cases", Json::array()}};
  for (const auto& [name, value] : plan.analysis.pairs())
    if (!name.ends_with(".shard") && !name.ends_with(".shards"))
      json["settings"].push_back({name, value});
  for (const TestCase& test_case : plan.cases) {
    const BoundCase bound = bind_case(test_case, plan.interface, plan.defaults);
    const Launch& launch = bound.launch;
    std::string bytes;
    for (const LaunchArgument& argument : bound.arguments) {
      bytes += fmt::format("{} {} {};", argument.name, argument.bytes.size(), argument.local_size);
      bytes.append(reinterpret_cast<const char*>(argument.bytes.data()), argument.bytes.size());
    }
    json["cases"].push_back({test_case.name, launch.dimensions, launch.global_size,
                             launch.local_size, launch.global_offset, store::content_hash(bytes)});
  }
  return store::content_hash(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

} // namespace gputest::runtime
