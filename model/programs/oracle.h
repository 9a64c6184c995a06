// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What judges a run of a program under test, as its user asks for it: the exit code, what the
// program prints, what it reads back from the device. docs/programs.md, "Oracles".
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::model {

struct Oracle {
  bool exit_code = true; // the program must exit with 0
  bool output = false;   // what it prints: compared with the original's, or by the expressions
  bool reads = false;    // what it reads back is compared with what the original reads back
  // POSIX extended regular expressions, which are looked for in each line of the output.
  std::optional<std::string> fail_expression{}, pass_expression{};
  double tolerance = 0;  // reads: relative difference of floating-point numbers that does not count
  bool is_given = false; // the user has asked for it
  bool operator==(const Oracle&) const = default;

  // Returns whether what is printed is compared with what the original prints.
  bool compares_output() const { return output && !fail_expression && !pass_expression; }
};

// Sets the oracle that `words` name: "exit-code", "output", "reads". Throws SettingError
// (model/settings.h) for other words, for none, and for the same word twice.
Oracle oracle_named(const std::vector<std::string>& words);

// Throws SettingError where an expression is broken, or belongs to an oracle that is not there.
void check(const Oracle& oracle);

// Returns "exit code", "output (FAIL_REGULAR_EXPRESSION 'FAIL') and reads (tolerance 1e-05)".
std::string text_of(const Oracle& oracle);

// Convert to and from the JSON of files of schedules (docs/formats.md, "Schedules"). from_json
// throws FormatError where an oracle cannot be asked for like that.
nlohmann::ordered_json to_json(const Oracle& oracle);
Oracle oracle_from_json(const nlohmann::ordered_json& json);

// Returns the first line in which the expression, which must not be broken, is found.
std::optional<std::string> line_with(const std::string& expression, std::string_view text);

} // namespace gputest::model
