// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/mutation/patch.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/MemoryBuffer.h>

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>

namespace gputest::passes::mutation {
namespace {

struct FileEdit {
  std::size_t begin = 0, end = 0;
  std::string text;
};

// The lines, with their line ends.
std::vector<llvm::StringRef> lines_of(llvm::StringRef text) {
  std::vector<llvm::StringRef> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.take_front(end));
    text = text.drop_front(end);
  }
  return lines;
}

std::string patch_line(char sign, llvm::StringRef line) {
  return sign + line.str() + (line.ends_with("\n") ? "" : "\n\\ No newline at end of file\n");
}

// One hunk from the first line that differs to the last, with three lines around it.
std::string unified(const std::string& name, const std::string& before, const std::string& after) {
  const auto a = lines_of(before), b = lines_of(after);
  std::size_t same = 0, same_end = 0;
  while (same < a.size() && same < b.size() && a[same] == b[same])
    ++same;
  while (same_end + same < a.size() && same_end + same < b.size() &&
         a[a.size() - 1 - same_end] == b[b.size() - 1 - same_end])
    ++same_end;
  const std::size_t from = same - std::min<std::size_t>(same, 3);
  const std::size_t context = std::min<std::size_t>(same_end, 3);
  const std::size_t a_end = a.size() - same_end, b_end = b.size() - same_end;
  std::string result = fmt::format("--- a/{0}\n+++ b/{0}\n@@ -{1},{2} +{1},{3} @@\n", name,
                                   from + 1, a_end + context - from, b_end + context - from);
  for (std::size_t i = from; i < same; ++i)
    result += patch_line(' ', a[i]);
  for (std::size_t i = same; i < a_end; ++i)
    result += patch_line('-', a[i]);
  for (std::size_t i = same; i < b_end; ++i)
    result += patch_line('+', b[i]);
  for (std::size_t i = a_end; i < a_end + context; ++i)
    result += patch_line(' ', a[i]);
  return result;
}

// Puts a space where two tokens would become one.
void append(std::string& text, llvm::StringRef more) {
  const auto is_word = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  const llvm::StringRef operators = "+-*/%&|^<>=!#:.";
  if (!text.empty() && !more.empty() &&
      ((is_word(text.back()) && is_word(more.front())) ||
       (operators.contains(text.back()) && operators.contains(more.front()))))
    text += ' ';
  text += more;
}

// Whether `text` would be more than one argument of a macro.
bool parts_arguments(llvm::StringRef text) {
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth <= 0)
      return true;
  }
  return false;
}

// The directives that must stay when a range of the file is removed: those that form pairs with
// others outside of the range, and definitions that others may use.
std::string kept_directives(llvm::StringRef removed) {
  std::string kept;
  int depth = 0, lowest = 0;
  bool defines = false;
  // The beginning of the range is behind something else in its line.
  for (removed = removed.split('\n').second; !removed.empty();) {
    llvm::StringRef directive;
    do { // a directive goes on behind a backslash
      const auto [line, rest] = removed.split('\n');
      directive = directive.empty()
                      ? line
                      : llvm::StringRef(directive.data(),
                                        static_cast<std::size_t>(line.end() - directive.data()));
      removed = rest;
    } while (directive.rtrim("\r").ends_with("\\") && !removed.empty());
    llvm::StringRef word = directive.ltrim();
    if (!word.consume_front("#"))
      continue;
    word = word.ltrim().take_while(llvm::isAlpha);
    if (word == "pragma" || word == "line" || word == "include")
      continue;
    depth += word.starts_with("if") ? 1 : word == "endif" ? -1 : 0;
    lowest = std::min(lowest, word.starts_with("el") ? depth - 1 : depth);
    defines |= word == "define" || word == "undef";
    kept += "\n" + directive.rtrim("\r").str();
  }
  return lowest < 0 || depth != 0 || defines ? kept + "\n" : "";
}

// A change replaces whole units of the file: a token that stands there as such, or the whole
// invocation of a macro, which is then written out.
class Patcher {
public:
  explicit Patcher(const frontend::FlatSource& source) : source_(source) {}

  void add(const TextChange& change) {
    Group group{.first = source_.token_at_or_after(change.begin), .last = 0, .changes = {change}};
    if (change.begin == change.end) { // beside a token
      const bool before_token =
          group.first < source_.tokens.size() && source_.tokens[group.first].begin == change.begin;
      if (!before_token)
        group.first = std::max<std::size_t>(group.first, 1) - 1;
      group.last = group.first;
    } else {
      group.last = std::max(source_.token_at_or_after(change.end), group.first + 1) - 1;
    }
    const std::optional<frontend::Span> written = as_written(group.first, group.last);
    const bool in_macro = source_.tokens[group.first].expansion >= 0;
    if (written && !(in_macro && parts_arguments(change.text))) {
      group.span = *written;
    } else {
      const frontend::FlatToken &first = source_.tokens[group.first],
                                &last = source_.tokens[group.last];
      if (first.expansion >= 0)
        group.first = expansion_of(first).first_token;
      if (last.expansion >= 0)
        group.last = expansion_of(last).last_token;
    }
    groups_.push_back(std::move(group));
  }

  // The edits by index of the file. Fails if a change is not within one file.
  llvm::Expected<std::map<unsigned, std::vector<FileEdit>>> edits() {
    merge();
    std::map<unsigned, std::vector<FileEdit>> result;
    for (const Group& group : groups_) {
      const frontend::Span begin = group.span ? *group.span : unit_of(group.first);
      const frontend::Span end = group.span ? *group.span : unit_of(group.last);
      if (begin.file != end.file || begin.begin > end.end)
        return llvm::createStringError(
            llvm::inconvertibleErrorCode(),
            "%s: error: this mutant is no patch of a file: what it changes begins in %s and ends "
            "in %s",
            source_.name_of(source_.tokens[group.first].begin).c_str(),
            source_.files[source_.tokens[group.first].place.file].c_str(),
            source_.files[source_.tokens[group.last].place.file].c_str());
      if (read_again(group, {begin.file, begin.begin, end.end}))
        return llvm::createStringError(
            llvm::inconvertibleErrorCode(),
            "%s: error: this mutant is no patch of a file: the file is included more than once, "
            "and the mutant changes one of these times",
            source_.name_of(source_.tokens[group.first].begin).c_str());
      result[begin.file].push_back({begin.begin, end.end, text_of(group)});
    }
    return result;
  }

private:
  struct Group {
    std::size_t first = 0, last = 0;      // tokens
    std::optional<frontend::Span> span{}; // if no macro has to be expanded
    std::vector<TextChange> changes{};
  };

  const frontend::Expansion& expansion_of(const frontend::FlatToken& token) const {
    return source_.expansions[static_cast<std::size_t>(token.expansion)];
  }

  frontend::Span unit_of(std::size_t token) const {
    const frontend::FlatToken& one = source_.tokens[token];
    return one.expansion < 0 ? one.span : expansion_of(one).span;
  }

  // The span of tokens that are in the file as in the flat text: outside of macros, or in an
  // argument that is used once.
  std::optional<frontend::Span> as_written(std::size_t first, std::size_t last) const {
    const int expansion = source_.tokens[first].expansion;
    const frontend::Span span{source_.tokens[first].span.file, source_.tokens[first].span.begin,
                              source_.tokens[last].span.end};
    if (source_.tokens[last].span.file != span.file || span.begin > span.end)
      return std::nullopt;
    if (expansion < 0 && source_.tokens[last].expansion < 0)
      return span;
    for (std::size_t i = first; i <= last; ++i) {
      const frontend::FlatToken& token = source_.tokens[i];
      if (token.expansion != expansion || token.in_body ||
          (i > first && token.span.begin < source_.tokens[i - 1].span.end))
        return std::nullopt;
    }
    const frontend::Expansion& whole = expansion_of(source_.tokens[first]);
    if (whole.makes_tokens) // maybe from an argument's text
      return std::nullopt;
    // Another use of the argument would change, too.
    for (std::size_t i = whole.first_token; i <= whole.last_token; ++i)
      if ((i < first || i > last) && source_.tokens[i].span.begin < span.end &&
          source_.tokens[i].span.end > span.begin && !source_.tokens[i].in_body)
        return std::nullopt;
    return span;
  }

  // Whether other tokens come from the same characters.
  bool read_again(const Group& group, const frontend::Span& span) const {
    const int expansion = source_.tokens[group.first].expansion;
    for (std::size_t i = 0; i < source_.tokens.size(); ++i) {
      const frontend::FlatToken& token = source_.tokens[i];
      const bool around = token.in_body && token.expansion == expansion; // the argument
      if ((i < group.first || i > group.last) && !around && token.span.file == span.file &&
          token.span.begin < span.end && token.span.end > span.begin)
        return true;
    }
    return false;
  }

  void merge() {
    std::ranges::stable_sort(groups_, {}, &Group::first);
    std::vector<Group> merged;
    for (Group& group : groups_) {
      if (merged.empty() || group.first > merged.back().last) {
        merged.push_back(std::move(group));
        continue;
      }
      Group& into = merged.back();
      if (group.span && into.span)
        into.span->end = std::max(into.span->end, group.span->end);
      else
        into.span.reset();
      into.last = std::max(into.last, group.last);
      into.changes.insert(into.changes.end(), group.changes.begin(), group.changes.end());
    }
    groups_ = std::move(merged);
    for (Group& group : groups_)
      std::ranges::stable_sort(group.changes, {}, &TextChange::begin);
  }

  // The flat text without #line, which the file does not need.
  std::string flat_text(unsigned begin, unsigned end) const {
    std::string result;
    for (llvm::StringRef line : lines_of(llvm::StringRef(source_.text).slice(begin, end)))
      if (!line.starts_with("#line"))
        result += line;
    return result;
  }

  std::string text_of(const Group& group) const {
    std::string text;
    unsigned copied = source_.tokens[group.first].begin;
    for (const TextChange& change : group.changes) {
      append(text, flat_text(copied, std::max(change.begin, copied)));
      append(text, change.text);
      copied = std::max(copied, change.end);
    }
    append(text, flat_text(copied, std::max(source_.tokens[group.last].end, copied)));
    return text;
  }

  const frontend::FlatSource& source_;
  std::vector<Group> groups_;
};

std::string apply(const std::string& text, std::vector<FileEdit> edits) {
  std::ranges::stable_sort(edits, {}, &FileEdit::begin);
  const llvm::StringRef whole(text);
  std::string result;
  std::size_t copied = 0;
  for (const FileEdit& edit : edits) {
    append(result, whole.slice(copied, edit.begin));
    append(result, edit.text);
    result += kept_directives(whole.slice(edit.begin, edit.end));
    copied = edit.end;
  }
  append(result, whole.substr(copied));
  return result;
}

} // namespace

llvm::Expected<std::vector<PatchedFile>> patched(const frontend::FlatSource& source,
                                                 const std::vector<TextChange>& changes) {
  Patcher patcher(source);
  for (const TextChange& change : changes)
    patcher.add(change);
  auto edits = patcher.edits();
  if (!edits)
    return edits.takeError();
  std::vector<PatchedFile> files;
  for (const auto& [file, of_file] : *edits) {
    const std::string& path = source.paths[file];
    const auto buffer = llvm::MemoryBuffer::getFile(path);
    if (!buffer)
      return llvm::createStringError(buffer.getError(), "%s: error: cannot be read: %s",
                                     path.c_str(), buffer.getError().message().c_str());
    const std::string text = (*buffer)->getBuffer().str();
    files.push_back({.path = path, .before = text, .after = apply(text, of_file)});
  }
  return files;
}

std::string diff_of(const std::vector<PatchedFile>& files, const frontend::FileNames& names) {
  std::string result;
  for (const PatchedFile& file : files)
    result += unified(names.name(file.path), file.before, file.after);
  return result;
}

llvm::Expected<std::string> patch(const frontend::FlatSource& source,
                                  const frontend::FileNames& names,
                                  const std::vector<TextChange>& changes) {
  auto files = patched(source, changes);
  return files ? llvm::Expected<std::string>(diff_of(*files, names)) : files.takeError();
}

} // namespace gputest::passes::mutation
