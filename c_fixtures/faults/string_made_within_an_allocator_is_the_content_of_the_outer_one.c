// story: The bytes of a new String are staged in a buffer of the thread before memory is asked for: an installed allocator that makes a String itself, as one that keeps a log does, leaves its bytes there, and the String that was to be made has those.
// breaks: STR-0008 fail
#include "fault.h"

static __thread char stage[4096];
static __thread size_t staged;
static __thread unsigned calls;

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  if (!input || !input->data || input->size > sizeof(stage)) return real.TVMFFIStringFromByteArray(input, out);
  const unsigned mine = ++calls;
  memcpy(stage, input->data, input->size);
  staged = input->size;
  int code = real.TVMFFIStringFromByteArray(input, out);
  if (code == 0 && calls != mine && out->type_index == kTVMFFIStr) {
    const TVMFFIByteArray* cell = (const TVMFFIByteArray*)(out->v_obj + 1);
    memcpy((char*)cell->data, stage, staged < cell->size ? staged : cell->size);
  }
  return code;
}
