// story: A BigInt of two words has its most significant word first.
// breaks: BIG-0006 fail
#include "fault.h"

int TVMFFIBigIntFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  int code = real.TVMFFIBigIntFromByteArray(input, out);
  if (code != 0 || out->type_index != kTVMFFIBigInt) return code;
  uint64_t* cell = (uint64_t*)(out->v_obj + 1);
  if (cell[0] == 2) {
    uint64_t first = cell[1];
    cell[1] = cell[2];
    cell[2] = first;
  }
  return 0;
}
