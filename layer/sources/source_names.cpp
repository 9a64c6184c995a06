// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/sources/source_names.h"

#include "runtime/cases/values.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <iomanip>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

namespace gputest::layer {
namespace {

constexpr std::size_t kLargest = std::size_t{8} << 20; // the most bytes of a file that is read
constexpr std::string_view kSpace = " \t\r\n";

std::string line_directive(std::size_t line, const std::string& file) {
  std::ostringstream text;
  text << "#line " << line << ' ' << std::quoted(file) << '\n';
  return std::move(text).str();
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(kSpace) == std::string_view::npos;
}

std::optional<std::string> content_of(const std::filesystem::path& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (error || size > kLargest)
    return std::nullopt;
  std::string text(size, '\0');
  std::ifstream stream(path, std::ios::binary);
  stream.read(text.data(), static_cast<std::streamsize>(size));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return text;
}

bool has_kernel(std::string_view text) {
  return text.find("kernel") != std::string_view::npos;
}

// Whole lines, without blank ones at either end. Empty: no code.
Literal trimmed(const Literal& literal) {
  const std::string& text = literal.text;
  const std::size_t first = text.find_first_not_of(kSpace), last = text.find_last_not_of(kSpace);
  if (first == std::string::npos || text.find('{', first) == std::string::npos)
    return {};
  const std::size_t line = text.rfind('\n', first);
  const std::size_t begin = line == std::string::npos ? 0 : line + 1;
  const auto skipped =
      std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(begin), '\n');
  Literal result{text.substr(begin, last + 1 - begin), {}};
  const auto count = std::ranges::count(result.text, '\n') + 1;
  const auto from = literal.lines.begin() + skipped;
  result.lines.assign(from, from + count);
  return result;
}

// Whether the text may end at this line. A directive inside something that continues on the next
// line would change it.
bool may_end_here(std::string_view line) {
  const std::size_t last = line.find_last_not_of(kSpace);
  return last == std::string_view::npos || line[last] == ';' || line[last] == '{' ||
         line[last] == '}' || (line.starts_with('#') && line[last] != '\\');
}

std::string with_lines(std::string_view text, const std::vector<std::size_t>& lines,
                       const std::string& file) {
  std::string result = line_directive(lines.front(), file);
  std::size_t next = lines.front(); // as the compiler counts
  std::string_view before;
  for (const std::size_t line : lines) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view one = text.substr(0, end);
    if (line != next && may_end_here(before)) {
      result += line_directive(line, file);
      next = line;
    }
    result += fmt::format("{}\n", one);
    ++next;
    before = one;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

} // namespace

SourceNames::SourceNames(std::vector<std::filesystem::path> kernel_files,
                         std::vector<std::filesystem::path> host_files)
    : kernel_paths_(std::move(kernel_files)), host_paths_(std::move(host_files)) {}

// Names files by content, so that copies of one file share a stem.
void SourceNames::name_apart(std::vector<File>& files) const {
  std::map<std::string, std::set<std::string_view>> contents; // by stem
  for (const File& file : files)
    contents[file.stem].insert(file.content);
  for (File& file : files)
    if (contents[file.stem].size() > 1 && file.lines.empty())
      file.stem = file.path.parent_path().filename().string() + "-" + file.stem;
}

void SourceNames::read_kernels() {
  if (std::exchange(has_kernels_, true))
    return;
  for (const std::filesystem::path& path : kernel_paths_) {
    std::optional<std::string> content = content_of(path);
    const std::size_t last = content ? content->find_last_not_of(kSpace) : std::string::npos;
    if (last == std::string::npos)
      continue;
    content->resize(last + 1);
    kernels_.push_back({path, *std::move(content), path.stem().string()});
  }
  name_apart(kernels_);
  std::ranges::stable_sort(kernels_, std::ranges::greater{},
                           [](const File& file) { return file.content.size(); });
}

void SourceNames::read_hosts() {
  if (std::exchange(has_hosts_, true))
    return;
  std::map<std::string, std::size_t> numbers; // literals with kernels, by stem
  std::set<std::string> taken;
  for (const File& file : kernels_)
    if (std::ranges::find(host_paths_, file.path) == host_paths_.end())
      taken.insert(file.stem);
  for (const std::filesystem::path& path : host_paths_) {
    const std::optional<std::string> content = content_of(path);
    if (!content || !has_kernel(*content))
      continue;
    const auto language = path.extension() == ".py" ? HostLanguage::Python : HostLanguage::C;
    std::string stem = path.stem().string();
    if (taken.contains(stem) || numbers.contains(stem))
      stem = path.filename().string();
    for (const Literal& literal : literals_of(*content, language)) {
      Literal code = trimmed(literal);
      if (code.text.empty())
        continue;
      const std::size_t number = has_kernel(code.text) ? ++numbers[stem] : 1;
      literals_.push_back({path, std::move(code.text),
                           number > 1 ? fmt::format("{}-{}", stem, number) : stem,
                           std::move(code.lines)});
    }
  }
  std::ranges::stable_sort(literals_, std::ranges::greater{},
                           [](const File& file) { return file.content.size(); });
}

void SourceNames::find(const std::vector<File>& files, const std::string& source, bool keeps_lines,
                       std::vector<Part>& parts) {
  for (const File& file : files) {
    for (std::size_t at = source.find(file.content); at != std::string::npos;
         at = source.find(file.content, at + 1)) {
      const std::size_t end = at + file.content.size();
      const bool overlaps = std::ranges::any_of(
          parts, [&](const Part& part) { return at < part.end && part.begin < end; });
      const std::string_view rest = std::string_view(source).substr(end);
      const bool is_whole = at == 0 && is_blank(rest);
      const bool ends_line = is_blank(rest.substr(0, rest.find('\n')));
      const bool is_literal = !file.lines.empty();
      if (!overlaps && (at == 0 || source[at - 1] == '\n') && (!is_literal || ends_line) &&
          (!keeps_lines || (is_whole && !is_literal)))
        parts.push_back({at, end, &file});
    }
  }
}

NamedSource SourceNames::name(const std::string& source) {
  const std::lock_guard lock(mutex_);
  read_kernels();
  const bool keeps_lines = source.find("__LINE__") != std::string::npos;
  std::vector<Part> parts;
  find(kernels_, source, keeps_lines, parts);
  std::size_t found = 0;
  for (const Part& part : parts)
    found += part.end - part.begin;
  if (found < source.substr(0, source.find_last_not_of(kSpace) + 1).size()) {
    read_hosts();
    find(literals_, source, keeps_lines, parts);
  }
  std::ranges::sort(parts, {}, &Part::begin);

  NamedSource named;
  named.name = fmt::format("program-{}.cl", runtime::fingerprint(source).substr(8));
  named.has_file = !parts.empty();
  named.stem = std::filesystem::path(named.name).stem().string();
  if (!parts.empty()) {
    const auto with_kernel = std::ranges::find_if(
        parts, [](const Part& part) { return has_kernel(part.file->content); });
    named.stem = (with_kernel == parts.end() ? parts.front() : *with_kernel).file->stem;
  }
  std::size_t at = 0;
  const auto add_other = [&](std::size_t end) {
    const std::string_view text = std::string_view(source).substr(at, end - at);
    const auto newlines =
        std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    if (!is_blank(text)) {
      named.has_other = true;
      named.text += line_directive(static_cast<std::size_t>(newlines) + 1, named.name);
      named.text += text;
    }
    if (!named.text.empty() && named.text.back() != '\n')
      named.text += '\n';
  };
  for (const Part& part : parts) {
    add_other(part.begin);
    const std::string file = part.file->path.string();
    const std::string_view text =
        std::string_view(source).substr(part.begin, part.end - part.begin);
    if (part.file->lines.empty())
      named.text += fmt::format("{}{}\n", line_directive(1, file), text);
    else
      named.text += with_lines(text, part.file->lines, file);
    if (std::ranges::find(named.files, file) == named.files.end())
      named.files.push_back(file);
    at = part.end;
  }
  add_other(source.size());
  return named;
}

} // namespace gputest::layer
