// The tests check which references fit a kernel, and what is said of those that do not.
#include "tests/catch.h"

#include "model/launches/reference_kernel.h"

using namespace gputest::model;
using gputest::tests::ContainsSubstring;

namespace {

Argument argument(const char* name, unsigned position, Type type, bool pointer = true,
                  AddressSpace space = AddressSpace::Global) {
  Argument made;
  made.name = name;
  made.position = position;
  made.type = std::move(type);
  made.address_space = pointer ? space : AddressSpace::Private;
  made.pointer = pointer;
  return made;
}

KernelInterface kernel_of(const char* name, std::vector<Argument> arguments) {
  KernelInterface kernel;
  kernel.name = name;
  kernel.arguments = std::move(arguments);
  return kernel;
}

// scale(in, out, n, factor, part)
KernelInterface kernel_under_test() {
  return kernel_of("scale",
                   {argument("in", 0, vector_type(Scalar::Float, 4)),
                    argument("out", 1, scalar_type(Scalar::Float)),
                    argument("n", 2, scalar_type(Scalar::Int), false),
                    argument("factor", 3, scalar_type(Scalar::Float), false),
                    argument("part", 4, scalar_type(Scalar::Float), true, AddressSpace::Local)});
}

const auto kFloats = scalar_type(Scalar::Float);

} // namespace

TEST_CASE("arguments of a reference are found by name, in any order and in other integers") {
  const KernelInterface reference =
      kernel_of("simple", {argument("to", 0, kFloats), argument("in", 1, kFloats),
                           argument("n", 2, scalar_type(Scalar::ULong), false)});
  const auto found = reference_arguments(reference, {"to=out"}, kernel_under_test());
  REQUIRE(found.size() == 3);
  CHECK(found[0].position == 1);
  CHECK(found[1].position == 0); // float4 is four floats
  CHECK(found[2].position == 2);
  CHECK(!found[0].converts);
  CHECK(found[2].converts == Scalar::ULong);
  CHECK(reference_sizes("GLOBAL_SIZE", {"n", "size(in) / 2"}, kernel_under_test()).size() == 2);
}

TEST_CASE("a reference whose arguments do not correspond is refused with the reason") {
  struct Mistake {
    Argument argument;
    const char *named, *message; // named "": nothing
  };
  const auto mistake = GENERATE(values<Mistake>({
      {argument("total", 0, kFloats), "",
       "its argument 'total' has no counterpart 'total' in kernel 'scale', which has in, out, n, "
       "factor, part: add ARGUMENTS total=<argument of the kernel>"},
      {argument("total", 0, kFloats), "total=sum", "no counterpart 'sum' in kernel 'scale'"},
      {argument("total", 0, kFloats), "total",
       "'total' is no <argument of simple>=<argument of sc"},
      {argument("total", 0, kFloats), "sum=out", "'sum=out' is no <argument of simple>="},
      {argument("out", 0, kFloats, false), "", "'out' of kernel 'scale' differ: one is a pointer"},
      {argument("n", 0, scalar_type(Scalar::Int)), "", "differ: one is a pointer"},
      {argument("out", 0, scalar_type(Scalar::Int)), "", "differ: their elements have other types"},
      {argument("out", 0, scalar_type(Scalar::Double)), "", "their elements have other types"},
      {argument("n", 0, kFloats, false), "", "differ: they have other types"},
      {argument("factor", 0, scalar_type(Scalar::Int), false), "", "differ: they have other types"},
      {argument("part", 0, kFloats), "", "differ: one is local memory"},
      {argument("out", 0, kFloats, true, AddressSpace::Local), "", "differ: one is local memory"},
      {argument("in", 0, kFloats), "in=out", "two of its arguments are 'out' of kernel 'scale'"},
  }));
  KernelInterface reference = kernel_of("simple", {mistake.argument});
  if (mistake.argument.name == "in")
    reference.arguments.push_back(argument("out", 1, kFloats));
  std::vector<std::string> named;
  if (*mistake.named)
    named.emplace_back(mistake.named);
  CHECK_THROWS_WITH(reference_arguments(reference, named, kernel_under_test()),
                    ContainsSubstring(mistake.message));
}

TEST_CASE("sizes of a reference are expressions over the kernel's arguments") {
  CHECK_THROWS_WITH(reference_sizes("GLOBAL_SIZE", {"rows"}, kernel_under_test()),
                    "REFERENCE_KERNEL: GLOBAL_SIZE: 'rows' is no argument of kernel 'scale'");
  CHECK_THROWS_WITH(reference_sizes("LOCAL_SIZE", {"n +"}, kernel_under_test()),
                    ContainsSubstring("REFERENCE_KERNEL: LOCAL_SIZE: "));
}

TEST_CASE("the kernel of a reference is the only one, or the one that is named") {
  Interface interface;
  interface.source = "simple.cl";
  CHECK_THROWS_WITH(reference_kernel(interface, ""), ContainsSubstring("simple.cl has no kernel"));
  interface.kernels.push_back(kernel_of("a", {}));
  CHECK(reference_kernel(interface, "").name == "a");
  interface.kernels.push_back(kernel_of("b", {}));
  CHECK(reference_kernel(interface, "b").name == "b");
  CHECK_THROWS_WITH(reference_kernel(interface, ""),
                    ContainsSubstring("with KERNEL which one: a, b"));
  CHECK_THROWS_WITH(reference_kernel(interface, "c"),
                    ContainsSubstring("simple.cl has no kernel 'c'; there are: a, b"));
}
