// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gputest-simulator: runs kernels for a harness, which starts it. See protocol.h.
#include "simulator/cuda/server.h"
#include "simulator/service/server.h"

#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <poll.h>
#include <string_view>
#include <thread>
#include <unistd.h>

namespace {

// Ends this process, even within a kernel, when the other end of the socket is closed.
// PR_SET_PDEATHSIG does not serve: it is tied to the thread that started this process, and a
// program goes on when that thread ends.
void end_with(int socket) {
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, &before); // signals are for the thread that runs kernels
  std::thread([socket] {
    pollfd end{.fd = socket, .events = 0, .revents = 0};
    while ((end.revents & (POLLHUP | POLLERR)) == 0)
      if (::poll(&end, 1, -1) > 0 && (end.revents & POLLNVAL) != 0)
        return;
    std::this_thread::sleep_for(std::chrono::seconds(1)); // it ends by itself, if it can
    ::kill(::getpid(), SIGKILL);
  }).detach();
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

} // namespace

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
  end_with(number(2));
  return cuda ? gputest::simulator::cuda::serve(number(2), number(3), end_with)
              : gputest::simulator::serve(number(2), number(3));
}
