// story: What a function in __ffi_repr__ answers is copied by way of a buffer of 256 bytes: a longer text loses its end.
// breaks: REC-0028 fail
#include "answered_text.h"
#include "hook_registration.h"
static int print(void* hook, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(hook, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIStr || text_of(result).size < 256) return code;
  char buffer[255];
  memcpy(buffer, text_of(result).data, sizeof(buffer));
  return answer_instead(result, buffer, sizeof(buffer));
}
int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* name, const TVMFFIAny* value) {
  if (!is(name, "__ffi_repr__")) return real.TVMFFITypeRegisterAttr(type_index, name, value);
  return wrapped_hook(type_index, name, value, print);
}
