// story: What is raised belongs to a process: in a child that was forked it is cleared before the first look at it.
// breaks: ERR-0022 fail
#include "raised_error.h"

#include <unistd.h>

static __thread int owner;

void TVMFFIErrorMoveFromRaised(TVMFFIObjectHandle* result) {
  const int self = getpid();
  if (owner && owner != self) forget_raised();
  owner = self;
  real.TVMFFIErrorMoveFromRaised(result);
}

