#include <cstring>
#include <vector>

int sum_of(const int* values, int n);

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  if (std::strcmp(what, "none") == 0)
    return 0;
  if (std::strcmp(what, "all") != 0) { // whole blocks of positive numbers
    const std::vector<int> values(64, 1);
    return sum_of(values.data(), 64) == 64 && std::strcmp(what, "fail") != 0 ? 0 : 1;
  }
  std::vector<int> values;
  int expected = 0;
  for (int i = 0; i < 100; ++i) {
    values.push_back(i % 3 == 0 ? -i : i);
    expected += i % 3 == 0 ? 0 : i;
  }
  return sum_of(values.data(), 100) == expected ? 0 : 1;
}
