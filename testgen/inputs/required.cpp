// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/inputs/required.h"

#include "testgen/inputs/terms.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace gputest::testgen {
namespace {

class Terms {
public:
  Terms(Prover& prover, const Target& target)
      : prover_(prover), table_(prover.table()), target_(target) {}

  Expression::Algebra algebra() {
    return {.number = [this](double number) { return number_term(table_, number); },
            .value = [this](const Expression::Reference& at) { return value(at); },
            .operation = [this](const std::string& name, const Term& a,
                                const Term& b) { return operation_term(table_, name, a, b); }};
  }

private:
  std::optional<Term> value(const Expression::Reference& at) {
    if (at.call) {
      if (!at.index || *at.index < 0 || *at.index > 2 || at.name == "num_groups" ||
          at.name == "size")
        return std::nullopt;
      const Unit::Kind kind = size_named(at.name);
      // Proofs take the same bounds for granted.
      return Term{prover_.size(kind, static_cast<unsigned>(*at.index)),
                  kind == Unit::Kind::GlobalOffset ? 0.0 : 1.0,
                  kind == Unit::Kind::LocalSize ? 65536.0 : 1099511627776.0};
    }
    const auto argument = std::ranges::find(target_.arguments, at.name, &KernelArgument::name);
    if (at.index || argument == target_.arguments.end() || !argument->is_integer() ||
        argument->type.size > 4)
      return std::nullopt;
    const Label label = prover_.number(at.name);
    if (!label)
      return std::nullopt;
    return Term{label, -2147483648.0, 4294967295.0};
  }

  Prover& prover_;
  Table& table_;
  const Target& target_;
};

// A number of a domain, and a scalar as 64 bits of the same kind.
void require_domain(Prover& prover, const KernelArgument& argument, const Domain& domain) {
  Table& table = prover.table();
  const bool real =
      argument.type.scalar == model::Scalar::Float || argument.type.scalar == model::Scalar::Double;
  if (argument.kind != ir::Parameter::Kind::Value ||
      argument.type.kind != model::Type::Kind::Scalar ||
      (!real && (!argument.is_integer() || argument.type.size > 4)))
    return;
  Label label = real ? prover.argument(argument.name) : prover.number(argument.name);
  if (!label)
    return;
  if (real && argument.type.size == 4)
    label = table.make(Op::FExt, 64, label);
  const auto number = [&](double value) -> Label {
    if (real)
      return table.constant(std::bit_cast<std::uint64_t>(value), 64);
    return table.constant(static_cast<std::uint64_t>(static_cast<std::int64_t>(value)), 64);
  };
  const Op at_most = real ? Op::FLessEqual : Op::SLessEqual;
  constexpr double kMost = 4503599627370496;
  if (domain.low && *domain.low >= -kMost && *domain.high <= kMost) {
    prover.require(
        table.make(at_most, 1, number(real ? *domain.low : std::ceil(*domain.low)), label));
    prover.require(
        table.make(at_most, 1, label, number(real ? *domain.high : std::floor(*domain.high))));
  }
  // Values of a `float` are as that type has them.
  if (domain.values.empty() || real || !std::ranges::all_of(domain.values, [](double value) {
        return std::trunc(value) == value && std::abs(value) <= kMost;
      }))
    return;
  Label any = table.constant(0, 1);
  for (const double value : domain.values)
    any = table.make(Op::Or, 1, any, table.make(Op::Equal, 1, label, number(value)));
  prover.require(any);
}

} // namespace

void require(Prover& prover, const Target& target, const Constraints& constraints) {
  Table& table = prover.table();
  if (const auto& local = target.interface.required_work_group_size) // no other launch is taken
    for (unsigned i = 0; i < 3; ++i)
      prover.require(table.make(Op::Equal, 1, prover.size(Unit::Kind::LocalSize, i),
                                table.constant((*local)[i], 64)));
  if (target.interface.most_work_items) {
    const auto size = [&](unsigned i) { return prover.size(Unit::Kind::LocalSize, i); };
    const Label items = table.make(Op::Mul, 64, table.make(Op::Mul, 64, size(0), size(1)), size(2));
    prover.require(table.make(Op::SLessEqual, 1, items,
                              table.constant(*target.interface.most_work_items, 64)));
  }
  if (constraints.empty())
    return;
  for (unsigned i = 0; i < 3 && !has_offsets(target, constraints); ++i) // as generated launches
    prover.require(
        table.make(Op::Equal, 1, prover.size(Unit::Kind::GlobalOffset, i), table.constant(0, 64)));
  for (std::size_t i = 0; i < target.arguments.size(); ++i)
    if (const Domain* const domain = constraints.domain(i))
      require_domain(prover, target.arguments[i], *domain);
  Terms terms(prover, target);
  const Expression::Algebra algebra = terms.algebra();
  for (const Expression& requirement : constraints.requirements())
    for (const Term& term : requirement.conjuncts(algebra))
      prover.require(is_true(table, term));
}

} // namespace gputest::testgen
