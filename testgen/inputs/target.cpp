// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/inputs/target.h"

#include "frontend/file_names.h"
#include "frontend/ignore_comments.h"
#include "frontend/languages/languages.h"
#include "gputest/error.h"
#include "ir/cuda/by_itself.h"
#include "ir/error.h"
#include "ir/kernels/kernel_module.h"
#include "ir/spirv/places.h"
#include "model/launches/lock_step.h"
#include "model/spirv/module.h"
#include "passes/coverage/coverage.h"
#include "passes/describe.h"
#include "simulator/execute/device_code.h"
#include "testgen/concolic/inputs.h"
#include "testgen/inputs/null_tests.h"

#include <cctype>
#include <fmt/format.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <set>

namespace gputest::testgen {
namespace {

using ir::Parameter;

template <typename T> T taken(llvm::Expected<T> expected) {
  if (!expected)
    throw UsageError(llvm::toString(expected.takeError()));
  return std::move(*expected);
}

// The channel type that the source's functions can read and write; which function is called with
// which image is not followed.
std::string channel_type_of(const std::string& text) {
  const auto calls = [&](const char* read, const char* write) {
    return text.find(read) != std::string::npos || text.find(write) != std::string::npos;
  };
  if (calls("read_imagef", "write_imagef"))
    return "float";
  return calls("read_imageui", "write_imageui") ? "unsigned_int32"
         : calls("read_imagei", "write_imagei") ? "signed_int32"
                                                : "float";
}

runtime::ImageLayout layout_of(const model::Argument& argument, const std::string& text) {
  const bool depth =
      argument.type.name == "image3d_t" || argument.type.name.find("_array_") != std::string::npos;
  std::vector<std::size_t> shape{1};
  if (argument.type.name.starts_with("image2d") || argument.type.name.starts_with("image3d"))
    shape.push_back(1);
  if (depth)
    shape.push_back(1);
  return runtime::image_layout(argument.type.name, shape, "", channel_type_of(text),
                               fmt::format("argument '{}'", argument.name));
}

// `text`: has the names of functions that the kernel calls.
KernelArgument argument_of(const model::Argument& described, const std::string& text) {
  KernelArgument argument{
      .name = described.name, .type = described.type, .output = described.output};
  using Kind = model::Type::Kind;
  if (described.type.kind == Kind::Image) {
    argument.kind = Parameter::Kind::Image;
    argument.image = layout_of(described, text);
    argument.type = argument.image->pixel_type();
  } else if (described.type.kind == Kind::Sampler) {
    argument.kind = Parameter::Kind::Sampler;
  } else if (described.pointer) {
    argument.kind = described.address_space == model::AddressSpace::Local ? Parameter::Kind::Local
                                                                          : Parameter::Kind::Buffer;
  }
  argument.leaves = model::leaves_of(argument.type);
  return argument;
}

model::SiteTable sites_of(const model::SiteTable& all, const std::string& kernel) {
  const auto found = std::ranges::find(all.kernels, kernel, &model::InstrumentedKernel::name);
  model::SiteTable mine = all;
  if (found == all.kernels.end())
    return mine;
  std::erase_if(mine.sites, [&](const model::Site& site) {
    return std::ranges::find(found->functions, site.function) == found->functions.end();
  });
  return mine;
}

// Adds CUDA's dynamic __shared__ memory, an argument that is no parameter.
void add_shared_memory(Target& target, llvm::Function& kernel) {
  const auto shared = ir::own_variables(kernel).shared;
  if (!shared)
    return;
  KernelArgument memory{.name = shared->name, .kind = Parameter::Kind::Local};
  memory.type =
      model::scalar_type(model::scalar_named(shared->element).value_or(model::Scalar::Char));
  memory.leaves = model::leaves_of(memory.type);
  memory.shared = true;
  target.arguments.push_back(std::move(memory));
}

std::set<const llvm::Function*> called_from(const llvm::Function& kernel) {
  std::set<const llvm::Function*> called;
  std::vector<const llvm::Function*> open{&kernel};
  while (!open.empty()) {
    const llvm::Function& function = *open.back();
    open.pop_back();
    for (const llvm::Instruction& instruction : llvm::instructions(function))
      if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        if (const llvm::Function* next = call->getCalledFunction())
          if (called.insert(next).second)
            open.push_back(next);
  }
  return called;
}

// Whether a parameter is at most kept in a variable that nothing reads.
bool is_unread(const llvm::Value& parameter) {
  return std::ranges::all_of(parameter.users(), [&](const llvm::User* user) {
    const auto* const store = llvm::dyn_cast<llvm::StoreInst>(user);
    if (!store || store->getValueOperand() != &parameter)
      return false;
    const auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(store->getPointerOperand());
    return variable && std::ranges::all_of(variable->users(), [&](const llvm::User* use) {
             return use == store || llvm::isa<llvm::DbgInfoIntrinsic>(use) ||
                    llvm::isa<llvm::LifetimeIntrinsic>(use);
           });
  });
}

// Arguments that take several parameters, or one of another name, count as used, and not as
// compared with null.
void mark_uses(Target& target, const llvm::Function& kernel) {
  for (KernelArgument& argument : target.arguments)
    for (const llvm::Argument& parameter : kernel.args())
      if (parameter.getName() == argument.name) {
        argument.unused = is_unread(parameter);
        argument.nullable =
            argument.kind == Parameter::Kind::Buffer && is_compared_with_null(parameter);
      }
}

// Returns why no group has as many work-items as run in lock step; or "".
std::string why_not_in_step(const Target& target) {
  std::size_t most = target.most_items_of_group();
  if (const auto& required = target.interface.required_work_group_size)
    most = std::min(most, (*required)[0] * (*required)[1] * (*required)[2]);
  return most >= target.lock_step ? "" : model::too_few_for_lock_step(target.lock_step, most);
}

std::string names_called_from(const llvm::Function& kernel) {
  std::string names;
  for (const llvm::Function* called : called_from(kernel))
    names += called->getName().str() + ' ';
  return names;
}

// A kernel that reads in several ways gets samplers that each of them allows.
unsigned samplers_for(const Target& target, const llvm::Function& kernel) {
  if (std::ranges::find(target.arguments, Parameter::Kind::Sampler, &KernelArgument::kind) ==
      target.arguments.end())
    return kSamplersOfFloats;
  bool coordinates = false, integers = false;
  for (const llvm::Function* called : called_from(kernel)) {
    // "_Z11read_imagei14ocl_image2d_ro11ocl_samplerDv2_f": the type of coordinates is the last.
    const llvm::StringRef name = called->getName();
    const bool samples = name.contains("read_image") && name.contains("ocl_sampler");
    coordinates |= samples && name.ends_with("i");
    integers |= samples && (name.contains("read_imagei") || name.contains("read_imageui"));
  }
  return coordinates ? kSamplersOfIntegerCoordinates
         : integers  ? kSamplersOfIntegers
                     : kSamplersOfFloats;
}

// Returns a module with the coverage of its branches.
passes::CoverageVariant covered_module(const frontend::FlatSource& flat, const std::string& name) {
  const model::SpirvModule given(model::spirv_of_text(flat.text).value_or(""), name);
  const std::vector<std::uint32_t> words = ir::with_places(given, name);
  const model::SpirvModule placed(
      {reinterpret_cast<const char*>(words.data()), sizeof(words[0]) * words.size()}, name);
  return taken(passes::instrument_module_coverage(placed, name));
}

// CUDA: compiles a file's kernels one by one. Throws SourceError if they cannot be launched by
// themselves.
void be_by_itself(Target& target, const simulator::Cache& cache) {
  const auto compile = [&](ir::Source& source) {
    source = simulator::with_device_code(std::move(source), target.kernel(), cache);
  };
  compile(target.original);
  compile(target.instrumented);
  llvm::LLVMContext context;
  const ir::CompiledSource compiled = ir::compile_for(target.kernel(), target.original, context);
  llvm::Function& kernel = *compiled.module->getFunction(target.kernel());
  add_shared_memory(target, kernel);
  mark_uses(target, kernel);
  target.dictionary = dictionary_of(kernel, true);
}

} // namespace

std::size_t elements_of(const KernelArgument& argument, const Content& content) {
  return (argument.kind == Parameter::Kind::Local ? content.local_size : content.bytes.size()) /
         argument.element_size();
}

bool KernelArgument::is_integer() const {
  return kind == Parameter::Kind::Value && type.kind == model::Type::Kind::Scalar &&
         !model::is_floating(type.scalar);
}

std::vector<Target> targets_of(const frontend::SourceOptions& options, const std::string& kernel,
                               bool mutants, double seconds) {
  const auto read =
      std::make_shared<const frontend::FlatSource>(taken(frontend::read_file(options)));
  const frontend::FlatSource& flat = *read;
  const frontend::FileNames names(options.source_root);
  const std::string name = names.name(options.file);
  const bool has_source = model::row_of(std::filesystem::path(options.file)).has_source;
  if (!has_source && mutants)
    throw UsageError(fmt::format("{}: error: mutants are made of a source, and this is SPIR-V; {}",
                                 name, model::advice_for_source(options.file)));
  const auto comments = has_source ? taken(frontend::read_ignore_comments(flat.dependencies, names))
                                   : std::vector<model::IgnoreComment>();
  model::Interface interface;
  passes::CoverageVariant coverage;
  std::shared_ptr<const MutantProgram> program;
  std::vector<std::string> templates;
  if (llvm::Error error = frontend::parse_file(flat, options, [&](const frontend::Tree& tree) {
        interface = passes::describe(tree, name);
        templates = passes::unused_templates(tree);
        if (!interface.kernels.empty())
          coverage = has_source ? passes::instrument_coverage(tree, name, comments)
                                : covered_module(flat, name);
        if (!interface.kernels.empty() && mutants)
          program = std::make_shared<MutantProgram>(mutants_of(tree, options, flat, name, seconds));
        return llvm::Error::success();
      }))
    throw UsageError(llvm::toString(std::move(error)));
  if (interface.kernels.empty() && (templates.empty() || !kernel.empty()))
    throw UsageError(fmt::format("{}: error: the file defines no kernel", name));
  if (!kernel.empty() && !interface.find(kernel)) {
    std::string all;
    for (const model::KernelInterface& known : interface.kernels)
      all += (all.empty() ? "" : ", ") + known.name;
    throw UsageError(
        fmt::format("{}: error: there is no kernel '{}'; there are: {}", name, kernel, all));
  }
  const ir::Source original = ir::source_by_itself(options, flat.text);
  const ir::Source instrumented = ir::with_text(original, coverage.text);
  const simulator::Cache cache(simulator::cache_folder());
  llvm::LLVMContext context;
  std::optional<ir::CompiledSource> compiled; // of OpenCL C, with all kernels of the file
  const auto function_of = [&](const model::KernelInterface& known) -> llvm::Function& {
    if (!compiled)
      compiled = ir::compile_for(known.name, original, context);
    return *compiled->module->getFunction(known.name);
  };
  std::vector<Target> targets;
  for (const model::KernelInterface& known : interface.kernels) {
    if (!kernel.empty() && known.name != kernel)
      continue;
    Target target{.file = options.file,
                  .interface = known,
                  .arguments = {},
                  .original = original,
                  .instrumented = instrumented,
                  .sites = sites_of(coverage.sites, known.name),
                  .dictionary = {},
                  .remainder = frontend::opencl_c_of(options.cl_std) >= "CL2.0",
                  .lock_step = model::lock_step_number(options.definitions),
                  .mutants = program,
                  .flat = read};
    for (const model::Argument& argument : known.arguments)
      target.arguments.push_back(
          argument_of(argument, has_source ? flat.text : names_called_from(function_of(known))));
    if (original.by_itself) {
      try {
        be_by_itself(target, cache);
      } catch (const ir::SourceError& error) { // there may be others
        target.refused = error.what();
      }
    } else {
      llvm::Function& function = function_of(known);
      mark_uses(target, function);
      target.dictionary = dictionary_of(function, false);
      target.samplers = samplers_for(target, function);
      target.global_offset = std::ranges::any_of(called_from(function), [](const auto* called) {
        return called->getName().contains("get_global_offset");
      });
    }
    if (target.refused.empty())
      target.refused = why_not_in_step(target);
    targets.push_back(std::move(target));
  }
  if (kernel.empty())
    for (const std::string& one : templates) {
      Target& target = targets.emplace_back();
      target.file = options.file;
      target.interface.name = one;
      target.refused = fmt::format("it is a template, and nothing in the file is made of it; name "
                                   "it with its arguments, such as --kernel '{}<float>'",
                                   one);
    }
  return targets;
}

std::size_t Target::most_items_of_group() const {
  return std::min(kMostItemsOfGroup, interface.most_work_items.value_or(kMostItemsOfGroup));
}

std::string file_part(const std::string& kernel) {
  std::string part;
  for (const char letter : kernel) {
    if (std::isalnum(static_cast<unsigned char>(letter)) || letter == '_') {
      part += letter;
      continue;
    }
    if (!part.empty() && part.back() != '-')
      part += '-';
    if (letter == '*') // copy<int *> is not copy<int>, and step<-1> not step<1>
      part += "pointer";
    else if (letter == '-')
      part += "minus-";
  }
  while (part.ends_with('-'))
    part.pop_back();
  return part;
}

std::string why_not(const Target& target) {
  if (!target.refused.empty())
    return target.refused;
  for (const KernelArgument& argument : target.arguments) {
    const bool has_content = argument.kind == Parameter::Kind::Value ||
                             argument.kind == Parameter::Kind::Buffer ||
                             argument.kind == Parameter::Kind::Image;
    if (has_content && argument.leaves.empty())
      return fmt::format("argument '{}' has the type '{}', for which no values can be made",
                         argument.name, argument.type.name);
  }
  return {};
}

} // namespace gputest::testgen
