// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/cuda/kept_launches.h"

#include "ir/cuda/code_digest.h"
#include "model/cuda_environment.h"
#include "model/stable_hash.h"
#include "process/processor_time.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fmt/format.h>
#include <functional>
#include <sstream>

namespace gputest::simulator::cuda {

using model::Caches;
using model::LaunchSnapshot;

namespace {

void tell(const std::string& reason) {
  std::fprintf(stderr, "gputest-simulator: no more launches are kept: %s\n", reason.c_str());
}

// Says in the folder that another version asks for launches.
void refuse_version(const std::string& text) {
  const std::string reason = "the program's simulator is of another version of GpuTestCheck: build "
                             "the program with gputest-cuda of this version";
  const std::size_t folder = text.find('/');
  if (folder == std::string::npos || !model::LaunchRecords(text.substr(folder)).give_up(reason))
    tell(reason);
}

// Returns a hash of what the launch has put into caches.
std::uint64_t hash_as_before(const LaunchSnapshot& snapshot) {
  const std::string kernel = snapshot.launch.code_digest + '\n' + snapshot.launch.mangled;
  return model::mixed(snapshot.own ^ model::mixed(std::hash<std::string>{}(kernel)));
}

} // namespace

std::optional<KeptLaunches> KeptLaunches::asked() {
  const char* const text = std::getenv(model::kKeptLaunches);
  if (!text || !*text)
    return std::nullopt;
  std::istringstream words(text);
  std::size_t most = 0;
  std::uint64_t most_bytes = 0;
  std::string version, caches, folder;
  words >> version;
  if (version != model::kKeptLaunchesVersion) {
    refuse_version(text);
    return std::nullopt;
  }
  words >> most >> most_bytes >> caches >> std::ws;
  std::getline(words, folder);
  return KeptLaunches(most, most_bytes, model::named<Caches>(caches).value_or(Caches::Cold),
                      folder);
}

void KeptLaunches::give_up(const std::string& reason) {
  gave_up_ = true;
  running_.clear();
  last_.reset();
  if (!records_.give_up(reason))
    tell(reason);
}

const std::string& KeptLaunches::digest_of(const LaunchToKeep& what) {
  std::string& digest = digests_[what.module];
  if (digest.empty())
    digest = ir::cuda::code_digest(what.containers);
  return digest;
}

std::optional<std::uint64_t> KeptLaunches::look_at(const LaunchToKeep& what, const Device& device) {
  if (gave_up_ || what.launch.arguments.size() < what.shape.arguments_size) // it cannot begin
    return std::nullopt;
  try {
    return begin(what, device);
  } catch (const std::exception& error) { // a full disk, or no memory for the copy
    give_up(error.what());
    return std::nullopt;
  }
}

std::optional<std::uint64_t> KeptLaunches::begin(const LaunchToKeep& what, const Device& device) {
  model::KeptLaunch launch = described(what);
  launch.number = ++launches_;
  launch.caches = caches_;
  launch.code_digest = digest_of(what);
  const std::vector<Kept>& all = kept_[{launch.code_digest, launch.mangled}];
  const bool is_large = all.size() < most_ || all.back().threads < launch.threads();
  if (!is_large && caches_ == Caches::Cold)
    return std::nullopt;
  launch.code = records_.keep_code(what.containers, launch.code_digest);
  const auto now = std::make_shared<LaunchSnapshot>();
  now->launch = std::move(launch);
  add_memory(what, device, most_bytes_, *now);
  now->content = now->own;
  Snapshot before;
  if (caches_ == Caches::Warm) {
    before = std::exchange(last_, now);
    if (before)
      now->content = model::mixed(now->own ^ hash_as_before(*before));
  }
  if (!is_large || std::ranges::find(all, now->content, &Kept::content) != all.end())
    return std::nullopt;
  model::KeptLaunch left_out = now->launch;
  if (!left_out.left_out && before && before->launch.left_out)
    left_out.left_out = fmt::format("of the launch before it, of '{}': {}", before->launch.kernel,
                                    *before->launch.left_out);
  if (left_out.left_out) {
    records_.leave_out(left_out);
    return std::nullopt;
  }
  records_.begin(now->launch);
  const std::uint64_t number = now->launch.number;
  running_[number] = {
      .snapshot = now, .before = before, .begin = process::processor_seconds_here()};
  return number;
}

void KeptLaunches::end(std::uint64_t number, const std::optional<std::string>& failure) {
  const auto node = running_.extract(number);
  if (node.empty())
    return;
  const Running& ended = node.mapped();
  try {
    records_.end(ended.snapshot->launch);
    if (failure) {
      model::KeptLaunch left_out = ended.snapshot->launch;
      left_out.left_out = "it failed: " + *failure;
      records_.leave_out(left_out);
    } else {
      keep(ended);
    }
  } catch (const std::exception& error) {
    give_up(error.what());
  }
}

void KeptLaunches::keep(const Running& launch) {
  LaunchSnapshot kept = *launch.snapshot;
  kept.launch.seconds = process::processor_seconds_here() - launch.begin;
  std::vector<Kept>& all = kept_[{kept.launch.code_digest, kept.launch.mangled}];
  if (std::ranges::find(all, kept.content, &Kept::content) != all.end())
    return; // one like it has run at the same time
  records_.keep(kept, launch.before.get(), most_);
  all.push_back({.threads = kept.launch.threads(), .content = kept.content});
  std::ranges::stable_sort(all, std::greater{}, &Kept::threads);
  if (all.size() > most_)
    all.pop_back();
}

} // namespace gputest::simulator::cuda
