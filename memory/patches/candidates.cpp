// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/patches/candidates.h"

#include "frontend/walk.h"
#include "memory/patches/words.h"

#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/TypeLoc.h>

#include <algorithm>
#include <array>
#include <bit>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <string_view>

namespace gputest::memory {
namespace {

using passes::mutation::TextChange;

// An array in on-chip memory, and its uses.
struct Array {
  const clang::VarDecl* variable = nullptr;
  const clang::FunctionDecl* function = nullptr; // that declares it
  std::vector<const clang::Expr*> sizes{};       // outermost first
  struct Use {
    std::vector<const clang::Expr*> indices{}; // outermost first
  };
  std::vector<Use> uses{};
  std::vector<const clang::DeclRefExpr*> names{}; // of the uses
  bool only_subscripts = true; // of single elements, whose addresses only atomic functions get
};

bool is_on_chip(const clang::VarDecl& variable) {
  return variable.hasAttr<clang::CUDASharedAttr>() ||
         variable.getType().getAddressSpace() == clang::LangAS::opencl_local;
}

// Returns the sizes of an array as they are written, or none if one of them is not.
std::vector<const clang::Expr*> sizes_of(const clang::VarDecl& variable) {
  std::vector<const clang::Expr*> sizes;
  if (!variable.getTypeSourceInfo())
    return sizes;
  clang::TypeLoc type = variable.getTypeSourceInfo()->getTypeLoc();
  while (const auto array = type.getAsAdjusted<clang::ArrayTypeLoc>()) {
    if (!array.getSizeExpr())
      return {};
    sizes.push_back(array.getSizeExpr());
    type = array.getElementLoc();
  }
  return sizes;
}

class Arrays {
public:
  void look_in(const clang::FunctionDecl& function) {
    frontend::walk(*function.getBody(), [&](const clang::Stmt& node) {
      if (const auto* const declaration = llvm::dyn_cast<clang::DeclStmt>(&node))
        for (const clang::Decl* one : declaration->decls())
          if (const auto* const variable = llvm::dyn_cast<clang::VarDecl>(one))
            add_variable(*variable, function);
      if (const auto* const call = llvm::dyn_cast<clang::CallExpr>(&node))
        look_at_arguments(*call);
      if (const auto* const address = llvm::dyn_cast<clang::UnaryOperator>(&node);
          address && address->getOpcode() == clang::UO_AddrOf && !of_atomics_.contains(address))
        give_away(*address->getSubExpr());
      if (const auto* const subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(&node))
        add_use(*subscript);
      if (const auto* const name = llvm::dyn_cast<clang::DeclRefExpr>(&node);
          name && !subscripted_.contains(name))
        if (const auto known = found.find(name->getDecl()); known != found.end())
          known->second.only_subscripts = false;
      return true;
    });
  }

  std::map<const clang::ValueDecl*, Array> found;

private:
  void add_variable(const clang::VarDecl& variable, const clang::FunctionDecl& function) {
    if (variable.getType()->isReferenceType() && variable.getInit())
      give_away(*variable.getInit());
    if (!is_on_chip(variable))
      return;
    if (auto sizes = sizes_of(variable); !sizes.empty())
      found[&variable] = {.variable = &variable, .function = &function, .sizes = std::move(sizes)};
  }

  // Atomic functions change the element that they get. Others may reach its neighbours.
  void look_at_arguments(const clang::CallExpr& call) {
    const clang::FunctionDecl* const function = call.getDirectCallee();
    const std::string name =
        function && function->getIdentifier() ? function->getName().str() : std::string();
    const bool is_atomic = name.starts_with("atom") || name.starts_with("__atomic");
    for (const clang::Expr* argument : call.arguments())
      if (const auto* const address =
              llvm::dyn_cast<clang::UnaryOperator>(argument->IgnoreParenCasts());
          address && is_atomic)
        of_atomics_.insert(address);
      else if (argument->isGLValue()) // a reference
        give_away(*argument);
  }

  // Something else may get the address of the array that the expression is an element of.
  void give_away(const clang::Expr& expression) {
    const clang::Expr* one = expression.IgnoreParenCasts();
    while (true)
      if (const auto* const subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(one))
        one = subscript->getBase()->IgnoreParenCasts();
      else if (const auto* const member = llvm::dyn_cast<clang::MemberExpr>(one))
        one = member->getBase()->IgnoreParenCasts();
      else
        break;
    const auto* const name = llvm::dyn_cast<clang::DeclRefExpr>(one);
    if (const auto known = name ? found.find(name->getDecl()) : found.end(); known != found.end())
      known->second.only_subscripts = false;
  }

  void add_use(const clang::ArraySubscriptExpr& subscript) {
    Array::Use use;
    const clang::Expr* base = &subscript;
    while (const auto* const one = llvm::dyn_cast<clang::ArraySubscriptExpr>(base)) {
      use.indices.insert(use.indices.begin(), one->getIdx());
      base = one->getBase()->IgnoreParenImpCasts();
    }
    const auto* const name = llvm::dyn_cast<clang::DeclRefExpr>(base);
    if (!name || !subscripted_.insert(name).second) // a part of a use that is known
      return;
    const auto known = found.find(name->getDecl());
    if (known == found.end())
      return;
    Array& array = known->second;
    if (use.indices.size() != array.sizes.size()) // a row, or a part of an element
      array.only_subscripts = false;
    array.uses.push_back(std::move(use));
    array.names.push_back(name);
  }

  std::set<const clang::DeclRefExpr*> subscripted_;
  std::set<const clang::UnaryOperator*> of_atomics_; // addresses
};

// Whether an operator behind it would take only a part of the expression.
bool needs_brackets(const clang::Expr& expression) {
  const clang::Expr* const plain = expression.IgnoreImpCasts();
  if (const auto* const binary = llvm::dyn_cast<clang::BinaryOperator>(plain))
    return !binary->isMultiplicativeOp() && !binary->isAdditiveOp();
  return llvm::isa<clang::AbstractConditionalOperator>(plain);
}

class Proposals {
public:
  Proposals(const frontend::Tree& tree, const Wanted& wanted) : tree_(tree), wanted_(wanted) {}

  std::vector<Candidate> run() {
    const clang::FunctionDecl* kernel = nullptr;
    for (const frontend::NamedKernel& one : tree_.named_kernels())
      if (one.name == wanted_.kernel)
        kernel = one.function;
    if (!kernel || !kernel->hasBody())
      return {};
    Arrays arrays;
    arrays.look_in(*kernel);
    for (const clang::FunctionDecl* function : tree_.functions())
      if (!frontend::is_kernel(*function) && function->hasBody())
        arrays.look_in(*function);
    std::vector<const Array*> in_order;
    for (const auto& [variable, array] : arrays.found)
      if (wanted_.conflicting.contains(variable->getNameAsString()) && array.only_subscripts &&
          has_all_uses(array))
        in_order.push_back(&array);
    std::ranges::sort(in_order, {}, [&](const Array* one) {
      return tree_.begin(one->variable->getSourceRange());
    });
    for (const Array* array : in_order) {
      pad(*array);
      swap_subscripts(*array);
      swizzle(*array);
      leave_out(*array);
    }
    if (wanted_.uncoalesced)
      swap_dimensions(*kernel);
    return std::move(found_);
  }

private:
  // Whether the text names the array only where its uses are known.
  bool has_all_uses(const Array& array) const {
    std::vector<unsigned> places{tree_.offset(array.variable->getLocation())};
    for (const clang::DeclRefExpr* name : array.names)
      places.push_back(tree_.begin(name->getSourceRange()));
    return are_all(tree_.source(), tree_.begin(array.function->getSourceRange()),
                   tree_.end(array.function->getSourceRange()), places,
                   [&](std::string_view name) { return name == name_of(array); });
  }

  // Returns the expression as its author wrote it; nothing if it is only a part of what a macro
  // gives. A text with the present values of macros would hold for these values alone.
  std::optional<std::string> written(const clang::Expr& expression) const {
    const frontend::FlatSource& source = tree_.source();
    const unsigned begin = tree_.begin(expression.getSourceRange());
    const unsigned end = tree_.end(expression.getSourceRange());
    const std::size_t first = source.token_at_or_after(begin);
    const std::size_t past = source.token_at_or_after(end);
    for (std::size_t i = first; i < past; ++i)
      if (source.tokens[i].expansion >= 0 && source.tokens[i].in_body) {
        const frontend::Expansion& macro =
            source.expansions[static_cast<std::size_t>(source.tokens[i].expansion)];
        if (macro.first_token < first || macro.last_token >= past)
          return std::nullopt;
      }
    return source.excerpt(begin, end).text;
  }

  // Whether the size is a number that stands there: no macro and no template gives another one.
  bool is_literal(const clang::Expr& expression) const {
    const frontend::FlatSource& source = tree_.source();
    const std::size_t first = source.token_at_or_after(tree_.begin(expression.getSourceRange()));
    return source.token_at_or_after(tree_.end(expression.getSourceRange())) == first + 1 &&
           source.tokens[first].expansion < 0 && token(first)[0] >= '0' && token(first)[0] <= '9';
  }

  static std::string name_of(const Array& array) { return array.variable->getNameAsString(); }

  std::optional<std::uint64_t> value_of(const clang::Expr& expression) const {
    if (expression.isValueDependent() || expression.isTypeDependent())
      return std::nullopt;
    const auto value = expression.getIntegerConstantExpr(tree_.context());
    return value && value->isUnsigned() ? std::optional(value->getZExtValue())
           : value && value->isNonNegative()
               ? std::optional(static_cast<std::uint64_t>(value->getSExtValue()))
               : std::nullopt;
  }

  // Whether the expression may be written twice, or at another place of the same statement.
  bool is_plain(const clang::Expr& expression) const {
    return !expression.isTypeDependent() && !expression.isValueDependent() &&
           !expression.HasSideEffects(tree_.context());
  }

  // Puts `more` behind an expression, in front of the bracket that closes it: what a macro gives
  // stays as it is written.
  void append(std::vector<TextChange>& changes, const clang::Expr& expression,
              const std::string& more) const {
    const frontend::FlatSource& source = tree_.source();
    const unsigned begin = tree_.begin(expression.getSourceRange());
    const unsigned end =
        source.tokens.at(source.token_at_or_after(tree_.end(expression.getSourceRange()))).begin;
    const bool brackets = needs_brackets(expression);
    if (brackets)
      changes.push_back({.begin = begin, .end = begin, .text = "("});
    changes.push_back({.begin = end, .end = end, .text = (brackets ? ")" : "") + more});
  }

  void replace(std::vector<TextChange>& changes, const clang::Expr& old,
               const std::string& text) const {
    changes.push_back({.begin = tree_.begin(old.getSourceRange()),
                       .end = tree_.end(old.getSourceRange()),
                       .text = text});
  }

  void pad(const Array& array) {
    if (array.sizes.size() < 2)
      return;
    Candidate made{.text = fmt::format("rows of '{}' padded by one element", name_of(array)),
                   .variable = name_of(array)};
    append(made.changes, *array.sizes.back(), " + 1");
    found_.push_back(std::move(made));
  }

  // tile[a][b] becomes tile[b][a].
  void swap_subscripts(const Array& array) {
    if (!has_two_subscripts(array))
      return;
    Candidate made{.text = fmt::format("the subscripts of '{}' swapped", name_of(array)),
                   .variable = name_of(array)};
    bool all = swap(made.changes, *array.sizes[0], *array.sizes[1]);
    for (const Array::Use& use : array.uses)
      all = all && swap(made.changes, *use.indices[0], *use.indices[1]);
    if (all)
      found_.push_back(std::move(made));
  }

  // Returns false if that is not possible.
  bool swap(std::vector<TextChange>& changes, const clang::Expr& one,
            const clang::Expr& other) const {
    const std::optional<std::string> first = written(one), second = written(other);
    if (!first || !second)
      return false;
    if (*first != *second) {
      replace(changes, one, *second);
      replace(changes, other, *first);
    }
    return true;
  }

  // tile[a][b] becomes tile[a][(b) ^ (a) % 32]: no byte more is needed.
  void swizzle(const Array& array) {
    const auto columns = array.sizes.size() == 2 ? value_of(*array.sizes[1]) : std::nullopt;
    if (!has_two_subscripts(array) || !columns || *columns < 2 || !std::has_single_bit(*columns) ||
        !is_literal(*array.sizes[1]))
      return;
    Candidate made{.text = fmt::format("the columns of '{}' swizzled by their row", name_of(array)),
                   .variable = name_of(array)};
    for (const Array::Use& use : array.uses) {
      const std::optional<std::string> row = written(*use.indices[0]);
      const std::optional<std::string> column = written(*use.indices[1]);
      if (!row || !column)
        return;
      replace(made.changes, *use.indices[1],
              fmt::format("({}) ^ ({}) % ({})", *column, *row, *columns));
    }
    found_.push_back(std::move(made));
  }

  bool has_two_subscripts(const Array& array) const {
    return array.sizes.size() == 2 && std::ranges::all_of(array.uses, [&](const auto& use) {
             return use.indices.size() == 2 && is_plain(*use.indices[0]) &&
                    is_plain(*use.indices[1]) && !uses_on_chip(*use.indices[0]) &&
                    !uses_on_chip(*use.indices[1]);
           });
  }

  // Such a use within a subscript would be written twice.
  static bool uses_on_chip(const clang::Expr& expression) {
    return frontend::any_of(expression, [](const clang::Stmt& node) {
      const auto* const name = llvm::dyn_cast<clang::DeclRefExpr>(&node);
      const auto* const variable = name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
      return variable && is_on_chip(*variable);
    });
  }

  // data[i] becomes data[i + (i) / 32].
  void leave_out(const Array& array) {
    const clang::QualType element = tree_.context().getBaseElementType(array.variable->getType());
    if (array.sizes.size() != 1 || element->isDependentType())
      return;
    const auto bytes =
        static_cast<std::uint64_t>(tree_.context().getTypeSizeInChars(element).getQuantity());
    const auto size = value_of(*array.sizes[0]);
    const std::uint64_t row = bytes == 0 ? 0 : wanted_.bank_row / bytes;
    const std::optional<std::string> size_text = written(*array.sizes[0]);
    if (!size || !size_text || row < 2 || *size <= row ||
        !std::ranges::all_of(
            array.uses,
            [&](const Array::Use& use) {
              return is_plain(*use.indices[0]) && !uses_on_chip(*use.indices[0]);
            }))
      return;
    Candidate made{
        .text = fmt::format("an element left out after each {} of '{}'", row, name_of(array)),
        .variable = name_of(array)};
    append(made.changes, *array.sizes[0],
           is_literal(*array.sizes[0]) ? fmt::format(" + {}", (*size - 1) / row)
                                       : fmt::format(" + (({}) - 1) / {}", *size_text, row));
    for (const Array::Use& use : array.uses) {
      const std::optional<std::string> index = written(*use.indices[0]);
      if (!index)
        return;
      append(made.changes, *use.indices[0], fmt::format(" + ({}) / {}", *index, row));
    }
    found_.push_back(std::move(made));
  }

  // -- Dimensions
  // ----------------------------------------------------------------------------------

  std::string_view token(std::size_t index) const {
    const frontend::FlatSource& source = tree_.source();
    if (index >= source.tokens.size())
      return {};
    const frontend::FlatToken& one = source.tokens[index];
    return std::string_view(source.text).substr(one.begin, one.end - one.begin);
  }

  // Adds the swaps of what is asked within [begin, end). Returns false if something is asked that
  // swaps do not reach.
  bool add_swaps(unsigned begin, unsigned end, std::vector<TextChange>& changes) const {
    const frontend::FlatSource& source = tree_.source();
    std::vector<unsigned> places;
    for (std::size_t i = source.token_at_or_after(begin);
         i < source.tokens.size() && source.tokens[i].begin < end; ++i) {
      const std::string_view name = token(i);
      if (depends_on_order(name))
        return false;
      const bool opencl = asks_in_opencl(name);
      if (!opencl && !asks_in_cuda(name))
        continue;
      places.push_back(source.tokens[i].begin);
      const std::string_view which = token(i + 2);
      if (opencl ? token(i + 1) != "(" || token(i + 3) != ")" : token(i + 1) != ".")
        return false;
      const std::array<std::string_view, 2> dimensions =
          opencl ? std::array<std::string_view, 2>{"0", "1"}
                 : std::array<std::string_view, 2>{"x", "y"};
      const bool first = which == dimensions[0];
      if (first || which == dimensions[1])
        changes.push_back({.begin = source.tokens[i + 2].begin,
                           .end = source.tokens[i + 2].end,
                           .text = std::string(dimensions[first ? 1 : 0])});
      else if (which != (opencl ? "2" : "z"))
        return false;
    }
    // Functions of headers ask for nothing: they are not read again.
    const std::size_t first = source.token_at_or_after(begin);
    if (places.empty() && first < source.tokens.size() && source.tokens[first].span.file != 0)
      return true;
    return are_all(source, begin, end, places, [](std::string_view name) {
      return asks_in_opencl(name) || asks_in_cuda(name) || depends_on_order(name);
    });
  }

  void swap_dimensions(const clang::FunctionDecl& kernel) {
    Candidate made{.text = "the first two dimensions swapped", .swaps_dimensions = true};
    std::vector<TextChange> others;
    for (const clang::FunctionDecl* function : tree_.functions())
      if (!frontend::is_kernel(*function) &&
          (!add_swaps(tree_.begin(function->getSourceRange()),
                      tree_.end(function->getSourceRange()), others) ||
           !others.empty()))
        return;
    if (add_swaps(tree_.begin(kernel.getSourceRange()), tree_.end(kernel.getSourceRange()),
                  made.changes) &&
        !made.changes.empty())
      found_.push_back(std::move(made));
  }

  const frontend::Tree& tree_;
  const Wanted& wanted_;
  std::vector<Candidate> found_;
};

} // namespace

std::vector<Candidate> candidates(const frontend::Tree& tree, const Wanted& wanted) {
  return Proposals(tree, wanted).run();
}

} // namespace gputest::memory
