// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A source and its kernels. A kernel is compiled quickly at its first launch, and again with full
// effort when it has run for as long as that takes, in this process and in earlier ones.
#pragma once

#include "simulator/execute/cache.h"
#include "simulator/execute/launch.h"
#include "simulator/execute/loader.h"

#include <functional>
#include <map>
#include <optional>
#include <string>

namespace gputest::simulator {

class Program {
public:
  // `improves`: whether this object compiles again with full effort. Such code of other processes
  // is used anyway. `cache` must outlive this object.
  Program(ir::Source source, const Cache& cache, bool improves = true);
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program(); // notes in the cache for how long quick code has run

  struct Ready {
    CodeVariant variant;
    ir::KernelShape shape;
    LoadedCode code;
    // What work-groups access; nullopt: not known until better code has replaced this.
    mutable std::optional<GroupAccesses> known_accesses{};
    std::optional<GroupAccesses> checked_accesses{}; // as in Code
    // With checks: finds it out, in about so many seconds. Empty: that is done, or not possible.
    mutable std::function<GroupAccesses()> find_accesses{};
    double finding_takes = 0;

    // Returns what work-groups access, or nullopt. Finds it out if that is worth it for a launch
    // that takes `left` seconds more.
    const std::optional<GroupAccesses>& accesses(double left) const;
  };

  // Returns the kernel's variant, compiled on the first call. Throws what compile(),
  // link_builtins() and make_code() throw.
  const Ready& kernel(const CodeVariant& variant);
  // Whether kernel() would not have to compile.
  bool is_compiled(const CodeVariant& variant) const;

  // Launches a kernel, and what it enqueues. `memory`: the descriptor of the memory file. Throws
  // what kernel() and simulator::launch() throw.
  LaunchResult launch(const CodeVariant& variant, const LaunchRequest& request, int memory);

private:
  ir::Source source_;
  const Cache& cache_;
  bool improves_;
  std::map<std::string, Ready> ready_; // by the variant's name
  ProgramVariables variables_;
};

} // namespace gputest::simulator
