// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/spirv/module.h"

#include "model/files.h"
#include "model/interface.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>
#include <set>

namespace gputest::model {
namespace {

constexpr std::uint32_t kMagic = 0x07230203;
constexpr std::size_t kHead = 5;     // words
constexpr unsigned kLinesOfHead = 5; // that spirv-dis writes
constexpr std::size_t kMostBound = 1U << 22;

constexpr std::uint32_t swapped(std::uint32_t word) {
  return word >> 24 | (word >> 8 & 0xff00U) | (word << 8 & 0xff0000U) | word << 24;
}

// Execution models (section 3.3) that are no kernels.
constexpr std::array<std::string_view, 6> kShaders{
    "Vertex", "TessellationControl", "TessellationEvaluation", "Geometry", "Fragment", "GLCompute"};
constexpr std::uint32_t kKernel = 6;

constexpr std::uint32_t kPhysical32 = 1, kPhysical64 = 2;

// What llvm-spirv reads.
constexpr std::array<std::string_view, 26> kExtensions{"SPV_EXT_shader_atomic_float_add",
                                                       "SPV_EXT_shader_atomic_float_min_max",
                                                       "SPV_EXT_shader_atomic_float16_add",
                                                       "SPV_INTEL_arbitrary_precision_integers",
                                                       "SPV_INTEL_arithmetic_fence",
                                                       "SPV_INTEL_bfloat16_conversion",
                                                       "SPV_INTEL_debug_module",
                                                       "SPV_INTEL_float_controls2",
                                                       "SPV_INTEL_fp_fast_math_mode",
                                                       "SPV_INTEL_function_pointers",
                                                       "SPV_INTEL_inline_assembly",
                                                       "SPV_INTEL_kernel_attributes",
                                                       "SPV_INTEL_long_constant_composite",
                                                       "SPV_INTEL_memory_access_aliasing",
                                                       "SPV_INTEL_optnone",
                                                       "SPV_INTEL_subgroups",
                                                       "SPV_INTEL_unstructured_loop_controls",
                                                       "SPV_INTEL_variable_length_array",
                                                       "SPV_INTEL_vector_compute",
                                                       "SPV_KHR_bit_instructions",
                                                       "SPV_KHR_expect_assume",
                                                       "SPV_KHR_float_controls",
                                                       "SPV_KHR_integer_dot_product",
                                                       "SPV_KHR_linkonce_odr",
                                                       "SPV_KHR_no_integer_wrap_decoration",
                                                       "SPV_KHR_non_semantic_info"};

constexpr std::array<std::string_view, 3> kSets{"OpenCL.std", "OpenCL.DebugInfo.100",
                                                "SPIRV.debug"};

constexpr std::array<std::string_view, 8> kLanguages{
    "an unknown language", "ESSL", "GLSL",           "OpenCL C",
    "OpenCL C++",          "HLSL", "C++ for OpenCL", "SYCL"};

constexpr std::uint32_t kDebugSource = 35; // of OpenCL.DebugInfo.100

constexpr std::string_view kText = "//GPUTSPIRV ";
constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

} // namespace

bool is_spirv(std::string_view bytes) {
  std::uint32_t first = 0;
  if (bytes.size() < sizeof first)
    return false;
  std::memcpy(&first, bytes.data(), sizeof first);
  return first == kMagic || swapped(first) == kMagic;
}

std::optional<std::size_t> spirv_string_size(std::span<const std::uint32_t> words) {
  for (std::size_t i = 0; i < words.size(); ++i)
    for (unsigned shift = 0; shift < 32; shift += 8)
      if ((words[i] >> shift & 0xffU) == 0)
        return i + 1;
  return std::nullopt;
}

std::string spirv_string(std::span<const std::uint32_t> words) {
  std::string text;
  for (const std::uint32_t word : words)
    for (unsigned shift = 0; shift < 32; shift += 8) {
      const auto letter = static_cast<char>(word >> shift & 0xffU);
      if (letter == '\0')
        return text;
      text += letter;
    }
  return text;
}

SpirvModule::SpirvModule(std::string_view bytes, const std::string& name) : file_(name) {
  read_words(bytes);
  read_instructions();
  read_names();
  expect_kernels();
}

void SpirvModule::refuse(const std::string& what) const {
  throw FormatError(fmt::format("{}: error: {}", file_, what));
}

void SpirvModule::read_words(std::string_view bytes) {
  if (!is_spirv(bytes)) {
    if (bytes.starts_with("BC"))
      refuse("this is LLVM's bitcode, and no SPIR-V: translate it with llvm-spirv");
    if (bytes.starts_with("; SPIR-V") || bytes.find("OpCapability") < 4096)
      refuse("this is SPIR-V as text: assemble it with spirv-as");
    refuse("this is no SPIR-V: it does not begin with the number 0x07230203");
  }
  if (bytes.size() < 4 * kHead || bytes.size() % 4 != 0)
    refuse(fmt::format("the module is cut off: it has {} bytes", bytes.size()));
  words_.resize(bytes.size() / 4);
  std::memcpy(words_.data(), bytes.data(), bytes.size());
  if (words_.front() != kMagic)
    std::ranges::transform(words_, words_.begin(), swapped);
  const std::uint32_t number = words_[1];
  if ((number & 0xff0000ffU) != 0 || number >> 16 != 1 || (number >> 8 & 0xffU) > 6)
    refuse(fmt::format("version {} of SPIR-V is not known; 1.0 to 1.6 are", version()));
  if (bound() > kMostBound)
    refuse(fmt::format("the module has {} names, which is more than SPIR-V allows", bound()));
}

std::string SpirvModule::version() const {
  return fmt::format("{}.{}", words_[1] >> 16, words_[1] >> 8 & 0xffU);
}

void SpirvModule::read_instructions() {
  unsigned line = kLinesOfHead;
  for (std::size_t at = kHead; at < words_.size();) {
    const std::size_t size = words_[at] >> 16;
    if (size == 0 || size > words_.size() - at)
      refuse(fmt::format("the module is cut off in instruction {}", line - kLinesOfHead + 1));
    instructions_.push_back({.op = static_cast<std::uint16_t>(words_[at] & 0xffffU),
                             .at = at,
                             .operands = std::span(words_).subspan(at + 1, size - 1),
                             .line = ++line});
    at += size;
  }
}

void SpirvModule::read_names() {
  const auto text = [&](const SpirvInstruction& instruction, std::size_t from) {
    if (instruction.operands.size() <= from ||
        !spirv_string_size(instruction.operands.subspan(from)))
      refuse(
          fmt::format("the text of instruction {} does not end", instruction.line - kLinesOfHead));
    return spirv_string(instruction.operands.subspan(from));
  };
  for (const SpirvInstruction& instruction : instructions_)
    switch (instruction.op) {
    case spirv::Name:
      names_[instruction.operands.front()] = text(instruction, 1);
      break;
    case spirv::String:
      strings_[instruction.operands.front()] = text(instruction, 1);
      break;
    case spirv::ExtInstImport: {
      const std::string set = text(instruction, 1);
      if (std::ranges::find(kSets, set) == kSets.end() && !set.starts_with("NonSemantic."))
        refuse(fmt::format("the module needs the instructions '{}', which are not known", set));
      sets_[instruction.operands.front()] = set;
      break;
    }
    case spirv::Extension: {
      const std::string extension = text(instruction, 0);
      if (std::ranges::find(kExtensions, extension) == kExtensions.end())
        refuse(fmt::format("the module needs the extension {}, which is not known", extension));
      break;
    }
    case spirv::EntryPoint: {
      const std::string entry = text(instruction, 2);
      if (const std::uint32_t model = instruction.operands.front(); model != kKernel)
        refuse(fmt::format("'{}' is a shader ({}), and no kernel of OpenCL", entry,
                           model < kShaders.size() ? kShaders[model] : "of an unknown kind"));
      kernels_[instruction.operands[1]] = entry;
      break;
    }
    case spirv::MemoryModel: {
      const std::uint32_t addresses =
          instruction.operands.empty() ? 0 : instruction.operands.front();
      if (addresses == kPhysical32)
        refuse("its addresses have 32 bits (Physical32): compile for 64 bits, such as with "
               "-target spir64");
      if (addresses != kPhysical64)
        refuse("it has no addresses (it is for shaders), and no kernel of OpenCL");
      break;
    }
    default:
      break;
    }
}

void SpirvModule::expect_kernels() const {
  if (kernels_.empty())
    refuse("the module has no kernel (OpEntryPoint Kernel)");
  bool open = false;
  std::set<std::uint32_t> functions;
  for (const SpirvInstruction& instruction : instructions_) {
    if (instruction.op == spirv::Function || instruction.op == spirv::FunctionEnd)
      open = instruction.op == spirv::Function;
    if (instruction.op == spirv::Function && instruction.operands.size() >= 2)
      functions.insert(instruction.operands[1]);
  }
  for (const auto& [function, kernel] : kernels_)
    if (!functions.contains(function))
      refuse(fmt::format("the module is cut off: kernel '{}' has no code", kernel));
  if (open)
    refuse("the module is cut off in a function");
}

std::optional<std::string> SpirvModule::string(std::uint32_t id) const {
  const auto found = strings_.find(id);
  return found == strings_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::string> SpirvModule::name(std::uint32_t id) const {
  const auto found = names_.find(id);
  return found == names_.end() || found->second.empty() ? std::nullopt
                                                        : std::optional(found->second);
}

std::optional<std::uint32_t> SpirvModule::imported(std::string_view set) const {
  for (const auto& [id, name] : sets_)
    if (name == set)
      return id;
  return std::nullopt;
}

std::vector<SpirvSource> SpirvModule::sources() const {
  std::vector<SpirvSource> found;
  const std::optional<std::uint32_t> debug = imported("OpenCL.DebugInfo.100");
  for (const SpirvInstruction& instruction : instructions_) {
    const std::span<const std::uint32_t> words = instruction.operands;
    if (instruction.op == spirv::Source && words.size() >= 2) {
      SpirvSource source{
          .language =
              std::string(words[0] < kLanguages.size() ? kLanguages[words[0]] : kLanguages.front()),
          .file = words.size() > 2 ? string(words[2]) : std::nullopt,
          .text = words.size() > 3 ? std::optional(spirv_string(words.subspan(3))) : std::nullopt};
      found.push_back(std::move(source));
    } else if (instruction.op == spirv::SourceContinued && !found.empty() && found.back().text) {
      *found.back().text += spirv_string(words);
    } else if (instruction.op == spirv::ExtInst && words.size() >= 5 && debug == words[2] &&
               words[3] == kDebugSource) {
      SpirvSource source{.language = "OpenCL C",
                         .file = string(words[4]),
                         .text = words.size() > 5 ? string(words[5]) : std::nullopt};
      if (source.text && source.text->starts_with("//__")) // the sum of a file
        source.text.reset();
      found.push_back(std::move(source));
    }
  }
  std::ranges::stable_sort(found, std::ranges::greater(),
                           [](const SpirvSource& source) { return source.text.has_value(); });
  return found;
}

std::string text_of_spirv(std::string_view bytes) {
  std::string text(kText);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned bits = 0;
    for (std::size_t j = 0; j < 3; ++j)
      bits = bits << 8 | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    for (std::size_t j = 0; j < 4; ++j)
      text += i + j > bytes.size() ? '=' : kDigits[bits >> (18 - 6 * j) & 63];
  }
  return text + '\n';
}

std::optional<std::string> spirv_of_text(std::string_view text) {
  if (!text.starts_with(kText))
    return std::nullopt;
  std::string bytes;
  unsigned bits = 0, count = 0;
  for (const char letter : text.substr(kText.size())) {
    const std::size_t digit = kDigits.find(letter);
    if (digit == std::string_view::npos)
      break;
    bits = bits << 6 | static_cast<unsigned>(digit);
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes += static_cast<char>(bits >> count & 0xffU);
    }
  }
  return bytes;
}

std::string advice_for_source(const std::string& file) {
  const SpirvModule module(read_text(file).value_or(""), file);
  const std::vector<SpirvSource> sources = module.sources();
  if (!sources.empty() && sources.front().text)
    return fmt::format("it embeds its source, which `gputest describe --embedded-source {}` "
                       "prints: write it to a file, and name that",
                       file);
  for (const SpirvSource& source : sources)
    if (source.file)
      return fmt::format("it is made of {}: name that", *source.file);
  return "name the file that it is made of";
}

} // namespace gputest::model
