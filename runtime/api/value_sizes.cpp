// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/value_sizes.h"

#include "gputest/error.h"
#include "runtime/api/signature.h"

#include <cstring>
#include <fmt/format.h>

namespace gputest::runtime {

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
  std::unique_ptr<BuiltKernel> kernel;
  try {
    kernel =
        machine.build(fmt::format("{}\n__kernel void {}(__global ulong *gputest_sizes) {{\n{}}}\n",
                                  text, name, sizes),
                      settings, name, source);
  } catch (const BuildError&) {
    return;
  }
  std::vector<std::uint64_t> found(values.size());
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
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i]->size = found[i];
}

} // namespace gputest::runtime
