// atom_removal: an atomic operation by the same without atomicity (MutGPU, ICST 2020, Table I).
#include "passes/mutation/operators/operators.h"

#include <map>

namespace gputest::passes::mutation {
namespace {

struct Plain {
  const char* assignment; // of the pointee; the value before is the result less it
  const char* undo;       // gives the value before; empty: there is no way back
};

const std::map<std::string, Plain, std::less<>>& plain_operations() {
  static const std::map<std::string, Plain, std::less<>> all{
      {"add", {"+=", "-"}}, {"sub", {"-=", "+"}}, {"or", {"|=", ""}},   {"and", {"&=", ""}},
      {"xor", {"^=", "^"}}, {"xchg", {"=", ""}},  {"min", {"min", ""}}, {"max", {"max", ""}}};
  return all;
}

Part text(std::string content) {
  return {std::move(content), nullptr, false};
}

} // namespace

void propose_atomic(const Candidate& place, Proposals& out) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(&place.node);
  if (!call || call->getNumArgs() == 0)
    return;
  llvm::StringRef name = builtin_name(*call);
  if (!name.consume_front("atomic_") && !name.consume_front("atom_"))
    return;
  const clang::Expr* pointer = call->getArg(0)->IgnoreImplicit();
  const Part target{{}, pointer, true};
  if (!pointer->getType()->isPointerType() || !has_no_effect(*pointer)) {
    out.not_mutated("atom_removal", *call, "its pointer has side effects");
    return;
  }
  std::vector<Part> parts;
  if (name == "inc" || name == "dec") {
    parts = {text("((*("), target, text(name == "inc" ? "))++)" : "))--)")};
  } else if (const auto found = plain_operations().find(name.str());
             found != plain_operations().end() && call->getNumArgs() == 2) {
    const Plain plain = found->second;
    const clang::Expr* value = call->getArg(1)->IgnoreImplicit();
    const std::string operation = plain.assignment;
    if (!place.unused && *plain.undo == '\0') {
      out.not_mutated("atom_removal", *call, "the value from before is used");
      return;
    }
    if (operation == "min" || operation == "max")
      parts = {text("(*("), target,       text(") = " + operation + "(*("),
               target,      text("), ("), Part{{}, value, false},
               text(")))")};
    else
      parts = {text("(*("), target, text(") " + operation + " ("), Part{{}, value, false},
               text("))")};
    if (!place.unused) {
      if (!has_no_effect(*value)) {
        out.not_mutated("atom_removal", *call, "its operand has side effects");
        return;
      }
      parts.insert(parts.begin(), text("("));
      parts.insert(parts.end(), {text(std::string(" ") + plain.undo + " ("), Part{{}, value, false},
                                 text("))")});
    }
  } else {
    out.not_mutated("atom_removal", *call, "there is no plain operation of one expression");
    return;
  }
  out.add({.operator_name = "atom_removal",
           .node = call,
           .patch = {{out.begin(*call), out.end(*call), std::move(parts)}},
           .synchronisation = true});
}

} // namespace gputest::passes::mutation
