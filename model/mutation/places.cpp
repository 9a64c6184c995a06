// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/mutation/places.h"

#include <algorithm>
#include <tuple>

namespace gputest::model {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

unsigned char byte_at(std::string_view text, std::size_t i) {
  return static_cast<unsigned char>(text[i]);
}

// Returns the bytes of the UTF-8 sequence at the start of `text`; 1: there is none.
std::size_t sequence_length(std::string_view text) {
  const unsigned lead = byte_at(text, 0);
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 1;
  if (text.size() < length)
    return 1;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte_at(text, i) & 0xC0U) != 0x80)
      return 1;
  return length;
}

} // namespace

SourceText::SourceText(const std::string& text)
    : text_(text), starts_{0},
      is_ascii_(std::ranges::none_of(text, [](char c) { return (c & 0x80) != 0; })) {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n')
      starts_.push_back(i + 1);
}

std::string_view SourceText::line(unsigned number) const {
  if (number == 0 || number > starts_.size())
    return {};
  const std::size_t begin = starts_[number - 1],
                    end = number < starts_.size() ? starts_[number] : text_.size();
  return std::string_view(text_).substr(begin, end - begin);
}

unsigned SourceText::utf16_column(unsigned number, unsigned byte_column) const {
  if (is_ascii_ || byte_column == 0)
    return byte_column;
  std::string_view before = line(number);
  const std::size_t bytes = byte_column - 1;
  const std::size_t missing = bytes - std::min(bytes, before.size());
  before = before.substr(0, bytes);
  std::size_t units = missing;
  while (!before.empty()) {
    const std::size_t length = sequence_length(before);
    units += length == 4 ? 2 : 1;
    before.remove_prefix(length);
  }
  return static_cast<unsigned>(units + 1);
}

SourceText::Position SourceText::find_kernel(const std::string& name) const {
  std::size_t found = std::string::npos;
  for (std::size_t at = 0; !name.empty() && (at = text_.find(name, at)) != std::string::npos;
       at += name.size()) {
    const std::size_t after = text_.find_first_not_of(" \t\r\n", at + name.size());
    if ((at > 0 && is_word(text_[at - 1])) || after == std::string::npos || text_[after] != '(')
      continue;
    if (found == std::string::npos)
      found = at;
    std::string_view before = std::string_view(text_).substr(0, at);
    before = before.substr(0, before.find_last_not_of(" \t\r\n") + 1);
    if (before.ends_with("void")) { // kernels return nothing else
      found = at;
      break;
    }
  }
  if (found == std::string::npos)
    return {};
  const auto next = std::ranges::upper_bound(starts_, found);
  return {.line = static_cast<unsigned>(next - starts_.begin()),
          .column = static_cast<unsigned>(found - *std::prev(next) + 1),
          .width = static_cast<unsigned>(name.size())};
}

Places::Places(std::span<const Mutation> mutations) : mutations_(mutations) {
  for (const Mutation& mutation : mutations)
    for (const auto& [name, text] : mutation.sources) {
      const auto other = files_.find(name);
      const std::string key =
          other == files_.end() || other->second.text == text ? name : mutation.name + "/" + name;
      files_.try_emplace(key, File{.key = key, .name = name, .is_known = true, .text = text});
      texts_.try_emplace(key, text);
    }
  for (const Mutation& mutation : mutations)
    for (const MutantResult& result : mutation.results) {
      const std::string& name = file_of(mutation, result.mutant);
      if (!mutation.sources.contains(name) && !files_.contains(name))
        files_.emplace(name, File{.key = name, .name = name, .is_known = false, .text = {}});
    }
}

std::vector<Places::File> Places::files() const {
  std::vector<File> files;
  for (const auto& [key, file] : files_)
    files.push_back(file);
  return files;
}

Places::Place Places::of(std::size_t kernel, const Mutant& mutant) const {
  const Mutation& mutation = mutations_[kernel];
  const std::string& name = file_of(mutation, mutant);
  Place place{.key = key_of(kernel, name),
              .name = name,
              .line = mutant.line,
              .column = std::max(mutant.column, 1U),
              .end_line = mutant.end_line,
              .end_column = std::max(mutant.end_column, 1U)};
  const auto text = texts_.find(place.key);
  if (place.line == 0) {
    const auto position =
        text == texts_.end() ? SourceText::Position() : text->second.find_kernel(mutation.kernel);
    place.line = place.end_line = position.line;
    place.column = position.column;
    place.end_column = position.column + position.width;
  }
  if (std::tie(place.end_line, place.end_column) <= std::tie(place.line, place.column)) {
    place.end_line = place.line;
    place.end_column = place.column + 1;
  }
  place.utf16_column = place.column;
  place.utf16_end_column = place.end_column;
  if (text != texts_.end()) {
    place.utf16_column = text->second.utf16_column(place.line, place.column);
    place.utf16_end_column = text->second.utf16_column(place.end_line, place.end_column);
  }
  return place;
}

const std::string& Places::file_of(const Mutation& mutation, const Mutant& mutant) {
  return mutant.file.empty() ? mutation.source : mutant.file;
}

std::string Places::key_of(std::size_t kernel, const std::string& name) const {
  const Mutation& mutation = mutations_[kernel];
  const auto own = mutation.sources.find(name);
  if (own == mutation.sources.end() || files_.at(name).text == own->second)
    return name;
  return mutation.name + "/" + name;
}

} // namespace gputest::model
