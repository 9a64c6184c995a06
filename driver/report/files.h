// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Does what reports of every kind do with their options.
#pragma once

#include "report/common/junit.h"
#include "report/common/parted_page.h"
#include "report/common/source.h"

#include <cxxopts.hpp>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::driver {

// Returns whether to print colours: standard output is a terminal, or FORCE_COLOR
// (https://force-color.org) is set. NO_COLOR (https://no-color.org) always says no.
bool wants_colour();

// Returns the columns of the terminal that standard output is, if it is one.
std::optional<std::size_t> terminal_width();

// Returns the roots of sources: --source-root or the working directory, and then the folders of the
// files of results. Throws CommandError where --source-root is no directory.
report::SourceTree source_tree(const cxxopts::ParseResult& arguments,
                               const std::vector<std::filesystem::path>& files);

// Writes a file, and makes the folders above it. Throws model::WriteError.
void write_report(const std::filesystem::path& file, const std::string& text);

// Returns whether GitHub's CI runs this (GITHUB_ACTIONS is "true"). It reads annotations from what
// is printed.
bool prints_annotations();

// Prints "error: <text>" to standard error, for people, and for GitHub an annotation.
void print_failure(const std::string& text);

// Where the texts of a report go: to the files that options name.
class Outputs {
public:
  enum Terminal { Printed, Silent }; // Silent: the caller prints a text of its own

  explicit Outputs(const cxxopts::ParseResult& arguments, Terminal terminal = Printed)
      : arguments_(arguments), terminal_(terminal) {}
  virtual ~Outputs() = default;
  Outputs(const Outputs&) = delete;
  Outputs& operator=(const Outputs&) = delete;

  // Writes what `make` returns if the option is given. Throws model::WriteError.
  virtual void write(const char* option, const std::function<std::string()>& make);
  // Does what write() does, for the page of --html. `make` gets its name. Removes parts of an older
  // page.
  void write_page(const std::function<report::PartedPage(const std::string& file)>& make);
  // Prints what `make` returns, unless --no-terminal is given.
  void print(const std::function<std::string()>& make) const;
  // Prints the results of a SARIF log as annotations, if GitHub's CI runs this.
  void annotate(const std::function<std::string()>& sarif) const;

protected:
  const cxxopts::ParseResult& arguments() const { return arguments_; }
  virtual std::filesystem::path page() const; // --html
  virtual std::string index() const; // what pages link back to, relative to them; empty: nothing

private:
  const cxxopts::ParseResult& arguments_;
  Terminal terminal_;
};

// The reports of several kinds at once: the page of each kind is <kind>.html beside the file that
// --html names, and forms that can be joined (SARIF, JUnit) are one file.
class JointOutputs : public Outputs {
public:
  explicit JointOutputs(const cxxopts::ParseResult& arguments) : Outputs(arguments, Silent) {}

  void begin(std::string_view kind) { kind_ = kind; }
  void write(const char* option, const std::function<std::string()>& make) override;
  void finish(); // writes what was joined

protected:
  std::filesystem::path page() const override;
  std::string index() const override;

private:
  std::string kind_;
  std::vector<std::string> sarif_;
  std::vector<report::JUnitFile> junit_;
};

} // namespace gputest::driver
