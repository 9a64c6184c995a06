// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/help.h"

#include "model/names.h"

#include "process/progress.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cxxopts.hpp>
#include <fmt/format.h>
#include <sstream>
#include <type_traits>
#include <vector>

namespace gputest::model {
namespace {

constexpr std::size_t kMostColumns = 100;
constexpr std::size_t kMostIndent = 32; // options that are longer have a line of their own

// Returns the text with a capital, because commands begin their texts in both ways.
std::string upper(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return result;
}

std::string capitalized(std::string_view text) {
  const std::string_view words = trimmed(text);
  return upper(words.substr(0, 1)) +
         std::string(words.substr(std::min<std::size_t>(1, words.size())));
}

// The parts that Options tells only within a text: the description, and the line that says how to
// call the command.
struct Heading {
  std::string description, usage;
};

Heading heading_of(const cxxopts::Options& options) {
  const std::string text = options.help({"no group has this name"});
  constexpr std::string_view kUsage = "\nUsage:\n";
  const std::size_t usage = text.find(kUsage);
  if (usage == std::string::npos)
    return {std::string(trimmed(text)), options.program()};
  std::string line(trimmed(std::string_view(text).substr(usage + kUsage.size())));
  if (const std::size_t dots = line.find("[OPTION...]"); dots != std::string::npos)
    line.replace(dots, 11, "[OPTION…]");
  return {std::string(trimmed(std::string_view(text).substr(0, usage))), line};
}

// Returns the long name. Releases of the parser have one, or several.
template <typename Names> std::string long_name(const Names& names) {
  if constexpr (std::is_convertible_v<Names, std::string>)
    return names;
  else
    return names.empty() ? "" : names.front();
}

struct Option {
  std::string names, text; // "-o, --output DIR"
};

Option option_of(const cxxopts::HelpOptionDetails& details) {
  Option option;
  const std::string name = long_name(details.l);
  if (!details.s.empty())
    option.names = "-" + details.s;
  if (!name.empty())
    option.names += (option.names.empty() ? "    --" : ", --") + name;
  const std::string value = details.arg_help.empty() ? "VALUE" : details.arg_help;
  if (!details.is_boolean)
    option.names += details.has_implicit ? fmt::format("[={}]", value) : " " + value;
  option.text = capitalized(details.desc);
  if (details.has_default && !details.is_boolean && !details.default_value.empty())
    option.text += fmt::format(" (default: {})", details.default_value);
  return option;
}

struct Group {
  std::string title;
  std::vector<Option> options;
};

// Returns whether the option is positional. The line that says how to call the command has such
// words.
bool is_positional(const cxxopts::HelpOptionDetails& details, const std::string& usage) {
  const std::string name = long_name(details.l);
  return details.s.empty() && details.arg_help.empty() && !details.is_boolean &&
         usage.find(upper(name.ends_with('s') ? name.substr(0, name.size() - 1) : name)) !=
             std::string::npos;
}

std::vector<Group> groups_of(const cxxopts::Options& options, const std::string& usage) {
  std::vector<std::string> names = options.groups();
  std::ranges::sort(names); // the one without a name comes first
  std::vector<Group> groups;
  for (const std::string& name : names) {
    Group group{name.empty() ? "Options" : name + " options", {}};
    std::vector<Option> last; // --help
    for (const cxxopts::HelpOptionDetails& details : options.group_help(name).options)
      if (!is_positional(details, usage))
        (long_name(details.l) == "help" ? last : group.options).push_back(option_of(details));
    std::ranges::move(last, std::back_inserter(group.options));
    if (!group.options.empty())
      groups.push_back(std::move(group));
  }
  return groups;
}

// Returns lines of at most `columns`, all but the first after `indent` spaces.
std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent) {
  std::string result;
  std::size_t used = indent;
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) {
    const std::size_t width = static_cast<std::size_t>(
        std::ranges::count_if(word, [](char c) { return (c & 0xc0) != 0x80; }));
    if (used > indent && used + 1 + width > columns) {
      result += "\n" + std::string(indent, ' ');
      used = indent;
    } else if (used > indent) {
      result += ' ';
      ++used;
    }
    result += word;
    used += width;
  }
  return result;
}

std::vector<std::string> paragraphs(std::string_view text) {
  std::vector<std::string> all;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find("\n\n"), text.size());
    if (const std::string_view one = trimmed(text.substr(0, end)); !one.empty())
      all.emplace_back(one);
    text.remove_prefix(std::min(end + 2, text.size()));
  }
  return all;
}

std::string as_text(const Heading& heading, const std::vector<Group>& groups,
                    std::string_view notes) {
  const std::size_t columns = std::min(process::terminal_columns(), kMostColumns);
  std::string page = fmt::format("usage: {}\n\n", wrapped(heading.usage, columns, 7));
  for (const std::string& one : paragraphs(heading.description))
    page += wrapped(one, columns, 0) + "\n\n";
  for (const Group& group : groups) {
    std::size_t indent = 0;
    for (const Option& option : group.options)
      if (const std::size_t needed = 2 + option.names.size() + 2; needed <= kMostIndent)
        indent = std::max(indent, needed);
    indent = std::max<std::size_t>(indent, 12);
    page += group.title + ":\n";
    for (const Option& option : group.options) {
      std::string line = "  " + option.names;
      line += line.size() + 2 > indent ? "\n" + std::string(indent, ' ')
                                       : std::string(indent - line.size(), ' ');
      page += line + wrapped(option.text, columns, indent) + "\n";
    }
    page += "\n";
  }
  for (const std::string& one : paragraphs(notes))
    page += wrapped(one, columns, 0) + "\n\n";
  page.pop_back();
  return page;
}

std::string as_man(const cxxopts::Options& options, const Heading& heading,
                   const std::vector<Group>& groups, std::string_view notes) {
  std::string name = options.program();
  std::ranges::replace(name, ' ', '-');
  const std::vector<std::string> texts = paragraphs(heading.description);
  std::string page = man_title(name);
  page += fmt::format(".SH NAME\n{} \\- {}\n", roff(name),
                      roff(texts.empty() ? "" : texts.front().substr(0, texts.front().find(". "))));
  page += fmt::format(
      ".SH SYNOPSIS\n.B {}\n{}\n", roff(options.program()),
      roff(trimmed(std::string_view(heading.usage)
                       .substr(std::min(options.program().size(), heading.usage.size())))));
  page += ".SH DESCRIPTION\n";
  for (const std::string& one : texts)
    page += ".PP\n" + roff(one) + "\n";
  for (const Group& group : groups) {
    page += fmt::format(".SH {}\n", roff(upper(group.title)));
    for (const Option& option : group.options)
      page += fmt::format(".TP\n.B {}\n{}\n", roff(trimmed(option.names)), roff(option.text));
  }
  if (!notes.empty())
    page += ".SH NOTES\n";
  for (const std::string& one : paragraphs(notes))
    page += ".PP\n" + roff(one) + "\n";
  page += ".SH EXIT STATUS\n"
          "0: it holds. 1: a test fails, or a threshold is not reached. 2: the input is wrong. "
          "3: an error of gputest.\n"
          ".SH SEE ALSO\n.BR gputest (1)\n";
  return page;
}

} // namespace

HelpFormat help_format() {
  const char* const wanted = std::getenv("GPUTEST_HELP_FORMAT");
  return wanted != nullptr && std::string_view(wanted) == "man" ? HelpFormat::Man
                                                                : HelpFormat::Text;
}

std::string help_page(const cxxopts::Options& options, HelpFormat format, std::string_view notes) {
  const Heading heading = heading_of(options);
  const std::vector<Group> groups = groups_of(options, heading.usage);
  return format == HelpFormat::Man ? as_man(options, heading, groups, notes)
                                   : as_text(heading, groups, notes);
}

std::string roff(std::string_view text) {
  std::string result;
  bool begins = true; // a line
  for (const char c : text) {
    if (begins && (c == '.' || c == '\''))
      result += "\\&";
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
    begins = c == '\n';
  }
  return result;
}

std::string man_title(std::string_view page) {
  return fmt::format(".TH \"{}\" 1 \"\" \"GpuTestCheck\" \"User commands\"\n", upper(page));
}

} // namespace gputest::model
