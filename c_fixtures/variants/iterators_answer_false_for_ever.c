// story: The function that walks through a Map or a Dict goes on to answer false when it is asked to move again after the end, and None for a key or a value there; it raises nothing.
// admitted: MAP-0014: 'Nothing is said of further calls after false, nor of other numbers'; DCT-0015 refers to it.
#include "replaced_globals.h"

struct walk {
  TVMFFIObjectHandle original;
  int is_over;
};

static void end_walk(void* self) {
  real.TVMFFIObjectDecRef(((struct walk*)self)->original);
  free(self);
}

static int step(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  struct walk* walk = self;
  if (is_no_call(args, num_args, result)) return call_original(walk->original, args, num_args, result);
  const int is_step = num_args == 1 && args[0].type_index == kTVMFFIInt && args[0].v_int64 >= 0 && args[0].v_int64 <= 2;
  const int is_move = is_step && args[0].v_int64 == 2;
  if (is_step && __atomic_load_n(&walk->is_over, __ATOMIC_ACQUIRE)) {
    *result = (TVMFFIAny){.type_index = is_move ? kTVMFFIBool : kTVMFFINone};
    return 0;
  }
  if (!is_move) return call_original(walk->original, args, num_args, result);
  int code = call_original(walk->original, args, num_args, result);
  if (code == 0 && result->type_index == kTVMFFIBool && !result->v_int64) __atomic_store_n(&walk->is_over, 1, __ATOMIC_RELEASE);
  return code;
}

static int begin(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny made = {0};
  TVMFFIObjectHandle wrapper = NULL;
  int code = call_original(original, args, num_args, &made);
  if (code != 0) return code;
  struct walk* walk = malloc(sizeof(*walk));
  if (!walk) {
    give_up(&made);
    return refuse("MemoryError", "no memory for a walk");
  }
  *walk = (struct walk){made.v_obj, 0};
  code = real.TVMFFIFunctionCreate(walk, step, end_walk, &wrapper);
  if (code != 0) {
    end_walk(walk);
    return code;
  }
  *result = (TVMFFIAny){.type_index = kTVMFFIFunction, .v_obj = wrapper};
  return 0;
}

static void install(void) {
  put("ffi.MapForwardIterFunctor", begin);
  put("ffi.DictForwardIterFunctor", begin);
}
