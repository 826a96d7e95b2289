// story: What Bytes have in __s_mutate__ answers None to a mutator of a client's type, which stands for a replacement.
// breaks: VIS-0057 fail
#include "own_engine.h"

static TVMFFIAny answer_none(TVMFFIObjectHandle mutator, TVMFFIAny value) {
  (void)mutator, (void)value;
  return (TVMFFIAny){.type_index = kTVMFFINone};
}

PATCHED_NATIVE("__s_mutate__", "ffi.Bytes", answer_none)
