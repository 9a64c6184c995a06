// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/spirv/names.h"

#include "frontend/mangled_name.h"

#include <cctype>
#include <fmt/format.h>
#include <optional>
#include <vector>

namespace gputest::ir {
namespace {

// Itanium C++ ABI, 5.1.5 (types) and 5.1.10 (compression), as far as OpenCL's functions need them.

constexpr llvm::StringLiteral kDigits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

// Reads types with substitutions, and writes them in full, in the other target's address spaces.
class Expander {
public:
  explicit Expander(llvm::StringRef text) : rest_(text) {}

  std::optional<std::vector<std::string>> types() {
    std::vector<std::string> all;
    while (!rest_.empty() && !failed_)
      all.push_back(type());
    return failed_ ? std::nullopt : std::optional(all);
  }

private:
  std::string fail() {
    failed_ = true;
    rest_ = "";
    return "";
  }

  std::string known(std::string text) {
    known_.push_back(text);
    return text;
  }

  std::string substitution() {
    std::size_t index = 0;
    if (!rest_.consume_front("_")) {
      const std::size_t digit = rest_.empty() ? llvm::StringRef::npos : kDigits.find(rest_.front());
      if (digit == llvm::StringRef::npos || !rest_.drop_front().starts_with("_"))
        return fail();
      index = digit + 1;
      rest_ = rest_.drop_front(2);
    }
    return index < known_.size() ? known_[index] : fail();
  }

  std::string qualified() {
    std::string before;
    bool any = false;
    for (bool more = true; more;) {
      more = true;
      if (rest_.consume_front("U3AS2"))
        before += "U3AS4";
      else if (rest_.consume_front("U3AS4"))
        ; // no qualifier
      else if (rest_.starts_with("U3AS") && rest_.size() > 5) {
        before += rest_.take_front(5);
        rest_ = rest_.drop_front(5);
      } else if (!rest_.empty() && llvm::StringRef("rVK").contains(rest_.front())) {
        before += rest_.front();
        rest_ = rest_.drop_front();
      } else
        more = false;
      any |= more;
    }
    const std::string inner = type();
    return any ? known(before + inner) : inner;
  }

  std::string type() {
    if (rest_.empty())
      return fail();
    if (rest_.consume_front("S"))
      return substitution();
    if (rest_.consume_front("P"))
      return known("P" + type());
    if (rest_.starts_with("U3AS") || llvm::StringRef("rVK").contains(rest_.front()))
      return qualified();
    if (rest_.consume_front("U7_Atomic"))
      return known("U7_Atomic" + type());
    if (rest_.consume_front("Dv")) {
      unsigned count = 0;
      if (rest_.consumeInteger(10, count) || !rest_.consume_front("_"))
        return fail();
      return known(fmt::format("Dv{}_", count) + type());
    }
    if (rest_.consume_front("Dh"))
      return "Dh";
    if (std::isdigit(static_cast<unsigned char>(rest_.front())) != 0) {
      unsigned length = 0;
      if (rest_.consumeInteger(10, length) || length > rest_.size())
        return fail();
      const std::string name = rest_.take_front(length).str();
      rest_ = rest_.drop_front(length);
      std::string whole = fmt::format("{}{}", length, name);
      return llvm::StringRef(name).starts_with("ocl_") ? whole : known(std::move(whole));
    }
    const char letter = rest_.front();
    rest_ = rest_.drop_front();
    return std::islower(static_cast<unsigned char>(letter)) != 0 ? std::string(1, letter) : fail();
  }

  llvm::StringRef rest_;
  std::vector<std::string> known_;
  bool failed_ = false;
};

// Writes types with substitutions.
class Compressor {
public:
  std::string write(llvm::StringRef& rest) {
    const llvm::StringRef whole = rest;
    std::string text;
    if (rest.consume_front("P")) {
      text = "P" + write(rest);
    } else if (rest.starts_with("U3AS") || llvm::StringRef("rVK").contains(rest.front())) {
      while (rest.starts_with("U3AS") || llvm::StringRef("rVK").contains(rest.front())) {
        const std::size_t size = rest.starts_with("U3AS") ? 5 : 1;
        text += rest.take_front(size);
        rest = rest.drop_front(size);
      }
      text += write(rest);
    } else if (rest.consume_front("U7_Atomic")) {
      text = "U7_Atomic" + write(rest);
    } else if (rest.starts_with("Dv")) {
      const std::size_t end = rest.find('_') + 1;
      text = rest.take_front(end).str();
      rest = rest.drop_front(end);
      text += write(rest);
    } else if (std::isdigit(static_cast<unsigned char>(rest.front())) != 0) {
      unsigned length = 0;
      rest.consumeInteger(10, length);
      const llvm::StringRef name = rest.take_front(length);
      rest = rest.drop_front(length);
      text = fmt::format("{}{}", length, name.str());
      if (name.starts_with("ocl_"))
        return text;
    } else {
      const std::size_t size = rest.starts_with("Dh") ? 2 : 1;
      text = rest.take_front(size).str();
      rest = rest.drop_front(size);
      return text;
    }
    const std::string full = whole.drop_back(rest.size()).str();
    for (std::size_t i = 0; i < known_.size(); ++i)
      if (known_[i] == full)
        return i == 0 ? "S_" : fmt::format("S{}_", kDigits[i - 1]);
    known_.push_back(full);
    return text;
  }

private:
  std::vector<std::string> known_;
};

} // namespace

std::string name_for_nvptx(llvm::StringRef name) {
  const frontend::MangledName parts = frontend::parts_of_mangled(name);
  if (parts.name.empty() || !(parts.parameters.contains("AS2") || parts.parameters.contains("AS4")))
    return name.str();
  const auto types = Expander(parts.parameters).types();
  if (!types)
    return name.str();
  std::string text = fmt::format("_Z{}{}", parts.name.size(), parts.name.str());
  Compressor compressor;
  for (const std::string& type : *types) {
    llvm::StringRef rest = type;
    text += compressor.write(rest);
  }
  return text;
}

} // namespace gputest::ir
