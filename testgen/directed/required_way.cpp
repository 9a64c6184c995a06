// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/directed/required_way.h"

#include "runtime/cases/scalar.h"
#include "testgen/inputs/terms.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <tuple>

namespace gputest::testgen {
namespace {

using ir::Parameter;
using WayPart = Expression::Node;
using WayKind = WayPart::Kind;

constexpr std::size_t kMostElements = 256; // of a buffer
constexpr std::size_t kMostDistinct = 48;  // each is compared with each

class RequiredWay {
public:
  RequiredWay(const Traced& traced, Table& table, const Target& target)
      : traced_(traced), table_(table), target_(target) {
    for (std::size_t i = 0; i < traced.units.size(); ++i)
      units_[place_of(traced.units[i])] = i;
    now_.shape = traced.launch.sizes;
    for (const Argument& argument : traced.arguments) {
      Content& content = now_.arguments.emplace_back();
      content.bytes = argument.bytes;
      content.local_size = argument.local_bytes;
      content.is_null = argument.null;
    }
  }

  void add(const Expression& requirement) {
    for (const WayPart* const part : requirement.conjunct_nodes()) {
      const std::size_t before = all_.size();
      if (!add_part(*part))
        all_.resize(before); // half of it would be of no use
    }
  }

  std::vector<Label> take() { return std::move(all_); }

private:
  struct Named {
    const std::string& name;
    Term term;
    double now;
    const Named* outer = nullptr;
  };
  using Place = std::tuple<Unit::Kind, std::uint32_t, std::uint64_t>;

  static Place place_of(const Unit& unit) { return {unit.kind, unit.argument, unit.offset}; }

  // The label of a scalar of an argument, in its own width.
  Label scalar(std::size_t position, model::Scalar scalar, std::size_t offset) {
    const unsigned bits = 8 * static_cast<unsigned>(model::size_of(scalar));
    const auto unit =
        units_.find({Unit::Kind::Argument, static_cast<std::uint32_t>(position), offset});
    if (unit != units_.end() && 8u * traced_.units[unit->second].size == bits)
      return table_.input(unit->second);
    std::uint64_t number = 0;
    std::memcpy(&number, now_.arguments[position].bytes.data() + offset, bits / 8);
    return table_.constant(number, bits);
  }

  struct Elements {
    std::size_t position = 0, count = 0, size = 1;
    model::Leaf leaf{};
  };
  std::optional<Elements> elements(const std::string& name) const {
    const auto found = std::ranges::find(target_.arguments, name, &KernelArgument::name);
    if (found == target_.arguments.end() || found->kind != Parameter::Kind::Buffer ||
        found->leaves.size() != 1 || found->type.size == 0)
      return std::nullopt;
    const auto position = static_cast<std::size_t>(found - target_.arguments.begin());
    const std::size_t count = now_.arguments[position].bytes.size() / found->type.size;
    return Elements{position, count, found->type.size, found->leaves.front()};
  }
  Label element(const Elements& of, std::size_t i) {
    return scalar(of.position, of.leaf.scalar, i * of.size + of.leaf.offset);
  }

  Label order(const Elements& of, std::size_t i, bool strictly) {
    const Label a = element(of, i), b = element(of, i + 1);
    if (model::is_floating(of.leaf.scalar))
      return table_.make(strictly ? Op::FLess : Op::FLessEqual, 1, a, b);
    if (model::is_signed(of.leaf.scalar))
      return table_.make(strictly ? Op::SLess : Op::SLessEqual, 1, a, b);
    return table_.make(strictly ? Op::ULess : Op::ULessEqual, 1, a, b);
  }

  bool add_whole(const WayPart& part) {
    const auto of = elements(part.argument);
    if (!of || of->leaf.scalar == model::Scalar::Half)
      return false;
    const bool ordered = part.name.ends_with("ascending");
    if (of->count > (ordered ? kMostElements : kMostDistinct))
      return false;
    if (ordered) {
      for (std::size_t i = 0; i + 1 < of->count; ++i)
        all_.push_back(order(*of, i, part.name != "ascending"));
      return true;
    }
    const bool floating = model::is_floating(of->leaf.scalar);
    for (std::size_t i = 0; i < of->count; ++i) {
      const Label one = element(*of, i);
      const unsigned bits = 8 * static_cast<unsigned>(model::size_of(of->leaf.scalar));
      if (part.name == "permutation")
        all_.push_back(table_.make(Op::ULess, 1, one, table_.constant(of->count, bits)));
      for (std::size_t k = 0; k < i; ++k)
        all_.push_back(table_.negation(
            table_.make(floating ? Op::FEqual : Op::Equal, 1, one, element(*of, k))));
    }
    return true;
  }

  bool add_part(const WayPart& part) {
    if (part.kind == WayKind::Whole && part.name != "size" && part.name != "sum")
      return add_whole(part);
    if (part.kind == WayKind::All) {
      const auto of = elements(part.argument);
      if (!of || of->count > kMostElements)
        return false;
      for (std::size_t i = 0; i < of->count; ++i) {
        const auto term = with_element(part, *of, i, nullptr);
        if (!term)
          return false;
        all_.push_back(is_true(table_, *term));
      }
      return true;
    }
    const auto term = value(part, nullptr);
    if (term)
      all_.push_back(is_true(table_, *term));
    return term.has_value();
  }

  std::optional<Term> with_element(const WayPart& all, const Elements& of, std::size_t i,
                                   const Named* outer) {
    const auto term = whole(element(of, i), of.leaf.scalar);
    if (!term)
      return std::nullopt;
    const Named named{all.name, *term, now(of, i), outer};
    return value(*all.operands[0], &named);
  }

  double now(const Elements& of, std::size_t i) const {
    return runtime::read_scalar(of.leaf.scalar, now_.arguments[of.position].bytes.data() +
                                                    i * of.size + of.leaf.offset);
  }

  std::optional<Term> whole(Label label, model::Scalar scalar) {
    if (model::is_floating(scalar) || model::size_of(scalar) > 4)
      return std::nullopt;
    return Term{table_.make(model::is_signed(scalar) ? Op::SExt : Op::ZExt, 64, label),
                -2147483648.0, 4294967295.0};
  }

  // What a part is in this run.
  std::optional<double> now(const WayPart& part, const Named* named) const {
    const auto lookup = [&](const Expression::Reference& reference) {
      if (!reference.call && !reference.index)
        for (const Named* one = named; one; one = one->outer)
          if (one->name == reference.name)
            return std::optional(one->now);
      return value_of(target_, now_, reference);
    };
    return Expression::evaluate(part, lookup);
  }

  // An index stays what it is.
  std::optional<std::size_t> index(const WayPart& part, const Named* named) {
    const auto number = now(part, named);
    if (!number || *number < 0)
      return std::nullopt;
    const auto term = value(part, named);
    const auto same = number_term(table_, *number);
    if (!term || !same)
      return std::nullopt;
    if (table_[term->label].op != Op::Constant)
      all_.push_back(table_.make(Op::Equal, 1, term->label, same->label));
    return static_cast<std::size_t>(*number);
  }

  std::optional<Term> launch_size(const WayPart& part, const Named* named) {
    const auto number = now(part, named);
    const auto dimension = now(*part.operands[0], named);
    if (!number || !dimension)
      return std::nullopt;
    const auto free_unit = [&](Unit::Kind kind) {
      const auto unit = units_.find({kind, 0, static_cast<std::uint64_t>(*dimension)});
      return unit == units_.end() || traced_.units[unit->second].fixed ? units_.end() : unit;
    };
    if (part.name == "num_groups" && (free_unit(Unit::Kind::GlobalSize) != units_.end() ||
                                      free_unit(Unit::Kind::LocalSize) != units_.end()))
      return std::nullopt;
    const Unit::Kind kind = size_named(part.name);
    const auto unit = part.name == "num_groups" ? units_.end() : free_unit(kind);
    if (unit == units_.end())
      return number_term(table_, *number);
    return Term{table_.input(unit->second), kind == Unit::Kind::GlobalOffset ? 0.0 : 1.0,
                1099511627776.0};
  }

  std::optional<Term> sum(const WayPart& part) {
    const auto of = elements(part.argument);
    if (!of || of->count > kMostElements)
      return std::nullopt;
    std::optional<Term> sum = number_term(table_, 0);
    for (std::size_t i = 0; sum && i < of->count; ++i) {
      const auto one = whole(element(*of, i), of->leaf.scalar);
      if (!one)
        return std::nullopt;
      sum = operation_term(table_, "+", *sum, *one);
    }
    return sum;
  }

  std::optional<Term> value(const WayPart& part, const Named* named) {
    switch (part.kind) {
    case WayKind::Number:
      return number_term(table_, part.number);
    case WayKind::Name: {
      for (const Named* one = named; one; one = one->outer)
        if (one->name == part.name)
          return one->term;
      const auto found = std::ranges::find(target_.arguments, part.name, &KernelArgument::name);
      if (found == target_.arguments.end() || !found->is_integer())
        return std::nullopt;
      return whole(scalar(static_cast<std::size_t>(found - target_.arguments.begin()),
                          found->type.scalar, 0),
                   found->type.scalar);
    }
    case WayKind::Element: {
      const auto of = elements(part.name);
      const auto at = of ? index(*part.operands[0], named) : std::nullopt;
      if (!at || *at >= of->count)
        return std::nullopt;
      return whole(element(*of, *at), of->leaf.scalar);
    }
    case WayKind::Size:
      return launch_size(part, named);
    case WayKind::Whole: {
      if (part.name == "sum")
        return sum(part);
      const auto number = part.name == "size" ? now(part, named) : std::nullopt;
      return number ? number_term(table_, *number) : std::nullopt;
    }
    case WayKind::All:
      return std::nullopt; // in a larger expression: `n == 0 || all(…)`
    case WayKind::Operation:
      break;
    }
    std::optional<Term> first = value(*part.operands[0], named);
    std::optional<Term> second = first;
    if (part.name == "negate")
      first = number_term(table_, 0);
    else if (part.operands.size() > 1)
      second = value(*part.operands[1], named);
    if (!first || !second)
      return std::nullopt;
    return operation_term(table_, part.name == "negate" ? "-" : part.name, *first, *second);
  }

  const Traced& traced_;
  Table& table_;
  const Target& target_;
  std::map<Place, std::size_t> units_;
  Input now_;
  std::vector<Label> all_;
};

} // namespace

std::vector<Label> required_way(const Traced& traced, Table& table, const Target& target,
                                const Constraints& constraints) {
  RequiredWay way(traced, table, target);
  for (const Expression& requirement : constraints.requirements())
    way.add(requirement);
  return way.take();
}

} // namespace gputest::testgen
