#include "runtime/machine/opencl/pocl_header.h"

#include "model/files.h"
#include "runtime/machine/opencl/program.h"
#include "tests/catch.h"
#include "tests/runtime/device_fixture.h"

#include <algorithm>

using namespace gputest;
using namespace gputest::runtime;
using namespace gputest::tests;

namespace {

constexpr const char* kHeaderOfPocl = "/usr/share/pocl/include/opencl-c.h";

constexpr const char* kHeader = R"(// A comment.
#ifndef _HEADER_H_
#define _HEADER_H_
#include "base.h"
#define ovld __attribute__((overloadable))
/* Of one line,
   int not_this(int); */
int ovld first(int);
int ovld second(
    int, int); int ovld first(uint);
#if defined(A) && \
    defined(B)
double ovld first(double);
#endif // defined(A) && \
    defined(B)
#ifdef IMAGES
float ovld third(void);
#ifdef WRITES
void ovld third(int);
#else
#pragma EXTENSION all : disable
#endif
#endif
#ifdef MORE
void ovld fourth(int);
#endif
#endif //_HEADER_H_
)";

std::string declared(const std::string& text) {
  return DeclarationHeader(kHeader).declarations_for(text);
}

} // namespace

TEST_CASE("A header of declarations without those that nobody names") {
  const std::string macro = "#define ovld __attribute__((overloadable))\n";
  const std::string pragma = "#ifdef IMAGES\n#ifdef WRITES\n#else\n"
                             "#pragma EXTENSION all : disable\n#endif\n#endif\n";
  CHECK(DeclarationHeader(kHeader).guard() == "_HEADER_H_");
  CHECK(declared("") == macro + pragma);
  CHECK(declared("first_of(not_this, firsts)") == macro + pragma);
  CHECK(declared("x = first(1);") == macro +
                                         "int ovld first(int);\nint ovld first(uint);\n"
                                         "#if defined(A) &&     defined(B)\n"
                                         "double ovld first(double);\n#endif\n" +
                                         pragma);
  CHECK(declared("second") == macro + "int ovld second(\n    int, int);\n" + pragma);
  CHECK(declared("third fourth") ==
        macro + "#ifdef IMAGES\nfloat ovld third(void);\n#ifdef WRITES\nvoid ovld third(int);\n"
                "#else\n#pragma EXTENSION all : disable\n#endif\n#endif\n"
                "#ifdef MORE\nvoid ovld fourth(int);\n#endif\n");
}

TEST_CASE("What is no header of declarations alone is refused") {
  for (const char* const text : {
           "",
           "int f(int);\n",
           "#ifndef A\n#define B\nint f(int);\n#endif\n",
           "#ifndef A\n#define A\nint f(int);\n",
           "#ifndef A\n#define A\nint f(int)\n#endif\n",
           "#ifndef A\n#define A\nint f(int x) { return x; }\n#endif\n",
       }) {
    CAPTURE(text);
    CHECK_THROWS_AS(DeclarationHeader(text), DeviceError);
  }
}

// A text that has every name in it: the header itself.
TEST_CASE("All declarations of PoCL's header compile before a program", "[needs][needs-device]") {
  require_device();
  const Context context(choose_device(""));
  const std::string text = "kernel void k(global float* a) { a[0] = sin(a[0]); }\n";
  const auto one = needed_declarations(context.device, text, "");
  if (!one)
    return; // another device, which gets the text as it is
  CHECK(contains(one->text, " sin(float16);"));
  CHECK(!contains(one->text, " cos("));
  std::string names = model::read_text(kHeaderOfPocl).value();
  std::ranges::replace(names, '#', ' '); // it includes nothing then
  const auto needed = needed_declarations(context.device, names, "");
  REQUIRE(needed);
  CHECK(needed->text.size() > 500'000);
  for (const std::string version : {"CL1.1", "CL1.2", "CL2.0", "CL3.0"}) {
    CAPTURE(version);
    cl::Program program(context.context, needed->text + text);
    const std::string options = needed->option + " -cl-std=" + version;
    try {
      program.build({context.device.device}, options.c_str());
    } catch (const cl::Error&) {
      FAIL(program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(context.device.device));
    }
    CHECK(program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(context.device.device).empty());
  }
}

TEST_CASE("A built-in function that no name shows is found all the same", "[needs][needs-device]") {
  require_device();
  const TemporaryFolder folder;
  folder.write("included.h", "#define ROOT sqrt\n");
  const Context context(choose_device(""));
  // The program's own overload would be called instead.
  for (const char* const text : {"#define PASTED(a, b) a##b\n", "#include \"included.h\"\n",
                                 "# include <included.h>\n", "%:include <included.h>\n"}) {
    CAPTURE(text);
    CHECK(!needed_declarations(context.device, text, ""));
  }
  CHECK(!needed_declarations(context.device, "", "-include included.h"));
  for (const char* const text :
       {"#define PASTED(a, b) a##b\nkernel void k(global float* a) { a[0] = PASTED(sq, rt)(a[1]); "
        "}",
        "#include \"included.h\"\nkernel void k(global float* a) { a[0] = ROOT(a[1]); }"})
    CHECK_NOTHROW(build_program(context, text, {.include_dirs = {folder.path()}}, "test.cl"));
}
