// write_faulty_kernel <seed> <folder>: kernel.cl and case.json, in which no work-item fails.
#include "tests/simulator/faulty_kernel.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

int main(int argc, char** argv) {
  using namespace gputest::ir;
  using namespace gputest::simulator;
  if (argc != 3)
    return 2;
  const tests::FaultyKernel kernel = tests::faulty_kernel(std::strtoull(argv[1], nullptr, 10));
  nlohmann::json arguments = nlohmann::json::object();
  for (std::size_t i = 0; i < kernel.names.size(); ++i) {
    const tests::Given& given = kernel.run.arguments[i];
    if (given.kind == Parameter::Kind::Value)
      arguments[kernel.names[i]] = -1;
    else
      arguments[kernel.names[i]] = {{"size", kernel.elements[i]}};
  }
  const std::filesystem::path folder = argv[2];
  std::ofstream(folder / "kernel.cl") << kernel.run.text;
  std::ofstream(folder / "case.json")
      << nlohmann::json{{"name", "nobody fails"}, {"arguments", arguments}};
  return 0;
}
