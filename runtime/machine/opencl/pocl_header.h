// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declares to PoCL only the built-in functions that a program names.
//
// PoCL 3.1 reads Clang's header of 17,000 declarations twice for each program: once to print it,
// for the name of the program in its cache, and once to parse it. That takes seven times as long as
// the rest of a small program. The header has an include guard, so an option of the program leaves
// it out. Its declarations, as far as their names are in the program, then stand before the text.
#pragma once

#include "runtime/machine/opencl/device.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::runtime {

// A header of function declarations, taken apart.
class DeclarationHeader {
public:
  // Takes the header's text. Throws DeviceError for what is no guarded list of declarations.
  explicit DeclarationHeader(std::string_view text);

  // The macro that says that the header has been read.
  const std::string& guard() const { return guard_; }

  // Returns all declarations of the functions that `text` names, under the conditions that they
  // have in the header, with the header's macros and pragmas. A name in a comment counts as well.
  std::string declarations_for(std::string_view text) const;

private:
  enum class Kind { Begin, Middle, End, Other, Declaration };
  struct Part {
    Kind kind;              // the first three are of conditions: #if…, #else and #elif, #endif
    std::string text, name; // name: of the function
  };
  std::string guard_;
  std::vector<Part> parts_;
};

// What is different in the build of a program.
struct NeededDeclarations {
  std::string option; // leaves the header out
  std::string text;   // stands before the program; ends with a #line for the program's first line
};

// Returns it for a program in OpenCL C with these options; nullopt for all devices but those of
// PoCL 3.1 with LLVM 15, and for a program whose names are not all to be seen, because it includes
// files or pastes tokens: where it has an overload of its own, that one would be called instead.
std::optional<NeededDeclarations> needed_declarations(const Device& device, std::string_view text,
                                                      std::string_view options);

} // namespace gputest::runtime
