#ifndef RANGE_H
#define RANGE_H

struct Range {
  int first, last; // of indices, `last` is not one of them
};

#endif
