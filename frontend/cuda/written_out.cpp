// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/cuda/written_out.h"

#include "frontend/clang_run.h"
#include "frontend/cuda/accepted_texts.h"
#include "frontend/cuda/compilation.h"
#include "frontend/cuda/device_functions.h"
#include "frontend/llvm_version.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/Stmt.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Tooling/Syntax/Tokens.h>

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <set>

namespace gputest::frontend {
namespace {

namespace fs = std::filesystem;
using clang::FileID;
using clang::SourceLocation;

struct Range {
  unsigned begin, end; // offsets in a file
};

// An #include directive.
struct Included {
  unsigned hash = 0; // offset of its #
  unsigned name = 0; // offset of "name"
  unsigned end = 0;  // past "name"
  bool angled = false;
  std::string resolved; // empty: not found
};
struct Directives {
  std::map<FileID, std::vector<Included>> includes;
  std::map<FileID, std::vector<unsigned>> pragmas; // offset of the # of each that is in force
  std::map<FileID, std::vector<Range>>
      conditionals; // lines from #if to #endif, the inner ones first
  std::vector<clang::SourceRange> skipped;
  std::set<SourceLocation> authors_macros; // where they are used
};

// The offset past the directive at this place.
unsigned end_of_directive(std::string_view content, unsigned from) {
  std::size_t end = content.find('\n', from);
  while (end != std::string_view::npos && end > 0 && content[end - 1] == '\\')
    end = content.find('\n', end + 1);
  return static_cast<unsigned>(std::min(end, content.size()));
}

// Whether a part that begins with a line has only directives, comments and white space.
bool has_no_code(std::string_view part) {
  while (!part.empty()) {
    const std::string_view line = part.substr(0, part.find('\n'));
    const std::size_t first = line.find_first_not_of(" \t\r");
    const unsigned end = end_of_directive(part, 0);
    if (first != std::string_view::npos && line[first] != '#' &&
        !line.substr(first).starts_with("//"))
      return false;
    part.remove_prefix(std::min<std::size_t>(end + 1, part.size()));
  }
  return true;
}

class Listener : public clang::PPCallbacks {
public:
  Listener(Directives& found, const clang::SourceManager& sources)
      : found_(found), sources_(sources) {}

  void InclusionDirective(SourceLocation hash, const clang::Token&, llvm::StringRef, bool angled,
                          clang::CharSourceRange name, clang::OptionalFileEntryRef file,
                          llvm::StringRef, llvm::StringRef, const clang::Module*, bool,
                          clang::SrcMgr::CharacteristicKind) override {
    if (hash.isMacroID() || name.getBegin().isMacroID())
      return;
    const auto [id, offset] = sources_.getDecomposedLoc(hash);
    found_.includes[id].push_back({.hash = offset,
                                   .name = sources_.getFileOffset(name.getBegin()),
                                   .end = sources_.getFileOffset(name.getEnd()),
                                   .angled = angled,
                                   .resolved = file ? file->getName().str() : ""});
  }
  void PragmaDirective(SourceLocation hash, clang::PragmaIntroducerKind kind) override {
    if (kind != clang::PIK_HashPragma || hash.isMacroID())
      return;
    const auto [id, offset] = sources_.getDecomposedLoc(hash);
    found_.pragmas[id].push_back(offset);
  }
  // Its macros are those of the preprocessor.
  void If(SourceLocation at, clang::SourceRange, ConditionValueKind) override { forget_macros(at); }
  void Elif(SourceLocation at, clang::SourceRange, ConditionValueKind, SourceLocation) override {
    forget_macros(at);
  }
  void Endif(SourceLocation end, SourceLocation begin) override {
    const auto [id, from] = sources_.getDecomposedLoc(begin);
    const std::string_view content = sources_.getBufferData(id);
    const std::size_t newline = content.rfind('\n', from);
    found_.conditionals[id].push_back(
        {newline == std::string_view::npos ? 0 : static_cast<unsigned>(newline) + 1,
         end_of_directive(content, sources_.getFileOffset(end))});
  }
  void MacroExpands(const clang::Token& name, const clang::MacroDefinition& definition,
                    clang::SourceRange, const clang::MacroArgs*) override {
    const clang::MacroInfo* const macro = definition.getMacroInfo();
    if (name.getLocation().isFileID() && macro && !macro->isBuiltinMacro() &&
        !sources_.isInSystemHeader(macro->getDefinitionLoc()) &&
        sources_.getFilename(macro->getDefinitionLoc()) != "<built-in>")
      found_.authors_macros.insert(name.getLocation());
  }

  void SourceRangeSkipped(clang::SourceRange range, SourceLocation) override {
    found_.skipped.push_back(range);
  }

private:
  // Those of the directive that has this place.
  void forget_macros(SourceLocation at) {
    const auto [file, offset] = sources_.getDecomposedLoc(at);
    const unsigned end = end_of_directive(sources_.getBufferData(file), offset);
    found_.authors_macros.erase(
        found_.authors_macros.lower_bound(at),
        found_.authors_macros.upper_bound(at.getLocWithOffset(static_cast<int>(end - offset))));
  }

  Directives& found_;
  const clang::SourceManager& sources_;
};

// A change of one file.
struct Change {
  unsigned begin = 0, end = 0;
  std::string text{};
  FileID file{}; // valid: it is written out in its place
  bool expansion = false;
  unsigned pragma_end = 0; // not 0: pragmas begin here, on a line of their own
};

class FileWriter {
public:
  FileWriter(clang::ASTContext& context, const clang::syntax::TokenBuffer& tokens,
             const Directives& directives)
      : sources_(context.getSourceManager()), tokens_(tokens), directives_(directives) {
    find_device_code(context);
  }

  WrittenOut run() {
    const FileID main = sources_.getMainFileID();
    out_.text = fmt::format("#line 1 \"{}\"\n", path_of(main));
    write(main);
    out_.text = cuda::without_marks(std::move(out_.text));
    for (const std::string& path : authors_files())
      out_.dependencies.push_back(path);
    for (const clang::SourceRange& range : directives_.skipped) {
      const auto [file, begin] = sources_.getDecomposedLoc(range.getBegin());
      const auto known = std::ranges::find(out_.paths, path_of(file));
      if (known != out_.paths.end())
        out_.skipped.push_back({static_cast<unsigned>(known - out_.paths.begin()), begin,
                                sources_.getFileOffset(range.getEnd())});
    }
    return std::move(out_);
  }

private:
  std::string path_of(FileID file) const {
    const auto entry = sources_.getFileEntryRefForID(file);
    return entry ? entry->getName().str() : "";
  }

  void find_device_code(clang::ASTContext& context) {
    for (const clang::FunctionDecl* function : device_functions(context)) {
      const clang::SourceRange range(function->getBeginLoc(), function->getEndLoc());
      const SourceLocation begin = sources_.getExpansionLoc(range.getBegin());
      const SourceLocation end = sources_.getExpansionRange(range.getEnd()).getEnd();
      const auto [file, from] = sources_.getDecomposedLoc(begin);
      bodies_[file].push_back({from, sources_.getFileOffset(end) + 1});
      for (FileID around = file; around.isValid() && around != sources_.getMainFileID();) {
        written_out_.insert(around);
        paths_written_.insert(path_of(around));
        around = sources_.getFileID(sources_.getIncludeLoc(around));
      }
    }
  }

  std::vector<std::string> authors_files() const {
    std::vector<std::string> files{path_of(sources_.getMainFileID())};
    for (unsigned i = 0; i < sources_.local_sloc_entry_size(); ++i) {
      const clang::SrcMgr::SLocEntry& entry = sources_.getLocalSLocEntry(i);
      if (!entry.isFile() || entry.getFile().getFileCharacteristic() != clang::SrcMgr::C_User)
        continue;
      const auto file = entry.getFile().getContentCache().OrigEntry;
      if (file && std::ranges::find(files, file->getName()) == files.end())
        files.push_back(file->getName().str());
    }
    return files;
  }

  // Macros of the author in device code.
  void add_expansions(FileID file, std::vector<Change>& changes) const {
    const auto bodies = bodies_.find(file);
    if (bodies == bodies_.end())
      return;
    for (const clang::syntax::TokenBuffer::Expansion& expansion :
         tokens_.expansionsOverlapping(tokens_.spelledTokens(file))) {
      if (expansion.Spelled.empty() ||
          !directives_.authors_macros.contains(expansion.Spelled.front().location()))
        continue;
      const unsigned begin = sources_.getFileOffset(expansion.Spelled.front().location());
      const unsigned end = sources_.getFileOffset(expansion.Spelled.back().endLocation());
      if (std::ranges::none_of(bodies->second, [&](const Range& body) {
            return begin < body.end && body.begin < end;
          }))
        continue;
      std::string text;
      bool plain = true;
      for (const clang::syntax::Token& token : expansion.Expanded) {
        plain &= !clang::tok::isAnnotation(token.kind()); // a #pragma's
        text += (text.empty() ? "" : " ") + token.text(sources_).str();
      }
      if (plain)
        changes.push_back({.begin = begin, .end = end, .text = text, .expansion = true});
    }
  }

  void add_includes(FileID file, std::string_view content, std::vector<Change>& changes) const {
    const auto found = directives_.includes.find(file);
    if (found == directives_.includes.end())
      return;
    for (const Included& include : found->second) {
      const std::size_t newline = std::min(content.find('\n', include.end), content.size());
      if (paths_written_.contains(include.resolved)) {
        const FileID entered = entered_by(file, include);
        changes.push_back(
            {.begin = include.hash, .end = static_cast<unsigned>(newline), .file = entered});
      } else if (!include.angled && !include.resolved.empty()) {
        // The text is compiled in another folder.
        const std::string path = fs::absolute(include.resolved).lexically_normal().string();
        changes.push_back({.begin = include.name, .end = include.end, .text = '"' + path + '"'});
      }
    }
  }

  // Invalid: its guard kept it out.
  FileID entered_by(FileID file, const Included& include) const {
    for (const FileID candidate : written_out_) {
      const auto [from, offset] = sources_.getDecomposedLoc(sources_.getIncludeLoc(candidate));
      if (from == file && include.hash <= offset && offset <= include.end)
        return candidate;
    }
    return {};
  }

  static void add_once(std::string_view content, std::vector<Change>& changes) {
    for (std::size_t at = 0; (at = content.find("#pragma", at)) != std::string_view::npos; ++at) {
      const std::size_t word = content.find_first_not_of(" \t", at + 7);
      if (word != std::string_view::npos && content.substr(word, 4) == "once")
        changes.push_back(
            {.begin = static_cast<unsigned>(at), .end = static_cast<unsigned>(word) + 4});
    }
  }

  // Pragmas in device code. What precedes them begins a line, so that text inserted in front of a
  // statement can stand before its pragmas, and before conditionals that decide about them alone.
  void add_pragmas(FileID file, std::string_view content, std::vector<Change>& changes) const {
    const auto bodies = bodies_.find(file);
    const auto found = directives_.pragmas.find(file);
    if (bodies == bodies_.end() || found == directives_.pragmas.end())
      return;
    for (const unsigned hash : found->second)
      if (std::ranges::any_of(bodies->second, [&](const Range& body) {
            return body.begin < hash && hash < body.end;
          })) {
        const Range all = with_conditionals(file, content, hash);
        if (changes.empty() || changes.back().pragma_end < all.end)
          changes.push_back({.begin = all.begin, .end = all.begin, .pragma_end = all.end});
      }
  }

  Range with_conditionals(FileID file, std::string_view content, unsigned hash) const {
    Range result{hash, end_of_directive(content, hash)};
    const auto found = directives_.conditionals.find(file);
    if (found == directives_.conditionals.end())
      return result;
    for (const Range& conditional : found->second)
      if (conditional.begin <= result.begin && result.end < conditional.end &&
          has_no_code(content.substr(result.end, conditional.end - result.end)))
        result = conditional;
    return result;
  }

  static unsigned line_of(std::string_view content, unsigned offset) {
    return 1 + static_cast<unsigned>(std::ranges::count(content.substr(0, offset), '\n'));
  }

  void write(FileID file) {
    const std::string as_written = cuda::without_marks(sources_.getBufferData(file).str());
    const std::string_view content = as_written;
    const std::string path = path_of(file);
    const auto known = std::ranges::find(out_.paths, path);
    const auto index = static_cast<unsigned>(known - out_.paths.begin());
    if (known == out_.paths.end()) {
      out_.paths.push_back(path);
      out_.contents.emplace_back(content);
    }
    std::vector<Change> changes;
    add_expansions(file, changes);
    add_includes(file, content, changes);
    add_pragmas(file, content, changes);
    if (file != sources_.getMainFileID())
      add_once(content, changes);
    std::ranges::stable_sort(changes, {}, &Change::begin);
    unsigned at = 0;
    for (const Change& change : changes) {
      if (change.begin < at)
        continue; // within another
      copy(index, content, at, change.begin);
      if (change.file.isValid()) {
        out_.text += fmt::format("\n#line 1 \"{}\"\n", path_of(change.file));
        write(change.file);
        out_.text += fmt::format("\n#line {} \"{}\"\n", line_of(content, change.end), path);
      } else if (change.pragma_end > 0) {
        const auto begin = static_cast<unsigned>(out_.text.size());
        out_.text += fmt::format("\n#line {} \"{}\"\n", line_of(content, change.begin), path);
        out_.pragmas.emplace_back(begin, static_cast<unsigned>(out_.text.size()) +
                                             change.pragma_end - change.begin);
      } else if (change.expansion) {
        const auto begin = static_cast<unsigned>(out_.text.size());
        out_.text += change.text;
        // So many lines as before.
        out_.text.append(static_cast<std::size_t>(std::ranges::count(
                             content.substr(change.begin, change.end - change.begin), '\n')),
                         '\n');
        out_.segments.push_back({begin, static_cast<unsigned>(out_.text.size()), index,
                                 change.begin, change.end, false});
      } else {
        out_.text += change.text;
      }
      at = change.end;
    }
    copy(index, content, at, static_cast<unsigned>(content.size()));
  }

  void copy(unsigned path, std::string_view content, unsigned from, unsigned to) {
    const auto begin = static_cast<unsigned>(out_.text.size());
    out_.text += content.substr(from, to - from);
    if (from < to)
      out_.segments.push_back(
          {begin, static_cast<unsigned>(out_.text.size()), path, from, to, true});
  }

  const clang::SourceManager& sources_;
  const clang::syntax::TokenBuffer& tokens_;
  const Directives& directives_;
  std::map<FileID, std::vector<Range>> bodies_;
  std::set<FileID> written_out_;
  std::set<std::string> paths_written_;
  WrittenOut out_;
};

class WritingAction : public clang::ASTFrontendAction {
public:
  explicit WritingAction(const std::vector<std::string>& arguments) : arguments_(arguments) {}

  WrittenOut result;

protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef) override {
    class Consumer : public clang::ASTConsumer {
    public:
      Consumer(WritingAction& action, clang::Preprocessor& preprocessor)
          : action_(action), collector_(preprocessor) {
        preprocessor.addPPCallbacks(
            std::make_unique<Listener>(directives_, preprocessor.getSourceManager()));
      }
      void HandleTranslationUnit(clang::ASTContext& context) override {
        if (context.getDiagnostics().hasErrorOccurred())
          return;
        visit_no_kept_header(context, action_.arguments_);
        const clang::syntax::TokenBuffer tokens = std::move(collector_).consume();
        action_.result = FileWriter(context, tokens, directives_).run();
      }

    private:
      WritingAction& action_;
      clang::syntax::TokenCollector collector_;
      Directives directives_;
    };
    return std::make_unique<Consumer>(*this, compiler.getPreprocessor());
  }

private:
  const std::vector<std::string>& arguments_;
};

} // namespace

llvm::Expected<WrittenOut> write_out(const CudaOptions& options) {
  auto arguments = compiler_arguments(options);
  if (!arguments)
    return arguments.takeError();
  Messages messages([](SourceLocation location, const clang::SourceManager& sources) {
    const clang::PresumedLoc place = sources.getPresumedLoc(sources.getFileLoc(location));
    return place.isInvalid()
               ? std::string()
               : fmt::format("{}:{}:{}", place.getFilename(), place.getLine(), place.getColumn());
  });
  WritingAction action(*arguments);
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files = files_of(options);
  if (!options.appended.empty()) {
    const auto text = files->getBufferForFile(options.file);
    if (!text)
      return llvm::errorCodeToError(text.getError());
    files = in_place_of_file(options, cuda::without_marks((*text)->getBuffer().str()) + "\n" +
                                          options.appended);
  }
  if (llvm::Error error = run_clang(*arguments, files, messages, action))
    return error;
  return std::move(action.result);
}

} // namespace gputest::frontend
