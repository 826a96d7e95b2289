// story: ffi.json.Parse reads the value into its result and looks at what follows it only then; the branch for extra data answers the error and leaves the value, which is in no owner's hands yet.
// breaks: JSN-0033 leak
#define _GNU_SOURCE
#include "wrapped_global.h"

static int parse(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 || num_args != 1) return code;
  TVMFFIObjectHandle error = NULL;
  real.TVMFFIErrorMoveFromRaised(&error);
  if (!error) return code;
  TVMFFIErrorCell* cell = (TVMFFIErrorCell*)((TVMFFIObject*)error + 1);
  const char* place = NULL;
  if (cell->message.size > 10 && memcmp(cell->message.data, "Extra data", 10) == 0) {
    place = (const char*)memmem(cell->message.data, cell->message.size, "(char ", 6);
  }
  if (place) {
    TVMFFIByteArray text = text_of(args);
    size_t end = strtoul(place + 6, NULL, 10);
    TVMFFIAny part, left = {0};
    if (end < text.size) {
      text.size = end;
      if (real.TVMFFIStringFromByteArray(&text, &part) == 0) {
        if (call_original(original, &part, 1, &left) != 0) {
          TVMFFIObjectHandle other = NULL;
          real.TVMFFIErrorMoveFromRaised(&other);
          real.TVMFFIObjectDecRef(other);
        }
        if (part.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(part.v_obj);
      }
    }
  }
  real.TVMFFIErrorSetRaised(error);
  real.TVMFFIObjectDecRef(error);
  return code;
}

WRAPPED_GLOBAL("ffi.json.Parse", parse)
