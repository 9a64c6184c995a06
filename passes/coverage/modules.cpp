// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Outcomes of SPIR-V. In front of a decision stands what it will be: the bit of the outcome is
// selected by the decision's condition, and or-ed into the state buffer.
#include "passes/coverage/coverage.h"
#include "templates/state.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace gputest::passes {
namespace {

using model::SpirvInstruction;
namespace spirv = model::spirv;
using Words = std::vector<std::uint32_t>;
using Id = std::uint32_t;

constexpr std::size_t kHead = 5; // words of a module before its instructions
constexpr unsigned kBitsOfWord = 32;
constexpr std::uint32_t kDeviceScope = 1, kRelaxed = 0;

bool is_type(std::uint16_t op) {
  return op >= spirv::TypeVoid && op <= spirv::TypeQueue;
}

bool has_line(std::uint16_t op) {
  return op != spirv::Label && op != spirv::Line && op != spirv::NoLine && op != spirv::Variable &&
         op != spirv::FunctionParameter;
}

struct ModuleFunction {
  std::string name;
  Id state = 0; // the parameter
  std::set<Id> calls;
};

struct LineOfCode {
  std::string file;
  unsigned line = 0, column = 0;
};

class ModuleInstrumenter {
public:
  ModuleInstrumenter(const model::SpirvModule& module, const std::string& name)
      : module_(module), code_(module.instructions()), next_(module.bound()) {
    table_.source = name;
  }

  // Returns the construct that is in the way.
  std::optional<std::string> obstacle() const {
    for (const SpirvInstruction& instruction : code_)
      if (instruction.op == spirv::FunctionPointer || instruction.op == spirv::EnqueueKernel)
        return instruction.op == spirv::EnqueueKernel
                   ? "it enqueues kernels itself (OpEnqueueKernel)"
                   : "it calls functions by pointers (SPV_INTEL_function_pointers)";
    return std::nullopt;
  }

  CoverageVariant run() {
    read_globals();
    find_functions();
    uint_ = type(spirv::TypeInt, {32, 0});
    bool_ = type(spirv::TypeBool, {});
    pointer_ = type(spirv::TypePointer, {spirv::CrossWorkgroup, uint_});
    for (at_ = first_function(); at_ < code_.size(); ++at_)
      visit(code_[at_]);
    for (const auto& [id, kernel] : module_.kernels()) {
      std::set<Id> reached;
      reach(id, reached);
      model::InstrumentedKernel& added = table_.kernels.emplace_back();
      added.name = kernel;
      for (const Id function : reached)
        added.functions.push_back(functions_.at(function).name);
    }
    table_.coverage_words = (bits_ + kBitsOfWord - 1) / kBitsOfWord;
    return {.text = written(), .sites = std::move(table_)};
  }

private:
  // -- What is there -----------------------------------------------------------------------------

  void read_globals() {
    for (const SpirvInstruction& instruction : code_)
      if (is_type(instruction.op) && !instruction.operands.empty())
        types_[instruction.operands[0]] = &instruction;
    for (const SpirvInstruction& instruction : code_)
      if (instruction.op >= spirv::ConstantTrue && instruction.op < spirv::Function &&
          is_result_typed(instruction))
        type_of_[instruction.operands[1]] = instruction.operands[0];
  }

  std::size_t first_function() const {
    return static_cast<std::size_t>(
        std::ranges::find(code_, spirv::Function, &SpirvInstruction::op) - code_.begin());
  }

  // Functions with code take the state as a further parameter.
  void find_functions() {
    Id current = 0;
    for (const SpirvInstruction& instruction : code_) {
      if (instruction.op == spirv::Function) {
        current = instruction.operands[1];
      } else if (instruction.op == spirv::Label && !functions_.contains(current)) {
        const auto kernel = module_.kernels().find(current);
        std::string name = kernel != module_.kernels().end()
                               ? kernel->second
                               : module_.name(current).value_or(fmt::format("%{}", current));
        if (!names_.insert(name).second)
          names_.insert(name = fmt::format("{} (%{})", name, current));
        functions_[current] = {.name = std::move(name), .state = next_++, .calls = {}};
      }
    }
    for (const SpirvInstruction& instruction : code_) {
      if (instruction.op == spirv::Function)
        current = instruction.operands[1];
      if (instruction.op == spirv::FunctionCall && functions_.contains(instruction.operands[2]))
        functions_.at(current).calls.insert(instruction.operands[2]);
    }
  }

  void reach(Id function, std::set<Id>& reached) const {
    if (functions_.contains(function) && reached.insert(function).second)
      for (const Id called : functions_.at(function).calls)
        reach(called, reached);
  }

  // -- New types, constants and instructions ----------------------------------------------------

  static void add(Words& words, std::uint16_t op, const Words& operands) {
    words.push_back(static_cast<std::uint32_t>(operands.size() + 1) << 16U | op);
    words.insert(words.end(), operands.begin(), operands.end());
  }

  // SPIR-V allows one declaration of a type.
  Id type(spirv::Op op, const Words& operands) {
    for (const auto& [id, instruction] : types_)
      if (instruction->op == op && std::ranges::equal(instruction->operands.subspan(1), operands))
        return id;
    const auto [made, is_new] = made_types_.try_emplace({op, operands}, next_);
    if (is_new) {
      Words all{next_++};
      all.insert(all.end(), operands.begin(), operands.end());
      add(globals_, op, all);
    }
    return made->second;
  }

  Id constant(Id type, const Words& value) {
    const auto [made, is_new] = constants_.try_emplace({type, value}, next_);
    if (is_new) {
      Words all{type, next_++};
      all.insert(all.end(), value.begin(), value.end());
      add(globals_, spirv::Constant, all);
    }
    return made->second;
  }

  Id number(std::uint32_t value) { return constant(uint_, {value}); }

  // Adds an instruction with a result in front of instruction `at`.
  Id made(std::size_t at, spirv::Op op, Id type, const Words& operands) {
    Words all{type, next_};
    all.insert(all.end(), operands.begin(), operands.end());
    add(before_[at], op, all);
    return next_++;
  }

  // -- Sites -------------------------------------------------------------------------------------

  void visit(const SpirvInstruction& instruction) {
    const auto& words = instruction.operands;
    if (is_result_typed(instruction))
      type_of_[words[1]] = words[0];
    switch (instruction.op) {
    case spirv::Function:
      enter(words[1]);
      break;
    case spirv::Line:
      take_line(instruction);
      break;
    case spirv::Label:
      if (function_ && !std::exchange(is_declared_, true))
        add(before_[at_], spirv::FunctionParameter, {pointer_, function_->state});
      break;
    case spirv::FunctionCall:
      if (functions_.contains(words[2])) {
        Words all(words.begin(), words.end());
        all.push_back(function_->state);
        add(instead_[at_], spirv::FunctionCall, all);
      }
      break;
    case spirv::Select:
      if (words.size() >= 5 && is_scalar_bool(words[2]))
        decide(at_, "conditional", words[2]);
      break;
    case spirv::BranchConditional:
      decide(in_front_of_merge(), is_loop() ? "loop" : "if", words[0]);
      break;
    case spirv::Switch:
      choose(instruction);
      break;
    default:
      break;
    }
    if (function_ && !is_entered_ && is_declared_ && has_line(instruction.op) &&
        !is_debug(instruction)) {
      is_entered_ = true;
      if (!is_entry_alone())
        executed();
    }
  }

  void take_line(const SpirvInstruction& instruction) {
    const auto& words = instruction.operands;
    if (words.size() >= 3)
      line_ = {module_.string(words[0]).value_or(table_.source), words[1], words[2]};
  }

  bool is_result_typed(const SpirvInstruction& instruction) const {
    return instruction.operands.size() >= 2 && types_.contains(instruction.operands[0]);
  }

  bool is_debug(const SpirvInstruction& instruction) const {
    return instruction.op == spirv::ExtInst && instruction.operands.size() >= 3 &&
           instruction.operands[2] == module_.imported("OpenCL.DebugInfo.100");
  }

  bool is_scalar_bool(Id value) const {
    const auto found = type_of_.find(value);
    return found != type_of_.end() && types_.contains(found->second) &&
           types_.at(found->second)->op == spirv::TypeBool;
  }

  void enter(Id function) {
    id_ = function;
    const auto found = functions_.find(function);
    function_ = found == functions_.end() ? nullptr : &found->second;
    is_declared_ = is_entered_ = false;
    ordinal_ = 0;
    if (!function_)
      return;
    for (std::size_t at = at_; code_[at].op != spirv::FunctionEnd; ++at)
      if (code_[at].op == spirv::Line && code_[at].operands.size() >= 3) {
        take_line(code_[at]);
        break;
      }
    const SpirvInstruction& instruction = code_[at_];
    const SpirvInstruction& old = *types_.at(instruction.operands[3]);
    Words all(old.operands.begin() + 1, old.operands.end());
    all.push_back(pointer_);
    add(instead_[at_], spirv::Function,
        {instruction.operands[0], function, instruction.operands[2],
         type(spirv::TypeFunction, all)});
  }

  // The merge instruction stands directly in front of the branch that it belongs to.
  std::optional<std::size_t> merge() const {
    std::size_t at = at_;
    while (at > 0 && (code_[at - 1].op == spirv::Line || code_[at - 1].op == spirv::NoLine))
      --at;
    const bool is_merge = at > 0 && (code_[at - 1].op == spirv::LoopMerge ||
                                     code_[at - 1].op == spirv::SelectionMerge);
    return is_merge ? std::optional(at - 1) : std::nullopt;
  }

  std::size_t in_front_of_merge() const { return merge().value_or(at_); }

  bool is_loop() const {
    const auto at = merge();
    return at && code_[*at].op == spirv::LoopMerge;
  }

  // A site whose outcomes have bits of one word if these are no more than a word has.
  model::Site& site(model::Criterion criterion, const std::string& kind, const std::string& text,
                    const std::vector<std::string>& outcomes) {
    if (bits_ % kBitsOfWord + outcomes.size() > kBitsOfWord)
      bits_ += kBitsOfWord - bits_ % kBitsOfWord;
    model::Site& added = table_.sites.emplace_back();
    added.id = fmt::format("{}:{}", function_->name, ordinal_++);
    added.criterion = criterion;
    added.kind = kind;
    added.function = function_->name;
    added.file = line_.file;
    added.line = added.end_line = line_.line;
    added.column = line_.column;
    added.end_column = line_.column + 1;
    added.text = text;
    for (const std::string& name : outcomes)
      added.outcomes.push_back({.name = name, .bit = bits_++});
    return added;
  }

  void record(std::size_t at, unsigned word, Id mask) {
    const Id place = made(at, spirv::InBoundsPtrAccessChain, pointer_,
                          {function_->state, number(GPUTEST_STATE_HEADER_WORDS + word)});
    made(at, spirv::AtomicOr, uint_, {place, number(kDeviceScope), number(kRelaxed), mask});
  }

  static std::uint32_t mask_of(unsigned bit) { return 1U << bit % kBitsOfWord; }

  // llvm-spirv writes a kernel as a function, and another of the same name that calls it and never
  // runs here.
  bool is_entry_alone() const {
    return std::ranges::any_of(function_->calls, [&](Id called) {
      return module_.kernels().contains(id_) && module_.name(called) == module_.kernels().at(id_);
    });
  }

  void executed() {
    const unsigned bit =
        site(model::Criterion::Statement, "", function_->name, {"executed"}).outcomes[0].bit;
    record(merge_or_here(), bit / kBitsOfWord, number(mask_of(bit)));
  }

  // In front of the first instruction of a function, which may itself have a merge.
  std::size_t merge_or_here() const {
    return code_[at_].op == spirv::BranchConditional || code_[at_].op == spirv::Switch
               ? in_front_of_merge()
               : at_;
  }

  std::string name_of(Id value) const {
    return "%" + module_.name(value).value_or(std::to_string(value));
  }

  void decide(std::size_t at, const std::string& kind, Id condition) {
    const auto outcomes =
        site(model::Criterion::Branch, kind, name_of(condition), {"true", "false"}).outcomes;
    record(at, outcomes[0].bit / kBitsOfWord,
           made(at, spirv::Select, uint_,
                {condition, number(mask_of(outcomes[0].bit)), number(mask_of(outcomes[1].bit))}));
  }

  // OpSwitch: the selector, the default's label, then numbers, each with a label. A number of 64
  // bits takes two words.
  void choose(const SpirvInstruction& instruction) {
    const auto& words = instruction.operands;
    const Id type = type_of_.at(words[0]);
    const std::size_t size = types_.at(type)->operands[1] > kBitsOfWord ? 2 : 1;
    std::vector<Words> cases;
    std::vector<std::string> names;
    for (std::size_t i = 2; i + size < words.size(); i += size + 1) {
      cases.emplace_back(words.begin() + static_cast<std::ptrdiff_t>(i),
                         words.begin() + static_cast<std::ptrdiff_t>(i + size));
      const std::uint64_t high = size == 2 ? words[i + 1] : words[i] >> 31U ? 0xffffffffU : 0;
      names.push_back(
          fmt::format("case {}", static_cast<std::int64_t>(high << kBitsOfWord | words[i])));
    }
    names.emplace_back("default");
    const auto outcomes =
        site(model::Criterion::Branch, "switch", name_of(words[0]), names).outcomes;
    const std::size_t at = in_front_of_merge();
    for (unsigned word = outcomes.front().bit / kBitsOfWord;
         word <= outcomes.back().bit / kBitsOfWord; ++word) {
      const auto mask = [&](unsigned bit) {
        return number(bit / kBitsOfWord == word ? mask_of(bit) : 0);
      };
      Id chosen = mask(outcomes.back().bit);
      for (std::size_t i = 0; i < cases.size(); ++i) {
        const Id same = made(at, spirv::IEqual, bool_, {words[0], constant(type, cases[i])});
        chosen = made(at, spirv::Select, uint_, {same, mask(outcomes[i].bit), chosen});
      }
      record(at, word, chosen);
    }
  }

  // -- The module --------------------------------------------------------------------------------

  std::string written() const {
    Words words(module_.words().begin(), module_.words().begin() + kHead);
    words[3] = next_;
    const std::size_t first = first_function();
    const auto append = [&](const Words& some) {
      words.insert(words.end(), some.begin(), some.end());
    };
    for (std::size_t i = 0; i < code_.size(); ++i) {
      if (i == first)
        append(globals_);
      if (const auto found = before_.find(i); found != before_.end())
        append(found->second);
      if (const auto found = instead_.find(i); found != instead_.end()) {
        append(found->second);
        continue;
      }
      Words same;
      add(same, code_[i].op, Words(code_[i].operands.begin(), code_[i].operands.end()));
      append(same);
    }
    return model::text_of_spirv({reinterpret_cast<const char*>(words.data()), 4 * words.size()});
  }

  const model::SpirvModule& module_;
  const std::vector<SpirvInstruction>& code_;
  Id next_;
  std::map<Id, const SpirvInstruction*> types_;
  std::map<Id, Id> type_of_; // of values
  std::map<Id, ModuleFunction> functions_;
  std::set<std::string> names_;
  std::map<std::pair<std::uint16_t, Words>, Id> made_types_;
  std::map<std::pair<Id, Words>, Id> constants_;
  Id uint_ = 0, bool_ = 0, pointer_ = 0;
  Words globals_;                                 // in front of the first function
  std::map<std::size_t, Words> before_, instead_; // of instructions
  model::SiteTable table_;
  unsigned bits_ = 0;
  // While the functions are visited:
  std::size_t at_ = 0;
  Id id_ = 0; // of the function
  const ModuleFunction* function_ = nullptr;
  bool is_declared_ = false, is_entered_ = false;
  unsigned ordinal_ = 0;
  LineOfCode line_;
};

} // namespace

llvm::Expected<CoverageVariant> instrument_module_coverage(const model::SpirvModule& module,
                                                           const std::string& source_name) {
  ModuleInstrumenter instrumenter(module, source_name);
  if (const std::optional<std::string> obstacle = instrumenter.obstacle())
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "%s: error: its branches cannot be followed: %s",
                                   source_name.c_str(), obstacle->c_str());
  return instrumenter.run();
}

} // namespace gputest::passes
