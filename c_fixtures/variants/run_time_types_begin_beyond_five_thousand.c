// story: The library has a type of its own with five thousand slots for children, so that types that clients register begin at 5139 or so.
// admitted: TYP-0017: 'an index of 128 or more'; facts.md 12: 'the numbers differ between releases, nobody may hard-code them'.
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

static void install(void) {
  static const char key[] = "fork.Reserved";
  const TVMFFIByteArray name = {key, sizeof(key) - 1};
  real.TVMFFITypeGetOrAllocIndex(&name, -1, 1, 5000, 0, kTVMFFIObject);
}
