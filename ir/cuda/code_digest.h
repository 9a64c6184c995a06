// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recognises device code that a program has loaded before.
#pragma once

#include "ir/cuda/container.h"
#include "model/stable_hash.h"

#include <fmt/format.h>
#include <string>
#include <string_view>

namespace gputest::ir::cuda {

// Returns a digest of the code in containers. Names of a module for messages count nothing: a
// program that loads one text again gives it another.
inline std::string code_digest(std::string_view containers) {
  model::Fnv<std::uint64_t> all;
  while (const std::optional<Container> one = take_container(containers)) {
    all.add(static_cast<unsigned>(one->flags));
    all.add(one->code);
    all.add(0x100); // no character: the next one begins
  }
  all.add(containers); // what is no container
  return fmt::format("{:016x}", all.hash);
}

} // namespace gputest::ir::cuda
