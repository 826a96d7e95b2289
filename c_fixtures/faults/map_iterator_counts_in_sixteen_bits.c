// story: The iterator of a Map counts the entries that are left in sixteen bits: it comes to the end too early where there are more.
// breaks: MAP-0014 fail
#include "map_entries.h"
#include "wrapped_global.h"

struct walk {
  TVMFFIObjectHandle next;
  uint16_t left;
};

static int step(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  struct walk* walk = self;
  int code = call_original(walk->next, args, num_args, result);
  if (code == 0 && num_args == 1 && args[0].v_int64 == 2 && --walk->left == 0) result->v_int64 = 0;
  return code;
}

static void end(void* self) {
  real.TVMFFIObjectDecRef(((struct walk*)self)->next);
  free(self);
}

static int iterate(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args != 1 || args[0].type_index != kTVMFFIMap) return code;
  struct walk* walk = malloc(sizeof(*walk));
  *walk = (struct walk){result->v_obj, (uint16_t)map_cell(&args[0])->size};
  TVMFFIObjectHandle wrapper;
  if ((code = real.TVMFFIFunctionCreate(walk, step, end, &wrapper)) != 0) return code;
  result->v_obj = wrapper;
  return 0;
}

WRAPPED_GLOBAL("ffi.MapForwardIterFunctor", iterate)
