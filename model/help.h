// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the text of --help and of manual pages from the options that a parser knows.
#pragma once

#include <string>
#include <string_view>

namespace cxxopts {
class Options;
}

namespace gputest::model {

enum class HelpFormat {
  Text, // as wide as the terminal, at most 100 columns
  Man   // for man(1), in section 1
};

// Returns Man if GPUTEST_HELP_FORMAT is "man". It is a variable, so that the programs behind a
// command need no option for it.
HelpFormat help_format();

// Returns the help of one command. `notes`, which are paragraphs, follow the options.
std::string help_page(const cxxopts::Options& options, HelpFormat format,
                      std::string_view notes = "");

// Returns text in which roff finds no commands.
std::string roff(std::string_view text);
// Returns the line that a manual page begins with. "gputest-report" is in section 1.
std::string man_title(std::string_view page);

} // namespace gputest::model
