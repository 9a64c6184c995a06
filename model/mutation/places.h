// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The places at which reports show mutants, for viewers that count bytes or UTF-16 units. All lines
// and columns are 1-based, and ends are exclusive.
#pragma once

#include "model/mutation/mutation.h"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace gputest::model {

// A text that converts columns.
class SourceText {
public:
  // Bytes that are not UTF-8 become U+FFFD and count as one unit each.
  explicit SourceText(const std::string& text);

  // Converts a 1-based byte column. Beyond the line's end every byte counts as one unit.
  unsigned utf16_column(unsigned line, unsigned byte_column) const;

  struct Position {
    unsigned line = 1, column = 1, width = 0; // bytes
  };
  // Returns the place of the name in the first `void name(`, else in the first `name(`, else the
  // text's beginning.
  Position find_kernel(const std::string& name) const;

private:
  std::string_view line(unsigned number) const; // 1-based; empty if there is none

  std::string text_;
  std::vector<std::size_t> starts_; // of lines
  bool is_ascii_ = true;
};

// The files of one or several kernels, and the places of mutants in them.
class Places {
public:
  struct File {
    // The key in the object `files`: the file's name, with the kernel's name before it if texts
    // differ.
    std::string key;
    std::string name; // the name that mutants have
    bool is_known = false;
    std::string text;
  };

  explicit Places(std::span<const Mutation> mutations);

  // Returns the files in order of their keys.
  std::vector<File> files() const;

  struct Place {
    std::string key, name;                                       // of the file, as in File
    unsigned line = 1, column = 1, end_line = 1, end_column = 2; // bytes; never empty
    unsigned utf16_column = 1, utf16_end_column = 2;
  };
  // Returns the place of a mutant. That of a mutant of the launch is the kernel's name.
  Place of(std::size_t kernel, const Mutant& mutant) const;

private:
  // Returns the name of the file in which a mutant is shown.
  static const std::string& file_of(const Mutation& mutation, const Mutant& mutant);
  std::string key_of(std::size_t kernel, const std::string& name) const;

  std::span<const Mutation> mutations_;
  std::map<std::string, File> files_;       // by key
  std::map<std::string, SourceText> texts_; // by key, of those known
};

} // namespace gputest::model
