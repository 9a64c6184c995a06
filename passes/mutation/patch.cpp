#include "passes/mutation/patch.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/MemoryBuffer.h>

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace gputest::passes::mutation {
namespace {

struct FileEdit {
  std::size_t begin = 0, end = 0;
  std::string text;
};

class FileText {
public:
  explicit FileText(std::string text) : text_(std::move(text)) {
    lines_.push_back(0);
    for (std::size_t i = 0; i < text_.size(); ++i)
      if (text_[i] == '\n')
        lines_.push_back(i + 1);
  }
  const std::string& text() const { return text_; }
  std::size_t offset(unsigned line, unsigned column) const {
    const std::size_t start =
        lines_[std::min<std::size_t>(std::max(line, 1u) - 1, lines_.size() - 1)];
    return std::min(start + column - 1, text_.size());
  }

private:
  std::string text_;
  std::vector<std::size_t> lines_;
};

std::vector<llvm::StringRef> lines_of(llvm::StringRef text) {
  std::vector<llvm::StringRef> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.take_front(end));
    text = text.drop_front(std::min(end + 1, text.size()));
  }
  return lines;
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
    result += " " + a[i].str() + "\n";
  for (std::size_t i = same; i < a_end; ++i)
    result += "-" + a[i].str() + "\n";
  for (std::size_t i = same; i < b_end; ++i)
    result += "+" + b[i].str() + "\n";
  for (std::size_t i = a_end; i < a_end + context; ++i)
    result += " " + a[i].str() + "\n";
  return result;
}

class Patcher {
public:
  Patcher(const FlatSource& source, const FileText& file, unsigned file_index)
      : source_(source), file_(file), file_index_(file_index) {}

  // Changes within macros are gathered by invocation.
  void add(const TextChange& change) {
    const std::size_t first = source_.token_at_or_after(change.begin);
    if (change.begin == change.end) {
      const bool before_token =
          first < source_.tokens.size() && source_.tokens[first].begin == change.begin;
      const FlatToken& token =
          source_.tokens[before_token ? first : std::max<std::size_t>(first, 1) - 1];
      if (in_body(token))
        return in_macro(token.expansion, change);
      const std::size_t at = before_token
                                 ? file_.offset(token.place.line, token.place.column)
                                 : file_.offset(token.place.end_line, token.place.end_column);
      return put(token, {at, at, change.text});
    }
    std::size_t last = first;
    while (last + 1 < source_.tokens.size() && source_.tokens[last + 1].begin < change.end)
      ++last;
    for (std::size_t i = first; i <= last; ++i)
      if (in_body(source_.tokens[i]))
        return in_macro(source_.tokens[i].expansion, change);
    const Place& from = source_.tokens[first].place;
    const Place& to = source_.tokens[last].place;
    put(source_.tokens[first], {file_.offset(from.line, from.column),
                                file_.offset(to.end_line, to.end_column), change.text});
  }

  std::string apply() {
    for (const auto& [index, changes] : macros_) {
      const Expansion& expansion = source_.expansions[static_cast<std::size_t>(index)];
      const FlatToken& first = source_.tokens[expansion.first_token];
      const FlatToken& last = source_.tokens[expansion.last_token];
      std::string text;
      unsigned copied = first.begin;
      for (const TextChange& change : changes) {
        text += source_.text.substr(copied, change.begin - copied) + change.text;
        copied = change.end;
      }
      text += source_.text.substr(copied, std::max(last.end, copied) - copied);
      const Place place = whole(expansion);
      put(first, {file_.offset(place.line, place.column),
                  file_.offset(place.end_line, place.end_column), text});
    }
    std::ranges::stable_sort(edits_, {}, &FileEdit::begin);
    std::string result;
    std::size_t copied = 0;
    for (const FileEdit& edit : edits_) {
      result += file_.text().substr(copied, edit.begin - copied) + edit.text;
      copied = edit.end;
    }
    return result + file_.text().substr(copied);
  }

private:
  // A token of a macro's body has the invocation's place; one of its arguments has its own.
  bool in_body(const FlatToken& token) const {
    if (token.expansion < 0)
      return false;
    const std::size_t from = file_.offset(token.place.line, token.place.column);
    return file_.text().compare(from, token.end - token.begin, source_.text, token.begin,
                                token.end - token.begin) != 0 ||
           file_.offset(token.place.end_line, token.place.end_column) !=
               from + token.end - token.begin;
  }

  // From the invocation's first character to its last.
  Place whole(const Expansion& expansion) const {
    for (std::size_t i = expansion.first_token; i <= expansion.last_token; ++i)
      if (in_body(source_.tokens[i]))
        return source_.tokens[i].place;
    return source_.tokens[expansion.first_token].place;
  }

  void in_macro(int expansion, const TextChange& change) { macros_[expansion].push_back(change); }

  void put(const FlatToken& token, FileEdit edit) {
    if (token.place.file == file_index_)
      edits_.push_back(std::move(edit));
  }

  const FlatSource& source_;
  const FileText& file_;
  unsigned file_index_;
  std::map<int, std::vector<TextChange>> macros_; // by expansion
  std::vector<FileEdit> edits_;
};

} // namespace

llvm::Expected<std::string> patch(const FlatSource& source, const FileNames& names,
                                  const std::vector<TextChange>& changes) {
  const FlatToken& first = source.tokens[std::min(source.token_at_or_after(changes.front().begin),
                                                  source.tokens.size() - 1)];
  const std::string& name = source.files[first.place.file];
  for (const std::string& path : source.dependencies) {
    if (names.name(path) != name)
      continue;
    const auto buffer = llvm::MemoryBuffer::getFile(path);
    if (!buffer)
      break;
    const FileText file((*buffer)->getBuffer().str());
    Patcher patcher(source, file, first.place.file);
    for (const TextChange& change : changes)
      patcher.add(change);
    return unified(name, file.text(), patcher.apply());
  }
  return llvm::createStringError(llvm::inconvertibleErrorCode(), "%s: error: cannot be read",
                                 name.c_str());
}

} // namespace gputest::passes::mutation
