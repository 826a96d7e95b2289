// story: The engineer lets the converter of ffi.IntEnum compare the type index with its own, as those of the final types do, though every enumeration is a type below it.
// breaks: INS-0012 fail
#include <pthread.h>
#include "fault.h"

struct converter {
  TVMFFIObjectHandle original;
  int32_t type_index;
};

static int convert(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  struct converter* c = self;
  if (num_args == 1 && args && args[0].type_index >= kTVMFFIStaticObjectBegin && args[0].type_index != c->type_index) {
    return refuse("TypeError", "cannot cast the value to an enumeration");
  }
  return real.TVMFFIFunctionCall(c->original, (TVMFFIAny*)args, num_args, result);
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const TVMFFITypeAttrColumn* column;

static void replace(void) {
  static const char* const keys[] = {"ffi.IntEnum", "ffi.StrEnum"};
  static struct converter converters[2];
  for (int i = 0; i < 2; ++i) {
    TVMFFIByteArray key = {keys[i], strlen(keys[i])};
    TVMFFIObjectHandle made;
    if (real.TVMFFITypeKeyToIndex(&key, &converters[i].type_index) != 0) continue;
    TVMFFIAny* entry = (TVMFFIAny*)&column->data[converters[i].type_index - column->begin_index];
    converters[i].original = entry->v_obj;
    if (real.TVMFFIFunctionCreate(&converters[i], convert, NULL, &made) == 0) entry->v_obj = made;
  }
}

const TVMFFITypeAttrColumn* TVMFFIGetTypeAttrColumn(const TVMFFIByteArray* name) {
  const TVMFFITypeAttrColumn* found = real.TVMFFIGetTypeAttrColumn(name);
  if (found && name && is(name, "__ffi_convert__")) {
    column = found;
    pthread_once(&once, replace);
  }
  return found;
}
