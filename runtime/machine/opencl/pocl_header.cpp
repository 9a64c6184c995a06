// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/machine/opencl/pocl_header.h"

#include "gputest/error.h"
#include "model/files.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <link.h>
#include <system_error>
#include <unordered_set>

namespace gputest::runtime {
namespace {

namespace fs = std::filesystem;

bool is_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0)
    text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0)
    text.remove_suffix(1);
  return text;
}

// Joins lines that end in a backslash first, as C does: a comment may go on in the next line.
std::string without_comments(std::string_view text) {
  std::string joined;
  for (std::size_t end = 0; (end = text.find("\\\n")) != std::string_view::npos;
       text.remove_prefix(end + 2))
    joined += text.substr(0, end);
  joined += text;
  std::string left;
  for (std::string_view rest = joined; !rest.empty();) {
    const std::size_t begin = std::min(rest.find("/*"), rest.find("//"));
    left += rest.substr(0, begin);
    if (begin == std::string_view::npos)
      break;
    const bool is_line = rest[begin + 1] == '/';
    const std::size_t end = rest.find(is_line ? "\n" : "*/", begin + 2);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + (is_line ? 0 : 2));
    left += is_line ? "" : " ";
  }
  return left;
}

std::unordered_set<std::string_view> names_in(std::string_view text) {
  std::unordered_set<std::string_view> names;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t begin = at;
    while (at < text.size() && is_of_name(text[at]))
      ++at;
    if (at != begin)
      names.insert(text.substr(begin, at - begin));
  }
  return names;
}

// Whether functions may be called whose names are not in the text: it includes a file, or pastes
// tokens.
bool hides_names(std::string_view text) {
  for (std::size_t at = text.find("include"); at != std::string_view::npos;
       at = text.find("include", at + 1))
    if (const std::string_view before = trimmed(text.substr(0, at));
        before.ends_with('#') || before.ends_with("%:") || before.ends_with('-'))
      return true;
  return text.find("##") != std::string_view::npos || text.find("%:%:") != std::string_view::npos;
}

// The name before the first parenthesis, which is that of the function.
std::string_view declared_name(std::string_view declaration) {
  const std::size_t parenthesis = declaration.find('(');
  if (parenthesis == std::string_view::npos)
    return {};
  std::string_view before = trimmed(declaration.substr(0, parenthesis));
  std::size_t begin = before.size();
  while (begin != 0 && is_of_name(before[begin - 1]))
    --begin;
  before = before.substr(begin);
  return before == "__attribute__" ? std::string_view() : before;
}

// Returns PoCL's copy of the header, or null if this is not the PoCL that is known to read it last
// of all that declares functions, after opencl-c-base.h.
const DeclarationHeader* header_of_pocl(const Device& device) {
  const cl::Platform platform(device.device.getInfo<CL_DEVICE_PLATFORM>());
  const std::string version = platform.getInfo<CL_PLATFORM_VERSION>();
  for (const char* const part : {"PoCL 3.1", "RELOC", "LLVM 15."})
    if (version.find(part) == std::string::npos)
      return nullptr;
  // The header is read once in a process.
  static const auto header = []() -> std::optional<DeclarationHeader> {
    std::string library;
    ::dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* found) {
          if (std::string_view(info->dlpi_name).find("/libpocl.so.") != std::string_view::npos)
            *static_cast<std::string*>(found) = info->dlpi_name;
          return 0;
        },
        &library);
    std::error_code error;
    const fs::path folder = fs::canonical(library, error).parent_path();
    const auto text = model::read_text(folder / "../../share/pocl/include/opencl-c.h");
    if (library.empty() || error || !text)
      return std::nullopt;
    try {
      return DeclarationHeader(*text);
    } catch (const DeviceError&) { // PoCL reads it itself
      return std::nullopt;
    }
  }();
  return header ? &*header : nullptr;
}

} // namespace

DeclarationHeader::DeclarationHeader(std::string_view text) {
  const std::string plain = without_comments(text);
  std::string_view left = plain;
  std::string declarations; // between two directives
  const auto take_declarations = [&] {
    std::string_view these = declarations;
    for (std::size_t end; (end = these.find(';')) != std::string_view::npos;
         these.remove_prefix(end + 1)) {
      const std::string_view one = trimmed(these.substr(0, end + 1));
      const std::string_view name = declared_name(one);
      parts_.push_back(
          {name.empty() ? Kind::Other : Kind::Declaration, std::string(one), std::string(name)});
    }
    if (!trimmed(these).empty())
      throw DeviceError("a declaration is not whole: " + std::string(trimmed(these)));
    declarations.clear();
  };
  while (!left.empty()) {
    const std::string_view line = left.substr(0, left.find('\n'));
    left.remove_prefix(std::min(left.size(), line.size() + 1));
    if (!trimmed(line).starts_with('#')) {
      (declarations += line) += '\n';
      continue;
    }
    take_declarations();
    const std::string_view directive = trimmed(trimmed(line).substr(1));
    const Kind kind = directive.starts_with("if")      ? Kind::Begin
                      : directive.starts_with("el")    ? Kind::Middle
                      : directive.starts_with("endif") ? Kind::End
                                                       : Kind::Other;
    parts_.push_back({kind, std::string(trimmed(line)), {}});
  }
  take_declarations();
  if (plain.find('{') != std::string::npos || parts_.size() < 3 ||
      !parts_[0].text.starts_with("#ifndef ") || parts_.back().kind != Kind::End)
    throw DeviceError("it has no include guard");
  guard_ = trimmed(parts_[0].text.substr(8));
  if (parts_[1].text != "#define " + guard_)
    throw DeviceError("it has no include guard");
  parts_.erase(parts_.begin(), parts_.begin() + 2);
  parts_.pop_back();
  // PoCL reads what this one includes by itself.
  std::erase_if(parts_, [](const Part& part) { return part.text.starts_with("#include"); });
}

std::string DeclarationHeader::declarations_for(std::string_view text) const {
  const auto names = names_in(text);
  std::string needed;
  struct Condition {
    std::size_t begin; // in `needed`
    bool is_empty;
  };
  std::vector<Condition> conditions;
  for (const Part& part : parts_) {
    if (part.kind == Kind::Declaration && !names.contains(part.name))
      continue;
    if (part.kind == Kind::Begin)
      conditions.push_back({needed.size(), true});
    if (part.kind == Kind::End && !conditions.empty()) {
      const Condition condition = conditions.back();
      conditions.pop_back();
      if (condition.is_empty) {
        needed.resize(condition.begin);
        continue;
      }
    }
    if (part.kind == Kind::Declaration || part.kind == Kind::Other)
      for (Condition& condition : conditions)
        condition.is_empty = false;
    (needed += part.text) += '\n';
  }
  return needed;
}

std::optional<NeededDeclarations> needed_declarations(const Device& device, std::string_view text,
                                                      std::string_view options) {
  if (device.platform != "Portable Computing Language")
    return std::nullopt;
  const std::string all = std::string(options) + '\n' + std::string(text);
  const DeclarationHeader* const header = header_of_pocl(device);
  if (!header || hides_names(all))
    return std::nullopt;
  return NeededDeclarations{.option = "-D" + header->guard(),
                            .text = header->declarations_for(all) + "#line 1\n"};
}

} // namespace gputest::runtime
