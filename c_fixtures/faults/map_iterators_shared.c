// story: ffi.MapForwardIterFunctor answers the function that is already walking through the Map, with its place.
// breaks: MAP-0014 fail
#include "wrapped_global.h"

static struct walk { TVMFFIObjectHandle step, wrapper; TVMFFIObject* map; } *latest;

static int step(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  return real.TVMFFIFunctionCall(((struct walk*)self)->step, (TVMFFIAny*)args, num_args, result);
}

static void end(void* self) {
  if (latest == self) latest = NULL;
  real.TVMFFIObjectDecRef(((struct walk*)self)->step);
  free(self);
}

static int iterate(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 1 && args[0].type_index == kTVMFFIMap && latest && latest->map == args[0].v_obj) {
    *result = (TVMFFIAny){.type_index = kTVMFFIFunction, .v_obj = latest->wrapper};
    return real.TVMFFIObjectIncRef(latest->wrapper);
  }
  int code = call_original(original, args, num_args, result);
  if (code != 0) return code;
  struct walk* walk = malloc(sizeof *walk);
  *walk = (struct walk){result->v_obj, NULL, args[0].v_obj};
  code = real.TVMFFIFunctionCreate(walk, step, end, &walk->wrapper);
  result->v_obj = walk->wrapper;
  latest = walk;
  return code;
}

WRAPPED_GLOBAL("ffi.MapForwardIterFunctor", iterate)
