// PTX as statements: texts, and where they are.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace gputest::simulator {

using PtxTexts = llvm::SmallVector<llvm::StringRef, 6>;

// What is wrong, at a place of the text.
struct PtxFault : std::runtime_error {
  PtxFault(const char* where, const std::string& what) : std::runtime_error(what), at(where) {}
  const char* at;
};

// Comments become spaces; lines stay.
void blank_comments(std::string& text);

// The operands of an instruction: split at commas outside of brackets.
PtxTexts operands_of(llvm::StringRef text);

// Those between the brackets that `text` begins and ends with. Throws PtxFault.
PtxTexts operands_inside(llvm::StringRef text);

// a and b of {a, b}, or a alone. Throws PtxFault.
PtxTexts elements_of(llvm::StringRef operand);

// Whether a name has the part, such as "u32"; "shared" is one of shared::cta, too.
bool has_part(const PtxTexts& parts, llvm::StringRef word);

// "$L__BB0_1", "_Z3sumPf"
bool is_of_name(char c);
// Takes a word off the front: up to a space or a bracket.
llvm::StringRef take_word(llvm::StringRef& text);
// Takes ".reg" off the front of ".reg.f32 a".
llvm::StringRef take_directive(llvm::StringRef& text);
// Whether one of `words` is among the directives that the text begins with.
bool begins_with(llvm::StringRef text, std::initializer_list<llvm::StringRef> words);

struct PtxStatement {
  enum class Kind { Instruction, Directive, Label, Open, Close };
  Kind kind = Kind::Instruction;
  llvm::StringRef text; // without its end; the name of a label
};

// One statement after the other. A function's head ends where its body begins.
class PtxReader {
public:
  explicit PtxReader(llvm::StringRef text) : rest_(text) {}
  // False: there is no more. Throws PtxFault.
  bool next(PtxStatement& statement);
  llvm::StringRef rest() const { return rest_; }
  // What stands between the braces that come next. Throws PtxFault.
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

  std::uint64_t element_size() const; // bytes; 0: of no type that has any
  std::uint64_t size() const;         // of the first name, in bytes
  std::uint64_t alignment() const;
};
// Throws PtxFault.
PtxDeclaration declaration_of(llvm::StringRef text);

// 8 of "u64"; 0: none
std::uint64_t size_of_type(llvm::StringRef type);

// 12, -1, 0x1F, 0777, 5U, 0b11
std::optional<std::int64_t> integer_of(llvm::StringRef text);

} // namespace gputest::simulator
