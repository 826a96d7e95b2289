// story: A part of an object whose hashing or printing has failed stays noted as being looked into: a hook that asks for it again in the same call is told of a cycle.
// breaks: HOK-0024 fail
#include "hook_registration.h"

#define MOST 64

/* What has failed in the calls of hooks that this thread is in. */
static _Thread_local uint64_t failed[MOST];
static _Thread_local int count, depth;

static int part(void* go_on, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const uint64_t object = num_args > 0 && args[0].type_index >= kTVMFFIStaticObjectBegin ? args[0].v_uint64 : 0;
  for (int at = 0; at < count; ++at) {
    if (failed[at] == object) return refuse("ValueError", "a cycle");
  }
  const int code = real.TVMFFIFunctionCall(go_on, args, num_args, result);
  if (code != 0 && object && count < MOST) failed[count++] = object;
  return code;
}

static int hook(void* function, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const TVMFFIFunctionCell* cell = (const TVMFFIFunctionCell*)((TVMFFIObject*)function + 1);
  TVMFFIObjectHandle go_on = NULL;
  if (num_args != 2 || args[1].type_index != kTVMFFIFunction) return cell->safe_call(function, args, num_args, result);
  int code = real.TVMFFIFunctionCreate(args[1].v_obj, part, NULL, &go_on);
  if (code != 0) return code;
  const TVMFFIAny ours[2] = {args[0], {.type_index = kTVMFFIFunction, .v_obj = go_on}};
  ++depth;
  code = cell->safe_call(function, ours, num_args, result);
  if (--depth == 0) count = 0;
  real.TVMFFIObjectDecRef(go_on);
  return code;
}

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  if (attr_value && (is(attr_name, "__ffi_hash__") || is(attr_name, "__ffi_repr__"))) {
    return wrapped_hook(type_index, attr_name, attr_value, hook);
  }
  return real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
}
