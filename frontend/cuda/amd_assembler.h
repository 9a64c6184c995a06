// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The few instructions of AMD's assembler that have the same meaning in PTX:
//
//     asm("v_mov_b32_e32 %0, %1" : "=v"(to) : "v"(from));
//     asm("mov.b32 %0, %1;     " : "=r"(to) : "r"(from));
//
// Everything is inline, because the compiler command for CUDA programs uses it, too.
#pragma once

#include "frontend/cuda/special_registers.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

namespace gputest::frontend::cuda {

// "v_add_u32" is "add.u32". Each name is longer than PTX's, by more than the ';' there.
inline constexpr std::string_view kInstructionsOfAmd[]{
    "v_mov_b32", "v_not_b32", "v_and_b32", "v_or_b32",  "v_xor_b32",   "v_add_u32",
    "v_sub_u32", "v_add_f32", "v_sub_f32", "v_mul_f32", "v_mul_lo_u32"};

// Returns one instruction as PTX; nullopt: it is none of these, or has an operand that is neither
// one of the statement nor a number.
inline std::optional<std::string> ptx_of_amd(std::string_view instruction) {
  const std::size_t name_end = std::min(instruction.find(' '), instruction.size());
  std::string_view name = instruction.substr(0, name_end);
  for (const std::string_view encoding : {"_e32", "_e64"})
    if (name.ends_with(encoding))
      name.remove_suffix(encoding.size());
  if (std::ranges::find(kInstructionsOfAmd, name) == std::end(kInstructionsOfAmd))
    return std::nullopt;
  const std::string_view operands = instruction.substr(name_end);
  char before = ' ';
  for (const char letter : operands) {
    const bool is_number = std::isxdigit(static_cast<unsigned char>(letter)) != 0 ||
                           (letter == 'x' && before == '0') || letter == '-';
    const bool begins_word = std::isalpha(static_cast<unsigned char>(letter)) != 0 &&
                             std::isalnum(static_cast<unsigned char>(before)) == 0;
    if (begins_word || (!is_number && letter != ' ' && letter != ',' && letter != '%'))
      return std::nullopt;
    before = letter;
  }
  std::string result(name.substr(2));
  std::ranges::replace(result, '_', '.');
  return result + std::string(operands) + ";";
}

// Returns the template, a literal with quotes, as PTX of the same length; nullopt as above.
inline std::optional<std::string> template_of_amd(std::string_view literal) {
  std::string result;
  for (std::size_t at = 1; at + 1 < literal.size();) {
    if (literal.substr(at, 2) == "\\n" || literal.substr(at, 2) == "\\t") {
      result += literal.substr(at, 2);
      at += 2;
      continue;
    }
    if (literal[at] == ' ') {
      result += literal[at++];
      continue;
    }
    const std::size_t end = std::min(literal.find('\\', at), literal.size() - 1);
    std::optional<std::string> made = ptx_of_amd(literal.substr(at, end - at));
    if (!made)
      return std::nullopt;
    made->resize(end - at, ' ');
    result += *made;
    at = end;
  }
  return '"' + result + '"';
}

// Returns the text with such statements as PTX. Others stay as they are, and Clang refuses their
// operands. Places stay what they are.
inline std::string without_assembler_of_amd(std::string text) {
  if (text.find("\"v_") == std::string::npos)
    return text;
  each_asm(std::string(text), [&](const Literals& of_template, const Literals& others) {
    std::string made;
    for (const auto& [begin, end] : of_template) {
      const std::optional<std::string> one =
          template_of_amd(std::string_view(text).substr(begin, end - begin));
      if (!one)
        return;
      made += *one;
    }
    for (const auto& [begin, end] : of_template) {
      text.replace(begin, end - begin, made, 0, end - begin);
      made.erase(0, end - begin);
    }
    for (const auto& [begin, end] : others)
      if (text[end - 2] == 'v' || text[end - 2] == 's') // registers of a thread, or of a warp
        text[end - 2] = 'r';
  });
  return text;
}

} // namespace gputest::frontend::cuda
