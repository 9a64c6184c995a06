float total(int n);

int main() {
  return total(32) != 496;
}
