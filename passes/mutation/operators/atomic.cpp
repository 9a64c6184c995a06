// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// atom_removal: an atomic operation by the same without atomicity (MutGPU, ICST 2020, Table I):
//   atomic_add(p, v);        (*(p) += (v));
//   i = atomic_max(p, v);    i = (old = *(p), *(p) = max(old, (v)), old);
// Reports show it as people write it (atomic_text.h).
#include "passes/mutation/operators/atomic_text.h"
#include "passes/mutation/operators/operators.h"
#include "passes/nodes.h"

#include <clang/AST/Decl.h>

#include <fmt/format.h>
#include <map>

namespace gputest::passes::mutation {
namespace {

// The result of the operation, from the old value and the operand.
struct Operation {
  const char* assignment; // in C, if the old value is not used; empty: there is none
  const char* result;     // {0}: the old value
};

const Operation* operation_named(llvm::StringRef name) {
  static const std::map<std::string, Operation, std::less<>> all{
      {"add", {"+=", "{0} + "}}, {"sub", {"-=", "{0} - "}},  {"or", {"|=", "{0} | "}},
      {"and", {"&=", "{0} & "}}, {"xor", {"^=", "{0} ^ "}},  {"xchg", {"=", ""}},
      {"exchange", {"=", ""}},   {"min", {"", "min({0}, "}}, {"max", {"", "max({0}, "}}};
  const auto found = all.find(name.str());
  return found == all.end() ? nullptr : &found->second;
}

Part text(std::string content) {
  return {std::move(content), nullptr, false};
}

// A call of an atomic function, and its replacement without atomicity.
class Atomic {
public:
  Atomic(const clang::CallExpr& call, llvm::StringRef name) : call_(call), name_(name) {
    name_.consume_back("_explicit");
    const clang::QualType pointee = call.getArg(0)->getType()->getPointeeType();
    if (pointee.isNull())
      return;
    const auto* atomic = pointee->getAs<clang::AtomicType>();
    type_ = scalar_name(atomic ? atomic->getValueType() : pointee);
    if (!atomic)
      return;
    // Only atomic functions may use objects of atomic types.
    const clang::LangAS space = pointee.getAddressSpace();
    cast_ = fmt::format("(volatile {} {}*)",
                        space == clang::LangAS::opencl_global    ? "__global"
                        : space == clang::LangAS::opencl_local   ? "__local"
                        : space == clang::LangAS::opencl_generic ? "__generic"
                                                                 : "__private",
                        type_);
  }

  // Whether the function does not both read and write, so that there is nothing to make plain.
  bool is_none() const {
    return name_.contains("fence") || name_ == "load" || name_ == "store" || name_ == "init" ||
           name_ == "flag_clear";
  }
  bool has_type() const { return !type_.empty(); }

  // Empty: it is not known.
  std::vector<Part> plain(bool unused) {
    if (name_ == "inc" || name_ == "dec")
      return joined({{text("((")}, at(), {text(name_ == "inc" ? ")++)" : ")--)")}});
    if (name_ == "cmpxchg" && call_.getNumArgs() == 3)
      return joined({{text("(" + old() + " = ")},
                     at(),
                     {text(", " + old() + " == ")},
                     value(1),
                     {text(" ? (")},
                     at(),
                     {text(" = ")},
                     value(2),
                     {text(") : " + old() + ", " + old() + ")")}});
    if (name_.starts_with("compare_exchange_") && call_.getNumArgs() >= 3) {
      const Part expected{{}, call_.getArg(1)->IgnoreImplicit(), true};
      return joined({{text("(" + old() + " = ")},
                     at(),
                     {text(", " + old() + " == *("), expected, text(") ? (")},
                     at(),
                     {text(" = ")},
                     value(2),
                     {text(", true) : (*("), expected, text(") = " + old() + ", false))")}});
    }
    if (name_ == "flag_test_and_set")
      return joined({{text("(" + old() + " = ")},
                     at(),
                     {text(", ")},
                     at(),
                     {text(" = 1, " + old() + " != 0)")}});
    name_.consume_front("fetch_");
    const Operation* operation = operation_named(name_);
    if (!operation || call_.getNumArgs() < 2)
      return {};
    if (unused && *operation->assignment != '\0')
      return joined({{text("(")},
                     at(),
                     {text(fmt::format(" {} ", operation->assignment))},
                     value(1),
                     {text(")")}});
    const std::string result = fmt::format(fmt::runtime(operation->result), old());
    const bool is_call = result.ends_with(", ");
    const std::vector<Part> before = first_value();
    return joined({{text("(")},
                   before,
                   {text(old() + " = ")},
                   at(),
                   {text(", ")},
                   at(),
                   {text(" = " + result)},
                   before.empty() ? value(1) : std::vector<Part>{text(saved())},
                   {text(std::string(is_call ? ")" : "") + ", " + old() + ")")}});
  }

  std::string declarations; // that plain() needs

private:
  static std::vector<Part> joined(std::initializer_list<std::vector<Part>> all) {
    std::vector<Part> result;
    for (const std::vector<Part>& some : all)
      result.insert(result.end(), some.begin(), some.end());
    return result;
  }

  std::string variable(const std::string& name) {
    const std::string declaration = fmt::format(" {} {};", type_, name);
    if (declarations.find(declaration) == std::string::npos)
      declarations += declaration;
    return name;
  }
  std::string old() { return variable("gputest_old_" + type_); }
  std::string saved() { return variable("gputest_value_" + type_); }

  std::vector<Part> at() const {
    return {text("*" + cast_ + "("), Part{{}, call_.getArg(0)->IgnoreImplicit(), true}, text(")")};
  }

  std::vector<Part> value(unsigned argument) const {
    const clang::Expr* written = call_.getArg(argument)->IgnoreImplicit();
    const bool converts = scalar_name(written->getType()) != type_;
    return {text(converts ? "(" + type_ + ")(" : "("), Part{{}, written, false}, text(")")};
  }

  // An operand with a side effect is evaluated before the value is read.
  std::vector<Part> first_value() {
    if (has_no_effect(*call_.getArg(1)))
      return {};
    return joined({{text(saved() + " = ")}, value(1), {text(", ")}});
  }

  const clang::CallExpr& call_;
  llvm::StringRef name_;
  std::string type_, cast_;
};

} // namespace

void propose_atomic(const Candidate& place, Proposals& out) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(&place.node);
  if (!call || call->getNumArgs() == 0)
    return;
  llvm::StringRef name = builtin_name(*call);
  if (!name.consume_front("atomic_") && !name.consume_front("atom_"))
    return;
  Atomic atomic(*call, name);
  if (atomic.is_none())
    return;
  if (!has_no_effect(*call->getArg(0)->IgnoreImplicit()))
    return out.not_mutated("atom_removal", *call, "its pointer has side effects");
  std::vector<Part> parts = atomic.has_type() ? atomic.plain(place.unused) : std::vector<Part>();
  if (parts.empty())
    return out.not_mutated("atom_removal", *call, "there is no plain operation that does the same");
  const unsigned begin = out.begin(*call), end = out.end(*call);
  std::vector<std::string> arguments;
  for (const clang::Expr* const argument : call->arguments())
    arguments.push_back(out.text(*argument->IgnoreImplicit()));
  name.consume_back("_explicit");
  Proposal proposal{.operator_name = "atom_removal",
                    .node = call,
                    .begin = begin,
                    .end = end,
                    .replacement = without_atomicity(name, arguments, place.unused),
                    .patch = {{begin, end, std::move(parts)}},
                    .synchronisation = true,
                    .declarations = atomic.declarations};
  out.add(std::move(proposal));
}

} // namespace gputest::passes::mutation
