// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/value_sizes.h"

#include "gputest/error.h"
#include "runtime/api/signature.h"

#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

namespace gputest::runtime {
namespace {

using Sizes = std::vector<std::uint64_t>;

// What programs have said. run_kernel() is a function, so nothing else lives from call to call.
class KnownSizes {
public:
  std::optional<Sizes> find(const std::string& key) {
    const std::lock_guard lock(mutex_);
    const auto found = sizes_.find(key);
    return found == sizes_.end() ? std::nullopt : std::optional(found->second);
  }
  void add(const std::string& key, const Sizes& sizes) {
    const std::lock_guard lock(mutex_);
    sizes_[key] = sizes;
  }

  static KnownSizes& of_process() {
    static KnownSizes known;
    return known;
  }

private:
  std::mutex mutex_;
  std::map<std::string, Sizes> sizes_;
};

// Returns all that the sizes depend on; empty: they depend on files as well.
std::string key_of(Machine& machine, const std::string& text, const BuildSettings& settings) {
  if (text.find("include") != std::string::npos)
    return "";
  const MachineIdentity identity = machine.identity();
  return fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}", identity.name, identity.version,
                     identity.driver, identity.platform, fmt::join(settings.build_options, "\n"),
                     fmt::join(settings.definitions, "\n"), settings.cl_std, text);
}

void set(const std::vector<DeclaredArgument*>& values, const Sizes& sizes) {
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i]->size = sizes[i];
}

} // namespace

void add_value_sizes(Machine& machine, const std::string& text, BuildSettings settings,
                     const std::string& source, Signature& signature) {
  const std::string name = "gputest_sizes_of_values";
  std::vector<DeclaredArgument*> values;
  std::string sizes;
  for (DeclaredArgument& declared : signature.declared)
    if (is_own_value(declared)) {
      sizes += fmt::format("  gputest_sizes[{}] = sizeof({});\n", values.size(), declared.type);
      values.push_back(&declared);
    }
  if (values.empty())
    return;
  settings.signature = false;
  const std::string asking = fmt::format(
      "{}\n__kernel void {}(__global ulong *gputest_sizes) {{\n{}}}\n", text, name, sizes);
  const std::string key = key_of(machine, asking, settings);
  if (const auto known = KnownSizes::of_process().find(key)) {
    set(values, *known);
    return;
  }
  std::unique_ptr<BuiltKernel> kernel;
  try {
    kernel = machine.build(asking, settings, name, source);
  } catch (const BuildError&) {
    return;
  }
  Sizes found(values.size());
  LaunchArgument argument;
  argument.name = "gputest_sizes";
  argument.kind = LaunchArgument::Kind::Buffer;
  argument.element_size = sizeof found[0];
  argument.read_back = true;
  argument.bytes.resize(found.size() * sizeof found[0]);
  std::vector<LaunchArgument> arguments{std::move(argument)};
  Launch launch;
  launch.dimensions = 1;
  launch.global_size = launch.local_size = {1, 1, 1};
  Bytes no_state;
  kernel->launch(launch, arguments, no_state);
  std::memcpy(found.data(), arguments[0].bytes.data(), arguments[0].bytes.size());
  set(values, found);
  if (!key.empty())
    KnownSizes::of_process().add(key, found);
}

} // namespace gputest::runtime
