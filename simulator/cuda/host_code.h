// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines of the host's code: of programs and shared libraries with debug information.
#pragma once

#include "model/checks/finding.h"

#include <cstdint>
#include <memory>
#include <string>

namespace gputest::simulator::cuda {

class HostCode {
public:
  HostCode();
  HostCode(const HostCode&) = delete;
  HostCode& operator=(const HostCode&) = delete;
  ~HostCode();

  // Returns the line of the instruction before this address in the file. Line 0: it is not known.
  model::CodePlace place_of(const std::string& file, std::uint64_t address);

private:
  struct Symbols; // made for the first question
  std::unique_ptr<Symbols> symbols_;
};

} // namespace gputest::simulator::cuda
