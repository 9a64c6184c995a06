int factor() {
  return FACTOR;
}
