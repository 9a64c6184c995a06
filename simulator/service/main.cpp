// gputest-simulator: runs kernels for a harness, which starts it. See protocol.h.
#include "simulator/cuda/server.h"
#include "simulator/service/server.h"

#include <charconv>
#include <csignal>
#include <cstdio>
#include <string_view>
#include <sys/prctl.h>

int main(int argc, char** argv) {
  const auto number = [&](int index) {
    int value = -1;
    const std::string_view text = argv[index];
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  };
  const bool cuda = argc == 4 && std::string_view(argv[1]) == "--serve-cuda";
  if (argc != 4 || (std::string_view(argv[1]) != "--serve" && !cuda) || number(2) < 0 ||
      number(3) < 0) {
    std::fputs(
        "gputest-simulator runs OpenCL kernels on this machine's processor. Harnesses start it "
        "for --device simulator,\nand CUDA programs of gputest-cuda; it has no use of its own.\n",
        stderr);
    return 2;
  }
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  return cuda ? gputest::simulator::cuda::serve(number(2), number(3))
              : gputest::simulator::serve(number(2), number(3));
}
