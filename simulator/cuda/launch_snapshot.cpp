// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/cuda/launch_snapshot.h"

#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <span>
#include <vector>

namespace gputest::simulator::cuda {
namespace {

using model::KeptLaunch;

// The allocations that a kernel can reach from its arguments and variables by pointers, also by
// those in memory. A word that only looks like a pointer may add one.
class Reached {
public:
  explicit Reached(const Device& device) : device_(device) {}

  void add(std::uint64_t address) {
    const Region* const region = device_.allocation(address);
    if (!region || region->size == 0)
      return;
    const auto begin = reinterpret_cast<std::uint64_t>(region->begin);
    if (found_.insert(begin).second) {
      bytes_ += region->size;
      work_.push_back(region);
    }
  }
  void add_words(std::span<const std::byte> bytes) {
    for (std::size_t at = 0; at + sizeof(std::uint64_t) <= bytes.size();
         at += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data() + at, sizeof word);
      if (word >= kDeviceMemory && word < kDeviceMemory + kDeviceBytes)
        add(word);
    }
  }
  // Follows pointers in memory. Returns false if there are more than `most` bytes.
  bool follow(std::uint64_t most) {
    while (!work_.empty() && bytes_ <= most) {
      const Region& region = *work_.back();
      work_.pop_back();
      add_words({region.begin, region.size});
    }
    return bytes_ <= most;
  }

  // Addresses of allocations, in order.
  const std::set<std::uint64_t>& allocations() const { return found_; }
  std::uint64_t bytes() const { return bytes_; }

private:
  const Device& device_;
  std::set<std::uint64_t> found_;
  std::vector<const Region*> work_;
  std::uint64_t bytes_ = 0;
};

void append(std::string& text, std::span<const std::byte> bytes) {
  text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

} // namespace

KeptLaunch described(const LaunchToKeep& what) {
  KeptLaunch kept{.kernel = what.title,
                  .mangled = what.mangled,
                  .file = what.shape.place.file,
                  .grid = what.launch.grid,
                  .block = what.launch.block,
                  .shared_bytes = what.launch.shared_bytes,
                  .warp_size = what.shape.warp_size,
                  .arguments_bytes = what.shape.arguments_size};
  for (const ir::Parameter& parameter : what.shape.parameters)
    kept.parameters.push_back({.name = parameter.name,
                               .is_pointer = parameter.kind == ir::Parameter::Kind::Buffer,
                               .offset = parameter.offset,
                               .size = parameter.size});
  return kept;
}

void add_memory(const LaunchToKeep& what, const Device& device, std::uint64_t most_bytes,
                model::LaunchSnapshot& snapshot) {
  KeptLaunch& kept = snapshot.launch;
  const auto block = std::as_bytes(std::span(what.launch.arguments)).first(kept.arguments_bytes);
  Reached reached(device);
  for (const model::KeptParameter& parameter : kept.parameters)
    reached.add_words(block.subspan(parameter.offset, parameter.size));
  for (const ir::Object& object : what.shape.objects)
    if (const auto variable = what.variables.find(object.name);
        object.kind == ir::Object::Kind::ProgramVariable && variable != what.variables.end()) {
      kept.variables.push_back({.name = object.name, .address = variable->second});
      reached.add(variable->second);
    }
  if (!reached.follow(most_bytes)) {
    kept.left_out =
        fmt::format("the memory that it can reach has more bytes than --max-bytes {}", most_bytes);
    return;
  }
  const std::map<const std::byte*, std::string> names =
      argument_names(what.shape, what.launch.arguments.data(), device);
  snapshot.contents.reserve(block.size() + reached.bytes());
  append(snapshot.contents, block);
  for (const std::uint64_t address : reached.allocations()) {
    const Region& region = *device.allocation(address);
    const auto named = names.find(region.begin);
    kept.memory.push_back({.name = named == names.end() ? region.name : named->second,
                           .address = address,
                           .size = region.size});
    append(snapshot.contents, {region.begin, region.size});
  }
  snapshot.own = std::hash<std::string>{}(fmt::format("{} {} {} {}", fmt::join(kept.grid, " "),
                                                      fmt::join(kept.block, " "), kept.shared_bytes,
                                                      std::hash<std::string>{}(snapshot.contents)));
}

} // namespace gputest::simulator::cuda
