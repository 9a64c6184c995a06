// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/cuda/outcomes.h"

#include "driver/cuda/records.h"
#include "driver/run/layer_file.h"
#include "model/files.h"
#include "program/oracle.h"

#include <cstdlib>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;

bool is_of_system(const fs::path& file) {
  static const std::set<std::string> roots{"usr", "lib", "lib64", "opt", "nix"};
  const fs::path absolute = file.lexically_normal().relative_path();
  return !absolute.empty() && roots.contains(absolute.begin()->string());
}

std::string content_of(const fs::path& file) {
  std::error_code error;
  if (is_of_system(file)) {
    const auto time = fs::last_write_time(file, error).time_since_epoch().count();
    return fmt::format("{} {}", fs::file_size(file, error), time);
  }
  return store::content_hash(model::read_text(file).value_or(""));
}

// Returns the models of the GPUs, and their driver, without asking a library.
std::string gpus() {
  std::string all = model::read_text("/proc/driver/nvidia/version").value_or("");
  std::error_code error;
  std::multiset<std::string> models;
  for (const auto& entry : fs::directory_iterator("/proc/driver/nvidia/gpus", error)) {
    const std::string text = model::read_text(entry.path() / "information").value_or("");
    // "Model: …"; other lines are about this machine alone.
    models.insert(text.substr(0, text.find('\n')));
  }
  for (const std::string& model : models)
    all += model + "\n";
  const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES");
  return all + (visible ? visible : "");
}

bool begins_with_zeros(const CudaRun& run) {
  const char* const own = std::getenv(kZeroShared);
  return run.child.environment.contains(kZeroShared) || (own && std::string_view(own) == "1");
}

std::string key_of(const CudaRun& run, const fs::path& records, double timeout_factor) {
  nlohmann::ordered_json key{{"format", "cuda program 1"},
                             {"command", run.child.command},
                             {"device", run.device},
                             {"gpus", run.device == "gpu" ? gpus() : ""},
                             {"timeout_factor", timeout_factor},
                             {"zero_shared", begins_with_zeros(run)},
                             {"files", nlohmann::ordered_json::object()}};
  program::add_oracle(key, run.oracle);
  std::set<fs::path> files = loaded_files(records);
  for (const std::string& word : run.child.command)
    if (fs::is_regular_file(word))
      files.insert(word);
  if (run.device == "simulator")
    files.insert(place_of_simulator());
  for (const fs::path& file : files)
    key["files"][file.string()] = content_of(file);
  return store::content_hash(
      key.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

} // namespace

CudaOutcomes::CudaOutcomes(const CudaRun& run, const fs::path& store, const fs::path& records,
                           double timeout_factor, bool fresh)
    : program_(key_of(run, records, timeout_factor)), store_(store) {
  if (fresh)
    return;
  for (store::Outcome& outcome : store_.outcomes(program_))
    known_.emplace(std::pair(outcome.test_case, outcome.mutant), std::move(outcome));
}

bool CudaOutcomes::take(model::MutantResult& result) const {
  const auto found = known_.find({store::content_hash(result.mutant.file), result.mutant.id});
  if (found == known_.end())
    return false;
  result.runs = found->second.runs;
  result.verdict = found->second.verdict;
  result.reason = found->second.reason;
  result.detail = found->second.detail;
  result.seconds = found->second.seconds;
  return true;
}

void CudaOutcomes::put(const model::MutantResult& result) {
  store_.put(program_, {.mutant = result.mutant.id,
                        .test_case = store::content_hash(result.mutant.file),
                        .runs = result.runs,
                        .noticed = result.verdict == model::Verdict::Survived ? 0U : 1U,
                        .verdict = result.verdict,
                        .reason = result.reason,
                        .detail = result.detail,
                        .seconds = result.seconds});
}

} // namespace gputest::driver
