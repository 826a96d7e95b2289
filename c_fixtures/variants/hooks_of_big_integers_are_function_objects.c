// story: The library's own hooks for BigInt in __any_hash__ and __any_equal__ are function objects, not pointers.
// admitted: REG-0025: 'a function, or a pointer to one'; facts.md 21: registering a Function instead 'works with every header version'; HSH-0011 and HSH-0012 hold.
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

typedef TVMFFIAny (*hash_hook)(const TVMFFIAny* value);
typedef TVMFFIAny (*equal_hook)(const TVMFFIAny* left, const TVMFFIAny* right);
static void* native_hash;
static void* native_equal;

static int answer(TVMFFIAny value, TVMFFIAny* result) {
  if (value.type_index == kTVMFFIError) {
    real.TVMFFIErrorSetRaised(value.v_obj);
    real.TVMFFIObjectDecRef(value.v_obj);
    return -1;
  }
  *result = value;
  return 0;
}

static int hash(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)self;
  if (num_args != 1 || args[0].type_index != kTVMFFIBigInt) return refuse("TypeError", "expects a big integer");
  return answer(((hash_hook)native_hash)(&args[0]), result);
}

static int equal(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)self;
  if (num_args != 2 || args[0].type_index != kTVMFFIBigInt || args[1].type_index != kTVMFFIBigInt) return refuse("TypeError", "expects two big integers");
  return answer(((equal_hook)native_equal)(&args[0], &args[1]), result);
}

static void put_hook(const char* column_name, TVMFFISafeCallType callee, void** native) {
  const TVMFFIByteArray name = {column_name, strlen(column_name)};
  const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(&name);
  if (!column || column->begin_index > kTVMFFIBigInt || column->size <= kTVMFFIBigInt - column->begin_index) return;
  TVMFFIAny* entry = (TVMFFIAny*)&column->data[kTVMFFIBigInt - column->begin_index];
  TVMFFIObjectHandle function = NULL;
  if (entry->type_index != kTVMFFIOpaquePtr || real.TVMFFIFunctionCreate(NULL, callee, NULL, &function) != 0) return;
  *native = entry->v_ptr;
  *entry = (TVMFFIAny){.type_index = kTVMFFIFunction, .v_obj = function};
}

static void install(void) {
  put_hook("__any_hash__", hash, &native_hash);
  put_hook("__any_equal__", equal, &native_equal);
}

/* Nobody has a big integer before. */
int TVMFFIBigIntFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  pthread_once(&once, install);
  return real.TVMFFIBigIntFromByteArray(input, out);
}
