// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/mutation/cuda_launches.h"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <optional>

namespace gputest::passes::mutation {
namespace {

class LaunchFinder : public clang::RecursiveASTVisitor<LaunchFinder> {
public:
  LaunchFinder(const frontend::Tree& tree, std::vector<model::NotInstrumented>& unreached)
      : tree_(tree), unreached_(unreached) {}

  bool TraverseFunctionDecl(clang::FunctionDecl* function) {
    return within(*function, [&] { return RecursiveASTVisitor::TraverseFunctionDecl(function); });
  }
  bool TraverseCXXMethodDecl(clang::CXXMethodDecl* method) {
    return within(*method, [&] { return RecursiveASTVisitor::TraverseCXXMethodDecl(method); });
  }

  bool VisitCUDAKernelCallExpr(clang::CUDAKernelCallExpr* call) {
    const clang::SourceManager& sources = tree_.context().getSourceManager();
    if (sources.getFileID(sources.getFileLoc(call->getBeginLoc())) != sources.getMainFileID() ||
        !call->getConfig() || call->getConfig()->getNumArgs() < 2)
      return true;
    const clang::Expr* const blocks = call->getConfig()->getArg(0);
    const clang::Expr* const threads = call->getConfig()->getArg(1);
    const auto first = written(*blocks), second = written(*threads);
    if (call->getConfig()->getBeginLoc().isMacroID() || !first || !second) {
      unreached_.push_back(tree_.unhandled(call->getSourceRange(), function_, "alloc_swap",
                                           "the launch is in a macro or a header"));
      return true;
    }
    CudaLaunch launch{.blocks = first->first,
                      .blocks_end = first->second,
                      .threads = second->first,
                      .threads_end = second->second,
                      .function = function_,
                      .index = 0,
                      .mutants = {}};
    const bool known = std::ranges::any_of(
        launches, [&](const CudaLaunch& other) { return other.blocks == launch.blocks; });
    if (known)
      return true;
    propose(launch, blocks, threads);
    launches.push_back(std::move(launch));
    return true;
  }

  std::vector<CudaLaunch> launches;

private:
  template <typename Go> bool within(const clang::FunctionDecl& function, Go go) {
    const std::string before = std::exchange(function_, frontend::name_of_function(function));
    const bool result = go();
    function_ = before;
    return result;
  }

  // The argument's offsets in the source file itself, where host code can be edited, including the
  // macros with which it begins and ends.
  std::optional<std::pair<unsigned, unsigned>> written(const clang::Expr& argument) const {
    const clang::SourceRange range = argument.getSourceRange();
    const clang::SourceManager& sources = tree_.context().getSourceManager();
    std::pair offsets{tree_.begin(range), tree_.end(range)};
    if (range.getBegin().isMacroID() || range.getEnd().isMacroID()) {
      const clang::CharSourceRange whole = clang::Lexer::makeFileCharRange(
          clang::CharSourceRange::getTokenRange(range), sources, tree_.context().getLangOpts());
      if (whole.isInvalid())
        return std::nullopt;
      offsets = {sources.getFileOffset(whole.getBegin()), sources.getFileOffset(whole.getEnd())};
    }
    const frontend::FlatSource& source = tree_.source();
    const std::size_t token = source.token_at_or_after(offsets.first);
    if (token == source.tokens.size() || source.tokens[token].span.file != 0 ||
        source.tokens[token].in_body)
      return std::nullopt;
    return offsets;
  }

  static bool is_number(const clang::Expr& argument) {
    return argument.IgnoreUnlessSpelledInSource()->getType()->isIntegerType();
  }

  void propose(CudaLaunch& launch, const clang::Expr* blocks, const clang::Expr* threads) const {
    const frontend::FlatSource& source = tree_.source();
    const std::string first = in_one_line(source, launch.blocks, launch.blocks_end);
    const std::string second = in_one_line(source, launch.threads, launch.threads_end);
    if (first != second)
      add(launch, "alloc_swap",
          {{launch.blocks, launch.blocks_end, second},
           {launch.threads, launch.threads_end, first}});
    for (const auto& [name, more] :
         {std::pair{"alloc_increment", "+ 1"}, std::pair{"alloc_decrement", "- 1"}}) {
      add(launch, name, {{launch.blocks, launch.blocks_end, changed(first, *blocks, more)}});
      add(launch, name, {{launch.threads, launch.threads_end, changed(second, *threads, more)}});
    }
  }

  static std::string changed(const std::string& text, const clang::Expr& argument,
                             const std::string& more) {
    if (is_number(argument))
      return fmt::format("({}) {}", text, more);
    return fmt::format("[](dim3 sizes) {{ sizes.x = sizes.x {}; return sizes; }}({})", more, text);
  }

  void add(CudaLaunch& launch, std::string_view name, std::vector<TextChange> changes) const {
    const frontend::FlatSource& source = tree_.source();
    CudaMutant mutant{
        .proposal = {.operator_name = name}, .changes = std::move(changes), .number = 0};
    mutant.proposal.begin = launch.blocks;
    mutant.proposal.end = launch.threads_end;
    unsigned at = launch.blocks;
    std::string& text = mutant.proposal.replacement;
    for (const TextChange& change : mutant.changes) {
      text += source.text.substr(at, change.begin - at) + change.text;
      at = change.end;
    }
    text += source.text.substr(at, launch.threads_end - at);
    launch.mutants.push_back(std::move(mutant));
  }

  const frontend::Tree& tree_;
  std::vector<model::NotInstrumented>& unreached_;
  std::string function_;
};

// The place in the author's file.
unsigned place(const frontend::FlatSource& source, unsigned offset, bool end) {
  const std::size_t token = source.token_at_or_after(offset);
  if (!end)
    return source.tokens.at(token).span.begin;
  return source.tokens.at(token - 1).span.end;
}

// Inserts text around the two arguments of each launch, at `place`.
void ask_for_active(const std::vector<CudaLaunch>& launches, const std::string& function,
                    const std::string& unit, frontend::Edits& edits,
                    const std::function<unsigned(unsigned offset, bool end)>& place) {
  for (const CudaLaunch& launch : launches) {
    const std::string active = fmt::format("{}(\"{}\", {})", function, unit, launch.index);
    for (const auto& [begin, end] : {std::pair{launch.blocks, launch.blocks_end},
                                     std::pair{launch.threads, launch.threads_end}}) {
      std::string left;
      for (const CudaMutant& mutant : launch.mutants)
        for (const TextChange& change : mutant.changes)
          if (change.begin == begin)
            left += fmt::format("{} == {} ? dim3({}) : ", active, mutant.number, change.text);
      edits.around(place(begin, false), place(end, true), left + "dim3(", ")");
    }
  }
}

} // namespace

std::vector<CudaLaunch> find_launches(const frontend::Tree& tree,
                                      std::vector<model::NotInstrumented>& unreached) {
  LaunchFinder finder(tree, unreached);
  finder.TraverseDecl(tree.context().getTranslationUnitDecl());
  std::ranges::stable_sort(finder.launches, {}, &CudaLaunch::blocks);
  return std::move(finder.launches);
}

std::string host_text(const frontend::Tree& tree, const std::string& content,
                      const std::vector<CudaLaunch>& launches, const std::string& unit) {
  frontend::Edits edits;
  ask_for_active(launches, "gputest_cuda_launch", unit, edits,
                 [&](unsigned offset, bool end) { return place(tree.source(), offset, end); });
  return fmt::format("extern \"C\" unsigned gputest_cuda_launch(const char* unit, unsigned site);\n"
                     "#line 1 \"{}\"\n{}",
                     tree.source().paths.front(), edits.apply(content));
}

frontend::Edits launch_edits(const std::vector<CudaLaunch>& launches, const std::string& unit) {
  frontend::Edits edits;
  ask_for_active(launches, "gputest_gpu_launch", unit, edits,
                 [](unsigned offset, bool) { return offset; });
  return edits;
}

} // namespace gputest::passes::mutation
