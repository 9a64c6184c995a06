// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/spirv/places.h"

#include <algorithm>
#include <map>
#include <utility>

namespace gputest::ir {
namespace {

using model::SpirvInstruction;
namespace spirv = model::spirv;

constexpr const char* kSet = "OpenCL.DebugInfo.100";

enum Entry : std::uint32_t {
  CompilationUnit = 1,
  TypeFunction = 8,
  DebugFunction = 20,
  Scope = 23,
  DebugSource = 35
};

constexpr std::uint32_t kVersion = 65536, kDwarf = 5, kOpenClC = 3, kIsDefinition = 8;

constexpr std::uint16_t kExecutionModeId = 331;

bool is_before_strings(std::uint16_t op) {
  return op == spirv::Capability || op == spirv::Extension || op == spirv::ExtInstImport ||
         op == spirv::MemoryModel || op == spirv::EntryPoint || op == spirv::ExecutionMode ||
         op == kExecutionModeId;
}

// Instructions that must follow the one before, or stand in front of all others of a block.
bool takes_no_line(std::uint16_t op) {
  return op == spirv::Label || op == spirv::Phi || op == spirv::Variable || op == spirv::Line ||
         op == spirv::NoLine || op == spirv::FunctionParameter || op == spirv::FunctionEnd;
}

class Writer {
public:
  Writer(const model::SpirvModule& module, const std::string& file)
      : module_(module), words_(module.words().begin(), module.words().begin() + 5),
        next_(module.bound()) {
    find_functions(file);
  }

  std::vector<std::uint32_t> write() {
    bool strings = false, functions = false;
    for (const SpirvInstruction& instruction : module_.instructions()) {
      if (instruction.op == spirv::MemoryModel) {
        set_ = next_++;
        add_text(spirv::ExtInstImport, {set_}, kSet);
      }
      if (!strings && !is_before_strings(instruction.op)) {
        strings = true;
        write_strings();
      }
      if (!functions && instruction.op == spirv::Function) {
        functions = true;
        write_entries();
      }
      write(instruction);
    }
    words_[3] = next_;
    return std::move(words_);
  }

private:
  struct Function {
    std::string name, file;
    unsigned line = 0;
    bool has_lines = false;
    std::uint32_t entry = 0; // its number in the debug information
  };

  void find_functions(const std::string& file) {
    Function* current = nullptr;
    for (const SpirvInstruction& instruction : module_.instructions()) {
      const auto& words = instruction.operands;
      if (instruction.op == spirv::TypeVoid && !words.empty())
        void_ = words[0];
      if (instruction.op == spirv::Function && words.size() >= 2) {
        const auto kernel = module_.kernels().find(words[1]);
        current = &functions_[words[1]];
        *current = {.name = kernel != module_.kernels().end()
                                ? kernel->second
                                : module_.name(words[1]).value_or("function"),
                    .file = file,
                    .line = instruction.line};
      } else if (instruction.op == spirv::Line && current && !current->has_lines &&
                 words.size() >= 3) {
        current->has_lines = true;
        current->file = module_.string(words[0]).value_or(file);
        current->line = words[1];
      }
    }
  }

  void add(std::uint16_t op, const std::vector<std::uint32_t>& operands) {
    words_.push_back(static_cast<std::uint32_t>(operands.size() + 1) << 16 | op);
    words_.insert(words_.end(), operands.begin(), operands.end());
  }

  void add_text(std::uint16_t op, std::vector<std::uint32_t> operands, const std::string& text) {
    for (std::size_t i = 0; i <= text.size(); i += 4) {
      std::uint32_t word = 0;
      for (std::size_t j = 0; j < 4 && i + j < text.size(); ++j)
        word |= static_cast<std::uint32_t>(static_cast<unsigned char>(text[i + j])) << (8 * j);
      operands.push_back(word);
    }
    add(op, operands);
  }

  std::uint32_t entry(Entry what, const std::vector<std::uint32_t>& operands) {
    const std::uint32_t id = next_++;
    std::vector<std::uint32_t> all{void_, id, set_, what};
    all.insert(all.end(), operands.begin(), operands.end());
    add(spirv::ExtInst, all);
    return id;
  }

  void write_strings() {
    const auto add_string = [&](const std::string& text) {
      if (strings_.contains(text))
        return;
      strings_[text] = next_;
      add_text(spirv::String, {next_++}, text);
    };
    add_string("");
    for (const auto& [id, function] : functions_) {
      add_string(function.name);
      add_string(function.file);
    }
  }

  void write_entries() {
    std::map<std::string, std::uint32_t> sources;
    for (const auto& [id, function] : functions_)
      if (!sources.contains(function.file))
        sources[function.file] = entry(DebugSource, {strings_.at(function.file), strings_.at("")});
    if (functions_.empty())
      return;
    const std::uint32_t unit =
        entry(CompilationUnit, {kVersion, kDwarf, sources.begin()->second, kOpenClC});
    const std::uint32_t type = entry(TypeFunction, {0, void_});
    for (auto& [id, function] : functions_)
      function.entry = entry(DebugFunction, {strings_.at(function.name), type,
                                             sources.at(function.file), function.line, 0, unit,
                                             strings_.at(""), kIsDefinition, function.line, id});
  }

  void write(const SpirvInstruction& instruction) {
    const std::uint16_t before = std::exchange(before_, instruction.op);
    if (instruction.op == spirv::Function && instruction.operands.size() >= 2)
      in_ = &functions_.at(instruction.operands[1]);
    const bool merges = before == spirv::LoopMerge || before == spirv::SelectionMerge;
    if (in_ && in_body_ && !in_->has_lines && !takes_no_line(instruction.op) && !merges)
      add(spirv::Line, {strings_.at(in_->file), instruction.line, 1});
    words_.insert(words_.end(),
                  module_.words().begin() + static_cast<std::ptrdiff_t>(instruction.at),
                  module_.words().begin() + static_cast<std::ptrdiff_t>(
                                                instruction.at + 1 + instruction.operands.size()));
    if (instruction.op == spirv::Label && in_) {
      in_body_ = true;
      entry(Scope, {in_->entry});
    } else if (instruction.op == spirv::FunctionEnd) {
      in_ = nullptr;
      in_body_ = false;
    }
  }

  const model::SpirvModule& module_;
  std::vector<std::uint32_t> words_;
  std::uint32_t next_ = 0, set_ = 0, void_ = 0;
  std::map<std::uint32_t, Function> functions_;
  std::map<std::string, std::uint32_t> strings_;
  Function* in_ = nullptr;
  bool in_body_ = false;
  std::uint16_t before_ = 0;
};

constexpr std::size_t kHeader = 5; // words of a module before its instructions

// llvm-spirv reads the language of a source, and takes its file and text for instructions.
std::vector<std::uint32_t> without_texts(const std::vector<std::uint32_t>& words) {
  std::vector<std::uint32_t> rest(words.begin(), words.begin() + kHeader);
  for (std::size_t at = kHeader; at < words.size();) {
    const std::size_t length = std::max<std::size_t>(words[at] >> 16, 1);
    const auto op = static_cast<std::uint16_t>(words[at]);
    if (op == spirv::Source && length > 3)
      rest.insert(rest.end(), {3U << 16 | spirv::Source, words[at + 1], words[at + 2]});
    else if (op != spirv::SourceContinued)
      rest.insert(rest.end(), words.begin() + static_cast<std::ptrdiff_t>(at),
                  words.begin() + static_cast<std::ptrdiff_t>(at + length));
    at += length;
  }
  return rest;
}

} // namespace

std::vector<std::uint32_t> with_places(const model::SpirvModule& module, const std::string& file) {
  if (module.imported(kSet))
    return without_texts(module.words());
  return without_texts(Writer(module, file).write());
}

} // namespace gputest::ir
