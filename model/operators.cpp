// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/operators.h"

#include "model/names.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <stdexcept>

namespace gputest::model {
namespace {

using enum OperatorGroup;

constexpr std::array kOperators{
    MutationOperator{"arithmetic_replacement", Conventional, "a + b -> a - b, a * b, a / b, a % b"},
    MutationOperator{"math_replacement", Conventional,
                     "a + b -> a - b, a * b -> a / b, a & b -> a | b"},
    MutationOperator{"relational_replacement", Conventional, "a < b -> a <= b, a > b, a == b, ..."},
    MutationOperator{"conditional_boundary_replacement", Conventional, "a < b -> a <= b"},
    MutationOperator{"negate_conditional_replacement", Conventional, "a < b -> a >= b"},
    MutationOperator{"logical_replacement", Conventional, "a && b -> a || b"},
    MutationOperator{"bitwise_replacement", Conventional,
                     "a & b -> a | b, a ^ b; a << b -> a >> b"},
    MutationOperator{"unary_deletion", Conventional, "-a, ~a, !a -> a"},
    MutationOperator{"increment_replacement", Conventional, "a++ -> a--"},
    MutationOperator{"assignment_replacement", Conventional,
                     "a = b -> a += b; a += b -> a -= b, a = b"},
    MutationOperator{"constant_replacement", Conventional, "5 -> 6, 4"},
    MutationOperator{"statement_deletion", Conventional, "a = b; -> ;"},
    MutationOperator{"loop_boundary", Conventional, "a loop is skipped, or runs once more or less"},
    MutationOperator{"barrier_deletion", Gpu, "barrier(f); -> ;"},
    MutationOperator{"sync_removal", Gpu, "barrier(f); -> ;"},
    MutationOperator{"fence_replacement", Gpu, "CLK_LOCAL_MEM_FENCE -> CLK_GLOBAL_MEM_FENCE"},
    MutationOperator{"atom_removal", Gpu, "atomic_add(p, v) -> *p += v"},
    MutationOperator{"share_removal", Gpu, "__local float a[8]; -> float a[8];"},
    MutationOperator{"volatile_removal", Gpu, "volatile int a -> int a"},
    MutationOperator{"gpu_index_replacement", Gpu, "get_local_id(d) -> get_group_id(d)"},
    MutationOperator{"gpu_index_increment", Gpu, "get_local_id(d) -> get_local_id(d) + 1"},
    MutationOperator{"gpu_index_decrement", Gpu, "get_local_id(d) -> get_local_id(d) - 1"},
    MutationOperator{"id_scope_replacement", Gpu, "get_global_id(d) -> get_local_id(d)"},
    MutationOperator{"dimension_replacement", Gpu, "get_global_id(0) -> get_global_id(1)"},
    MutationOperator{"alloc_swap", Gpu, "launch: local size and number of groups exchanged"},
    MutationOperator{"alloc_increment", Gpu, "launch: one work-item or group more"},
    MutationOperator{"alloc_decrement", Gpu, "launch: one work-item or group less"},
    MutationOperator{"image_coordinate_replacement", Gpu,
                     "read_imagef(i, s, (int2)(x, y)) -> x + 1; y, x"},
    MutationOperator{"component_replacement", Gpu, "v.x -> v.y"},
    MutationOperator{"vector_offset_replacement", Gpu, "vload4(i, p) -> vload4(i + 1, p)"},
    MutationOperator{"rounding_replacement", Gpu, "convert_int_rte(f) -> convert_int_rtz(f)"},
    MutationOperator{"reduction_replacement", Gpu,
                     "work_group_reduce_add(x) -> work_group_reduce_min(x), ..._max(x)"},
    MutationOperator{"group_function_replacement", Gpu,
                     "sub_group_scan_inclusive_add(x) -> sub_group_scan_exclusive_add(x)"},
    MutationOperator{"shuffle_index_replacement", Gpu,
                     "sub_group_shuffle(x, i) -> sub_group_shuffle(x, (i) + 1)"},
    MutationOperator{"memory_order_replacement", Gpu,
                     "memory_order_acquire -> memory_order_relaxed"},
    MutationOperator{"memory_scope_replacement", Gpu,
                     "memory_scope_device -> memory_scope_work_group"},
};

} // namespace

std::span<const MutationOperator> mutation_operators() {
  return kOperators;
}

const MutationOperator* find_operator(std::string_view name) {
  const auto found = std::ranges::find(kOperators, name, &MutationOperator::name);
  return found == kOperators.end() ? nullptr : &*found;
}

std::vector<std::string> select_operators(std::span<const std::string> selection) {
  const auto is_selected = [&](const MutationOperator& one) {
    return selection.empty() || std::ranges::any_of(selection, [&](const std::string& word) {
             return word == one.name || word == "all" ||
                    word == (one.group == Gpu ? "gpu" : "conventional");
           });
  };
  for (const std::string& word : selection) {
    if (word == "all" || word == "gpu" || word == "conventional" || find_operator(word))
      continue;
    const std::string_view meant = meant_name(kOperators, word, &MutationOperator::name);
    throw std::invalid_argument(
        fmt::format("'{}' is no mutation operator; {}`gputest mutants --list-operators` lists all; "
                    "conventional, gpu and all are groups",
                    word, meant.empty() ? "" : fmt::format("did you mean '{}'? ", meant)));
  }
  std::vector<std::string> names;
  for (const MutationOperator& one : kOperators)
    if (is_selected(one))
      names.emplace_back(one.name);
  return names;
}

} // namespace gputest::model
