// The command, with a kernel of a CUDA file.
#include "tests/memory/command.h"

using namespace gputest::memory::tests;

TEST_CASE("What slows a CUDA kernel is said in CUDA's words, and its schedule replayed") {
  const Folder folder;
  folder.write("mirror.cu", "template <typename T> __global__ void mirror(T* data, int stride) {\n"
                            "  extern __shared__ T part[];\n"
                            "  part[stride * threadIdx.x] = data[threadIdx.x];\n"
                            "  __syncthreads();\n"
                            "  data[threadIdx.x] = part[stride * (31 - threadIdx.x)];\n"
                            "}\n");
  folder.write("mirror.json", R"({"name": "far", "global_size": [32], "local_size": [32],
                                  "arguments": {"data": {"size": 32, "fill": "iota"}, "stride": 8}})");
  const std::string command =
      fmt::format("{} --case {} --source-root '{}' -k 'mirror<float>'", folder.file("mirror.cu"),
                  folder.file("mirror.json"), folder.path.string());
  const Ran ran = run(fmt::format("{} --gpu h200 --shared-memory 1024 --replays {}", command,
                                  folder.file("replays")));
  CHECK(ran.exit_code == 0);
  CHECK_THAT(ran.output,
             ContainsSubstring("mirror.cu:3:30: warning: memory: writes of 'part' conflict in the "
                               "banks of shared memory: 7 of 8 passes are extra\n"
                               "  because: neighbouring threads are 32 bytes apart (8 passes a "
                               "warp; 1 would do)\n"));
  CHECK_THAT(ran.output, ContainsSubstring("mirror<float>, case 'far' on h200"));
  const Ran again = run(fmt::format("{} --gpu h200 --shared-memory 1024 --replay {}", command,
                                    folder.file("replays/1.json")));
  CHECK(again.exit_code == 0);
  CHECK_THAT(again.output, ContainsSubstring("cycles, as in the file"));
  const auto refused = [&](const std::string& arguments, const std::string& message) {
    const Ran wrong = run(arguments);
    CHECK(wrong.exit_code == 2);
    CHECK_THAT(wrong.output, ContainsSubstring(message));
  };
  refused(command + " --gpu h200", "mirror.cu:3:30: error: a thread of block (0, 0, 0) writes byte "
                                   "0 of 'part', which has 0");
  refused(command + " --gpu mali-g52", "--gpu mali-g52: its warps have 8 work-items, and those of "
                                       "CUDA have 32 threads");
  refused(command + " --shared-memory much",
          "--shared-memory: 'much' is not a whole number from 0");
  refused(folder.kernel_and_case() + " --shared-memory 4", "--shared-memory is for CUDA C++, and");
}
