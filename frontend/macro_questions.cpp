// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/macro_questions.h"

#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>
#include <clang/Lex/MacroInfo.h>

namespace gputest::frontend {

void MacroQuestions::LexedFileChanged(clang::FileID file, LexedFileChangeReason reason,
                                      clang::SrcMgr::CharacteristicKind, clang::FileID,
                                      clang::SourceLocation) {
  const clang::SourceManager& sources = preprocessor_.getSourceManager();
  if (reason != LexedFileChangeReason::EnterFile || !sources.getFileEntryRefForID(file))
    return;
  const auto buffer = sources.getBufferOrNone(file);
  if (!buffer)
    return;
  // Reads the text itself. The ranges that the preprocessor gives for conditions begin and end in
  // whatever macros are there, and do not cover conditions that it skips.
  clang::Lexer lexer(file, *buffer, sources, preprocessor_.getLangOpts());
  clang::Token token;
  do {
    lexer.LexFromRawLexer(token);
    if (token.is(clang::tok::hash) && token.isAtStartOfLine())
      read_directive(lexer);
  } while (token.isNot(clang::tok::eof));
}

void MacroQuestions::read_directive(clang::Lexer& lexer) {
  static const std::set<llvm::StringRef> conditionals{"if",   "ifdef",   "ifndef",
                                                      "elif", "elifdef", "elifndef"};
  lexer.setParsingPreprocessorDirective(true);
  clang::Token token;
  bool asks = false, computes = false, first = true, after_defined = false;
  for (lexer.LexFromRawLexer(token); token.isNot(clang::tok::eod) && token.isNot(clang::tok::eof);
       lexer.LexFromRawLexer(token), first = false) {
    if (token.isNot(clang::tok::raw_identifier)) {
      after_defined &= token.is(clang::tok::l_paren);
      continue;
    }
    // A line end may split a name.
    const std::string word = clang::Lexer::getSpelling(token, preprocessor_.getSourceManager(),
                                                       preprocessor_.getLangOpts());
    if (first) {
      asks = conditionals.contains(word);
      computes = word == "if" || word == "elif";
    } else if (asks) {
      ask(word, token.getLocation());
      if (computes && !after_defined)
        values_.push_back({word, token.getLocation()});
    }
    after_defined = word == "defined";
  }
  lexer.setParsingPreprocessorDirective(false);
}

void MacroQuestions::MacroDefined(const clang::Token& name,
                                  const clang::MacroDirective* directive) {
  const clang::MacroInfo* info = directive->getMacroInfo();
  Definition& definition = definitions_[name.getIdentifierInfo()->getName().str()];
  definition.in_file |= written_in_file(name.getLocation());
  definition.has_value |= info->getNumTokens() > 0;
  for (const clang::Token& token : info->tokens())
    if (token.getIdentifierInfo() && info->getParameterNum(token.getIdentifierInfo()) < 0)
      definition.words.push_back(token.getIdentifierInfo()->getName().str());
}

void MacroQuestions::MacroExpands(const clang::Token& name,
                                  const clang::MacroDefinition& definition, clang::SourceRange,
                                  const clang::MacroArgs*) {
  const clang::MacroInfo* info = definition.getMacroInfo();
  const std::string word = name.getIdentifierInfo()->getName().str();
  if (info && !written_in_file(info->getDefinitionLoc()) && written_in_file(name.getLocation()) &&
      !language_.contains(word))
    ask(word, name.getLocation());
}

bool MacroQuestions::written_in_file(clang::SourceLocation location) const {
  const clang::SourceManager& sources = preprocessor_.getSourceManager();
  return location.isValid() && !sources.isWrittenInBuiltinFile(location) &&
         !sources.isWrittenInCommandLineFile(location);
}

void MacroQuestions::ask(const std::string& name, clang::SourceLocation location) {
  const clang::MacroInfo* info = preprocessor_.getMacroInfo(preprocessor_.getIdentifierInfo(name));
  const bool builtin = info && info->isBuiltinMacro(); // __LINE__, __has_include, …
  if (!builtin && name != "defined" && asked_.insert(name).second)
    questions_.push_back({name, location});
}

// A default for what implementations may define leaves the question open:
//
//     #ifndef cl_khr_fp64
//     #define cl_khr_fp64 0
//
// A guard such as `#define __UTIL_H__` does not.
bool MacroQuestions::is_files_own(const std::string& name) const {
  const auto found = definitions_.find(name);
  if (found == definitions_.end() || !found->second.in_file)
    return false;
  const llvm::StringRef text(name);
  const bool reserved =
      text.starts_with("__") || text.starts_with("cl_") || text.starts_with("CL_");
  return !reserved || !found->second.has_value;
}

std::vector<MacroQuestions::Asked> MacroQuestions::with_bodies(std::vector<Asked> asked) const {
  std::set<std::string> seen;
  for (const Asked& one : asked)
    seen.insert(one.name);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const Asked one = asked[i];
    if (const auto found = definitions_.find(one.name); found != definitions_.end())
      for (const std::string& word : found->second.words)
        if (word != "defined" && seen.insert(word).second)
          asked.push_back({word, one.location});
  }
  return asked;
}

std::vector<model::DeviceMacro>
MacroQuestions::device_macros(const std::map<std::string, std::optional<std::string>>& expected,
                              const std::set<std::string>& defined_by_user) const {
  std::vector<model::DeviceMacro> result;
  for (const Asked& asked : with_bodies(questions_)) {
    if (is_files_own(asked.name) || defined_by_user.contains(asked.name) ||
        language_.contains(asked.name))
      continue;
    const clang::PresumedLoc presumed =
        preprocessor_.getSourceManager().getPresumedLoc(asked.location);
    const auto found = expected.find(asked.name);
    result.push_back({.name = asked.name,
                      .value = found == expected.end() ? std::nullopt : found->second,
                      .file = names_.name(presumed.getFilename()),
                      .line = presumed.getLine()});
  }
  return result;
}

std::set<std::string> MacroQuestions::language_macros() const {
  std::set<std::string> result;
  for (const Asked& asked : with_bodies(values_))
    if (language_.contains(asked.name))
      result.insert(asked.name);
  return result;
}

} // namespace gputest::frontend
