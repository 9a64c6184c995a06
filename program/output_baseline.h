// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program prints in runs that change nothing. Other runs are compared with it.
//
// Numbers that vary in these runs are not compared, nor are numbers in lines about time or speed,
// such as "kernel: 1.2 ms" and "bandwidth 310 GB/s". A line in which something else varies is not
// compared either.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gputest::program {

class OutputBaseline {
public:
  void add(std::string_view text);

  bool is_empty() const { return lines_.empty(); }
  bool varies_in_lines() const { return varies_in_lines_; } // in their number

  // Returns "line 3 is 'Test FAILED' instead of 'Test PASSED'", "it has 4 lines instead of 3".
  // Empty if nothing differs except what varies by itself.
  std::string difference(std::string_view text) const;

private:
  struct Part {
    std::string text;
    bool is_compared = true;
  };
  struct Line {
    std::string text;
    std::vector<Part> parts;
    bool is_compared = true;
  };
  static Line line_of(std::string_view text);

  std::vector<Line> lines_;
  bool varies_in_lines_ = false, is_first_ = true;
};

// Returns a line for messages: without control characters, and not too long.
std::string shown_line(std::string_view line);
// Returns the last line that is not empty, for messages.
std::string last_line(std::string_view text);

} // namespace gputest::program
