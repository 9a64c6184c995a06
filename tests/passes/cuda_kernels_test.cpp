// Kernels of CUDA files that are launched by themselves: their names, interfaces and variants.
#include "frontend/cuda/named_kernel.h"
#include "frontend/cuda/unit.h"
#include "passes/coverage/coverage.h"
#include "passes/describe.h"
#include "passes/mutation/mutants.h"
#include "passes/wrapper.h"
#include "tests/catch.h"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

namespace {

namespace fs = std::filesystem;
using namespace gputest;

frontend::CudaOptions options_for(const std::string& kernel, const std::string& name = "named.cu") {
  const fs::path file = fs::path(GPUTEST_TEST_DATA) / "cuda_kernels" / name;
  const std::string toolkit = GPUTEST_CUDA_TOOLKIT;
  return {.file = file.string(),
          .arguments = {GPUTEST_CLANG, "-x", "cuda", "-nocudainc", "-nocudalib",
                        "--cuda-path=" + toolkit, "--cuda-gpu-arch=sm_80", "-isystem",
                        toolkit + "/include", "-include", "cuda_runtime.h", "-Xclang",
                        "-target-sdk-version=12.5", "-Wno-unknown-cuda-version"},
          .kernel = kernel,
          .source_root = file.parent_path().string()};
}

std::string parse(const std::string& kernel, const std::function<void(const frontend::Tree&)>& use,
                  const std::string& name = "named.cu") {
  const frontend::CudaOptions options = options_for(kernel, name);
  auto source = frontend::read_cuda(options);
  if (!source)
    throw std::runtime_error(llvm::toString(source.takeError()));
  return llvm::toString(frontend::parse_cuda(*source, options, [&](const frontend::Tree& tree) {
    use(tree);
    return llvm::Error::success();
  }));
}

model::Interface interface_of(const std::string& kernel) {
  model::Interface interface;
  REQUIRE(parse(kernel, [&](const frontend::Tree& tree) {
            interface = passes::describe(tree, "named.cu");
          }) == "");
  return interface;
}

std::vector<std::string> names_of(const model::Interface& interface) {
  std::vector<std::string> names;
  for (const model::KernelInterface& kernel : interface.kernels)
    names.push_back(kernel.name);
  return names;
}

bool has(const std::vector<std::string>& all, const std::string& one) {
  return std::ranges::find(all, one) != all.end();
}

} // namespace

TEST_CASE("kernels have the names that users give them", "[cuda]") {
  CHECK(names_of(interface_of("")) ==
        std::vector<std::string>{"blur::rows", "hidden", "over(float *)", "over(int *, int)"});
  CHECK(has(names_of(interface_of("scaled< float,3 >")), "scaled< float,3 >"));
  CHECK(names_of(interface_of("over(int*, int)")) ==
        std::vector<std::string>{"blur::rows", "hidden", "over(float *)", "over(int*, int)"});
}

TEST_CASE("interfaces of CUDA kernels have their types", "[cuda]") {
  const model::Interface interface = interface_of("scaled<double, 3>");
  const model::KernelInterface* const scaled = interface.find("scaled<double, 3>");
  REQUIRE(scaled);
  REQUIRE(scaled->arguments.size() == 2);
  CHECK(scaled->arguments[0].type == model::scalar_type(model::Scalar::Double));
  CHECK(scaled->arguments[0].address_space == model::AddressSpace::Global);
  CHECK(scaled->arguments[0].access == model::Access::Read);
  CHECK_FALSE(scaled->arguments[0].output);
  CHECK(scaled->arguments[1].access == model::Access::Write);
  CHECK(scaled->arguments[1].output);

  const model::KernelInterface* const rows = interface.find("blur::rows");
  REQUIRE(rows);
  CHECK(rows->line == 20);
  CHECK(rows->arguments[0].access == model::Access::ReadWrite);
  const model::Type& color = rows->arguments[1].type;
  CHECK((color.name == "float4" && color.size == 16 && color.alignment == 16));
  REQUIRE(color.fields.size() == 4);
  CHECK((color.fields[3].name == "w" && color.fields[3].offset == 12));
  const model::Type& weighted = rows->arguments[2].type;
  REQUIRE(weighted.fields.size() == 4); // those of the base class first
  CHECK((weighted.fields[1].name == "last" && weighted.fields[1].offset == 4));
  CHECK((weighted.fields[2].name == "weight" && weighted.fields[2].offset == 8));
  CHECK(weighted.fields[3].type == model::scalar_type(model::Scalar::UChar)); // bool
  CHECK(rows->most_work_items == std::nullopt);
  CHECK(interface.find("hidden")->most_work_items == 96);
  CHECK(interface.find("hidden")->arguments[0].type == model::scalar_type(model::Scalar::UChar));
}

TEST_CASE("a name that no kernel has is told, with those there are", "[cuda]") {
  for (const std::string name : {"scaled<float>", "over"}) {
    INFO(name);
    const std::string message = parse(name, [](const frontend::Tree&) {});
    CHECK(message.find("named.cu: error: no kernel '" + name + "'; there are:") !=
          std::string::npos);
    CHECK(message.find("named.cu:20: note: kernel 'blur::rows'") != std::string::npos);
    CHECK(message.find("note: kernel 'over(int *, int)'") != std::string::npos);
    CHECK(message.find("named.cu:13: note: template 'scaled'") != std::string::npos);
    CHECK(message.find("the compiler says: ") != std::string::npos);
  }
}

TEST_CASE("variants say which functions a kernel calls", "[cuda]") {
  passes::CoverageVariant coverage;
  passes::mutation::MutantVariant mutants;
  REQUIRE(parse("scaled<float, 3>", [&](const frontend::Tree& tree) {
            coverage = passes::instrument_coverage(tree, "named.cu");
            mutants = passes::mutation::mutate(tree, "named.cu");
          }) == "");
  const std::vector<std::string> functions{"scaled", "times"};
  const auto covered = std::ranges::find(coverage.sites.kernels, "scaled<float, 3>",
                                         &model::InstrumentedKernel::name);
  REQUIRE(covered != coverage.sites.kernels.end());
  CHECK(covered->functions == functions);
  const auto mutated =
      std::ranges::find(mutants.table.kernels, "scaled<float, 3>", &model::MutatedKernel::name);
  REQUIRE(mutated != mutants.table.kernels.end());
  CHECK(mutated->functions == functions);
  CHECK(coverage.text.find("#define GPUTEST_STATE gputest_state") != std::string::npos);
  CHECK(mutants.text.find("#define GPUTEST_STATE gputest_state") != std::string::npos);

  // Launches change in the dimensions that the kernel asks about, and host code is nobody's.
  const auto is_launch = [](const model::Mutant& mutant) {
    return mutant.kind == model::MutantKind::Launch && mutant.function == "scaled";
  };
  CHECK(std::ranges::count_if(mutants.table.mutants, is_launch) == 1 + 2 * 4);
  for (const model::Mutant& mutant : mutants.table.mutants)
    CHECK((mutant.kind == model::MutantKind::Launch || mutants.changes.contains(mutant.id)));
}

namespace {

using WriteCall = llvm::Expected<std::string> (*)(const frontend::Tree&, const std::string&);

// What `write` returns for a function of functions.cu, or its message.
std::string caller_of(const std::string& function, WriteCall write) {
  frontend::CudaOptions options = options_for("", "functions.cu");
  options.appended = frontend::reference_to_function(function);
  auto source = frontend::read_cuda(options);
  if (!source)
    return llvm::toString(source.takeError());
  std::string text;
  llvm::Error error =
      frontend::parse_cuda(*source, options, [&](const frontend::Tree& tree) -> llvm::Error {
        auto written = write(tree, function);
        if (!written)
          return written.takeError();
        text = *written;
        return llvm::Error::success();
      });
  return error ? llvm::toString(std::move(error)) : text;
}

} // namespace

TEST_CASE("The host's version of a device function is called as by the wrapper") {
  CHECK(caller_of("clamped<float>", passes::host_version) ==
        R"(extern "C" __attribute__((visibility("default"))) const char* gputest_host_clamped(
    size_t gputest_count, void* const* gputest_buffers, const size_t* gputest_bytes) {
  if (gputest_bytes[0] / sizeof(*static_cast<const float*>(nullptr)) < gputest_count)
    return "x";
  const auto x = static_cast<const float*>(gputest_buffers[0]);
  if (gputest_bytes[1] / sizeof(*static_cast<const float*>(nullptr)) < gputest_count)
    return "low";
  const auto low = static_cast<const float*>(gputest_buffers[1]);
  if (gputest_bytes[2] / sizeof(*static_cast<const float*>(nullptr)) < gputest_count)
    return "high";
  const auto high = static_cast<const float*>(gputest_buffers[2]);
  if (gputest_bytes[3] / sizeof(*static_cast<float*>(nullptr)) < gputest_count)
    return "result";
  const auto result = static_cast<float*>(gputest_buffers[3]);
  for (size_t gputest_i = 0; gputest_i < gputest_count; ++gputest_i)
    result[gputest_i] = clamped<float>(x[gputest_i], low[gputest_i], high[gputest_i]);
  return nullptr;
}
)");
  // A pointer may be null, and then has no size.
  CHECK(caller_of("both", passes::host_version) ==
        R"(extern "C" __attribute__((visibility("default"))) const char* gputest_host_both(
    size_t gputest_count, void* const* gputest_buffers, const size_t* gputest_bytes) {
  if (gputest_bytes[0] / sizeof(*static_cast<const float*>(nullptr)) < gputest_count)
    return "argument0";
  const auto argument0 = static_cast<const float*>(gputest_buffers[0]);
  if (gputest_buffers[1] && gputest_bytes[1] / sizeof(*static_cast<float*>(nullptr)) < gputest_count)
    return "twice";
  const auto twice = static_cast<float*>(gputest_buffers[1]);
  if (gputest_bytes[2] / sizeof(*static_cast<int*>(nullptr)) < gputest_count)
    return "whole";
  const auto whole = static_cast<int*>(gputest_buffers[2]);
  for (size_t gputest_i = 0; gputest_i < gputest_count; ++gputest_i)
    both(argument0[gputest_i], twice ? &twice[gputest_i] : nullptr, whole[gputest_i]);
  return nullptr;
}
)");
  CHECK(caller_of("dot", passes::host_version) ==
        "error: 'dot' has no version for the host: make it __host__ __device__, or name a C++ file "
        "as REFERENCE, not HOST");
  CHECK(caller_of("k", passes::host_version) ==
        "error: 'k' is a kernel: name it as KERNEL, not FUNCTION");
}

TEST_CASE("The wrapper of a CUDA device function calls it with element i of each argument") {
  const auto wrapper_of = [](const std::string& function) {
    return caller_of(function, passes::wrap_function);
  };
  const auto text_of = [](const std::string& name, const std::string& parameters,
                          const std::string& statement) {
    return "extern \"C\" __global__ void gputest_" + name + "(" + parameters +
           ") {\n  const size_t gputest_i = static_cast<size_t>(blockIdx.x) * blockDim.x + "
           "threadIdx.x;\n  " +
           statement + ";\n}\n";
  };
  CHECK(wrapper_of("shapes::area") == text_of("area", "const shapes::Pair* p, float* result",
                                              "result[gputest_i] = shapes::area(p[gputest_i])"));
  CHECK(wrapper_of("shapes::wide") == text_of("wide", "const shapes::Pair* p, bool* result",
                                              "result[gputest_i] = shapes::wide(p[gputest_i])"));
  CHECK(wrapper_of("clamped<float>") ==
        text_of("clamped", "const float* x, const float* low, const float* high, float* result",
                "result[gputest_i] = clamped<float>(x[gputest_i], low[gputest_i], "
                "high[gputest_i])"));
  CHECK(wrapper_of("scaled(float)") == text_of("scaled", "const float* x, float* result",
                                               "result[gputest_i] = scaled(x[gputest_i])"));
  CHECK(wrapper_of("both") ==
        text_of("both", "const float* argument0, float* twice, int* whole",
                "both(argument0[gputest_i], twice ? &twice[gputest_i] : nullptr, "
                "whole[gputest_i])"));
  CHECK(wrapper_of("dot") == text_of("dot",
                                     "const float* a, const float* b, const int* n, float* result",
                                     "result[gputest_i] = dot(a, b, n[gputest_i])"));
  CHECK(wrapper_of("after") == text_of("after", "const int* result, int* returned",
                                       "returned[gputest_i] = after(result[gputest_i])"));
  CHECK(wrapper_of("Counter::twice") ==
        text_of("twice", "const int* x, int* result",
                "result[gputest_i] = Counter::twice(x[gputest_i])"));

  const std::string others =
      "; the file defines shapes::area, shapes::wide, scaled(int), scaled(float), both, dot, "
      "after, Counter::next, Counter::twice, the template clamped (write its arguments: "
      "clamped<…>)";
  for (const char* const name : {"nothing", "clamped", "scaled", "scaled(double)"})
    CHECK(wrapper_of(name) ==
          "error: no device function '" + std::string(name) + "' with a body" + others);
  CHECK(wrapper_of("clamped<Unknown>").find("undeclared identifier 'Unknown'") !=
        std::string::npos);
  CHECK(wrapper_of("k") == "error: 'k' is a kernel: name it as KERNEL, not FUNCTION");
  CHECK(wrapper_of("Counter::next") ==
        "error: 'Counter::next' is a member of a class: a kernel that has an object of the class "
        "can call it, FUNCTION cannot");
}

TEST_CASE("lambdas are measured unless the compiler evaluates them", "[cuda]") {
  passes::CoverageVariant coverage;
  passes::mutation::MutantVariant mutants;
  REQUIRE(parse(
              "",
              [&](const frontend::Tree& tree) {
                coverage = passes::instrument_coverage(tree, "lambdas.cu");
                mutants = passes::mutation::mutate(tree, "lambdas.cu");
              },
              "lambdas.cu") == "");
  const auto covers = [&](const std::string& text) {
    return std::ranges::find(coverage.sites.sites, text, &model::Site::text) !=
           coverage.sites.sites.end();
  };
  CHECK(covers("value > 1"));
  CHECK_FALSE(covers("value > 2"));
  const auto changes = [&](std::size_t line) {
    return std::ranges::count_if(mutants.table.mutants, [&](const model::Mutant& mutant) {
      return mutant.line == line && mutant.kind != model::MutantKind::Launch;
    });
  };
  CHECK(changes(7) > 0);
  CHECK(changes(8) == 0);
}
