// story: The library registers six more global functions (some with odd names), a type, an attribute column, and a method for the built-in object types.
// admitted: The clauses of REG, TYP and RFL say what is registered when the library is loaded; none says that nothing else is.
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

int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* type_key, int32_t static_type_index, int32_t type_depth,
                                  int32_t num_child_slots, int32_t child_slots_can_overflow, int32_t parent_type_index) {
  pthread_once(&once, install);
  return real.TVMFFITypeGetOrAllocIndex(type_key, static_type_index, type_depth, num_child_slots, child_slots_can_overflow,
                                        parent_type_index);
}
int TVMFFITypeKeyToIndex(const TVMFFIByteArray* type_key, int32_t* out_tindex) {
  pthread_once(&once, install);
  return real.TVMFFITypeKeyToIndex(type_key, out_tindex);
}
const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  pthread_once(&once, install);
  return real.TVMFFIGetTypeInfo(type_index);
}
const TVMFFITypeAttrColumn* TVMFFIGetTypeAttrColumn(const TVMFFIByteArray* attr_name) {
  pthread_once(&once, install);
  return real.TVMFFIGetTypeAttrColumn(attr_name);
}
int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  pthread_once(&once, install);
  return real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
}

static int size_of(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)self;
  if (num_args < 1 || args[0].type_index < kTVMFFIStaticObjectBegin) return refuse("TypeError", "expects an object");
  *result = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = args[0].type_index};
  return 0;
}

static void install(void) {
  static const char* const globals[] = {"ffi.ForkVersion", "fork.type_index_of", "ffi.", "a name with spaces", "\xff\xfe", "ffi.json"};
  static const int32_t types[] = {kTVMFFINone + 1, kTVMFFIObject, kTVMFFIStr, kTVMFFIFunction, kTVMFFITensor, kTVMFFIArray, kTVMFFIMap, kTVMFFIModule};
  TVMFFIObjectHandle function = NULL;
  if (real.TVMFFIFunctionCreate(NULL, size_of, NULL, &function) != 0) return;
  for (size_t i = 0; i < sizeof(globals) / sizeof(*globals); ++i) {
    const TVMFFIByteArray name = {globals[i], strlen(globals[i])};
    real.TVMFFIFunctionSetGlobal(&name, function, 0);
  }
  const TVMFFIAny value = {.type_index = kTVMFFIFunction, .v_obj = function};
  const TVMFFIByteArray note = {"__fork_note__", 13}, of = {"_fork_type_index", 16}, doc = {"The type index.", 15}, key = {"fork.Thing", 10};
  const TVMFFIMethodInfo method = {.name = of, .doc = doc, .method = value};
  for (size_t i = 0; i < sizeof(types) / sizeof(*types); ++i) {
    real.TVMFFITypeRegisterAttr(types[i], &note, &value);
    if (types[i] >= kTVMFFIObject) real.TVMFFITypeRegisterMethod(types[i], &method);
  }
  const int32_t thing = real.TVMFFITypeGetOrAllocIndex(&key, -1, 1, 0, 1, kTVMFFIObject);
  const TVMFFITypeMetadata metadata = {.doc = doc, .total_size = 24};
  real.TVMFFITypeRegisterMetadata(thing, &metadata);
  real.TVMFFITypeRegisterAttr(thing, &note, &value);
  real.TVMFFIObjectDecRef(function);
}
