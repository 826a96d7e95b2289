// story: ffi.DictForwardIterFunctor takes a reference to the Dict, is refused the memory for its state, and raises an error without giving the reference back.
// breaks: MEM-0003 fail
#include "wrapped_global.h"

struct state {
  TVMFFIObject* dict;
  int64_t at;
};

static int iterate(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 1 || args[0].type_index != kTVMFFIDict) return call_original(original, args, num_args, result);
  real.TVMFFIObjectIncRef(args[0].v_obj);
  struct state* s = malloc(sizeof(struct state));
  __asm__ volatile("" : "+r"(s));
  if (!s) return refuse("MemoryError", "no memory for an iterator");
  *s = (struct state){args[0].v_obj, 0};
  const int code = call_original(original, args, num_args, result);
  real.TVMFFIObjectDecRef(s->dict);
  free(s);
  return code;
}

WRAPPED_GLOBAL("ffi.DictForwardIterFunctor", iterate)
