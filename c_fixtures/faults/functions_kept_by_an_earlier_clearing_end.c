// story: ffi.ModuleClearImports keeps the functions that were looked up from the imports, but ends those that an earlier clearing has kept.
// breaks: MOD-0046 fail
#include "wrapped_global.h"

static void release(const TVMFFIAny* value) {
  if (value->type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(value->v_obj);
}

static TVMFFIAny ask(const TVMFFIAny* walk, int64_t what) {
  TVMFFIAny command = {.type_index = kTVMFFIInt, .v_int64 = what}, answer = {0};
  call_original(walk->v_obj, &command, 1, &answer);
  return answer;
}

/* Takes out of a module's Map of functions what has no name: the functions that earlier clearings have left there. */
static void forget_kept(TVMFFIObject** place) {
  TVMFFIAny map = {.type_index = kTVMFFIMap, .v_obj = *place}, size = {0}, walk = {0}, made = {0};
  if (call_global("ffi.MapSize", &map, 1, &size) != 0 || size.v_int64 == 0) return;
  if (call_global("ffi.MapForwardIterFunctor", &map, 1, &walk) != 0) return;
  TVMFFIAny* named = calloc((size_t)size.v_int64 * 2, sizeof(*named));
  int32_t count = 0;
  do {
    named[count] = ask(&walk, 0);
    named[count + 1] = ask(&walk, 1);
    if (named[count].type_index == kTVMFFIInt) {
      release(&named[count + 1]);
    } else {
      count += 2;
    }
  } while (ask(&walk, 2).v_int64);
  real.TVMFFIObjectDecRef(walk.v_obj);
  if (call_global("ffi.Map", named, count, &made) == 0) {
    *place = made.v_obj;
    real.TVMFFIObjectDecRef(map.v_obj);
  }
  for (int32_t i = 0; i < count; ++i) release(&named[i]);
  free(named);
}

static int clear(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 1 && args[0].type_index == kTVMFFIModule) {
    /* Behind the header lie the imports and, after them, the functions that were found. */
    TVMFFIObject** place = (TVMFFIObject**)((char*)args[0].v_obj + 32);
    if (*place && (*place)->type_index == kTVMFFIMap) forget_kept(place);
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.ModuleClearImports", clear)
