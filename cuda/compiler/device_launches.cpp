// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/compiler/device_launches.h"

#include "cuda/compiler/mended_headers.h"
#include "frontend/cuda/included_files.h"
#include "frontend/cuda/special_registers.h"

#include <cctype>
#include <fstream>
#include <iomanip>
#include <map>

namespace gputest::cuda::compiler {
namespace {

namespace fs = std::filesystem;

constexpr auto kNone = std::string_view::npos;

bool is_space(char letter) {
  return std::isspace(static_cast<unsigned char>(letter));
}

std::size_t end_of_literal(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (++at; at < text.size() && text[at] != quote; ++at)
    if (text[at] == '\\')
      ++at;
  return std::min(at + 1, text.size());
}

std::size_t end_of_raw(std::string_view text, std::size_t quote) {
  const std::size_t open = text.find('(', quote);
  if (open == kNone)
    return text.size();
  const std::string end = ")" + std::string(text.substr(quote + 1, open - quote - 1)) + "\"";
  const std::size_t close = text.find(end, open);
  return close == kNone ? text.size() : close + end.size();
}

std::size_t end_of_directive(std::string_view text, std::size_t at) {
  for (; at < text.size() && text[at] != '\n'; ++at)
    if (text[at] == '\\')
      ++at;
  return std::min(at, text.size());
}

// Returns the end of a comment, literal or directive that begins at `at`; returns `at` if code
// begins there.
std::size_t after_no_code(std::string_view text, std::size_t at, bool begins_line) {
  const std::string_view rest = text.substr(at);
  if (rest.starts_with("//"))
    return std::min(text.find('\n', at), text.size());
  if (rest.starts_with("/*")) {
    const std::size_t end = text.find("*/", at + 2);
    return end == kNone ? text.size() : end + 2;
  }
  if (rest.starts_with("R\"") && (at == 0 || !is_of_name(text[at - 1])))
    return end_of_raw(text, at + 1);
  const bool separates_digits = at > 0 && is_of_name(text[at - 1]); // 1'000'000
  if (text[at] == '"' || (text[at] == '\'' && !separates_digits))
    return end_of_literal(text, at);
  if (text[at] == '#' && begins_line)
    return end_of_directive(text, at);
  return at;
}

// Returns the begin of the name that ends at `end`, with scopes and template arguments; returns
// `end` if there is none.
std::size_t begin_of_kernel(std::string_view text, std::size_t end) {
  std::size_t at = text_before(text, end).size();
  while (true) {
    if (at > 0 && text[at - 1] == '>') {
      int open = 0;
      do {
        --at;
        open += text[at] == '>' ? 1 : text[at] == '<' ? -1 : 0;
      } while (at > 0 && open > 0);
      at = text_before(text, at).size();
    }
    const std::size_t name_end = at;
    while (at > 0 && is_of_name(text[at - 1]))
      --at;
    if (at == name_end)
      return end;
    const std::size_t scope = text_before(text, at).size();
    if (scope < 2 || text.substr(scope - 2, 2) != "::")
      return at;
    at = scope - 2;
    if (at == 0 || !(is_of_name(text[at - 1]) || text[at - 1] == '>'))
      return at; // ::kernel
  }
}

// Returns the place of >>>, searching from behind <<<.
std::size_t end_of_configuration(std::string_view text, std::size_t at) {
  int open = 0;
  for (; at < text.size(); ++at) {
    if (const std::size_t after = after_no_code(text, at, false); after != at) {
      at = after - 1;
      continue;
    }
    open += std::string_view("([{").find(text[at]) != kNone   ? 1
            : std::string_view(")]}").find(text[at]) != kNone ? -1
                                                              : 0;
    if (open == 0 && text.substr(at, 3) == ">>>")
      return at;
  }
  return kNone;
}

class Rewriter {
public:
  explicit Rewriter(std::string_view text) : text_(text) {}

  std::optional<std::string> run() {
    if (text_.find("<<<") == kNone)
      return std::nullopt;
    for (std::size_t at = 0; at < text_.size();)
      at = step(at);
    if (copied_ == 0)
      return std::nullopt;
    return made_ + std::string(text_.substr(copied_));
  }

private:
  std::size_t step(std::size_t at) {
    const bool begins_line = begins_line_;
    if (text_[at] == '\n')
      begins_line_ = true;
    else if (!is_space(text_[at]))
      begins_line_ = false;
    if (const std::size_t after = after_no_code(text_, at, begins_line); after != at) {
      begins_line_ = begins_line && text_[at] == '/';
      return after;
    }
    if (is_of_name(text_[at])) {
      const std::size_t begin = at;
      while (at < text_.size() && is_of_name(text_[at]))
        ++at;
      const std::string_view name = text_.substr(begin, at - begin);
      declares_device_ |= name == "__global__" || name == "__device__";
      return at;
    }
    switch (text_[at]) {
    case '{':
      blocks_.push_back(is_device_);
      is_device_ |= declares_device_;
      declares_device_ = false;
      break;
    case '}':
      if (!blocks_.empty()) {
        is_device_ = blocks_.back();
        blocks_.pop_back();
      }
      declares_device_ = false;
      break;
    case ';':
      declares_device_ = false;
      break;
    case '<':
      if (is_device_ && text_.substr(at, 3) == "<<<")
        return launch(at);
      break;
    default:
      break;
    }
    return at + 1;
  }

  // kernel<<<grid, block>>> as gputest_device_launch<decltype(&kernel), &kernel>(grid, block)
  std::size_t launch(std::size_t at) {
    const std::size_t begin = begin_of_kernel(text_, at);
    const std::size_t end = end_of_configuration(text_, at + 3);
    if (begin == at || begin < copied_ || end == kNone)
      return at + 3; // Clang reports the error
    const std::string kernel(text_.substr(begin, at - begin));
    made_ += text_.substr(copied_, begin - copied_);
    made_ += "::gputest_device_launch<decltype(&" + kernel + "), &" + kernel + ">(";
    made_ += text_.substr(at + 3, end - at - 3);
    made_ += ")";
    copied_ = end + 3;
    return copied_;
  }

  std::string_view text_;
  std::string made_;
  std::size_t copied_ = 0;   // of the text
  std::vector<char> blocks_; // for each open block: whether it is in a device function
  bool is_device_ = false, declares_device_ = false, begins_line_ = true;
};

} // namespace

std::optional<std::string> with_device_launches(std::string_view text) {
  return Rewriter(text).run();
}

Arguments device_launch_options(const fs::path& source, const std::vector<std::string>& folders,
                                const fs::path& scratch) {
  std::map<fs::path, std::string> texts;
  each_included_file(source, folders, [&](const fs::path& file, const std::string& text) {
    std::string made = with_marked_registers(with_device_launches(text).value_or(text));
    if (made != text)
      texts[file] = std::move(made);
  });
  for (auto& [file, text] : mended_headers(folders))
    texts[file] = std::move(text);
  if (texts.empty())
    return {};
  const fs::path overlay = scratch / "launches.yaml";
  std::ofstream list(overlay);
  list << "{\"version\": 0, \"use-external-names\": false, \"roots\": [";
  unsigned number = 0;
  for (const auto& [file, text] : texts) {
    const fs::path made = scratch / ("launches" + std::to_string(number) + ".cu");
    std::ofstream(made, std::ios::binary) << text;
    list << (number++ > 0 ? ", " : "")
         << "{\"type\": \"file\", \"name\": " << std::quoted(file.string())
         << ", \"external-contents\": " << std::quoted(fs::absolute(made).string()) << "}";
  }
  list << "]}\n";
  return {"-ivfsoverlay", overlay.string()};
}

} // namespace gputest::cuda::compiler
