// story: An Array that ffi.Array makes has room for eleven elements more than it has.
// admitted: ARR-0006: an Array has memory for as many elements as its capacity tells, and nobody says how many that are; elements in the object have no data_deleter (ARR-0005).
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

enum { ROOM = 11, OUTSIDE = 0 };
struct array {
  TVMFFIObject header;
  TVMFFISeqCell cell;
  TVMFFIAny inside[];
};

static void end_array(void* self, int flags) {
  TVMFFISeqCell* cell = &((struct array*)self)->cell;
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) {
    TVMFFIAny* items = cell->data;
    const int64_t size = cell->size;
    cell->size = 0;
    for (int64_t i = 0; i < size; ++i) give_up(&items[i]);
    if (cell->data_deleter) cell->data_deleter(cell->data);
    cell->data = NULL;
    cell->capacity = 0;
  }
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) ((TVMFFIObjectAllocHeader*)self)[-1].delete_space(self);
}

/** Moves the elements of an Array that nobody else has seen into one with other memory. */
static int move_elements(TVMFFIAny* from, TVMFFIAny* result) {
  TVMFFISeqCell* old = sequence_cell(from);
  const int64_t capacity = old->size + ROOM;
  TVMFFIAny* outside = NULL;
  if (OUTSIDE && !(outside = calloc((size_t)capacity, sizeof(TVMFFIAny)))) return refuse("MemoryError", "no memory for an array");
  TVMFFICustomAllocator* allocator = real.TVMFFIGetCustomAllocator();
  const size_t size = sizeof(struct array) + (OUTSIDE ? 0 : (size_t)capacity * sizeof(TVMFFIAny));
  struct array* array = allocator->allocate(size, 8, kTVMFFIArray, allocator->context);
  if (!array) {
    free(outside);
    return -1;
  }
  memset(array, 0, size);
  array->header.combined_ref_count = 1ull << 32 | 1;
  array->header.type_index = kTVMFFIArray;
  array->header.deleter = end_array;
  array->cell.data = OUTSIDE ? outside : array->inside;
  array->cell.capacity = capacity;
  array->cell.data_deleter = OUTSIDE ? free : NULL;
  if (old->size) memcpy(array->cell.data, old->data, (size_t)old->size * sizeof(TVMFFIAny));
  array->cell.size = old->size;
  old->size = 0;
  *result = (TVMFFIAny){.type_index = kTVMFFIArray, .v_obj = &array->header};
  return 0;
}

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny made = {0};
  int code = call_original(original, args, num_args, &made);
  if (code != 0) return code;
  code = move_elements(&made, result);
  give_up(&made);
  return code;
}

static void install(void) { put("ffi.Array", make); }
