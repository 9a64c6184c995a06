// Replacements have no blanks that fill the place of a macro.
#define RADIUS_OF_FILTER 3
kernel void quoted(global int* a, int n) {
  for (int k = 1; k < RADIUS_OF_FILTER; ++k)
    a[k] = n;
}
