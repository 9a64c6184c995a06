// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects the macros that a source asks about, and finds those that only the device can answer.
#pragma once

#include "frontend/file_names.h"
#include "model/sites.h"

#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gputest::frontend {

// A callback of the preprocessor. A source asks about a macro when its name is in a conditional
// directive of a file, or in the body of a macro that is: `#if A` asks about B after `#define A B`.
// Skipped conditionals count as well, because another device's answers may lead there. So does a
// use in the text of a macro that devices define. The device need not answer for what the files,
// the user or the language define.
class MacroQuestions : public clang::PPCallbacks {
public:
  // `language`: macros that OpenCL C itself defines.
  MacroQuestions(clang::Preprocessor& preprocessor, const FileNames& names,
                 const std::set<std::string>& language)
      : preprocessor_(preprocessor), names_(names), language_(language) {}

  void LexedFileChanged(clang::FileID file, LexedFileChangeReason reason,
                        clang::SrcMgr::CharacteristicKind, clang::FileID,
                        clang::SourceLocation) override;
  void MacroDefined(const clang::Token& name, const clang::MacroDirective* directive) override;
  void MacroExpands(const clang::Token& name, const clang::MacroDefinition& definition,
                    clang::SourceRange, const clang::MacroArgs*) override;

  // The questions that only the device can answer, with the answers that are expected from it.
  std::vector<model::DeviceMacro>
  device_macros(const std::map<std::string, std::optional<std::string>>& expected,
                const std::set<std::string>& defined_by_user) const;

  // The macros of the language for whose values conditionals ask.
  std::set<std::string> language_macros() const;

private:
  struct Asked {
    std::string name;
    clang::SourceLocation location;
  };
  struct Definition {
    bool in_file = false;
    bool has_value = false; // somewhere
    std::vector<std::string> words;
  };

  bool written_in_file(clang::SourceLocation location) const;
  void read_directive(clang::Lexer& lexer);
  void ask(const std::string& name, clang::SourceLocation location);
  bool is_files_own(const std::string& name) const;
  // `asked`, and what the bodies of macros add to it.
  std::vector<Asked> with_bodies(std::vector<Asked> asked) const;

  clang::Preprocessor& preprocessor_;
  const FileNames& names_;
  const std::set<std::string>& language_;
  std::set<std::string> asked_;
  std::vector<Asked> questions_;
  std::vector<Asked> values_; // macros with which conditionals compute, once for each use
  std::map<std::string, Definition> definitions_;
};

} // namespace gputest::frontend
