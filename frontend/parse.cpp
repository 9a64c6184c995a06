// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/parse.h"

#include "frontend/clang_run.h"
#include "frontend/llvm_version.h"

#include <clang/AST/ASTLambda.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Stmt.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>

namespace gputest::frontend {

// Functions that GpuTestCheck adds are called gputest_….
static bool is_toolkits(const clang::FunctionDecl& function) {
  return function.getIdentifier() && function.getName().starts_with("gputest_");
}

Tree::Tree(clang::ASTContext& context, const FlatSource& source)
    : context_(context), source_(source) {
  for (const clang::Decl* declaration : context_.getTranslationUnitDecl()->decls()) {
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
    if (function && function->doesThisDeclarationHaveABody() && function->getIdentifier() &&
        !is_toolkits(*function))
      functions_.push_back(function);
  }
}

Tree::Tree(clang::ASTContext& context, const FlatSource& source, Language language,
           std::vector<const clang::FunctionDecl*> device_functions,
           std::vector<NamedKernel> named_kernels)
    : context_(context), source_(source), language_(language),
      functions_(std::move(device_functions)), named_kernels_(std::move(named_kernels)) {
  const auto wrappers = std::ranges::stable_partition(
      functions_, [](const clang::FunctionDecl* function) { return !is_wrapper(*function); });
  wrappers_.assign(wrappers.begin(), wrappers.end());
  functions_.erase(wrappers.begin(), functions_.end());
}

unsigned Tree::offset(clang::SourceLocation location) const {
  const clang::SourceManager& sources = context_.getSourceManager();
  return sources.getFileOffset(sources.getFileLoc(location));
}

unsigned Tree::begin(clang::SourceRange range) const {
  return offset(range.getBegin());
}

unsigned Tree::end(clang::SourceRange range) const {
  const clang::SourceManager& sources = context_.getSourceManager();
  clang::SourceLocation last = range.getEnd();
  // The end of a macro's body is the end of its invocation, argument list included.
  while (last.isMacroID() && !sources.isMacroArgExpansion(last))
    last = sources.getImmediateExpansionRange(last).getEnd();
  last = sources.getFileLoc(last);
  return closed(begin(range),
                sources.getFileOffset(last) +
                    clang::Lexer::MeasureTokenLength(last, sources, context_.getLangOpts()));
}

// Clang drops the parentheses of (float4)(x), and so does not know where the expression ends.
unsigned Tree::closed(unsigned from, unsigned to) const {
  const std::vector<FlatToken>& tokens = source_.tokens;
  const auto is = [&](std::size_t token, char what) {
    return token < tokens.size() && source_.text[tokens[token].begin] == what;
  };
  std::size_t next = source_.token_at_or_after(to);
  if (!is(next, ')')) // as nearly always
    return to;
  int open = 0;
  for (std::size_t i = source_.token_at_or_after(from); i < next; ++i)
    open += is(i, '(') ? 1 : is(i, ')') ? -1 : 0;
  for (; open > 0 && is(next, ')'); ++next, --open)
    to = tokens[next].end;
  return to;
}

// Whether the statement ends with the '}' of a block. Others may end with that of a value, as in
// `p = (int2){1, 2};` and `return Pair{1, 2};`.
static bool ends_with_block(const clang::Stmt* statement) {
  while (statement)
    if (llvm::isa<clang::CompoundStmt, clang::CXXTryStmt>(statement))
      return true;
    else if (const auto* const choice = llvm::dyn_cast<clang::IfStmt>(statement))
      statement = choice->getElse() ? choice->getElse() : choice->getThen();
    else if (const auto* const loop = llvm::dyn_cast<clang::ForStmt>(statement))
      statement = loop->getBody();
    else if (const auto* const ranged = llvm::dyn_cast<clang::CXXForRangeStmt>(statement))
      statement = ranged->getBody();
    else if (const auto* const repeated = llvm::dyn_cast<clang::WhileStmt>(statement))
      statement = repeated->getBody();
    else if (const auto* const cases = llvm::dyn_cast<clang::SwitchStmt>(statement))
      statement = cases->getBody();
    else if (const auto* const one = llvm::dyn_cast<clang::SwitchCase>(statement))
      statement = one->getSubStmt();
    else if (const auto* const label = llvm::dyn_cast<clang::LabelStmt>(statement))
      statement = label->getSubStmt();
    else if (const auto* const attributed = llvm::dyn_cast<clang::AttributedStmt>(statement))
      statement = attributed->getSubStmt();
    else
      return false;
  return false;
}

unsigned Tree::end_of_statement(const clang::Stmt& statement) const {
  const unsigned past = end(statement.getSourceRange());
  const std::size_t next = source_.token_at_or_after(past);
  if (next < source_.tokens.size()) {
    const FlatToken& token = source_.tokens[next];
    const char last = past > 0 ? source_.text[past - 1] : ' ';
    const bool ends_itself = last == ';' || (last == '}' && ends_with_block(&statement));
    if (!ends_itself && source_.text[token.begin] == ';')
      return token.end;
  }
  return past;
}

std::vector<const clang::FunctionDecl*> Tree::kernels() const {
  std::vector<const clang::FunctionDecl*> result;
  if (language_ != Language::OpenCL) {
    std::ranges::copy_if(functions_, std::back_inserter(result),
                         [](const auto* function) { return is_kernel(*function); });
    result.insert(result.end(), wrappers_.begin(), wrappers_.end());
    return result;
  }
  for (const clang::Decl* declaration : context_.getTranslationUnitDecl()->decls()) {
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
    if (function && function->doesThisDeclarationHaveABody() && is_kernel(*function))
      result.push_back(function);
  }
  return result;
}

std::vector<NamedKernel> Tree::named_kernels() const {
  if (language_ == Language::Cuda)
    return named_kernels_;
  std::vector<NamedKernel> named;
  for (const clang::FunctionDecl* kernel : kernels())
    named.push_back({kernel, kernel->getNameAsString()});
  return named;
}

const clang::FunctionDecl* Tree::function_at(unsigned offset) const {
  const auto begins = [&](const clang::FunctionDecl* function) {
    return begin(function->getSourceRange());
  };
  const auto next = std::ranges::upper_bound(functions_, offset, {}, begins);
  for (auto function = next; function != functions_.begin();) // a lambda is within another
    if (--function; offset < end((*function)->getSourceRange()))
      return *function;
    else if (language_ == Language::OpenCL)
      break;
  return nullptr;
}

model::NotInstrumented Tree::unhandled(clang::SourceRange range, std::string function,
                                       std::string construct, std::string reason) const {
  const Excerpt place = excerpt(range);
  return {.file = place.file,
          .line = place.line,
          .column = place.column,
          .function = std::move(function),
          .construct = std::move(construct),
          .reason = std::move(reason)};
}

bool is_wrapper(const clang::FunctionDecl& function) {
  return is_kernel(function) && is_toolkits(function);
}

bool is_kernel(const clang::FunctionDecl& function) {
  return function.hasAttr<llvm_version::KernelAttr>() || function.hasAttr<clang::CUDAGlobalAttr>();
}

std::string name_of_function(const clang::FunctionDecl& function) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  if (method && clang::isLambdaCallOperator(method)) {
    for (const clang::DeclContext* context = method->getParent()->getParent(); context;
         context = context->getParent())
      if (const auto* around = llvm::dyn_cast<clang::FunctionDecl>(context))
        return name_of_function(*around) + "::lambda";
    return "lambda";
  }
  if (!function.getASTContext().getLangOpts().CPlusPlus)
    return function.getNameAsString();
  std::string name;
  llvm::raw_string_ostream stream(name);
  clang::PrintingPolicy policy = function.getASTContext().getPrintingPolicy();
  policy.SuppressUnwrittenScope = true; // anonymous namespaces
  function.printQualifiedName(stream, policy);
  return name;
}

llvm::Error parse_with(const FlatSource& source, const std::vector<std::string>& arguments,
                       llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
                       const std::function<llvm::Error(clang::ASTContext&)>& use) {
  Messages messages([&source](clang::SourceLocation location, const clang::SourceManager& sources) {
    const clang::SourceLocation at = sources.getFileLoc(location);
    if (sources.getFileID(at) != sources.getMainFileID())
      return std::string();
    return source.name_of(sources.getFileOffset(at));
  });
  llvm::Error result = llvm::Error::success();
  ParseAction action([&](clang::ASTContext& context) {
    llvm::cantFail(std::move(result));
    result = use(context);
  });
  if (llvm::Error error = run_clang(arguments, std::move(files), messages, action)) {
    llvm::consumeError(std::move(result));
    return error;
  }
  return result;
}

llvm::Error parse(const FlatSource& source, const SourceOptions& options,
                  const std::function<llvm::Error(const Tree&)>& use) {
  std::vector<std::string> arguments = common_arguments(options.cl_std);
  arguments.emplace_back("-fsyntax-only");
  const auto files = as_file(source.text, arguments);
  return parse_with(source, arguments, files,
                    [&](clang::ASTContext& context) { return use(Tree(context, source)); });
}

} // namespace gputest::frontend
