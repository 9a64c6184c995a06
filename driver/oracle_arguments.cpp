// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/oracle_arguments.h"

#include "driver/command_error.h"
#include "model/settings.h"

#include <fmt/format.h>
#include <vector>

namespace gputest::driver {

void add_oracle_options(cxxopts::Options& options) {
  const auto text = [] { return cxxopts::value<std::string>(); };
  options.add_options("Oracle")(
      "oracle",
      "what judges the program, with commas: exit-code, output, reads (what it reads back from the "
      "device); default: exit-code",
      cxxopts::value<std::vector<std::string>>(), "NAMES")(
      "fail-regex", "oracle output: the program fails if this is found in its output", text(),
      "RE")("pass-regex", "oracle output: the program fails if this is not found there", text(),
            "RE")("oracle-tolerance",
                  "oracle reads: relative difference of floating-point numbers that does not count",
                  text(), "E");
}

model::Oracle oracle_of(const cxxopts::ParseResult& arguments) {
  model::Oracle oracle;
  try {
    if (arguments.count("oracle") > 0) {
      std::vector<std::string> words;
      for (std::string list : arguments["oracle"].as<std::vector<std::string>>())
        for (std::size_t at = 0; at != std::string::npos;) {
          const std::size_t comma = list.find(',', at);
          words.push_back(list.substr(at, comma - at));
          at = comma == std::string::npos ? comma : comma + 1;
        }
      oracle = model::oracle_named(words);
    }
    const auto expression = [&](const char* name) {
      return arguments.count(name) > 0 ? std::optional(arguments[name].as<std::string>())
                                       : std::nullopt;
    };
    oracle.fail_expression = expression("fail-regex");
    oracle.pass_expression = expression("pass-regex");
    if (const auto tolerance = expression("oracle-tolerance"))
      oracle.tolerance = model::real_of("oracle-tolerance", *tolerance);
    model::check(oracle);
  } catch (const model::SettingError& error) {
    throw CommandError(fmt::format("error: {}", error.what()));
  }
  return oracle;
}

void print_oracle_note(const std::string& name, const std::string& note) {
  if (!note.empty())
    fmt::print(stderr, "note: {} {}\n", name, note);
}

} // namespace gputest::driver
