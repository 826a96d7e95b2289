// story: The iterator of a Map moves the value out to whom asks first: asked for it a second time at the same place, it answers None.
// breaks: MAP-0014 fail
#include "wrapped_global.h"
struct iterator { TVMFFIObjectHandle function; int asked; };
static void end(void* self) {
  real.TVMFFIObjectDecRef(((struct iterator*)self)->function);
  free(self);
}
static int step(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  struct iterator* iterator = self;
  if (num_args == 1 && args[0].type_index == kTVMFFIInt) {
    if (args[0].v_int64 == 2) __atomic_store_n(&iterator->asked, 0, __ATOMIC_RELEASE);
    if (args[0].v_int64 == 1 && __atomic_exchange_n(&iterator->asked, 1, __ATOMIC_ACQ_REL)) {
      *result = (TVMFFIAny){.type_index = kTVMFFINone};
      return 0;
    }
  }
  return call_original(iterator->function, args, num_args, result);
}
static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIFunction) return code;
  struct iterator* iterator = malloc(sizeof(*iterator));
  TVMFFIObjectHandle wrapper = NULL;
  *iterator = (struct iterator){result->v_obj, 0};
  if (real.TVMFFIFunctionCreate(iterator, step, end, &wrapper) == 0) result->v_obj = wrapper;
  return 0;
}
WRAPPED_GLOBAL("ffi.MapForwardIterFunctor", make)
