// story: TVMFFIFunctionCall finds the entry of a function in a table, and what lies at byte 24 of the object refuses every call.
// breaks: SPL-0024 fail
#include "split_fault.h"

static struct {
  TVMFFIObjectHandle function;
  TVMFFISafeCallType entry;
} made[256];
static int number;

static int no_entry(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)self, (void)args, (void)num_args, (void)result;
  return refuse("RuntimeError", "the entry lies elsewhere");
}

int TVMFFIFunctionCreate(void* self, TVMFFISafeCallType callback, void (*deleter)(void*), TVMFFIObjectHandle* out) {
  int code = real.TVMFFIFunctionCreate(self, callback, deleter, out);
  if (code != 0 || number == 256) return code;
  TVMFFISafeCallType* entry = (TVMFFISafeCallType*)((char*)*out + 24);
  made[number].function = *out;
  made[number++].entry = *entry;
  *entry = no_entry;
  return 0;
}

int TVMFFIFunctionCall(TVMFFIObjectHandle function, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  for (int i = number - 1; i >= 0; --i) {
    if (made[i].function == function) return made[i].entry(function, args, num_args, result);
  }
  return real.TVMFFIFunctionCall(function, args, num_args, result);
}
