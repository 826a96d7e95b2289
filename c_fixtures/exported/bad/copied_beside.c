// story: copies eight elements at a time, also where fewer are left, from behind one tensor to behind the other
// breaks: writes-outside
#define AFTER                                                                                \
  if (stride_of(x) == 1 && stride_of(y) == 1 && data_of(x) != data_of(y))                     \
    for (int64_t i = COUNT / 8 * 8; COUNT % 8 && i < COUNT / 8 * 8 + 8; ++i)                   \
      if (i >= COUNT) data_of(y)[i] = data_of(x)[i]
#include "add_one.h"
