int shifted(int v) {
  return v + OFFSET;
}
