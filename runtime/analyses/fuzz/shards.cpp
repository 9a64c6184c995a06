// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/fuzz/shards.h"

#include "model/files.h"
#include "model/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace gputest::runtime {
namespace {

namespace fs = std::filesystem;

// Returns a key such as "out_of_bounds lookup.cl:16:40". Inputs with the same failure may differ in
// the rest.
std::string failure_of(const Json& finding) {
  const std::string message = model::required<std::string>(finding, "message");
  return model::required<std::string>(finding, "kind") + ' ' +
         message.substr(0, message.find(": "));
}

void add_finding(const Json& finding, const fs::path& folder, Json& findings) {
  for (const Json& known : findings)
    if (failure_of(known) == failure_of(finding))
      return;
  Json moved = finding; // the folder may come from another machine
  moved["case"] =
      (folder / "fuzz" / fs::path(model::required<std::string>(finding, "case")).filename())
          .string();
  findings.push_back(std::move(moved));
}

} // namespace

int run_whole(const Plan& plan, unsigned shards, const std::string& content,
              const std::function<int(const Shard& shard, const fs::path& result)>& run) {
  Json whole;
  std::set<std::string> told; // failures that a shard has printed now
  std::set<fs::path> run_now;
  const auto run_shard = [&](const Shard& shard, const fs::path& result) {
    run_now.insert(result);
    return run(shard, result);
  };
  const auto take = [&](const Shard& shard, const fs::path& file) {
    Json part = model::parse_file(file);
    const Json found = std::exchange(part["findings"], Json::array());
    part.erase("content");
    if (shard.number == 1) {
      whole = part;
    } else {
      for (const char* sum : {"inputs", "corpus"})
        whole[sum] = whole[sum].get<std::uint64_t>() + part[sum].get<std::uint64_t>();
      whole["seconds"] = whole["seconds"].get<double>() + part["seconds"].get<double>();
      whole["reached"] =
          std::max(whole["reached"].get<std::uint64_t>(), part["reached"].get<std::uint64_t>());
      if (whole.value("device", std::string()).empty())
        whole["device"] = part["device"];
    }
    for (const Json& finding : found) {
      add_finding(finding, file.parent_path(), whole["findings"]);
      if (run_now.contains(file))
        told.insert(failure_of(finding));
    }
  };
  if (const int code = gather_shards(plan, shards, content,
                                     {.format = "gputest-fuzz-1", .run = run_shard, .take = take}))
    return code;
  for (const Json& finding : whole["findings"])
    if (!told.contains(failure_of(finding)))
      fmt::print("{}: {}\n  case: {}\n", finding["kind"].get<std::string>(),
                 finding["message"].get<std::string>(), finding["case"].get<std::string>());
  const std::size_t failures = whole["findings"].size();
  fmt::print("{}: {} failure{} in {} inputs of {} shards\n", plan.name, failures,
             failures == 1 ? "" : "s", whole["inputs"].get<std::uint64_t>(), shards);
  model::write_atomically(plan.result, model::pretty(whole));
  return failures == 0 ? 0 : 1;
}

} // namespace gputest::runtime
