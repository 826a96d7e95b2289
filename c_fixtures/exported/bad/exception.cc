// story: throws what nobody catches
// breaks: exception
#include <stdexcept>
#include "kernel.h"

extern "C" KERNEL(refuse_all) {
  if (num_args > 0) throw std::invalid_argument("expected no argument");
  return 0;
}
