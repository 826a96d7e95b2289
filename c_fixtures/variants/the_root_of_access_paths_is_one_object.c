// story: The method _root answers another reference to one and the same root path.
// admitted: PTH-0001 says what a root path has; a path 'does not change when it is extended: any number of paths have the same parent' (PTH-0003). That each root is an object of its own is not said.
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

static TVMFFISafeCallType make_root;
static TVMFFIObjectHandle root_path;
static TVMFFICustomAllocator* built_in;

static int root(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 0 || real.TVMFFIGetCustomAllocator() != built_in) return make_root(handle, args, num_args, result);
  TVMFFIObjectHandle known = __atomic_load_n(&root_path, __ATOMIC_ACQUIRE);
  if (!known) {
    TVMFFIAny made = {0};
    int code = make_root(handle, args, num_args, &made);
    if (code != 0) return code;
    if (__atomic_compare_exchange_n(&root_path, &known, made.v_obj, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      known = made.v_obj;
    } else {
      give_up(&made);
    }
  }
  real.TVMFFIObjectIncRef(known);
  *result = (TVMFFIAny){.type_index = ((TVMFFIObject*)known)->type_index, .v_obj = known};
  return 0;
}

static void install(void) {
  const TVMFFIByteArray key = {"ffi.reflection.AccessPath", 25};
  int32_t index = 0;
  built_in = real.TVMFFIGetCustomAllocator();
  if (real.TVMFFITypeKeyToIndex(&key, &index) != 0) return;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(index);
  for (int32_t i = 0; i < info->num_methods; ++i) {
    if (!is(&info->methods[i].name, "_root") || info->methods[i].method.type_index != kTVMFFIFunction) continue;
    TVMFFIFunctionCell* cell = (TVMFFIFunctionCell*)(info->methods[i].method.v_obj + 1);
    make_root = cell->safe_call;
    cell->safe_call = root;
  }
}

__attribute__((destructor)) static void forget(void) {
  TVMFFIObjectHandle known = __atomic_exchange_n(&root_path, NULL, __ATOMIC_ACQ_REL);
  if (known) real.TVMFFIObjectDecRef(known);
}
