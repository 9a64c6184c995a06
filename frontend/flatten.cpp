#include "frontend/flatten.h"

#include "embedded/opencl_c_base_h.h"
#include "frontend/clang_run.h"
#include "frontend/file_names.h"

#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Lex/Lexer.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Pragma.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/TokenConcatenation.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <set>

namespace gputest::passes {
namespace {

namespace fs = std::filesystem;

// Object-like macros which the OpenCL C specification defines and whose values are the device's.
std::vector<std::string> language_macros() {
  std::vector<std::string> names;
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
    const bool function_like = line.ltrim().drop_front(name.size()).starts_with("(");
    if (!function_like && !name.starts_with("_") && !name.starts_with("cl_"))
      names.push_back(name.str());
  }
  return names;
}

int version_number(const std::string& cl_std) {
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

// What today's devices commonly define before they see a kernel.
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
    flat.leading_space = space || token.hasLeadingSpace();
    flat.begin = static_cast<unsigned>(out_.text.size());
    put(spelling);
    flat.end = static_cast<unsigned>(out_.text.size());
    flat.place = place_of(token, static_cast<unsigned>(spelling.size()));
    if (from_macro)
      flat.expansion = expansion_at(location);
    out_.tokens.push_back(flat);
    before_last_ = last_;
    last_ = token;
  }

  // `text` takes a line of its own.
  void pragma(const std::string& text, clang::SourceLocation location) {
    // From the end of what stands before: whatever is inserted there keeps the line to the pragma.
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

  // True when a new line was begun.
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

  int expansion_at(clang::SourceLocation location) {
    const clang::CharSourceRange range = sources_.getExpansionRange(location);
    const auto index = static_cast<unsigned>(out_.tokens.size());
    if (range.getBegin() != expansion_begin_) {
      expansion_begin_ = range.getBegin();
      const llvm::StringRef text =
          clang::Lexer::getSourceText(range, sources_, preprocessor_.getLangOpts());
      std::string folded;
      for (const char c : text)
        if (!llvm::isSpace(c))
          folded += c;
        else if (!folded.empty() && folded.back() != ' ')
          folded += ' ';
      out_.expansions.push_back({.first_token = index, .last_token = index, .text = folded});
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

// Remembers which macros conditionals ask about.
class MacroQuestions : public clang::PPCallbacks {
public:
  MacroQuestions(clang::Preprocessor& preprocessor, const FileNames& names)
      : preprocessor_(preprocessor), names_(names) {}

  void MacroDefined(const clang::Token& name, const clang::MacroDirective*) override {
    if (written_in_file(name.getLocation()))
      defined_in_files_.insert(name.getIdentifierInfo()->getName().str());
  }
  void Ifdef(clang::SourceLocation, const clang::Token& name,
             const clang::MacroDefinition&) override {
    ask(name);
  }
  void Ifndef(clang::SourceLocation, const clang::Token& name,
              const clang::MacroDefinition&) override {
    ask(name);
  }
  void Defined(const clang::Token& name, const clang::MacroDefinition&,
               clang::SourceRange) override {
    ask(name);
  }
  void If(clang::SourceLocation, clang::SourceRange condition, ConditionValueKind) override {
    ask_all(condition);
  }
  void Elif(clang::SourceLocation, clang::SourceRange condition, ConditionValueKind value,
            clang::SourceLocation) override {
    if (value != CVK_NotEvaluated)
      ask_all(condition);
  }
  void MacroExpands(const clang::Token& name, const clang::MacroDefinition& definition,
                    clang::SourceRange, const clang::MacroArgs*) override {
    const clang::MacroInfo* info = definition.getMacroInfo();
    if (info && !info->isBuiltinMacro() && !written_in_file(info->getDefinitionLoc()))
      ask(name);
  }

  // Those of the questions that only the device can answer.
  std::vector<model::DeviceMacro>
  device_macros(const std::map<std::string, std::optional<std::string>>& device,
                const std::set<std::string>& defined_by_user,
                const std::set<std::string>& language) const {
    std::vector<model::DeviceMacro> result;
    for (const model::DeviceMacro& question : questions_) {
      if (defined_in_files_.contains(question.name) || defined_by_user.contains(question.name) ||
          language.contains(question.name))
        continue;
      model::DeviceMacro macro = question;
      if (const auto found = device.find(macro.name); found != device.end())
        macro.value = found->second;
      result.push_back(std::move(macro));
    }
    return result;
  }

private:
  bool written_in_file(clang::SourceLocation location) const {
    const clang::SourceManager& sources = preprocessor_.getSourceManager();
    return location.isValid() && !sources.isWrittenInBuiltinFile(location) &&
           !sources.isWrittenInCommandLineFile(location);
  }

  void ask(const clang::Token& name) {
    if (!name.getIdentifierInfo() || !written_in_file(name.getLocation()))
      return;
    ask(name.getIdentifierInfo()->getName().str(), name.getLocation());
  }

  void ask(const std::string& name, clang::SourceLocation location) {
    if (!asked_.insert(name).second)
      return;
    const clang::PresumedLoc presumed = preprocessor_.getSourceManager().getPresumedLoc(location);
    questions_.push_back({.name = name,
                          .value = std::nullopt,
                          .file = names_.name(presumed.getFilename()),
                          .line = presumed.getLine()});
  }

  void ask_all(clang::SourceRange condition) {
    const clang::SourceManager& sources = preprocessor_.getSourceManager();
    llvm::StringRef text = clang::Lexer::getSourceText(
        clang::CharSourceRange::getCharRange(condition), sources, preprocessor_.getLangOpts());
    const char* const start = text.data();
    const auto is_word = [](char c) { return llvm::isAlnum(c) || c == '_'; };
    while (!(text = text.drop_until(is_word)).empty()) {
      const llvm::StringRef word = text.take_while(is_word);
      if (!llvm::isDigit(word.front()) && word != "defined")
        ask(word.str(),
            condition.getBegin().getLocWithOffset(static_cast<int>(word.data() - start)));
      text = text.drop_front(word.size());
    }
  }

  clang::Preprocessor& preprocessor_;
  const FileNames& names_;
  std::set<std::string> defined_in_files_;
  std::set<std::string> asked_;
  std::vector<model::DeviceMacro> questions_;
};

class FlattenAction : public clang::PreprocessorFrontendAction {
public:
  FlattenAction(const SourceOptions& options, FlatSource& out)
      : options_(options), names_(options.source_root), out_(out) {}

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
    auto callbacks = std::make_unique<MacroQuestions>(preprocessor, names_);
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
    out_.device_macros = questions.device_macros(device_defaults(options_), user, language);
    collect_dependencies();
  }

private:
  // Replaces what Clang predefines: kernels are compiled by the device's compiler, not by Clang.
  std::set<std::string> declare_macros(clang::Preprocessor& preprocessor) {
    std::string text;
    std::set<std::string> language;
    for (const std::string& name : language_macros())
      if (language.insert(name).second)
        text += fmt::format("#define {0} {0}\n", name);
    for (const auto& [name, value] : device_defaults(options_))
      if (value)
        text += fmt::format("#define {} {}\n", name, *value);
    // Like a compiler's command line, so that redefining one is no error and none counts as the
    // file's.
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
  FlatSource& out_;
};

} // namespace

llvm::Expected<FlatSource> flatten(const SourceOptions& options) {
  FlatSource result;
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
  if (!options.appended.empty()) {
    auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
    memory->addFile(options.file, 0,
                    llvm::MemoryBuffer::getMemBufferCopy(
                        ((*source)->getBuffer() + "\n" + options.appended).str(), options.file));
    auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(files);
    overlay->pushOverlay(memory);
    files = overlay;
  }
  FlattenAction action(options, result);
  if (llvm::Error error = run_clang(arguments, files, messages, action))
    return error;
  return result;
}

} // namespace gputest::passes
