// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/programs/oracle.h"

#include "model/json.h"
#include "model/settings.h"

#include <algorithm>
#include <fmt/format.h>
#include <regex.h>

namespace gputest::model {
namespace {

// The C library's, because std::regex needs stack in proportion to the text.
class Expression {
public:
  explicit Expression(const std::string& text)
      : error_(::regcomp(&compiled_, text.c_str(), REG_EXTENDED | REG_NEWLINE)) {}
  Expression(const Expression&) = delete;
  Expression& operator=(const Expression&) = delete;
  ~Expression() {
    if (error_ == 0)
      ::regfree(&compiled_);
  }

  // Returns what is wrong; empty: nothing.
  std::string problem() const {
    char text[256] = "";
    if (error_ != 0)
      ::regerror(error_, &compiled_, text, sizeof text);
    return text;
  }

  // Returns where in the text it begins to match.
  std::optional<std::size_t> find(std::string_view text) const {
    regmatch_t match{};
    match.rm_eo = static_cast<regoff_t>(text.size());
    if (error_ != 0 || ::regexec(&compiled_, text.data(), 1, &match, REG_STARTEND) != 0)
      return std::nullopt;
    return static_cast<std::size_t>(match.rm_so);
  }

private:
  regex_t compiled_{};
  int error_;
};

void check_expression(const char* option, const std::optional<std::string>& expression) {
  if (!expression)
    return;
  if (expression->empty())
    throw SettingError(fmt::format("{}: the regular expression is empty", option));
  if (const std::string problem = Expression(*expression).problem(); !problem.empty())
    throw SettingError(
        fmt::format("{}: '{}' is no regular expression: {}", option, *expression, problem));
}

} // namespace

Oracle oracle_named(const std::vector<std::string>& words) {
  Oracle oracle{.exit_code = false, .is_given = true};
  for (const std::string& word : words) {
    bool* const chosen = word == "exit-code" ? &oracle.exit_code
                         : word == "output"  ? &oracle.output
                         : word == "reads"   ? &oracle.reads
                                             : nullptr;
    if (!chosen)
      throw SettingError(
          fmt::format("--oracle: '{}' is not known: give exit-code, output, reads, or several of "
                      "them with commas",
                      word));
    if (*chosen)
      throw SettingError(fmt::format("--oracle: '{}' is given twice", word));
    *chosen = true;
  }
  if (words.empty())
    throw SettingError("--oracle: give exit-code, output, reads, or several of them with commas");
  return oracle;
}

void check(const Oracle& oracle) {
  check_expression("--fail-regex", oracle.fail_expression);
  check_expression("--pass-regex", oracle.pass_expression);
  if (!oracle.output && (oracle.fail_expression || oracle.pass_expression))
    throw SettingError(fmt::format("{} is for --oracle output",
                                   oracle.fail_expression ? "--fail-regex" : "--pass-regex"));
  if (!oracle.reads && oracle.tolerance > 0)
    throw SettingError("--oracle-tolerance is for --oracle reads");
}

nlohmann::ordered_json to_json(const Oracle& oracle) {
  nlohmann::ordered_json json{{"judges", nlohmann::ordered_json::array()}};
  for (const auto& [is_chosen, word] :
       {std::pair(oracle.exit_code, "exit-code"), std::pair(oracle.output, "output"),
        std::pair(oracle.reads, "reads")})
    if (is_chosen)
      json["judges"].push_back(word);
  if (oracle.fail_expression)
    json["fail_regular_expression"] = *oracle.fail_expression;
  if (oracle.pass_expression)
    json["pass_regular_expression"] = *oracle.pass_expression;
  if (oracle.tolerance > 0)
    json["tolerance"] = oracle.tolerance;
  return json;
}

Oracle oracle_from_json(const nlohmann::ordered_json& json) {
  try {
    Oracle oracle = oracle_named(required<std::vector<std::string>>(json, "judges"));
    oracle.fail_expression = optional<std::string>(json, "fail_regular_expression");
    oracle.pass_expression = optional<std::string>(json, "pass_regular_expression");
    oracle.tolerance = optional<double>(json, "tolerance").value_or(0);
    if (!(oracle.tolerance >= 0))
      throw SettingError("the tolerance is below 0");
    check(oracle);
    return oracle;
  } catch (const SettingError& error) {
    throw FormatError(std::string("key 'oracle': ") + error.what());
  }
}

std::string text_of(const Oracle& oracle) {
  std::vector<std::string> parts;
  if (oracle.exit_code)
    parts.emplace_back("exit code");
  if (oracle.output) {
    std::string expressions;
    const auto add = [&](const char* keyword, const std::optional<std::string>& expression) {
      if (expression)
        expressions +=
            fmt::format("{}{} '{}'", expressions.empty() ? "" : ", ", keyword, *expression);
    };
    add("FAIL_REGULAR_EXPRESSION", oracle.fail_expression);
    add("PASS_REGULAR_EXPRESSION", oracle.pass_expression);
    parts.push_back(expressions.empty() ? "output" : fmt::format("output ({})", expressions));
  }
  if (oracle.reads)
    parts.push_back(oracle.tolerance > 0 ? fmt::format("reads (tolerance {:g})", oracle.tolerance)
                                         : "reads");
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i)
    text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
  return text;
}

std::optional<std::string> line_with(const std::string& expression, std::string_view text) {
  const auto found = Expression(expression).find(text);
  if (!found)
    return std::nullopt;
  const std::size_t before = text.rfind('\n', *found == 0 ? std::string_view::npos : *found - 1);
  const std::size_t begin = *found == 0 || before == std::string_view::npos ? 0 : before + 1;
  return std::string(text.substr(begin, text.find('\n', begin) - begin));
}

} // namespace gputest::model
