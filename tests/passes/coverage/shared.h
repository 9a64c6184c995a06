#pragma once
inline int halve(int x) {
  if (x & 1)
    return x / 2 + 1;
  return x / 2;
}
