// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPIR-V modules of OpenCL kernels (The Khronos Group, "SPIR-V Specification", version 1.6).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::model {

namespace spirv {

// Numbers of instructions (section 3.49) that are read here.
enum Op : std::uint16_t {
  SourceContinued = 2,
  Source = 3,
  Name = 5,
  MemberName = 6,
  String = 7,
  Line = 8,
  Extension = 10,
  ExtInstImport = 11,
  ExtInst = 12,
  MemoryModel = 14,
  EntryPoint = 15,
  ExecutionMode = 16,
  Capability = 17,
  TypeVoid = 19,
  TypeBool = 20,
  TypeInt = 21,
  TypeFloat = 22,
  TypeVector = 23,
  TypeImage = 25,
  TypeSampler = 26,
  TypeArray = 28,
  TypeStruct = 30,
  TypePointer = 32,
  TypeFunction = 33,
  TypeQueue = 37,
  ConstantTrue = 41,
  Constant = 43,
  Function = 54,
  FunctionParameter = 55,
  FunctionEnd = 56,
  FunctionCall = 57,
  Variable = 59,
  Load = 61,
  Store = 62,
  CopyMemory = 63,
  CopyMemorySized = 64,
  AccessChain = 65,
  InBoundsAccessChain = 66,
  PtrAccessChain = 67,
  InBoundsPtrAccessChain = 70,
  Decorate = 71,
  VectorShuffle = 79,
  CompositeExtract = 81,
  CompositeInsert = 82,
  CopyObject = 83,
  PtrCastToGeneric = 121,
  GenericCastToPtr = 122,
  Bitcast = 124,
  Select = 169,
  IEqual = 170,
  AtomicLoad = 227,
  AtomicStore = 228,
  AtomicOr = 241,
  Phi = 245,
  LoopMerge = 246,
  SelectionMerge = 247,
  Label = 248,
  BranchConditional = 250,
  Switch = 251,
  EnqueueKernel = 292,
  NoLine = 317,
  FunctionPointer = 5600, // SPV_INTEL_function_pointers
};

enum Storage : std::uint32_t { UniformConstant = 0, Workgroup = 4, CrossWorkgroup = 5, Local = 7 };

enum Decoration : std::uint32_t { Packed = 10, FuncParamAttr = 38 };

} // namespace spirv

struct SpirvInstruction {
  std::uint16_t op = 0;
  std::size_t at = 0;                      // its first word
  std::span<const std::uint32_t> operands; // words of the module
  unsigned line = 0;                       // in what `spirv-dis` writes
};

// A source that a module names.
struct SpirvSource {
  std::string language; // "OpenCL C"
  std::optional<std::string> file, text;
};

class SpirvModule {
public:
  // Reads a module of kernels with 64-bit addresses, in either byte order. `name` is what messages
  // call it. Throws FormatError that says what is wrong: it is cut off, no SPIR-V, of shaders, for
  // 32 bits, or has an extension that is not known.
  SpirvModule(std::string_view bytes, const std::string& name);
  SpirvModule(const SpirvModule&) = delete;
  SpirvModule& operator=(const SpirvModule&) = delete;
  ~SpirvModule() = default;

  const std::vector<std::uint32_t>& words() const { return words_; } // in the machine's byte order
  const std::vector<SpirvInstruction>& instructions() const { return instructions_; }
  std::string version() const; // "1.4"
  std::uint32_t bound() const { return words_[3]; }

  // Kernels by the number of their function.
  const std::map<std::uint32_t, std::string>& kernels() const { return kernels_; }
  std::optional<std::string> string(std::uint32_t id) const; // of OpString
  std::optional<std::string> name(std::uint32_t id) const;   // of OpName
  // The number of a set of instructions, such as "OpenCL.DebugInfo.100".
  std::optional<std::uint32_t> imported(std::string_view set) const;

  // The sources, those with a text first.
  std::vector<SpirvSource> sources() const;

private:
  [[noreturn]] void refuse(const std::string& what) const;
  void read_words(std::string_view bytes);
  void read_instructions();
  void read_names();
  void expect_kernels() const;

  std::string file_;
  std::vector<std::uint32_t> words_;
  std::vector<SpirvInstruction> instructions_;
  std::map<std::uint32_t, std::string> kernels_, strings_, names_, sets_;
};

// Returns whether a file begins as SPIR-V does.
bool is_spirv(std::string_view bytes);

// Returns the text of a literal string, which begins in the first of the words.
std::string spirv_string(std::span<const std::uint32_t> words);
// Returns how many words the literal takes; nullopt: it does not end.
std::optional<std::size_t> spirv_string_size(std::span<const std::uint32_t> words);

// A module where texts of kernels are compiled: the line "//GPUTSPIRV <the module, in base64>".
std::string text_of_spirv(std::string_view bytes);
std::optional<std::string> spirv_of_text(std::string_view text); // nullopt: another text

// Returns what to do where an analysis needs the source of `file`: "it embeds its source: …".
std::string advice_for_source(const std::string& file);

} // namespace gputest::model
