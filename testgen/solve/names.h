// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an author calls values of which a proof knows nothing: "in[i]", "sum", "sin(…)".
#pragma once

#include <llvm/IR/Instruction.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace gputest::testgen {

// How the names of the numbers begin that coverage.cl counts a loop's iterations with.
inline constexpr const char* kCountedLoop = "gputest_loop_";

using TextOfIndex = std::function<std::optional<std::string>(const llvm::Value&)>;

// `source`: the kernel's text. `text_of_index`: returns the text of an element's number, if that is
// short.
std::string name_of(const llvm::Instruction& instruction, std::string_view source,
                    const TextOfIndex& text_of_index);

// Returns the name of the function that asks a warp or block (asked.h).
std::string name_of_question(unsigned kind);

// Whether numbers of a parameter's type have no sign: "uint", "unsigned int", "size_t".
bool is_unsigned(const std::string& type);

} // namespace gputest::testgen
