// Giving the text of a program the names of the files it was read from.
#pragma once

#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

namespace gputest::layer {

struct NamedSource {
  std::string text; // with #line directives
  // What the parts that no file holds, if there are any, are called: "program-<hash>.cl".
  std::string name;
  std::string stem;       // for folders of results: of the first file, else of `name`
  bool has_file = false;  // some part is the content of a file
  bool has_other = false; // some part is not
};

class SourceNames {
public:
  // `files` are read when the first program asks.
  explicit SourceNames(std::vector<std::filesystem::path> files);

  // A file is found where its whole content (white space at its end aside) stands in the source, at
  // the beginning of a line. Of files that overlap, the longest. A source that asks for __LINE__
  // keeps its lines, so that a file is found only if it is all of the source.
  NamedSource name(const std::string& source);

private:
  struct File {
    std::filesystem::path path;
    std::string content;
  };
  void read();

  std::mutex mutex_;
  std::vector<std::filesystem::path> paths_;
  std::vector<File> files_; // longest first
  bool is_read_ = false;
};

} // namespace gputest::layer
