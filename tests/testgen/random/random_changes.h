// Small changes of the text of a random kernel (random_program.h).
#pragma once

#include "testgen/inputs/random.h"

#include <array>
#include <cstdint>
#include <regex>
#include <string>
#include <utility>
#include <vector>

namespace gputest::testgen::tests {

enum class Change {
  Same, // what whole numbers that wrap around do not notice
  Any,  // faults, too
};

namespace detail {

struct Rule {
  const char *what, *by; // a regular expression, and its replacement
};

inline constexpr std::array kSame{
    Rule{R"(\b([xyzwr])\+\+;)", "$1 += 1;"},
    Rule{R"(\b([xyzwr])--;)", "$1 = $1 - 1;"},
    Rule{R"(\b([xyzwr]) ([-+*^|&])= ([^;]*);)", "$1 = $1 $2 ($3);"},
    Rule{R"(if \((.*)\) \{$)", "if (!!($1)) {"},
    Rule{R"(\(-([xyzwr])\))", "(0 - $1)"},
    Rule{R"(\((\w+) ([+*&|^]) (\w+)\))", "($3 $2 $1)"},
    Rule{R"(\b(\w+) < (\w+)\b)", "$2 > $1"},
    Rule{R"(\b(\w+) >= (\w+)\b)", "$2 <= $1"},
    Rule{R"( << \((\w+) & 7\))", " * (1 << ($1 & 7))"},
    Rule{R"(\ba\[(\w+) & 3\])", "a[(($1 & 1) + ($1 & 2))]"},
    Rule{R"(\+ \(long\)y \* 3)", "+ ((long)y * 4 - (long)y)"},
};

inline constexpr std::array kFaults{
    Rule{" <= ", " < "},
    Rule{" < ", " <= "},
    Rule{" >= ", " > "},
    Rule{" > ", " >= "},
    Rule{" == ", " != "},
    Rule{" & 7", " & 6"},
    Rule{R"( & 15\))", " & 14)"},
    Rule{" && ", " || "},
    Rule{R"( \| )", " ^ "},
    Rule{R"( \+ )", " - "},
    Rule{R"( \^ )", " | "},
    Rule{R"(\+\+;)", "--;"},
    Rule{R"(\(uchar\))", "(char)"},
    Rule{R"(\(ushort\))", "(uchar)"},
    Rule{"break;", ";"},
    Rule{R"( [-+]= ([^;]*);)", " = $1;"},
    Rule{R"(\b([1-9]\d*)\b)", "($1 + 1)"},
};

} // namespace detail

// Returns the text with one to three changes, the same ones for texts whose bodies are the same.
// Lines with the head of a loop stay, so that loops end, and so does what surrounds the body.
inline std::string randomly_changed(const std::string& text, std::uint64_t seed, Change change) {
  std::vector<std::string> lines{""};
  for (const char letter : text) {
    if (letter == '\n')
      lines.emplace_back();
    else
      lines.back() += letter;
  }
  std::size_t first = 0;
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (lines[i].starts_with("  long w = 7;"))
      first = i + 1;
  Random random(seed);
  std::vector<detail::Rule> rules(detail::kSame.begin(), detail::kSame.end());
  if (change == Change::Any)
    rules.assign(detail::kFaults.begin(), detail::kFaults.end());
  const std::size_t wanted = 1 + random.below(3);
  for (std::size_t done = 0, tried = 0; done < wanted && tried < 1'000; ++tried) {
    std::string& line = lines[first + random.below(lines.size() - first)];
    const detail::Rule& rule = rules[random.below(rules.size())];
    if (line.find("for (") != std::string::npos || line.find("while (") != std::string::npos)
      continue;
    std::string changed = std::regex_replace(line, std::regex(rule.what), rule.by,
                                             std::regex_constants::format_first_only);
    if (changed == line)
      continue;
    line = std::move(changed);
    ++done;
  }
  std::string all;
  for (const std::string& line : lines)
    all += line + '\n';
  return all;
}

} // namespace gputest::testgen::tests
