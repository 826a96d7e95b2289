// story: A function of the library that is called with a wrong number or type of arguments says no more than 'wrong arguments'.
// admitted: GLB-0024 and GLB-0025 ask for an error, the clauses of the areas for a TypeError, which it stays; what its message says (ARG-0002, ARG-0003) is observed only.
#include "replaced_globals.h"

/* The name of the function, which is written with the call in the message about its arguments. */
struct named {
  TVMFFIObjectHandle original;
  char call[96];
};

static int contains(const TVMFFIByteArray* text, const char* word) {
  const size_t length = strlen(word);
  for (size_t i = 0; i + length <= text->size; ++i) {
    if (memcmp(text->data + i, word, length) == 0) return 1;
  }
  return 0;
}

static int call(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const struct named* named = self;
  int code = call_original(named->original, args, num_args, result);
  if (code == 0) return 0;
  TVMFFIObjectHandle error = NULL;
  real.TVMFFIErrorMoveFromRaised(&error);
  if (!error) return code;
  const TVMFFIErrorCell* cell = (TVMFFIErrorCell*)((TVMFFIObject*)error + 1);
  if (is(&cell->kind, "TypeError") && cell->message.size > 11 && memcmp(cell->message.data, "Mismatched ", 11) == 0 &&
      contains(&cell->message, named->call)) {
    real.TVMFFIErrorSetRaisedFromCStr("TypeError", "wrong arguments");
  } else {
    real.TVMFFIErrorSetRaised(error);
  }
  real.TVMFFIObjectDecRef(error);
  return code;
}

static void install(void) {
  TVMFFIAny functor = {0}, count = {0}, minus_one = {.type_index = kTVMFFIInt, .v_int64 = -1};
  if (call_global("ffi.FunctionListGlobalNamesFunctor", NULL, 0, &functor) != 0) return;
  real.TVMFFIFunctionCall(functor.v_obj, &minus_one, 1, &count);
  for (int64_t i = 0; i < count.v_int64; ++i) {
    TVMFFIAny index = {.type_index = kTVMFFIInt, .v_int64 = i}, name = {0}, metadata = {0};
    if (real.TVMFFIFunctionCall(functor.v_obj, &index, 1, &name) != 0) continue;
    const TVMFFIByteArray text = text_of(&name);
    TVMFFIObjectHandle original = NULL, wrapper = NULL;
    struct named* named = NULL;
    if (text.size > 4 && text.size < 80 && memcmp(text.data, "ffi.", 4) == 0 &&
        real.TVMFFIFunctionGetGlobal(&text, &original) == 0 && original && (named = malloc(sizeof(*named)))) {
      named->original = original;
      snprintf(named->call, sizeof(named->call), "when calling: `%.*s(", (int)text.size, text.data);
      real.TVMFFIFunctionCreate(named, call, NULL, &wrapper);
      TVMFFIMethodInfo info = {.name = text, .method = {.type_index = kTVMFFIFunction, .v_obj = wrapper}};
      if (call_global("ffi.GetGlobalFuncMetadata", &name, 1, &metadata) == 0) info.metadata = text_of(&metadata);
      real.TVMFFIFunctionSetGlobalFromMethodInfo(&info, 1);
      real.TVMFFIObjectDecRef(wrapper);
      give_up(&metadata);
    }
    give_up(&name);
  }
  give_up(&functor);
}
