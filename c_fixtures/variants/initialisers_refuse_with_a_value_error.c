// story: A generated initialiser that is called with too many, too few or unknown arguments raises a ValueError of a few words.
// admitted: DCL-0009 'raises an error': no kind and no text; what setters, defaults, factories and creators raise stays as it is (DCL-0010, DCL-0027).
#include "patched_function.h"
#include "replaced_globals.h"

static int contains(const TVMFFIByteArray* text, const char* word) {
  const size_t length = strlen(word);
  for (size_t i = 0; i + length <= text->size; ++i) {
    if (memcmp(text->data + i, word, length) == 0) return 1;
  }
  return 0;
}

static int initialise(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const struct patched* known = patched(handle);
  if (!known) return -1;
  int code = known->call(handle, args, num_args, result);
  if (code == 0) return 0;
  TVMFFIObjectHandle error = NULL;
  real.TVMFFIErrorMoveFromRaised(&error);
  if (!error) return code;
  const TVMFFIErrorCell* cell = (TVMFFIErrorCell*)((TVMFFIObject*)error + 1);
  const TVMFFIByteArray key = real.TVMFFIGetTypeInfo(known->type_index)->type_key, message = cell->message;
  static const char call[] = ".__ffi_init__() ";
  const size_t begin = key.size + sizeof(call) - 1;
  const int is_own = is(&cell->kind, "TypeError") && !cell->cause_chain && message.size > begin &&
                     memcmp(message.data, key.data, key.size) == 0 && memcmp(message.data + key.size, call, sizeof(call) - 1) == 0 &&
                     (contains(&message, "() takes ") || contains(&message, "() missing ") || contains(&message, "() got "));
  if (is_own) {
    real.TVMFFIErrorSetRaisedFromCStr("ValueError", "these arguments do not fit");
  } else {
    real.TVMFFIErrorSetRaised(error);
  }
  real.TVMFFIObjectDecRef(error);
  return code;
}

static int give_initialiser(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && num_args > 0 && args[0].type_index == kTVMFFIInt) patch_attribute((int32_t)args[0].v_int64, "__ffi_init__", initialise);
  return code;
}

static void install(void) {
  put("ffi._RegisterFFIInit", give_initialiser);
  put("ffi._PyClassRegisterTypeAttrColumns", give_initialiser);
}
