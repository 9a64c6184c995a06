// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/suppressions/suppressions.h"

#include "model/file_patterns.h"
#include "model/files.h"
#include "model/interface.h"
#include "model/names.h"
#include "model/suppressions/function_around.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace gputest::model {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFile = "gputest.suppressions";
// Returns the text without blanks at its ends, and with one for several.
std::string plain(std::string_view text) {
  return folded(trimmed(text));
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return lines;
}

// A name that has letters of patterns, such as "v[2]/sum.cl", means itself, too.
bool matches_file(const std::string& pattern, const std::string& file) {
  return pattern.empty() || file == pattern || file.ends_with("/" + pattern) ||
         matches_any({pattern, "*/" + pattern}, file);
}

// Reads the lines of one file of entries.
class Reader {
public:
  explicit Reader(fs::path file) : file_(std::move(file)) {}

  void add(std::string_view text) {
    ++number_;
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF"; // of editors on Windows
    if (number_ == 1 && text.starts_with(kByteOrderMark))
      text.remove_prefix(kByteOrderMark.size());
    const std::string line(trimmed(text));
    if (line.empty() || line.starts_with('#'))
      return;
    if (line.starts_with('[')) {
      end_entry();
      begin_entry(line);
    } else {
      set(line);
    }
  }

  std::vector<SuppressionEntry> finish() {
    end_entry();
    return std::move(entries_);
  }

private:
  [[noreturn]] void fail(unsigned line, const std::string& message) const {
    throw FormatError(fmt::format("{}:{}: error: {}", file_.string(), line, message));
  }

  void begin_entry(const std::string& line) {
    if (!line.ends_with(']'))
      fail(number_, "an entry begins with kinds of findings in brackets: [race, bounds]");
    std::vector<std::string> words;
    for (const std::string& name : split(std::string_view(line).substr(1, line.size() - 2), ','))
      words.push_back(plain(name));
    if (words.empty())
      fail(number_, "the brackets name no kind of findings; * stands for all");
    open_ = true;
    entries_.push_back({.line = number_});
    if (words == std::vector<std::string>{"*"})
      return;
    entries_.back().kinds = take_kinds(words);
    if (!words.empty())
      fail(number_, fmt::format("'{}' is no kind of findings and no check{}; check.json and "
                                "reports name the kind of each finding",
                                words.front(), meant_kind(words.front())));
  }

  void set(const std::string& line) {
    const std::size_t equals = line.find('=');
    if (!open_ || equals == std::string::npos)
      fail(number_,
           open_ ? "'key = value' is expected; keys are file, text, function, kernel and reason"
                 : "an entry begins with kinds of findings in brackets: [race]");
    const std::string key = plain(std::string_view(line).substr(0, equals));
    const std::string_view given = trimmed(std::string_view(line).substr(equals + 1));
    const std::string value = key == "text" ? plain(given) : std::string(given);
    SuppressionEntry& entry = entries_.back();
    std::string* const known = key == "file"       ? &entry.file
                               : key == "text"     ? &entry.text
                               : key == "function" ? &entry.function
                               : key == "kernel"   ? &entry.kernel
                               : key == "reason"   ? &entry.reason
                                                   : nullptr;
    if (!known)
      fail(number_,
           fmt::format("'{}' is no key: file, text, function, kernel and reason are", key));
    if (value.empty() || !known->empty())
      fail(number_, fmt::format("'{}' {}", key, value.empty() ? "has no value" : "is given twice"));
    *known = value;
  }

  void end_entry() {
    if (!std::exchange(open_, false))
      return;
    const SuppressionEntry& entry = entries_.back();
    if (entry.reason.empty())
      fail(entry.line, "the entry needs a reason");
    if (entry.file.empty() && entry.function.empty() && entry.kernel.empty())
      fail(entry.line,
           "the entry needs 'file', 'function' or 'kernel', so that it is not for everything");
  }

  fs::path file_;
  std::vector<SuppressionEntry> entries_;
  unsigned number_ = 0;
  bool open_ = false; // the last entry may go on
};

} // namespace

std::vector<SuppressionEntry> read_suppressions(const fs::path& file) {
  const std::optional<std::string> text = read_text(file);
  if (!text)
    throw FormatError(fmt::format("{}: error: the file cannot be read", file.string()));
  Reader reader(file);
  for (const std::string_view line : lines_of(*text))
    reader.add(line);
  return reader.finish();
}

std::optional<fs::path> find_suppressions(const fs::path& folder) {
  std::error_code ignored;
  for (fs::path here = fs::absolute(folder);; here = here.parent_path()) {
    if (fs::is_regular_file(here / kFile, ignored))
      return here / kFile;
    if (here == here.parent_path())
      return std::nullopt;
  }
}

std::string entry_for(const Finding& finding, const std::string& kernel, const std::string& text,
                      const std::string& reason) {
  std::string entry = fmt::format("[{}]\n", finding.kind);
  if (finding.site.line != 0)
    entry += fmt::format("file = {}\n", finding.site.file);
  if (const std::string line = plain(text); !line.empty())
    entry += fmt::format("text = {}\n", line);
  return entry + fmt::format("kernel = {}\nreason = {}\n", kernel, reason);
}

std::optional<fs::path> suppressions_file(const Settings& settings) {
  if (!settings.given("suppressions"))
    return std::nullopt;
  return settings.text("suppressions");
}

std::string suppressed_text(std::uint64_t suppressed) {
  return suppressed == 0 ? "" : fmt::format(", {} suppressed", suppressed);
}

Suppressions::Suppressions(std::vector<fs::path> roots, std::optional<fs::path> file)
    : roots_(std::move(roots)), file_(std::move(file)) {
  if (!file_ && !roots_.empty())
    file_ = find_suppressions(roots_.front());
  if (file_)
    entries_ = read_suppressions(*file_);
}

const Suppressions::Source& Suppressions::source(const std::string& file) {
  const auto [known, is_new] = sources_.try_emplace(file);
  if (!is_new)
    return known->second;
  std::optional<std::string> text;
  if (fs::path(file).is_absolute())
    text = read_text(file);
  else
    for (const fs::path& root : roots_)
      for (fs::path here = fs::absolute(root); !text; here = here.parent_path()) {
        text = read_text(here / file);
        if (here == here.parent_path())
          break;
      }
  if (!text)
    return known->second;
  for (const std::string_view line : lines_of(*text))
    known->second.lines.push_back(plain(line));
  try {
    known->second.comments = read_ignore_comments(*text, file);
  } catch (const CommentError& problem) {
    fmt::print(stderr, "{}\n", problem.what());
  }
  return known->second;
}

const std::string& Suppressions::line_of(const CodePlace& place) {
  static const std::string none;
  const Source& known = source(place.file);
  return place.line == 0 || place.line > known.lines.size() ? none : known.lines[place.line - 1];
}

bool Suppressions::matches(const SuppressionEntry& entry, const Finding& finding,
                           const std::string& name, const std::string& kernel) {
  const auto is_there = [&](const CodePlace& place) {
    return matches_file(entry.file, place.file) &&
           (entry.text.empty() || entry.text == line_of(place)) &&
           (entry.function.empty() ||
            entry.function == function_around(source(place.file).lines, place.line));
  };
  return (entry.kinds.empty() || entry.kinds.contains(finding.kind)) &&
         (entry.kernel.empty() || matches_any({entry.kernel}, name) ||
          matches_any({entry.kernel}, kernel)) &&
         (is_there(finding.site) || (finding.other.line != 0 && is_there(finding.other)));
}

std::optional<SuppressedBy> Suppressions::of(const Finding& finding, const std::string& name,
                                             const std::string& kernel) {
  for (const CodePlace& place : {finding.site, finding.other}) {
    if (place.line == 0)
      continue;
    for (const IgnoreComment& comment : source(place.file).comments)
      if (comment.covers(place.file, place.line) && comment.kinds.contains(finding.kind))
        return SuppressedBy{fmt::format("{}:{}", place.file, comment.first_line), true,
                            comment.reason};
  }
  for (const SuppressionEntry& entry : entries_)
    if (matches(entry, finding, name, kernel))
      return SuppressedBy{fmt::format("{}:{}", file_->string(), entry.line), false, entry.reason};
  return std::nullopt;
}

void Suppressions::apply(CheckResults& results) {
  results.suppressions = file();
  std::erase_if(results.findings, [&](CheckedFinding& found) {
    const auto by = of(found.finding, results.name, results.kernel);
    if (!by)
      return false;
    results.suppressed.push_back({std::move(found), *by});
    return true;
  });
  if (results.suppressed.empty())
    return;
  for (CheckedCase& checked : results.cases)
    checked.findings = static_cast<std::uint64_t>(
        std::ranges::count_if(results.findings, [&](const CheckedFinding& found) {
          return std::ranges::count(found.cases, checked.name) != 0;
        }));
}

} // namespace gputest::model
