#include "runtime/cases/case_file.h"

#include "gputest/error.h"
#include "runtime/cases/bound_case.h"
#include "tests/fuzz/element_types.h"
#include "tests/fuzz/scratch.h"

#include <algorithm>

namespace gputest::fuzz {
namespace {

model::Argument argument(std::string name, model::Type type, bool pointer) {
  model::Argument made;
  made.name = std::move(name);
  made.type = std::move(type);
  made.pointer = pointer;
  made.address_space = pointer ? model::AddressSpace::Global : model::AddressSpace::Private;
  made.access = model::Access::ReadWrite;
  made.output = pointer;
  return made;
}

// kernel void sum(global float* in, global Body* out, float4 scale, Body body, uint n)
const model::KernelInterface& kernel() {
  static const model::KernelInterface made = [] {
    const auto& types = element_types();
    model::KernelInterface kernel;
    kernel.name = "sum";
    kernel.file = "sum.cl";
    kernel.line = 1;
    kernel.arguments = {argument("in", types[0], true), argument("out", types[3], true),
                        argument("scale", types[2], false), argument("body", types[3], false),
                        argument("n", model::scalar_type(model::Scalar::UInt), false)};
    for (unsigned i = 0; i < kernel.arguments.size(); ++i)
      kernel.arguments[i].position = i;
    return kernel;
  }();
  return made;
}

} // namespace

bool cases(Bytes bytes) {
  static const Scratch scratch;
  try {
    for (const auto& test_case : runtime::read_test_cases(scratch.file("case.json", bytes), "k"))
      runtime::check_case(test_case, kernel(), {});
    return true;
  } catch (const UsageError&) {
    return false;
  }
}

bool specs(Bytes bytes) {
  try {
    std::vector<runtime::ArgumentSpec> all;
    for (std::string_view rest = text_of(bytes); !rest.empty();) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      all.push_back(runtime::parse_argument_spec(std::string(rest.substr(0, end)), "."));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    runtime::check_specs(all, kernel());
    return true;
  } catch (const UsageError&) {
    return false;
  }
}

} // namespace gputest::fuzz
