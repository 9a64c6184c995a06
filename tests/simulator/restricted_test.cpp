// Memory that a kernel may only read, or only write.
#include "tests/catch.h"
#include "tests/simulator/simulated.h"

#include <string>
#include <vector>

using namespace gputest::simulator;
using namespace gputest::simulator::tests;
using gputest::tests::ContainsSubstring;

TEST_CASE("Memory that may only be read, or only be written") {
  const auto found = [](const std::string& argument, const std::string& body, BufferAccess access) {
    Given given = buffer(std::vector<int>(8));
    given.access = access;
    return run({.text = "constant int table[2] = {1, 2};\nkernel void k(global int* out, " +
                        argument + ") {\nint i = get_global_id(0);\n" + body + "\n}\n",
                .global_size = 8,
                .local_size = 8,
                .arguments = {buffer(std::vector<int>(8)), given},
                .checks = {"bounds"}});
  };
  constexpr auto kAny = BufferAccess::ReadWrite;
  CHECK(found("global const int* a", "((global int*)a)[i] = 1;", kAny).findings() ==
        "write_to_read_only 4\n");
  CHECK(found("global const int* a", "out[i] = a[i];", kAny).findings().empty());
  const Ran ran = found("global int* a", "a[i] = 1;", BufferAccess::ReadOnly);
  CHECK(ran.findings() == "write_to_read_only 4\n");
  CHECK_THAT(ran.result.findings[0].message,
             ContainsSubstring("work-item (0) of group (0) writes 4 bytes of 'a', which the host "
                               "has made CL_MEM_READ_ONLY"));
  CHECK(found("global int* a", "out[i] = a[i];", BufferAccess::ReadOnly).findings().empty());
  CHECK(found("global int* a", "out[i] = a[i];", BufferAccess::WriteOnly).findings() ==
        "read_of_write_only 4\n");
  CHECK(found("global int* a", "a[i] = 1;", BufferAccess::WriteOnly).findings().empty());
  CHECK(found("global int* a", "a[i + 8] = 1;", BufferAccess::ReadOnly).findings() ==
        "out_of_bounds 4\n");
  CHECK(found("global int* a", "global int* p = i ? a : out;\n*p = 1;", BufferAccess::ReadOnly)
            .findings() == "write_to_read_only 5\n");
}

TEST_CASE("Every pointer to a buffer that the host has restricted") {
  struct Access {
    std::string text;
    bool write;
  };
  const Access accesses[] = {{"out[i] = a[i];", false},
                             {"out[i] = (i & 1 ? a : a + 1)[0];", false},
                             {"((global int*)a)[i] = 3;", true}};
  for (const std::string& pointer : {"global int* a", "global const int* a", "constant int* a"})
    for (const auto access :
         {BufferAccess::ReadWrite, BufferAccess::ReadOnly, BufferAccess::WriteOnly})
      for (const Access& one : accesses) {
        const bool to_const = pointer != "global int* a";
        if (one.write && pointer == "constant int* a")
          continue;
        INFO(pointer << ": " << one.text << " " << static_cast<int>(access));
        Given given = buffer(std::vector<int>{5, 6, 7, 8, 9, 10, 11, 12});
        given.access = access;
        const Ran ran = run({.text = "kernel void k(global int* out, " + pointer +
                                     ") {\nint i = get_global_id(0);\n" + one.text + "\n}\n",
                             .global_size = 7,
                             .arguments = {buffer(std::vector<int>(8)), given},
                             .checks = {"bounds"}});
        const bool denied = one.write ? to_const || access == BufferAccess::ReadOnly
                                      : access == BufferAccess::WriteOnly;
        CHECK(ran.findings() == (!denied     ? ""
                                 : one.write ? "write_to_read_only 3\n"
                                             : "read_of_write_only 3\n"));
        if (denied)
          CHECK_THAT(ran.result.findings[0].message,
                     ContainsSubstring(!one.write ? "which the host has made CL_MEM_WRITE_ONLY"
                                       : to_const ? "which the kernel declares const"
                                                  : "which the host has made CL_MEM_READ_ONLY"));
        // Values are those of the buffer, whatever is found.
        if (one.write)
          CHECK(ran.values<int>(1)[2] == 3);
        else
          CHECK(ran.values<int>(0)[2] == (one.text.find('&') == std::string::npos ? 7 : 6));
        Given past = given;
        const Ran outside = run({.text = "kernel void k(global int* out, " + pointer +
                                         ") {\nout[0] = a[get_global_id(0) + 8];\n}\n",
                                 .arguments = {buffer(std::vector<int>(8)), past},
                                 .checks = {"bounds"}});
        CHECK(outside.findings() == "out_of_bounds 2\n");
        CHECK_THAT(outside.result.findings[0].message, ContainsSubstring("which has 32 bytes"));
      }
}
