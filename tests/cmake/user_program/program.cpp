// program [<kernel file> [<values>|fail]]: takes absolute values; 0 if they are right.
#include <gputest/run_kernel.h>

#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>

int main(int argc, char** argv) try {
  if (argc < 3)
    return 0;
  const std::string argument = argv[2];
  std::vector<cl_int> values;
  std::istringstream numbers(argument);
  for (std::string number; std::getline(numbers, number, ';');)
    values.push_back(std::atoi(number.c_str()));
  const std::vector<cl_int> expected = values;
  gputest::run_kernel(argv[1], "absolute", {.global_size = {values.size()}}, values);
  std::cout << "ran with " << values.size() << " values\n";
  return values == expected && argument != "fail" ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 3;
}
