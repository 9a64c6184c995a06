// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An object file, linked into this process.
#pragma once

#include "model/checks/finding.h"
#include "simulator/memory/native_symbol.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gputest::simulator {

// Debuggers learn of the object (the JIT interface of GDB and LLDB), and perf does if the variable
// kPerfMap is 1: each function is in /tmp/perf-<process>.map.
class LinkedObject {
public:
  static constexpr const char* kPerfMap = "GPUTEST_PERF_MAP";

  // `object` may call the `symbols` and what this process has loaded. They may be anywhere; its own
  // code and data lie in one piece. Throws SimulatorFailure.
  LinkedObject(const std::string& object, const std::vector<NativeSymbol>& symbols);
  LinkedObject(const LinkedObject&) = delete;
  LinkedObject& operator=(const LinkedObject&) = delete;
  ~LinkedObject();

  // The address of a function of the object. Throws SimulatorFailure if it has none of this name.
  template <typename Function> Function function(const char* name) const {
    return reinterpret_cast<Function>(address_of(name));
  }
  bool has_code_at(const void* instruction) const;
  // As LoadedCode::place_of().
  model::CodePlace place_of(const void* instruction, std::uint64_t around) const;

private:
  std::uintptr_t address_of(const char* name) const;

  struct Parts;
  std::unique_ptr<Parts> parts_;
};

} // namespace gputest::simulator
