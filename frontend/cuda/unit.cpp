// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/cuda/unit.h"

#include "frontend/clang_run.h"
#include "frontend/cuda/before_mending.h"
#include "frontend/cuda/compilation.h"
#include "frontend/cuda/device_functions.h"
#include "frontend/cuda/named_kernel.h"
#include "frontend/cuda/written_out.h"
#include "frontend/file_names.h"
#include "model/names.h"

#include <clang/Basic/LangOptions.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace gputest::frontend {
namespace {

// Finds lines and columns of a file.
class Lines {
public:
  explicit Lines(const std::string& content) {
    for (std::size_t i = 0; i < content.size(); ++i)
      if (content[i] == '\n')
        begins_.push_back(static_cast<unsigned>(i) + 1);
  }
  std::pair<unsigned, unsigned> place(unsigned offset) const {
    const auto after = std::ranges::upper_bound(begins_, offset);
    return {static_cast<unsigned>(after - begins_.begin()), offset - *std::prev(after) + 1};
  }

private:
  std::vector<unsigned> begins_{0};
};

class Tokens {
public:
  Tokens(const WrittenOut& written, FlatSource& out) : written_(written), out_(out) {
    for (const std::string& content : written.contents)
      lines_.emplace_back(content);
  }

  void run() {
    clang::LangOptions language;
    language.CPlusPlus = language.CPlusPlus11 = language.CPlusPlus14 = language.CPlusPlus17 =
        language.CPlusPlus20 = language.CUDA = language.Bool = language.LineComment = true;
    const std::string& text = out_.text;
    clang::Lexer lexer(clang::SourceLocation(), language, text.data(), text.data(),
                       text.data() + text.size());
    bool directive = false;
    for (clang::Token token; !lexer.LexFromRawLexer(token);) {
      const auto end = static_cast<unsigned>(lexer.getBufferLocation() - text.data());
      const unsigned begin = end - token.getLength();
      if (token.isAtStartOfLine())
        directive = token.is(clang::tok::hash);
      if (!directive)
        add(begin, end, token.hasLeadingSpace() || token.isAtStartOfLine());
    }
  }

private:
  void add(unsigned begin, unsigned end, bool space) {
    const auto after = std::ranges::upper_bound(written_.segments, begin, {}, &Segment::begin);
    if (after == written_.segments.begin())
      return;
    const Segment& segment = *std::prev(after);
    if (end > segment.end)
      return; // a directive of ours
    FlatToken token{.begin = begin,
                    .end = end,
                    .place = {},
                    .span = {},
                    .expansion = -1,
                    .in_body = !segment.copy,
                    .leading_space = space};
    unsigned from = segment.from, to = segment.to;
    if (segment.copy) {
      from += begin - segment.begin;
      to = segment.from + (end - segment.begin);
      if (std::ranges::any_of(written_.skipped, [&](const Span& part) {
            return part.file == segment.path && part.begin <= from && from < part.end;
          }))
        return;
    } else {
      token.expansion = expansion_of(segment);
      Expansion& expansion = out_.expansions[static_cast<std::size_t>(token.expansion)];
      expansion.last_token = static_cast<unsigned>(out_.tokens.size());
    }
    const auto [line, column] = lines_[segment.path].place(from);
    const auto [end_line, end_column] = lines_[segment.path].place(to);
    token.place = {segment.path, line, column, end_line, end_column};
    token.span = {segment.path, from, to};
    out_.tokens.push_back(token);
  }

  int expansion_of(const Segment& segment) {
    const Span span{segment.path, segment.from, segment.to};
    if (out_.expansions.empty() || last_ != &segment) {
      const auto first = static_cast<unsigned>(out_.tokens.size());
      out_.expansions.push_back(
          {first, first, span, false,
           model::folded(std::string_view(written_.contents[segment.path])
                             .substr(segment.from, segment.to - segment.from))});
      last_ = &segment;
    }
    return static_cast<int>(out_.expansions.size()) - 1;
  }

  const WrittenOut& written_;
  FlatSource& out_;
  std::vector<Lines> lines_;
  const Segment* last_ = nullptr;
};

// Whether the code is in the text itself. Code of a precompiled header cannot be edited here.
bool is_in_text(const clang::FunctionDecl& function, const clang::SourceManager& sources) {
  return sources.getFileID(sources.getFileLoc(function.getBody()->getBeginLoc())) ==
         sources.getMainFileID();
}

} // namespace

// Writes a file out as nvcc takes it. `mended`: gets the files that it still includes, and what is
// read instead.
static llvm::Expected<WrittenOut> write_out_as_nvcc(CudaOptions options,
                                                    std::map<std::string, std::string>& mended) {
  WrittenOut written;
  if (llvm::Error error = read_as_nvcc(options, nullptr, [&]() -> llvm::Error {
        auto result = write_out(options);
        if (!result)
          return result.takeError();
        written = std::move(*result);
        return llvm::Error::success();
      }))
    return error;
  const auto files = files_of(options);
  for (const cuda::RefusedPlaces& refused : options.refused)
    for (const auto& [file, places] : refused)
      if (const auto text = files->getBufferForFile(file);
          text && std::ranges::none_of(written.paths, [&](const std::string& path) {
            return cuda::absolute_name(path) == file;
          }))
        mended[file] = (*text)->getBuffer().str();
  for (; !options.refused.empty(); options.refused.pop_back())
    as_before_mending(written, options);
  return written;
}

llvm::Expected<FlatSource> read_cuda(const CudaOptions& options) {
  FlatSource source;
  auto written = write_out_as_nvcc(options, source.mended);
  if (!written)
    return written.takeError();
  source.text = written->text;
  source.pragmas = written->pragmas;
  source.paths = written->paths;
  if (!written->contents.empty())
    source.content = written->contents.front();
  source.dependencies = written->dependencies;
  const FileNames names(options.source_root);
  for (const std::string& path : written->paths)
    source.files.push_back(names.name(path));
  Tokens(*written, source).run();
  return source;
}

static llvm::Error parse_text(const FlatSource& source, CudaOptions options,
                              const std::function<llvm::Error(clang::ASTContext&)>& use) {
  while (true) {
    auto arguments = compiler_arguments(options);
    if (!arguments)
      return arguments.takeError();
    const auto files = with_texts(
        in_place_of_file(options, source.text + reference_to(options.kernel)), source.mended);
    bool is_parsed = false;
    llvm::Error error = parse_with(source, *arguments, files, [&](clang::ASTContext& context) {
      is_parsed = true;
      visit_no_kept_header(context, *arguments);
      return use(context);
    });
    if (!error || is_parsed || !std::exchange(options.uses_kept_header, false))
      return error;
    llvm::consumeError(std::move(error)); // the text may be read without the kept header
  }
}

llvm::Error parse_cuda(const FlatSource& source, const CudaOptions& options,
                       const std::function<llvm::Error(const Tree&)>& use) {
  bool parsed = false;
  llvm::Error error = parse_text(source, options, [&](clang::ASTContext& context) {
    parsed = true;
    std::vector<const clang::FunctionDecl*> functions = device_functions(context);
    std::erase_if(functions, [&](const clang::FunctionDecl* function) {
      return !is_in_text(*function, context.getSourceManager());
    });
    return use(Tree(context, source, Language::Cuda, std::move(functions),
                    named_kernels(context, options.kernel)));
  });
  if (parsed || !error || options.kernel.empty())
    return error;
  // The file was read before without errors: the name is wrong.
  CudaOptions unnamed = options;
  unnamed.kernel.clear();
  const std::string reason = llvm::toString(std::move(error));
  return parse_text(source, unnamed, [&](clang::ASTContext& context) {
    return llvm::createStringError(
        llvm::inconvertibleErrorCode(), "%s",
        no_such_kernel(context, source.files.front(), options.kernel, reason).c_str());
  });
}

} // namespace gputest::frontend
