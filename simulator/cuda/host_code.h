// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines of the host's code: of programs and shared libraries with debug information.
#pragma once

#include "model/checks/finding.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gputest::simulator::cuda {

struct HostPlace {
  model::CodePlace place{}; // line 0: not known
  std::string function{};   // "main+0x1c"; empty: not known
};

class HostCode {
public:
  HostCode();
  HostCode(const HostCode&) = delete;
  HostCode& operator=(const HostCode&) = delete;
  ~HostCode();

  // Returns the places of the instruction before this address in the file: its own, then those of
  // the calls that were inlined. Empty: they are not known.
  std::vector<HostPlace> places_of(const std::string& file, std::uint64_t address);

private:
  struct Symbols; // made for the first question
  std::unique_ptr<Symbols> symbols_;
};

} // namespace gputest::simulator::cuda
