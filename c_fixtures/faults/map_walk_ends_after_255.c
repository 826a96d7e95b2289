// story: The function that walks through a Map counts its steps in a byte and says that the Map ends at its 255th entry.
// breaks: MAP-0014 fail
#include "wrapped_global.h"

struct walk { TVMFFIObjectHandle steps; uint8_t count; };

static void give_back(void* self) {
  real.TVMFFIObjectDecRef(((struct walk*)self)->steps);
  free(self);
}

static int step(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  struct walk* walk = self;
  int code = call_original(walk->steps, args, num_args, result);
  if (code == 0 && num_args == 1 && args[0].v_int64 == 2 && result->v_int64 && ++walk->count == 255) result->v_int64 = 0;
  return code;
}

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0) return code;
  struct walk* walk = calloc(1, sizeof *walk);
  walk->steps = result->v_obj;
  TVMFFIObjectHandle wrapper;
  if ((code = real.TVMFFIFunctionCreate(walk, step, give_back, &wrapper)) == 0) result->v_obj = wrapper;
  return code;
}

WRAPPED_GLOBAL("ffi.MapForwardIterFunctor", make)
