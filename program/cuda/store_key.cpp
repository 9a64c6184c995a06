// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/cuda/store_key.h"

#include "model/cuda_environment.h"
#include "model/files.h"
#include "program/cuda/records.h"
#include "program/oracle.h"
#include "store/store.h"

#include <cstdlib>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

namespace gputest::program {
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

// The threads of a warp; "": as the code says.
std::string warp_size(const CudaRun& run) {
  const auto chosen = run.child.environment.find(model::kWarpSize);
  const char* const own = std::getenv(model::kWarpSize);
  return chosen != run.child.environment.end() ? chosen->second : own ? own : "";
}

bool begins_with_zeros(const CudaRun& run) {
  const char* const own = std::getenv(model::kZeroShared);
  return run.child.environment.contains(model::kZeroShared) ||
         (own && std::string_view(own) == "1");
}

} // namespace

std::string store_key(const CudaRun& run, const fs::path& records, double timeout_factor) {
  nlohmann::ordered_json key{{"format", "cuda program 1"},
                             {"command", run.child.command},
                             {"device", run.device},
                             {"gpus", run.device == "gpu" ? gpus() : ""},
                             {"timeout_factor", timeout_factor},
                             {"zero_shared", begins_with_zeros(run)},
                             {"warp_size", warp_size(run)},
                             {"files", nlohmann::ordered_json::object()}};
  add_oracle(key, run.oracle);
  std::set<fs::path> files = loaded_files(records);
  for (const std::string& word : run.child.command)
    if (fs::is_regular_file(word))
      files.insert(word);
  if (run.device == "simulator")
    files.insert(run.simulator);
  for (const fs::path& file : files)
    key["files"][file.string()] = content_of(file);
  return store::content_hash(
      key.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

} // namespace gputest::program
