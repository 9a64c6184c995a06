#include "model/help.h"
#include "tests/catch.h"

#include <cxxopts.hpp>

using gputest::model::help_page;
using gputest::model::HelpFormat;
using gputest::tests::ContainsSubstring;

namespace {

cxxopts::Options options() {
  cxxopts::Options options("gputest paint", "Paints kernels. Twice\n");
  options.add_options()("kernel", "what to paint", cxxopts::value<std::string>())(
      "c,colour", "green or .red", cxxopts::value<std::string>()->default_value("green"),
      "NAME")("quick", "no second coat")("coats", "how many; without N, 3",
                                         cxxopts::value<int>()->implicit_value("3"),
                                         "N")("h,help", "print this");
  options.add_options("Brush")("a-brush-with-a-name-that-is-long", "its text has a line of its own",
                               cxxopts::value<std::string>(), "BRUSH");
  options.parse_positional({"kernel"});
  options.positional_help("KERNEL");
  return options;
}

} // namespace

TEST_CASE("A page of help shows each option with its text in the width of a page") {
  CHECK(help_page(options(), HelpFormat::Text, "A note.") ==
        "usage: gputest paint [OPTION…] KERNEL\n"
        "\n"
        "Paints kernels. Twice\n"
        "\n"
        "Options:\n"
        "  -c, --colour NAME  Green or .red (default: green)\n"
        "      --quick        No second coat\n"
        "      --coats[=N]    How many; without N, 3\n"
        "  -h, --help         Print this\n"
        "\n"
        "Brush options:\n"
        "      --a-brush-with-a-name-that-is-long BRUSH\n"
        "            Its text has a line of its own\n"
        "\n"
        "A note.\n");
}

TEST_CASE("A manual page has the same options") {
  const std::string page = help_page(options(), HelpFormat::Man);
  CHECK(page.starts_with(".TH \"GPUTEST-PAINT\" 1"));
  CHECK_THAT(page, ContainsSubstring(".SH NAME\ngputest\\-paint \\- Paints kernels\n"));
  CHECK_THAT(page, ContainsSubstring(".SH SYNOPSIS\n.B gputest paint\n[OPTION…] KERNEL\n"));
  CHECK_THAT(page, ContainsSubstring(".TP\n.B \\-c, \\-\\-colour NAME\nGreen or .red"));
  CHECK_THAT(page, ContainsSubstring(".SH BRUSH OPTIONS\n"));
}

TEST_CASE("Text is no command of roff") {
  CHECK(gputest::model::roff(".B a-b\n'c \\d") == "\\&.B a\\-b\n\\&'c \\ed");
}
