// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host's code that has made calls of OpenCL.
#pragma once

#include "model/checks/finding.h"
#include "process/code_place.h"
#include "runtime/machine/simulation.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace gputest::layer {

struct CallSite {
  model::CodePlace place{}; // line 0: not known
  std::string text{};       // " at host.c:12", or " in main+0x1c"; empty: nothing is known
};

class CallSites {
public:
  // Returns the code at the return address in the file, as SimulatorMachine::locate() does.
  using Locate = std::function<std::vector<runtime::HostPlace>(const process::CodePlace&)>;
  explicit CallSites(Locate locate) : locate_(std::move(locate)) {}

  // Returns the first code of the program's, neither of the layer, nor of OpenCL and its headers.
  // Without debug information, it is a function.
  CallSite of(const process::Callers& callers);

private:
  CallSite at(const void* caller);

  Locate locate_;
  std::map<const void*, CallSite> known_;
};

} // namespace gputest::layer
