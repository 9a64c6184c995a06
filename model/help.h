// What --help prints and what manual pages say: one page of the options that a parser knows.
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

// GPUTEST_HELP_FORMAT=man asks for manual pages, so that the programs behind a command need no
// option for it.
HelpFormat help_format();

// Help of one command. `notes` (paragraphs) follow the options.
std::string help_page(const cxxopts::Options& options, HelpFormat format,
                      std::string_view notes = "");

// Text with what roff takes for commands written out.
std::string roff(std::string_view text);
// The line that a manual page begins with: "gputest-report" is in section 1.
std::string man_title(std::string_view page);

} // namespace gputest::model
