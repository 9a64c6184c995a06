// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Splits PTX into statements and their parts.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace gputest::ir {

using PtxTexts = llvm::SmallVector<llvm::StringRef, 6>;

// An error at a place of the text.
struct PtxFault : std::runtime_error {
  PtxFault(const char* where, const std::string& what) : std::runtime_error(what), at(where) {}
  const char* at;
};

// Replaces comments by spaces and keeps ends of lines.
void blank_comments(std::string& text);

// Splits the operands of an instruction at commas outside of brackets.
PtxTexts operands_of(llvm::StringRef text);

// Splits the operands between the brackets with which `text` begins and ends. Throws PtxFault.
PtxTexts operands_inside(llvm::StringRef text);

// Returns a and b for {a, b}, and a for a. Throws PtxFault.
PtxTexts elements_of(llvm::StringRef operand);

// Whether a name has the part, such as "u32". "shared" is also found in shared::cta.
bool has_part(const PtxTexts& parts, llvm::StringRef word);

// Whether a character can be in a name such as "$L__BB0_1" or "_Z3sumPf".
bool is_of_name(char c);
// Removes the first word, up to a space or bracket, and returns it.
llvm::StringRef take_word(llvm::StringRef& text);
// Removes the first directive, such as ".reg" of ".reg.f32 a", and returns it.
llvm::StringRef take_directive(llvm::StringRef& text);
// Whether one of `words` is among the directives at the begin of the text.
bool begins_with(llvm::StringRef text, std::initializer_list<llvm::StringRef> words);

struct PtxStatement {
  enum class Kind { Instruction, Directive, Label, Open, Close };
  Kind kind = Kind::Instruction;
  llvm::StringRef text; // without its end; of a label its name
};

// Reads one statement after the other. A function's head ends where its body begins.
class PtxReader {
public:
  explicit PtxReader(llvm::StringRef text) : rest_(text) {}
  // Returns false at the end. Throws PtxFault.
  bool next(PtxStatement& statement);
  llvm::StringRef rest() const { return rest_; }
  // Takes the text between the next braces. Throws PtxFault.
  llvm::StringRef take_block();

private:
  llvm::StringRef rest_;
};

// A statement of a body: `@!p ld.global.u32 a, [b]`.
struct PtxInstruction {
  llvm::StringRef guard; // "!p"
  llvm::StringRef name;  // "ld.global.u32"
  PtxTexts parts;        // "ld", "global", "u32"
  PtxTexts operands;
};
PtxInstruction instruction_of(llvm::StringRef statement);

// `.visible .global .align 4 .f32 table[2][2] = {…}`, `.param .u64 .ptr .global .align 8 out`,
// `.reg .b32 a, %r<10>`
struct PtxDeclaration {
  llvm::StringRef space, type; // "global", "f32"; "": none
  bool external = false, visible = false, managed = false, weak = false, is_pointer = false;
  std::uint64_t align = 0, vector = 1;
  struct Name {
    llvm::StringRef name;
    std::uint64_t range = 0; // %r<10>; 0: one
    std::vector<std::uint64_t> extents{};
    bool unsized = false; // name[]
    std::uint64_t elements() const;
  };
  std::vector<Name> names;
  llvm::StringRef value; // "{1, 2}"; "": none

  std::uint64_t element_size() const; // bytes; 0: the type has no size
  std::uint64_t size() const;         // bytes of the first name
  std::uint64_t alignment() const;
};
// Throws PtxFault.
PtxDeclaration declaration_of(llvm::StringRef text);

// Returns the bytes of a type, such as 8 for "u64"; 0: unknown.
std::uint64_t size_of_type(llvm::StringRef type);

// Reads an integer such as 12, -1, 0x1F, 0777, 5U or 0b11.
std::optional<std::int64_t> integer_of(llvm::StringRef text);

} // namespace gputest::ir
