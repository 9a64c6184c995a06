// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/flatten.h"

#include "embedded/opencl_c_base_h.h"
#include "frontend/clang_run.h"
#include "frontend/file_names.h"
#include "frontend/macro_questions.h"
#include "model/names.h"

#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Lex/Lexer.h>
#include <clang/Lex/Pragma.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/TokenConcatenation.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <set>

namespace gputest::frontend {
namespace {

namespace fs = std::filesystem;

// Object-like macros which the OpenCL C specification defines, with the values that Clang gives
// them.
std::map<std::string, std::string> language_macros() {
  std::map<std::string, std::string> macros;
  llvm::StringRef text(embedded::opencl_c_base_h.data(), embedded::opencl_c_base_h.size());
  while (!text.empty()) {
    llvm::StringRef line;
    std::tie(line, text) = text.split('\n');
    line = line.trim();
    if (!line.consume_front("#"))
      continue;
    line = line.ltrim();
    if (!line.consume_front("define "))
      continue;
    const llvm::StringRef name =
        line.ltrim().take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    const llvm::StringRef value = line.ltrim().drop_front(name.size());
    if (!value.starts_with("(") && !name.starts_with("_") && !name.starts_with("cl_"))
      macros[name.str()] = value.split("//").first.trim().str();
  }
  return macros;
}

int version_number(const std::string& standard) {
  const std::string cl_std = opencl_c_of(standard);
  if (cl_std == "CL1.0")
    return 100;
  if (cl_std == "CL1.1")
    return 110;
  if (cl_std == "CL2.0")
    return 200;
  if (cl_std == "CL3.0")
    return 300;
  return 120;
}

// The macros that today's devices commonly define.
std::map<std::string, std::optional<std::string>> device_defaults(const SourceOptions& options) {
  const int version = version_number(options.cl_std);
  std::map<std::string, std::optional<std::string>> macros{
      {"__OPENCL_VERSION__", "300"}, // the device's, whatever the language version
      {"__OPENCL_C_VERSION__", std::to_string(version)},
      {"CL_VERSION_1_0", "100"},
      {"CL_VERSION_1_1", "110"},
      {"CL_VERSION_1_2", "120"},
      {"__ENDIAN_LITTLE__", "1"},
      {"__IMAGE_SUPPORT__", "1"},
  };
  if (version >= 200)
    macros["CL_VERSION_2_0"] = "200";
  if (version >= 300) {
    macros["CL_VERSION_3_0"] = "300";
    for (const char* feature : {"int64", "fp64", "images", "3d_image_writes"})
      macros[std::string("__opencl_c_") + feature] = "1";
  }
  if (is_cpp_for_opencl(options.cl_std)) { // Clang has these, and not the version of OpenCL C
    const bool is_2021 = options.cl_std == "CLC++2021";
    macros.erase("__OPENCL_C_VERSION__");
    macros["__OPENCL_CPP_VERSION__"] = is_2021 ? "202100" : "100";
    macros["__CL_CPP_VERSION_1_0__"] = "100";
    macros["__CL_CPP_VERSION_2021__"] = "202100";
    macros["__cplusplus"] = "201703L";
  }
  for (const char* extension :
       {"byte_addressable_store", "fp64", "global_int32_base_atomics",
        "global_int32_extended_atomics", "local_int32_base_atomics", "local_int32_extended_atomics",
        "int64_base_atomics", "int64_extended_atomics", "3d_image_writes"})
    macros[std::string("cl_khr_") + extension] = "1";
  for (const auto& [name, value] : options.device_macros)
    macros[name] = value;
  return macros;
}

// Writes tokens as they come from the preprocessor, keeping lines and, where it can, columns.
class Writer {
public:
  Writer(clang::Preprocessor& preprocessor, const FileNames& names, FlatSource& out)
      : preprocessor_(preprocessor), sources_(preprocessor.getSourceManager()),
        concatenation_(preprocessor), names_(names), out_(out) {}

  void token(const clang::Token& token) {
    const clang::SourceLocation location = token.getLocation();
    const bool from_macro = location.isMacroID();
    const bool new_line = go_to(sources_.getExpansionLoc(location), from_macro);
    const std::string spelling = preprocessor_.getSpelling(token);
    bool space = new_line;
    if (!new_line) {
      const unsigned column = sources_.getExpansionColumnNumber(location);
      if (!from_macro && column > column_) {
        space = true;
        pad_to(column);
      } else if (token.hasLeadingSpace() || token.isAtStartOfLine() ||
                 concatenation_.AvoidConcat(before_last_, last_, token)) {
        space = true;
        put(" ");
      }
    }
    FlatToken flat;
    // A blank that only fills up the place of a macro is not the author's.
    const bool is_written = new_line || token.hasLeadingSpace() || token.isAtStartOfLine();
    flat.leading_space = from_macro ? space || is_written : is_written;
    flat.begin = static_cast<unsigned>(out_.text.size());
    put(spelling);
    flat.end = static_cast<unsigned>(out_.text.size());
    flat.place = place_of(token, static_cast<unsigned>(spelling.size()));
    const clang::SourceLocation written = sources_.getFileLoc(location);
    flat.span = span_of(written, written);
    if (from_macro) {
      flat.expansion = expansion_at(location);
      const clang::SourceLocation spelling_place = sources_.getSpellingLoc(location);
      flat.in_body = spelling_place != written;
      out_.expansions.back().makes_tokens |= sources_.isWrittenInScratchSpace(spelling_place);
      if (flat.in_body)
        flat.span = out_.expansions.back().span;
    }
    out_.tokens.push_back(flat);
    before_last_ = last_;
    last_ = token;
  }

  // `text` takes a line of its own.
  void pragma(const std::string& text, clang::SourceLocation location) {
    // The range begins at the end of the text before, so that whatever is inserted there keeps the
    // pragma's line.
    const auto begin = static_cast<unsigned>(out_.text.size());
    if (!go_to(sources_.getExpansionLoc(location), false))
      put("\n");
    put(text);
    out_.pragmas.emplace_back(begin, static_cast<unsigned>(out_.text.size()));
    force_line_directive_ = true;
  }

private:
  void put(std::string_view text) {
    out_.text += text;
    const auto newline = text.rfind('\n');
    column_ = newline == std::string_view::npos ? column_ + static_cast<unsigned>(text.size())
                                                : static_cast<unsigned>(text.size() - newline);
  }

  void pad_to(unsigned column) {
    if (column > column_)
      put(std::string(column - column_, ' '));
  }

  // Returns true if a new line was begun.
  bool go_to(clang::SourceLocation location, bool from_macro) {
    const clang::PresumedLoc presumed = sources_.getPresumedLoc(location);
    const std::string file = names_.name(presumed.getFilename());
    const unsigned line = presumed.getLine();
    const bool same_file = !force_line_directive_ && file == file_;
    // A macro's tokens stay on the line on which its invocation begins.
    if (same_file && (line == line_ || (from_macro && line < line_)))
      return false;
    if (same_file && line > line_ && line - line_ <= 8) {
      put(std::string(line - line_, '\n'));
    } else {
      put(fmt::format("{}#line {} \"{}\"\n",
                      out_.text.empty() || out_.text.back() == '\n' ? "" : "\n", line,
                      escaped(file)));
      force_line_directive_ = false;
    }
    file_ = file;
    line_ = line;
    pad_to(sources_.getExpansionColumnNumber(location));
    return true;
  }

  static std::string escaped(const std::string& file) {
    std::string result;
    for (const char c : file) {
      if (c == '"' || c == '\\')
        result += '\\';
      result += c;
    }
    return result;
  }

  unsigned file_index(const std::string& file) {
    const auto found = std::ranges::find(out_.files, file);
    if (found != out_.files.end())
      return static_cast<unsigned>(found - out_.files.begin());
    out_.files.push_back(file);
    return static_cast<unsigned>(out_.files.size() - 1);
  }

  Place place_of(const clang::Token& token, unsigned length) {
    const clang::SourceLocation location = token.getLocation();
    const clang::SourceLocation begin = sources_.getFileLoc(location);
    const clang::PresumedLoc from = sources_.getPresumedLoc(begin);
    Place place;
    place.file = file_index(names_.name(from.getFilename()));
    place.line = place.end_line = from.getLine();
    place.column = from.getColumn();
    place.end_column = place.column + length;
    const bool body = location.isMacroID() && begin == sources_.getExpansionLoc(location);
    if (body) {
      const clang::SourceLocation last = sources_.getExpansionRange(location).getEnd();
      const clang::PresumedLoc to = sources_.getPresumedLoc(last);
      place.end_line = to.getLine();
      place.end_column = to.getColumn() + clang::Lexer::MeasureTokenLength(
                                              last, sources_, preprocessor_.getLangOpts());
    }
    return place;
  }

  // The span from the token at `first` to the token at `last`. Both are in one file.
  Span span_of(clang::SourceLocation first, clang::SourceLocation last) {
    const auto [file, begin] = sources_.getDecomposedLoc(first);
    if (file != span_file_) {
      span_file_ = file;
      const auto entry = sources_.getFileEntryRefForID(file);
      const std::string path = entry ? entry->getName().str() : "";
      auto found = std::ranges::find(out_.paths, path);
      span_path_ = static_cast<unsigned>(found - out_.paths.begin());
      if (found == out_.paths.end())
        out_.paths.push_back(path);
    }
    return {span_path_, begin,
            sources_.getFileOffset(last) +
                clang::Lexer::MeasureTokenLength(last, sources_, preprocessor_.getLangOpts())};
  }

  int expansion_at(clang::SourceLocation location) {
    const clang::CharSourceRange range = sources_.getExpansionRange(location);
    const auto index = static_cast<unsigned>(out_.tokens.size());
    if (range.getBegin() != expansion_begin_) {
      expansion_begin_ = range.getBegin();
      const llvm::StringRef text =
          clang::Lexer::getSourceText(range, sources_, preprocessor_.getLangOpts());
      out_.expansions.push_back({.first_token = index,
                                 .last_token = index,
                                 .span = span_of(range.getBegin(), range.getEnd()),
                                 .text = model::folded(text)});
    }
    out_.expansions.back().last_token = index;
    return static_cast<int>(out_.expansions.size() - 1);
  }

  clang::Preprocessor& preprocessor_;
  const clang::SourceManager& sources_;
  clang::TokenConcatenation concatenation_;
  const FileNames& names_;
  FlatSource& out_;
  std::string file_;
  unsigned line_ = 0;
  unsigned column_ = 1;
  bool force_line_directive_ = true;
  clang::SourceLocation expansion_begin_;
  clang::FileID span_file_;
  unsigned span_path_ = 0;
  clang::Token last_ = empty_token(), before_last_ = empty_token();

  static clang::Token empty_token() {
    clang::Token token;
    token.startToken();
    return token;
  }
};

// Keeps pragmas that the preprocessor does not act on.
class PragmaKeeper : public clang::PragmaHandler {
public:
  PragmaKeeper(std::string prefix, Writer& writer) : prefix_(std::move(prefix)), writer_(writer) {}

  void HandlePragma(clang::Preprocessor& preprocessor, clang::PragmaIntroducer introducer,
                    clang::Token& token) override {
    std::string text = prefix_;
    while (token.isNot(clang::tok::eod)) {
      // Between `(` and its neighbours white space may matter (`unroll (4)`), elsewhere it does
      // not.
      if (token.hasLeadingSpace() || text == prefix_)
        text += ' ';
      text += preprocessor.getSpelling(token);
      preprocessor.Lex(token);
    }
    writer_.pragma(text, introducer.Loc);
  }

private:
  std::string prefix_;
  Writer& writer_;
};

class FlattenAction : public clang::PreprocessorFrontendAction {
public:
  // `valued`: macros of the language that are replaced by their values, because conditionals need
  // them.
  FlattenAction(const SourceOptions& options, const std::set<std::string>& valued, FlatSource& out)
      : options_(options), names_(options.source_root), valued_(valued), out_(out) {}

  // After the run: macros of the language whose values conditionals ask for.
  const std::set<std::string>& values_asked() const { return values_asked_; }

protected:
  void ExecuteAction() override {
    clang::Preprocessor& preprocessor = getCompilerInstance().getPreprocessor();
    const std::set<std::string> language = declare_macros(preprocessor);
    Writer writer(preprocessor, names_, out_);
    PragmaKeeper any("#pragma", writer), gcc("#pragma GCC", writer),
        clang_("#pragma clang", writer), stdc("#pragma STDC", writer);
    preprocessor.AddPragmaHandler(&any);
    preprocessor.AddPragmaHandler("GCC", &gcc);
    preprocessor.AddPragmaHandler("clang", &clang_);
    preprocessor.AddPragmaHandler("STDC", &stdc);
    auto callbacks = std::make_unique<MacroQuestions>(preprocessor, names_, language);
    const MacroQuestions& questions = *callbacks;
    preprocessor.addPPCallbacks(std::move(callbacks));

    preprocessor.EnterMainSourceFile();
    clang::Token token;
    for (preprocessor.Lex(token); token.isNot(clang::tok::eof); preprocessor.Lex(token))
      if (!token.isAnnotation())
        writer.token(token);
    out_.text += '\n';

    preprocessor.RemovePragmaHandler(&any);
    preprocessor.RemovePragmaHandler("GCC", &gcc);
    preprocessor.RemovePragmaHandler("clang", &clang_);
    preprocessor.RemovePragmaHandler("STDC", &stdc);

    std::set<std::string> user;
    for (const std::string& definition : options_.definitions)
      user.insert(definition.substr(0, definition.find_first_of("=(")));
    out_.device_macros = questions.device_macros(device_defaults(options_), user);
    values_asked_ = questions.language_macros();
    collect_dependencies();
  }

private:
  // Replaces Clang's predefined macros, because the device's compiler compiles kernels, not Clang.
  std::set<std::string> declare_macros(clang::Preprocessor& preprocessor) {
    std::string text;
    std::set<std::string> language;
    for (const auto& [name, value] : language_macros()) {
      language.insert(name);
      text += fmt::format("#define {} {}\n", name, valued_.contains(name) ? value : name);
    }
    for (const auto& [name, value] : device_defaults(options_))
      if (value)
        text += fmt::format("#define {} {}\n", name, *value);
    // Like a compiler's command line. So redefining a macro is no error, and none counts as the
    // file's own.
    text += "# 1 \"<command line>\" 1\n";
    for (const std::string& definition : options_.definitions) {
      const auto equals = definition.find('=');
      text += equals == std::string::npos
                  ? fmt::format("#define {} 1\n", definition)
                  : fmt::format("#define {} {}\n", definition.substr(0, equals),
                                definition.substr(equals + 1));
    }
    preprocessor.setPredefines(text);
    return language;
  }

  void collect_dependencies() {
    const clang::SourceManager& sources = getCompilerInstance().getSourceManager();
    std::set<std::string> others;
    for (auto file = sources.fileinfo_begin(); file != sources.fileinfo_end(); ++file)
      others.insert(file->first.getName().str());
    others.erase(options_.file);
    out_.dependencies = {options_.file};
    out_.dependencies.insert(out_.dependencies.end(), others.begin(), others.end());
  }

  const SourceOptions& options_;
  FileNames names_;
  const std::set<std::string>& valued_;
  FlatSource& out_;
  std::set<std::string> values_asked_;
};

} // namespace

llvm::Expected<FlatSource> flatten(const SourceOptions& options) {
  const FileNames names(options.source_root);
  Messages messages([&names](clang::SourceLocation location, const clang::SourceManager& sources) {
    const clang::PresumedLoc presumed = sources.getPresumedLoc(location);
    if (presumed.isInvalid())
      return std::string();
    return fmt::format("{}:{}:{}", names.name(presumed.getFilename()), presumed.getLine(),
                       presumed.getColumn());
  });
  std::vector<std::string> arguments = common_arguments(options.cl_std);
  arguments.insert(arguments.end(), {"-E", "-I",
                                     fs::path(options.file).parent_path().empty()
                                         ? "."
                                         : fs::path(options.file).parent_path().string()});
  for (const std::string& directory : options.include_directories)
    arguments.insert(arguments.end(), {"-I", directory});
  arguments.push_back(options.file);

  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files = llvm::vfs::getRealFileSystem();
  auto source = files->getBufferForFile(options.file);
  if (!source)
    return llvm::createStringError(source.getError(), "%s: error: cannot be read: %s",
                                   options.file.c_str(), source.getError().message().c_str());
  if (!options.appended.empty() || options.text) {
    auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
    const std::string text = options.text.value_or((*source)->getBuffer().str()) + "\n";
    // Absolute: `memory` does not know the working folder yet.
    memory->addFile(fs::absolute(options.file).string(), 0,
                    llvm::MemoryBuffer::getMemBufferCopy(text + options.appended, options.file));
    auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(files);
    overlay->pushOverlay(memory);
    files = overlay;
  }
  // A macro of the language stays a name, which is 0 in a conditional. The file is read again with
  // the values of those that conditionals ask for.
  for (std::set<std::string> valued;;) {
    FlatSource result;
    FlattenAction action(options, valued, result);
    if (llvm::Error error = run_clang(arguments, files, messages, action))
      return error;
    if (std::ranges::includes(valued, action.values_asked()))
      return result;
    valued.insert(action.values_asked().begin(), action.values_asked().end());
  }
}

} // namespace gputest::frontend
