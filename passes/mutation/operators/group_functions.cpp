// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reduction_replacement: another operation of a reduction or scan, as in a kernel whose maximum
// began as a copy of its sum. group_function_replacement: another function of the same kind, as
// where an exclusive scan is taken for an inclusive one. shuffle_index_replacement: the next
// work-item of a sub-group.
#include "passes/mutation/operators/operators.h"
#include "passes/nodes.h"

#include <array>
#include <utility>

namespace gputest::passes::mutation {
namespace {

constexpr const char* kReductions[] = {"_reduce_", "_scan_inclusive_", "_scan_exclusive_"};

// The part of the name before the operation, "sub_group_reduce_"; "": no reduction.
llvm::StringRef reduction_of(llvm::StringRef name) {
  for (const llvm::StringRef kind : kReductions)
    if (const std::size_t at = name.find(kind); at != llvm::StringRef::npos)
      return name.take_front(at + kind.size());
  return {};
}

std::vector<llvm::StringRef> other_operations(llvm::StringRef operation) {
  const std::array<std::pair<llvm::StringRef, std::vector<llvm::StringRef>>, 10> others{
      {{"add", {"min", "max"}},
       {"min", {"max", "add"}},
       {"max", {"min", "add"}},
       {"mul", {"add"}},
       {"and", {"or"}},
       {"or", {"and"}},
       {"xor", {"or"}},
       {"logical_and", {"logical_or"}},
       {"logical_or", {"logical_and"}},
       {"logical_xor", {"logical_or"}}}};
  for (const auto& [name, replacements] : others)
    if (name == operation)
      return replacements;
  return {};
}

// "" : no other function stands for this one.
std::string other_function(llvm::StringRef name) {
  const auto swapped = [&](llvm::StringRef from, llvm::StringRef to) {
    const std::size_t at = name.find(from);
    return at == llvm::StringRef::npos
               ? std::string()
               : (name.take_front(at) + to + name.drop_front(at + from.size())).str();
  };
  if (name.ends_with("_all"))
    return (name.drop_back(3) + "any").str();
  if (name.ends_with("_any"))
    return (name.drop_back(3) + "all").str();
  constexpr std::pair<const char*, const char*> kPairs[] = {
      {"_scan_inclusive_", "_scan_exclusive_"},
      {"_scan_exclusive_", "_scan_inclusive_"},
      {"ballot_inclusive", "ballot_exclusive"},
      {"ballot_exclusive", "ballot_inclusive"},
      {"ballot_find_lsb", "ballot_find_msb"},
      {"ballot_find_msb", "ballot_find_lsb"},
      {"sub_group_shuffle_up", "sub_group_shuffle_down"},
      {"sub_group_shuffle_down", "sub_group_shuffle_up"}};
  for (const auto& [from, to] : kPairs)
    if (std::string other = swapped(from, to); !other.empty())
      return other;
  return {};
}

bool takes_index(llvm::StringRef name) {
  return name.contains("sub_group_shuffle") || name == "sub_group_rotate" ||
         name == "sub_group_clustered_rotate" || name == "sub_group_broadcast" ||
         name == "work_group_broadcast";
}

} // namespace

void propose_group_function(const Candidate& place, Proposals& out) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(&place.node);
  if (!call || call->getNumArgs() == 0)
    return;
  const llvm::StringRef name = builtin_name(*call);
  if (!name.contains("work_group_") && !name.contains("sub_group_"))
    return;
  const clang::SourceLocation callee = call->getCallee()->getBeginLoc();
  if (const llvm::StringRef kind = reduction_of(name); !kind.empty())
    for (const llvm::StringRef operation : other_operations(name.drop_front(kind.size())))
      out.swap_token("reduction_replacement", *call, callee, (kind + operation).str());
  // Intel's shuffles take the value of the next sub-group before or after the own one.
  if (const std::string other = other_function(name);
      !other.empty() && !name.starts_with("intel_sub_group_shuffle"))
    out.swap_token("group_function_replacement", *call, callee, other);
  if (!takes_index(name))
    return;
  const bool of_two = name.starts_with("intel_") && call->getNumArgs() == 3;
  const clang::Expr& index = *call->getArg(of_two ? 2 : 1)->IgnoreImplicit();
  const unsigned begin = out.begin(index), end = out.end(index);
  out.replace("shuffle_index_replacement", *call,
              {{begin, begin, {{"(", nullptr, false}}}, {end, end, {{") + 1", nullptr, false}}}});
}

} // namespace gputest::passes::mutation
