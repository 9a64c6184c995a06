// Which programs are of CUDA.
#include "program/cuda/recognise.h"

#include "model/files.h"
#include "tests/catch.h"
#include "tests/temporary_folder.h"

#include <algorithm>
#include <random>
#include <string>

using namespace gputest;
using namespace gputest::program;

TEST_CASE("Programs with device code of CUDA are told by their sections") {
  const tests::TemporaryFolder folder;
  const auto is_cuda = [&](const std::string& bytes) {
    folder.write("program", bytes);
    return is_cuda_program(folder.path() / "program");
  };
  const std::string own = model::read_text("/proc/self/exe").value();
  CHECK_FALSE(is_cuda(own));
  CHECK_FALSE(is_cuda_program("/nonexistent"));
  CHECK_FALSE(is_cuda("#!/bin/sh\n"));
  const std::string name = std::string(1, '\0') + ".eh_frame_hdr" + std::string(1, '\0');
  std::string cuda = own;
  const std::size_t at = cuda.rfind(name);
  REQUIRE(at != std::string::npos);
  cuda.replace(at + 1, 13, std::string(".nv_fatbin\0\0\0", 13));
  CHECK(is_cuda(cuda));
  // Whatever a file holds, it is read within its bounds.
  std::mt19937 random(7);
  for (int i = 0; i < 100; ++i) {
    std::string broken = cuda.substr(0, std::min<std::size_t>(cuda.size(), 4096));
    for (int k = 0; k < 8; ++k)
      broken[random() % 64] = static_cast<char>(random());
    broken.resize(random() % broken.size());
    is_cuda(broken);
  }
  std::string header = cuda;
  for (int i = 0; i < 5; ++i) {
    header[32 + random() % 32] = static_cast<char>(random());
    is_cuda(header);
  }
}
