// story: ffi.ArrayContains asks once whether a type has a function in `__any_equal__`; one that is registered afterwards is not called.
// breaks: HSH-0012 fail
#include "wrapped_global.h"

static unsigned char known[1 << 16];

static int has_hook(int32_t type_index) {
  const TVMFFIByteArray name = {"__any_equal__", 13};
  const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(&name);
  const int32_t at = column ? type_index - column->begin_index : -1;
  return at >= 0 && at < column->size && column->data[at].type_index != kTVMFFINone;
}

static int contains(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[0].type_index != kTVMFFIArray || args[1].type_index < kTVMFFIDynObjectBegin ||
      args[1].type_index >= 1 << 16) {
    return call_original(original, args, num_args, result);
  }
  unsigned char* one = &known[args[1].type_index];
  const int has = has_hook(args[1].type_index);
  if (__atomic_load_n(one, __ATOMIC_ACQUIRE) == 0) __atomic_store_n(one, has ? 2 : 1, __ATOMIC_RELEASE);
  if (!has || __atomic_load_n(one, __ATOMIC_ACQUIRE) == 2) return call_original(original, args, num_args, result);
  const TVMFFISeqCell* cell = sequence_cell(&args[0]);
  int found = 0;
  for (int64_t i = 0; i < cell->size && !found; ++i) found = ((TVMFFIAny*)cell->data)[i].v_obj == args[1].v_obj;
  *result = (TVMFFIAny){.type_index = kTVMFFIBool, .v_int64 = found};
  return 0;
}

WRAPPED_GLOBAL("ffi.ArrayContains", contains)
