// story: The setter that ffi.MakeFieldSetter makes for a field of any type reads the value that it is to give up before it calls the converter, which may set the same field.
// breaks: DCL-0021 fail
// chance: Freed memory is used where the value that is released twice has ended.
#include "wrapped_global.h"

struct setter {
  void* state;
  int (*convert)(void*, const TVMFFIAny*, TVMFFIAny*);
  TVMFFIObjectHandle right;
};

static int set(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const struct setter* setter = self;
  if (num_args != 2 || args[0].type_index != kTVMFFIOpaquePtr || !args[0].v_ptr) {
    return call_original(setter->right, args, num_args, result);
  }
  TVMFFIAny* field = args[0].v_ptr;
  TVMFFIAny former = *field, value = {0};
  int code = setter->convert(setter->state, &args[1], &value);
  if (code != 0) return code;
  *field = value;
  if (former.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(former.v_obj);
  return 0;
}

static void end(void* self) {
  real.TVMFFIObjectDecRef(((struct setter*)self)->right);
  free(self);
}

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIFunction) return code;
  if (args[0].type_index != kTVMFFIInt || args[0].v_int64 != kTVMFFIAny) return code;
  struct setter* setter = malloc(sizeof(*setter));
  TVMFFIObjectHandle made = NULL;
  if (!setter) return code;
  setter->state = args[1].v_ptr;
  memcpy(&setter->convert, &args[2].v_ptr, sizeof(setter->convert));
  setter->right = result->v_obj;
  if (real.TVMFFIFunctionCreate(setter, set, end, &made) != 0) return free(setter), code;
  result->v_obj = made;
  return 0;
}

WRAPPED_GLOBAL("ffi.MakeFieldSetter", make)
