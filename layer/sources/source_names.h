// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gives the text of a program the names of the files from which it was read.
#pragma once

#include "layer/sources/string_literals.h"

#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

namespace gputest::layer {

struct NamedSource {
  std::string text; // with #line directives
  // The name of the parts that no file holds, if there are any: "program-<hash>.cl".
  std::string name;
  std::string stem; // for folders of results: that of the first file with a kernel, else of `name`
  bool has_file = false;            // some part is the content of a file, or of a literal in a file
  bool has_other = false;           // some part is not
  std::vector<std::string> files{}; // paths of the files of the parts; each once
};

class SourceNames {
public:
  // Files of kernels, and of host programs (C, C++, Python) whose string literals may be kernels.
  // They are read when a program needs them: host programs only if the files of kernels do not hold
  // all of it.
  explicit SourceNames(std::vector<std::filesystem::path> kernel_files,
                       std::vector<std::filesystem::path> host_files = {});

  // A file is found if its whole content (without white space at its end) is in the source, at the
  // beginning of a line. A literal is found if all of it is there, from line to line. Of those that
  // overlap, the longest is taken. A source that asks for __LINE__ keeps its lines. So it has a
  // file only if it is all of the source, and never a literal.
  //
  // Different texts have different stems. For files of one name, the folder's name comes first. The
  // second literal with kernels in a file is "<stem>-2".
  NamedSource name(const std::string& source);

private:
  struct File {
    std::filesystem::path path;
    std::string content, stem;
    std::vector<std::size_t> lines{}; // the line number of each line of `content`; empty: 1, 2, …
  };
  struct Part {
    std::size_t begin = 0, end = 0;
    const File* file = nullptr;
  };
  void read_kernels();
  void read_hosts();
  void name_apart(std::vector<File>& files) const;
  static void find(const std::vector<File>& files, const std::string& source, bool keeps_lines,
                   std::vector<Part>& parts);

  std::mutex mutex_;
  std::vector<std::filesystem::path> kernel_paths_, host_paths_;
  std::vector<File> kernels_, literals_;         // longest first
  bool has_kernels_ = false, has_hosts_ = false; // whether they were read
};

} // namespace gputest::layer
