// story: A walk through a Map that is asked for while the thread's last walk through the same Map lives is that one, with its place.
// breaks: MAP-0014 fail
#include "wrapped_global.h"

/* The walk is held by a weak reference: it ends as ever, and the Map with it. */
static __thread struct {
  TVMFFIObject* map;
  TVMFFIObject* walk;
} last;

static int walk(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (last.walk && num_args == 1 && args[0].type_index == kTVMFFIMap && last.map == args[0].v_obj &&
      (uint32_t)__atomic_load_n(&last.walk->combined_ref_count, __ATOMIC_ACQUIRE) > 0) {
    *result = (TVMFFIAny){.type_index = kTVMFFIFunction, .v_obj = last.walk};
    return real.TVMFFIObjectIncRef(last.walk);
  }
  if (last.walk && __atomic_fetch_sub(&last.walk->combined_ref_count, (uint64_t)1 << 32, __ATOMIC_ACQ_REL) >> 32 == 1) {
    last.walk->deleter(last.walk, kTVMFFIObjectDeleterFlagBitMaskWeak);
  }
  last.walk = NULL;
  int code = call_original(original, args, num_args, result);
  if (code != 0 || args[0].type_index != kTVMFFIMap) return code;
  last.map = args[0].v_obj;
  last.walk = result->v_obj;
  __atomic_fetch_add(&last.walk->combined_ref_count, (uint64_t)1 << 32, __ATOMIC_RELAXED);
  return 0;
}

WRAPPED_GLOBAL("ffi.MapForwardIterFunctor", walk)
