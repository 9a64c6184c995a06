// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/comparison/equality.h"

#include "ir/error.h"
#include "model/type.h"
#include "simulator/memory/guard.h"
#include "testgen/comparison/effects.h"
#include "testgen/solve/smtlib.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <fmt/format.h>
#include <iterator>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace gputest::testgen {
namespace {

constexpr double kSecondsOfQuestion = 0.2; // what is proved takes a tenth of it

class EqualityProver {
public:
  EqualityProver(const Target& first, const Target& second, const Pairing& pairing, bool offsets,
                 double seconds)
      : first_(first), second_(second), pairing_(pairing), offsets_(offsets),
        steps_(seconds * kStepsOfSecond),
        kernel_first_(first.original, first.kernel(), StaticKernel::Marks::Findings),
        kernel_second_(second.original, second.kernel(), StaticKernel::Marks::Findings),
        statics_(*kernel_second_.item, kernel_second_.shape), table_(statics_.table),
        memory_(table_, [this](Label when, Label a, Label b) {
          return is_never({when, table_.negation(table_.make(Op::Equal, 1, a, b))});
        }) {}

  EqualityProof prove() {
    SharedNames names{.statics = statics_,
                      .memory = memory_,
                      .uniform = !first_.remainder || !second_.remainder,
                      .offsets = offsets_};
    for (unsigned i = 0; i < 3; ++i)
      names.local_ids.at(i) = statics_.value(kernel_second_.item->getArg(2 + i));
    const Effects theirs = followed(kernel_second_, second_arguments(), names, "second");
    const Effects ours = followed(kernel_first_, first_arguments(), names, "first");
    facts_of_memory_ = memory_.facts();
    check_faults(ours, theirs);
    check_accesses(ours, theirs);
    std::set<std::uint32_t> written;
    for (const Effects* all : {&ours, &theirs})
      for (const MemoryAccess& access : all->accesses)
        if (access.written)
          written.insert(access.argument);
    for (const std::uint32_t argument : written)
      check_outputs(argument, ours, theirs);
    return {.proved = true, .why = {}};
  }

private:
  Effects followed(const StaticKernel& kernel, const NamedArguments& arguments, SharedNames& names,
                   const char* which) {
    try {
      return effects_of(kernel, arguments, names);
    } catch (const NotFollowed& reason) {
      throw NotFollowed(fmt::format("the {} kernel cannot be followed: {}", which, reason.what()));
    }
  }

  Label constant(const runtime::Bytes& bytes, std::uint64_t offset, unsigned size) {
    std::uint64_t number = 0;
    if (offset + size > bytes.size())
      return 0;
    std::memcpy(&number, bytes.data() + offset, size);
    return table_.constant(number, 8 * size);
  }

  NamedArguments second_arguments() {
    return {.value = [this](std::size_t parameter, std::uint64_t offset, unsigned bytes) -> Label {
              const auto own = pairing_.own_second().find(parameter);
              return own == pairing_.own_second().end()
                         ? statics_.argument(parameter, offset, bytes)
                         : constant(own->second, offset, bytes);
            },
            .buffer = [this](std::size_t parameter) -> std::optional<std::uint32_t> {
              if (second_.arguments[parameter].kind != ir::Parameter::Kind::Buffer)
                return std::nullopt;
              return static_cast<std::uint32_t>(parameter);
            }};
  }

  NamedArguments first_arguments() {
    return {.value = [this](std::size_t parameter, std::uint64_t offset,
                            unsigned bytes) { return value_of_first(parameter, offset, bytes); },
            .buffer = [this](std::size_t parameter) -> std::optional<std::uint32_t> {
              const auto other = pairing_.second_of()[parameter];
              if (!other || first_.arguments[parameter].kind != ir::Parameter::Kind::Buffer)
                return std::nullopt;
              return static_cast<std::uint32_t>(*other);
            }};
  }

  Label value_of_first(std::size_t parameter, std::uint64_t offset, unsigned bytes) {
    if (const auto own = pairing_.own_first().find(parameter); own != pairing_.own_first().end())
      return constant(own->second, offset, bytes);
    const auto other = pairing_.second_of()[parameter];
    if (!other)
      return 0;
    const KernelArgument &ours = first_.arguments[parameter], &theirs = second_.arguments[*other];
    if (!ours.is_integer() || !theirs.is_integer())
      return statics_.argument(*other, offset, bytes);
    if (offset != 0 || bytes != ours.type.size)
      return 0;
    // The same number in both types.
    const auto size = static_cast<unsigned>(theirs.type.size);
    const Label number = statics_.argument(*other, 0, size);
    const auto extended = [&](Label label, bool with_sign) {
      return table_.make(with_sign ? Op::SExt : Op::ZExt, 64, label);
    };
    const bool signed_ours = model::is_signed(ours.type.scalar),
               signed_theirs = model::is_signed(theirs.type.scalar);
    const Label wide = extended(number, signed_theirs);
    const Label value = table_.make(Op::Trunc, 8 * bytes, wide);
    fitting_.push_back(table_.make(Op::Equal, 1, wide, extended(value, signed_ours)));
    if (signed_ours != signed_theirs)
      fitting_.push_back(table_.make(Op::SLessEqual, 1, table_.constant(0, 64), wide));
    return value;
  }

  // ---- Questions ----

  // Whether no input that counts satisfies all conditions.
  bool is_never(std::vector<Label> conditions) {
    for (const Label condition : conditions)
      if (table_[condition].op == Op::Constant && table_[condition].number == 0)
        return true;
    conditions.insert(conditions.end(), fitting_.begin(), fitting_.end());
    conditions.insert(conditions.end(), facts_of_memory_.begin(), facts_of_memory_.end());
    for (const bool quick : {true, false}) {
      std::vector<Label> all = conditions;
      std::ranges::copy(statics_.facts(conditions, quick), std::back_inserter(all));
      add_small_launch(all);
      if (table_.full())
        throw NotFollowed("there are too many expressions");
      for (const Theory theory : {Theory::BitVectors, Theory::FloatingPoint}) {
        // What C leaves undefined may be anything, as in prove.cpp.
        Script script = script_of(table_, all, theory, {.quotients = true, .shifts = true});
        if (theory == Theory::FloatingPoint && !script.floating)
          break;
        if (z3_.steps() > steps_)
          throw NotFollowed("Z3 takes too long");
        script.question.seconds = kSecondsOfQuestion;
        const Verdict verdict = z3_.ask(script.question);
        if (verdict.kind == Verdict::Kind::Missing)
          throw NotFollowed(verdict.reason);
        if (verdict.kind == Verdict::Kind::Unsatisfiable)
          return true;
      }
    }
    return false;
  }

  // Ids are below 2^31, as kernels that keep them in an `int` take for granted.
  void add_small_launch(std::vector<Label>& conditions) {
    const std::vector<Label> parts = parts_of(table_, conditions);
    const Label most = table_.constant(std::uint64_t{1} << 31, 64);
    for (unsigned i = 0; i < 3; ++i) {
      const Label size = statics_.size(Unit::Kind::GlobalSize, i),
                  offset = statics_.size(Unit::Kind::GlobalOffset, i);
      if (std::ranges::binary_search(parts, offset))
        conditions.push_back(
            table_.make(Op::ULessEqual, 1, table_.make(Op::Add, 64, size, offset), most));
      else if (std::ranges::binary_search(parts, size))
        conditions.push_back(table_.make(Op::ULessEqual, 1, size, most));
    }
  }

  // ---- What is proved ----

  Label any_of(const std::vector<Label>& conditions) {
    Label any = table_.constant(0, 1);
    for (const Label condition : conditions)
      any = table_.make(Op::Or, 1, any, condition);
    return any;
  }

  void check_faults(const Effects& ours, const Effects& theirs) {
    const Label also = table_.negation(any_of(theirs.faults));
    for (const Label fault : ours.faults)
      if (std::ranges::find(theirs.faults, fault) == theirs.faults.end() &&
          !is_never({fault, also}))
        throw NotFollowed("the first kernel alone may divide by zero, or shift too far");
  }

  void check_accesses(const Effects& ours, const Effects& theirs) {
    for (const MemoryAccess& access : ours.accesses) {
      std::vector<Label> same;
      for (const MemoryAccess& other : theirs.accesses)
        if (other.argument == access.argument && (other.written || !access.written))
          same.push_back(table_.make(Op::And, 1, other.when,
                                     table_.make(Op::Equal, 1, other.offset, access.offset)));
      if (!is_never({access.when, table_.negation(any_of(same))}))
        throw NotFollowed(fmt::format("the first kernel may access elements of '{}' that the same "
                                      "work-item of the second does not access",
                                      second_.arguments[access.argument].name));
    }
  }

  // Whether a work-item writes to the place, and what is there then.
  std::pair<Label, Label> left_at(std::uint32_t argument, Label place, const Effects& effects) {
    Label is_written = table_.constant(0, 1), value = 0;
    for (const MemoryAccess& access : effects.accesses) {
      if (!access.written || access.argument != argument)
        continue;
      const Label here =
          table_.make(Op::And, 1, access.when, table_.make(Op::Equal, 1, access.offset, place));
      is_written = table_.make(Op::Or, 1, is_written, here);
      value =
          value ? table_.make(Op::Select, table_[access.written].bits, here, access.written, value)
                : access.written;
    }
    return {is_written, value};
  }

  void check_outputs(std::uint32_t argument, const Effects& ours, const Effects& theirs) {
    const auto unknown = [&](const char* what) {
      throw NotFollowed(
          fmt::format("it is not known {} '{}'", what, second_.arguments[argument].name));
    };
    const Label place = table_.add_input(64);
    const auto [first_writes, first_value] = left_at(argument, place, ours);
    const auto [second_writes, second_value] = left_at(argument, place, theirs);
    if (first_writes != second_writes &&
        !is_never({table_.make(Op::Xor, 1, first_writes, second_writes)}))
      unknown("whether both kernels write to the same elements of");
    if (first_value && second_value && first_value != second_value &&
        !is_never({first_writes, second_writes,
                   table_.negation(table_.make(Op::Equal, 1, first_value, second_value))}))
      unknown("whether both kernels write the same numbers to");
  }

  const Target &first_, &second_;
  const Pairing& pairing_;
  bool offsets_;
  double steps_;
  StaticKernel kernel_first_, kernel_second_;
  Statics statics_;
  Table& table_;
  Z3Process z3_;
  std::vector<Label> fitting_, facts_of_memory_;
  InitialMemory memory_;
};

} // namespace

EqualityProof prove_equal(const Target& first, const Target& second, const Pairing& pairing,
                          bool offsets, double seconds) {
  if (!pairing.same_launch())
    return {.why = "the kernels are launched with different sizes"};
  EqualityProof proof;
  std::exception_ptr failure;
  simulator::on_large_stack([&] {
    try {
      proof = EqualityProver(first, second, pairing, offsets, seconds).prove();
    } catch (const NotFollowed& reason) {
      proof = {.why = reason.what()};
    } catch (const ir::SourceError& error) {
      proof = {.why = error.what()};
    } catch (...) {
      failure = std::current_exception();
    }
  });
  if (failure)
    std::rethrow_exception(failure);
  return proof;
}

} // namespace gputest::testgen
