// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/cuda/ptx/text.h"

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSwitch.h>

#include <algorithm>

namespace gputest::ir {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 32; // of a variable

bool ends_with_line(llvm::StringRef word) {
  return llvm::StringSwitch<bool>(word)
      .Cases(".version", ".target", ".address_size", ".file", ".loc", true)
      .Default(word.starts_with("@@"));
}

// Finds the end of a statement: at `;`, or where the body of a function or section begins.
std::size_t end_of(llvm::StringRef text, bool has_body) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') {
      i = text.find('"', i + 1);
      if (i == llvm::StringRef::npos)
        break;
    } else if (c == ';' || (has_body && c == '{' && depth == 0)) {
      return i;
    } else if (c == '(' || c == '{' || c == '[') {
      ++depth;
    } else if (c == ')' || c == '}' || c == ']') {
      if (--depth < 0)
        throw PtxFault(text.data() + i, fmt::format("there is no bracket for this '{}'", c));
    }
  }
  throw PtxFault(text.data(), "the statement has no end");
}

std::uint64_t product(const char* at, std::uint64_t a, std::uint64_t b) {
  if (b != 0 && a > kMostBytes / b)
    throw PtxFault(at, "the variable is too large");
  return a * b;
}

} // namespace

void blank_comments(std::string& text) {
  const auto blank = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      if (text[i] != '\n')
        text[i] = ' ';
  };
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] == '"') {
      const std::size_t end = text.find_first_of("\"\n", i + 1);
      i = end == std::string::npos ? text.size() : end;
    } else if (text[i] == '/' && (text[i + 1] == '/' || text[i + 1] == '*')) {
      const bool is_line = text[i + 1] == '/';
      const std::size_t end = is_line ? text.find('\n', i) : text.find("*/", i + 2);
      const std::size_t last = end == std::string::npos ? text.size() : end + (is_line ? 0 : 2);
      blank(i, last);
      i = last - 1;
    }
  }
}

bool is_of_name(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$' || c == '%';
}

llvm::StringRef take_word(llvm::StringRef& text) {
  const std::size_t end = text.find_first_of(" \t\r\n(){}[],;=<");
  const llvm::StringRef word = text.take_front(end);
  text = text.drop_front(word.size());
  return word;
}

llvm::StringRef take_directive(llvm::StringRef& text) {
  const llvm::StringRef word = text.take_front(1 + text.drop_front().take_while(is_of_name).size());
  text = text.drop_front(word.size());
  return word;
}

bool begins_with(llvm::StringRef text, std::initializer_list<llvm::StringRef> words) {
  while (text.starts_with(".")) {
    if (llvm::is_contained(words, take_directive(text)))
      return true;
    text = text.ltrim();
  }
  return false;
}

PtxTexts operands_of(llvm::StringRef text) {
  PtxTexts operands;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    depth += c == '{' || c == '[' || c == '(';
    depth -= c == '}' || c == ']' || c == ')';
    if (c == ',' && (depth == 0 || i == text.size())) {
      operands.push_back(text.slice(begin, i).trim());
      begin = i + 1;
    }
  }
  return operands;
}

PtxTexts operands_inside(llvm::StringRef text) {
  const bool is_list =
      text.size() >= 2 && llvm::StringRef("{}()[]").contains(text.substr(0, 1).str() + text.back());
  if (!is_list)
    throw PtxFault(text.data(), fmt::format("'{}' is no list", text.str()));
  text = text.drop_front().drop_back().trim();
  return text.empty() ? PtxTexts() : operands_of(text);
}

PtxTexts elements_of(llvm::StringRef operand) {
  return operand.starts_with("{") ? operands_inside(operand) : PtxTexts{operand};
}

bool has_part(const PtxTexts& parts, llvm::StringRef word) {
  return llvm::any_of(
      parts, [&](llvm::StringRef part) { return part == word || part.split("::").first == word; });
}

bool PtxReader::next(PtxStatement& statement) {
  using Kind = PtxStatement::Kind;
  rest_ = rest_.ltrim();
  while (rest_.consume_front(";"))
    rest_ = rest_.ltrim();
  if (rest_.empty())
    return false;
  if (rest_.front() == '{' || rest_.front() == '}') {
    statement = {rest_.front() == '{' ? Kind::Open : Kind::Close, rest_.take_front(1)};
    rest_ = rest_.drop_front();
    return true;
  }
  llvm::StringRef after = rest_;
  if (ends_with_line(take_word(after))) {
    statement = {Kind::Directive, rest_.take_until([](char c) { return c == '\n'; }).rtrim()};
    rest_ = rest_.drop_front(statement.text.size()).ltrim(" \t\r");
    statement.text = statement.text.rtrim(';');
    return true;
  }
  const llvm::StringRef name = rest_.take_while(is_of_name);
  after = rest_.drop_front(name.size()).ltrim();
  if (!name.empty() && after.starts_with(":") && !after.starts_with("::")) {
    statement = {Kind::Label, name};
    rest_ = after.drop_front();
    return true;
  }
  const bool is_directive = rest_.front() == '.';
  const std::size_t end =
      end_of(rest_, is_directive && begins_with(rest_, {".entry", ".func", ".section"}));
  statement = {is_directive ? Kind::Directive : Kind::Instruction, rest_.take_front(end).rtrim()};
  rest_ = rest_.drop_front(end);
  rest_.consume_front(";");
  return true;
}

llvm::StringRef PtxReader::take_block() {
  rest_ = rest_.ltrim();
  int depth = 0;
  for (std::size_t i = 0; i < rest_.size() && (depth > 0 || i == 0); ++i) {
    if (rest_[i] == '"') {
      i = std::min(rest_.find('"', i + 1), rest_.size());
      continue;
    }
    depth += rest_[i] == '{';
    depth -= rest_[i] == '}';
    if (depth > 0)
      continue;
    const llvm::StringRef inside = rest_.slice(1, i);
    rest_ = rest_.drop_front(i + 1);
    return inside;
  }
  throw PtxFault(rest_.data(), "a '{' has no '}'");
}

PtxInstruction instruction_of(llvm::StringRef statement) {
  PtxInstruction result;
  if (statement.consume_front("@")) {
    statement = statement.ltrim();
    const llvm::StringRef all = statement;
    statement.consume_front("!");
    statement = statement.ltrim();
    take_word(statement);
    result.guard = all.drop_back(statement.size());
    statement = statement.ltrim();
  }
  result.name = take_word(statement);
  result.name.split(result.parts, '.');
  if (!statement.trim().empty())
    result.operands = operands_of(statement);
  return result;
}

std::uint64_t size_of_type(llvm::StringRef type) {
  return llvm::StringSwitch<std::uint64_t>(type)
      .Cases("u8", "s8", "b8", 1)
      .Cases("u16", "s16", "b16", "f16", "bf16", 2)
      .Cases("u32", "s32", "b32", "f32", "f16x2", "bf16x2", 4)
      .Cases("u64", "s64", "b64", "f64", 8)
      .Case("b128", 16)
      .Default(0);
}

std::uint64_t PtxDeclaration::Name::elements() const {
  std::uint64_t count = 1;
  for (const std::uint64_t extent : extents)
    count = product(name.data(), count, extent);
  return count;
}

std::uint64_t PtxDeclaration::element_size() const {
  return size_of_type(type) * vector;
}

std::uint64_t PtxDeclaration::size() const {
  return names.front().unsized
             ? 0
             : product(names.front().name.data(), names.front().elements(), element_size());
}

std::uint64_t PtxDeclaration::alignment() const {
  return align ? align : std::max<std::uint64_t>(1, element_size());
}

std::optional<std::int64_t> integer_of(llvm::StringRef text) {
  const bool negative = text.consume_front("-");
  text.consume_back("U");
  std::uint64_t number = 0;
  if (text.empty() || !llvm::isDigit(text.front()) || text.getAsInteger(0, number))
    return std::nullopt;
  return static_cast<std::int64_t>(negative ? 0 - number : number);
}

namespace {

PtxDeclaration::Name name_of(llvm::StringRef text) {
  PtxDeclaration::Name name;
  name.name = text.take_while(is_of_name);
  text = text.drop_front(name.name.size()).ltrim();
  if (name.name.empty())
    throw PtxFault(text.data(), "there is no name");
  if (text.consume_front("<")) {
    const std::optional<std::int64_t> count =
        integer_of(text.take_until([](char c) { return c == '>'; }).trim());
    if (!count || *count < 0 || !text.contains('>'))
      throw PtxFault(text.data(), "there is no number of registers");
    name.range = static_cast<std::uint64_t>(*count);
    return name;
  }
  while (text.consume_front("[")) {
    const auto [extent, after] = text.split(']');
    if (extent.trim().empty()) {
      name.unsized = true;
    } else {
      const std::optional<std::int64_t> count = integer_of(extent.trim());
      if (!count || *count < 0)
        throw PtxFault(text.data(), "the extent of the array is no number");
      name.extents.push_back(static_cast<std::uint64_t>(*count));
    }
    text = after.ltrim();
  }
  if (!text.empty())
    throw PtxFault(text.data(), fmt::format("'{}' is not understood here", text.str()));
  return name;
}

// Reads the number behind "align" and the like.
std::uint64_t number_after(llvm::StringRef& text) {
  text = text.ltrim();
  const llvm::StringRef word = take_word(text);
  const std::optional<std::int64_t> number = integer_of(word);
  if (!number || *number <= 0 || *number > (1 << 16) || (*number & (*number - 1)) != 0)
    throw PtxFault(word.data(), fmt::format("'{}' is no alignment", word.str()));
  return static_cast<std::uint64_t>(*number);
}

// Reads a directive in front of the names; false: it is unknown.
bool read_word(PtxDeclaration& result, llvm::StringRef word, llvm::StringRef& text) {
  if (word == "reg" || word == "param" || word == "local" || word == "shared" || word == "global" ||
      word == "const") {
    if (result.is_pointer) // what it points to
      return true;
    result.space = word;
  } else if (word == "extern")
    result.external = true;
  else if (word == "visible")
    result.visible = true;
  else if (word == "weak" || word == "common")
    result.weak = true;
  else if (word == "ptr")
    result.is_pointer = true;
  else if (word == "v2" || word == "v4")
    result.vector = word == "v2" ? 2 : 4;
  else if (word == "align") {
    const std::uint64_t align = number_after(text);
    if (!result.is_pointer) // not that of the pointed-to memory
      result.align = align;
  } else if (word == "attribute") {
    text = text.ltrim();
    const llvm::StringRef all = text.take_until([](char c) { return c == ')'; });
    result.managed = all.contains(".managed");
    text = text.drop_front(std::min(all.size() + 1, text.size()));
  } else if (word == "pred" || size_of_type(word) > 0)
    result.type = word;
  else
    return false;
  return true;
}

} // namespace

PtxDeclaration declaration_of(llvm::StringRef text) {
  PtxDeclaration result;
  text = text.trim();
  while (text.starts_with(".")) {
    const llvm::StringRef word = take_directive(text);
    if (!read_word(result, word.drop_front(), text))
      throw PtxFault(word.data(), fmt::format("'{}' is not understood here", word.str()));
    text = text.ltrim();
  }
  const auto [names, value] = text.split('=');
  if (result.type.empty())
    throw PtxFault(text.data(), "there is no type");
  for (const llvm::StringRef name : operands_of(names.trim()))
    result.names.push_back(name_of(name));
  result.value = value.trim();
  return result;
}

} // namespace gputest::ir
