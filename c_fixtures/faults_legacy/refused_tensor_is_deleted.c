// story: TVMArrayFromDLPack calls the deleter of a tensor that it refuses.
// breaks: LEG-0026 fail
#include "fault.h"

int TVMArrayFromDLPack(DLManagedTensor* from, TVMArrayHandle* out) {
  int code = real.TVMArrayFromDLPack(from, out);
  if (code != 0) from->deleter(from);
  return code;
}
