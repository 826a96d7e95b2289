// story: A function of the library that is called with a wrong number or type of arguments says no more than 'wrong arguments'.
// admitted: GLB-0024 and GLB-0025 ask for an error, the clauses of the areas for a TypeError, which it stays; what its message says (ARG-0002, ARG-0003) is observed only.
#include "wrapped_global.h"

#include <pthread.h>

/* Once, before anybody can see the table: functions of this library take the place of the original's there. */
static void install(void);
static pthread_once_t once = PTHREAD_ONCE_INIT;

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  pthread_once(&once, install);
  return real.TVMFFIFunctionGetGlobal(name, out);
}
int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override) {
  pthread_once(&once, install);
  return real.TVMFFIFunctionSetGlobal(name, f, allow_override);
}
int TVMFFIFunctionSetGlobalFromMethodInfo(const TVMFFIMethodInfo* method_info, int allow_override) {
  pthread_once(&once, install);
  return real.TVMFFIFunctionSetGlobalFromMethodInfo(method_info, allow_override);
}
int TVMFFIEnvModLookupFromImports(TVMFFIObjectHandle library_ctx, const char* func_name, TVMFFIObjectHandle* out) {
  pthread_once(&once, install);
  return real.TVMFFIEnvModLookupFromImports(library_ctx, func_name, out);
}
int TVMFFISetCustomAllocator(TVMFFICustomAllocator* allocator) {
  pthread_once(&once, install);
  return real.TVMFFISetCustomAllocator(allocator);
}

static void give_up(TVMFFIAny* value) {
  if (value->type_index >= kTVMFFIStaticObjectBegin && value->v_obj) real.TVMFFIObjectDecRef(value->v_obj);
  *value = (TVMFFIAny){0};
}

/** Puts a function with the callee, whose first argument is the original, in the place of a global function. */
__attribute__((unused)) static void put(const char* function, TVMFFISafeCallType callee) {
  const TVMFFIByteArray name = {function, strlen(function)};
  TVMFFIObjectHandle original = NULL, wrapper = NULL;
  if (real.TVMFFIFunctionGetGlobal(&name, &original) != 0 || !original) return;
  if (real.TVMFFIFunctionCreate(original, callee, NULL, &wrapper) != 0) return;
  TVMFFIAny argument = {.type_index = kTVMFFIRawStr, .v_c_str = function}, metadata = {0};
  TVMFFIMethodInfo info = {.name = name, .method = {.type_index = kTVMFFIFunction, .v_obj = wrapper}};
  if (call_global("ffi.GetGlobalFuncMetadata", &argument, 1, &metadata) == 0) info.metadata = text_of(&metadata);
  real.TVMFFIFunctionSetGlobalFromMethodInfo(&info, 1);
  real.TVMFFIObjectDecRef(wrapper);
  give_up(&metadata);
}

/* The name of the function, which is written with the call in the message about its arguments. */
struct wrapped {
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
  const struct wrapped* wrapped = self;
  int code = call_original(wrapped->original, args, num_args, result);
  if (code == 0) return 0;
  TVMFFIObjectHandle error = NULL;
  real.TVMFFIErrorMoveFromRaised(&error);
  if (!error) return code;
  const TVMFFIErrorCell* cell = (TVMFFIErrorCell*)((TVMFFIObject*)error + 1);
  if (is(&cell->kind, "TypeError") && cell->message.size > 11 && memcmp(cell->message.data, "Mismatched ", 11) == 0 &&
      contains(&cell->message, wrapped->call)) {
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
    struct wrapped* wrapped = NULL;
    if (text.size > 4 && text.size < 80 && memcmp(text.data, "ffi.", 4) == 0 &&
        real.TVMFFIFunctionGetGlobal(&text, &original) == 0 && original && (wrapped = malloc(sizeof(*wrapped)))) {
      wrapped->original = original;
      snprintf(wrapped->call, sizeof(wrapped->call), "when calling: `%.*s(", (int)text.size, text.data);
      real.TVMFFIFunctionCreate(wrapped, call, NULL, &wrapper);
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
