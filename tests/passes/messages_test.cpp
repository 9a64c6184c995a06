// Errors are the compiler's, with the author's file and line.
#include "frontend/flatten.h"
#include "passes/wrapper.h"
#include "tests/catch.h"
#include "tests/passes/instrumented.h"

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using namespace gputest;

class TemporaryFile {
public:
  explicit TemporaryFile(const std::string& text)
      : folder_(fs::temp_directory_path() / ("gputest_messages_" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
    std::ofstream(folder_ / "kernel.cl") << text;
  }
  ~TemporaryFile() { fs::remove_all(folder_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  frontend::SourceOptions options() const {
    frontend::SourceOptions options;
    options.file = (folder_ / "kernel.cl").string();
    options.source_root = folder_.string();
    return options;
  }

private:
  fs::path folder_;
};

std::string message_of(const std::string& text) {
  const TemporaryFile file(text);
  try {
    tests::instrument(file.options());
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "no error";
}

} // namespace

TEST_CASE("a syntax error names file, line and column") {
  CHECK(message_of("kernel void k(global int* a) {\n  a[0] = 1\n}\n") ==
        "kernel.cl:2:11: error: expected ';' after expression");
}

TEST_CASE("an error in a macro is reported where the macro is used") {
  CHECK(message_of("#define SET(x) x = no_such_name\n\nkernel void k(global int* a) {\n    "
                   "SET(a[0]);\n}\n") ==
        "kernel.cl:4:5: error: use of undeclared identifier 'no_such_name'");
}

TEST_CASE("an error of the preprocessor is reported, with #error's text") {
  CHECK(message_of("#ifndef BLOCK\n#error define BLOCK\n#endif\nkernel void k() {}\n") ==
        "kernel.cl:2:2: error: define BLOCK");
  CHECK(message_of("#include \"nowhere.h\"\n") ==
        "kernel.cl:1:10: error: 'nowhere.h' file not found");
}

TEST_CASE("notes follow their error") {
  const std::string message =
      message_of("int f(int a);\nkernel void k(global int* a) { a[0] = f(); }\n");
  INFO(message);
  CHECK(message.find("kernel.cl:2:41: error: too few arguments") == 0);
  CHECK(message.find("\nkernel.cl:1:5: note: 'f' declared here") != std::string::npos);
}

TEST_CASE("a missing file is named") {
  frontend::SourceOptions options;
  options.file = "/nonexistent/kernel.cl";
  auto flat = frontend::flatten(options);
  CHECK(llvm::toString(flat.takeError()).find("/nonexistent/kernel.cl: error: cannot be read") ==
        0);
}

TEST_CASE("definitions decide conditionals and may hold commas and parentheses") {
  const TemporaryFile file("kernel void k(global int* a) {\n#if WIDTH == 3\n  if (a[0]) a[ADD(1, "
                           "2)] = LIST;\n#endif\n}\n");
  frontend::SourceOptions options = file.options();
  options.definitions = {"WIDTH=3", "ADD(x,y)=((x)+(y))", "LIST=(1,2)", "EMPTY="};
  const tests::Instrumented result = tests::instrument(options);
  CHECK(result.flat.text.find("a[((1)+(2))] = (1,2)") != std::string::npos);
  CHECK(result.flat.device_macros.empty());
}

TEST_CASE("what the device defines can be said") {
  const TemporaryFile file("kernel void k(global int* a) {\n#ifdef cl_khr_fp64\n  a[0] = "
                           "1;\n#else\n  a[0] = 2;\n#endif\n}\n");
  CHECK(tests::instrument(file.options()).flat.text.find("a[0] = 1") != std::string::npos);
  frontend::SourceOptions options = file.options();
  options.device_macros["cl_khr_fp64"] = std::nullopt;
  const tests::Instrumented without = tests::instrument(options);
  CHECK(without.flat.text.find("a[0] = 2") != std::string::npos);
  REQUIRE(without.flat.device_macros.size() == 1);
  CHECK(without.flat.device_macros[0].name == "cl_khr_fp64");
  CHECK(!without.flat.device_macros[0].value);
}

TEST_CASE("A device function gets a wrapper that a launch can call") {
  const TemporaryFile file(
      "typedef struct { float x; } P;\n"
      "float f(float a, P p, global const int* table, int* count, local int* l) {\n"
      "  *count += 1; return a + p.x; }\nkernel void k() {}\n");
  const auto wrapper_of = [&](const std::string& function) {
    std::string text;
    auto flat = frontend::flatten(file.options());
    if (!flat)
      return llvm::toString(flat.takeError());
    llvm::Error error =
        frontend::parse(*flat, file.options(), [&](const frontend::Tree& tree) -> llvm::Error {
          auto wrapper = passes::wrap_function(tree, function);
          if (!wrapper)
            return wrapper.takeError();
          text = *wrapper;
          return llvm::Error::success();
        });
    return error ? llvm::toString(std::move(error)) : text;
  };
  CHECK(wrapper_of("f") ==
        "__kernel void gputest_f(__global const float* a, __global const P* p, const __global int "
        "* table, "
        "__global int* count, __local int * l, __global float* result) {\n"
        "  const size_t gputest_i = get_global_id(0);\n"
        "  int gputest_count = count[gputest_i];\n"
        "  result[gputest_i] = f(a[gputest_i], p[gputest_i], table, &gputest_count, l);\n"
        "  count[gputest_i] = gputest_count;\n}\n");
  CHECK(wrapper_of("g") == "error: no function 'g' with a body; the file defines f");
  CHECK(wrapper_of("k") == "error: 'k' is a kernel: name it as KERNEL, not FUNCTION");
}
