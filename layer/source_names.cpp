#include "layer/source_names.h"

#include "runtime/cases/values.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <iomanip>
#include <sstream>
#include <utility>

namespace gputest::layer {
namespace {

constexpr std::size_t kLargest = std::size_t{8} << 20; // bytes of a file that is looked at

struct Part {
  std::size_t begin = 0, end = 0;
  const std::filesystem::path* file = nullptr;
};

std::string line_directive(std::ptrdiff_t line, const std::string& file) {
  std::ostringstream text;
  text << "#line " << line << ' ' << std::quoted(file) << '\n';
  return std::move(text).str();
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

} // namespace

SourceNames::SourceNames(std::vector<std::filesystem::path> files) : paths_(std::move(files)) {}

void SourceNames::read() {
  if (std::exchange(is_read_, true))
    return;
  for (const std::filesystem::path& path : paths_) {
    std::ifstream stream(path, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    std::string content = std::move(text).str();
    const std::size_t last = content.find_last_not_of(" \t\r\n");
    if (last == std::string::npos || content.size() > kLargest)
      continue;
    content.resize(last + 1);
    files_.push_back({path, std::move(content)});
  }
  std::ranges::stable_sort(files_, std::ranges::greater{},
                           [](const File& file) { return file.content.size(); });
}

NamedSource SourceNames::name(const std::string& source) {
  const std::lock_guard lock(mutex_);
  read();
  const bool keeps_lines = source.find("__LINE__") != std::string::npos;
  std::vector<Part> parts;
  for (const File& file : files_) {
    for (std::size_t at = source.find(file.content); at != std::string::npos;
         at = source.find(file.content, at + 1)) {
      const std::size_t end = at + file.content.size();
      const bool overlaps = std::ranges::any_of(
          parts, [&](const Part& part) { return at < part.end && part.begin < end; });
      const bool is_whole = at == 0 && is_blank(std::string_view(source).substr(end));
      if (!overlaps && (at == 0 || source[at - 1] == '\n') && (is_whole || !keeps_lines))
        parts.push_back({at, end, &file.path});
    }
  }
  std::ranges::sort(parts, {}, &Part::begin);

  NamedSource named;
  named.name = fmt::format("program-{}.cl", runtime::fingerprint(source).substr(8));
  named.has_file = !parts.empty();
  named.stem = parts.empty() ? std::filesystem::path(named.name).stem().string()
                             : parts.front().file->stem().string();
  std::size_t at = 0;
  const auto add_other = [&](std::size_t end) {
    const std::string_view text = std::string_view(source).substr(at, end - at);
    const auto newlines =
        std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    if (!is_blank(text)) {
      named.has_other = true;
      named.text += line_directive(newlines + 1, named.name);
      named.text += text;
    }
    if (!named.text.empty() && named.text.back() != '\n')
      named.text += '\n';
  };
  for (const Part& part : parts) {
    add_other(part.begin);
    named.text += line_directive(1, part.file->string());
    named.text += std::string_view(source).substr(part.begin, part.end - part.begin);
    named.text += '\n';
    at = part.end;
  }
  add_other(source.size());
  return named;
}

} // namespace gputest::layer
