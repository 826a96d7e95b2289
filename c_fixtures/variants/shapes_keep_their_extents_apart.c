// story: The extents of a Shape that ffi.Shape makes lie in a block of their own at a multiple of 64, for the empty Shape too.
// admitted: CNT-0001: behind the header it has 'their address and their number'; c_api.h: 'The extents, which the object owns'; nobody says where they lie.
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

struct shape {
  TVMFFIObject header;
  TVMFFIShapeCell cell;
};

static void end_shape(void* self, int flags) {
  struct shape* shape = self;
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) {
    free((void*)shape->cell.data);
    shape->cell = (TVMFFIShapeCell){NULL, 0};
  }
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) ((TVMFFIObjectAllocHeader*)self)[-1].delete_space(self);
}

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny made = {0};
  int code = call_original(original, args, num_args, &made);
  if (code != 0) return code;
  const TVMFFIShapeCell old = ((struct shape*)made.v_obj)->cell;
  TVMFFICustomAllocator* allocator = real.TVMFFIGetCustomAllocator();
  int64_t* extents = aligned_alloc(64, (old.size * sizeof(int64_t) + 64) / 64 * 64);
  struct shape* shape = extents ? allocator->allocate(sizeof(*shape), 8, kTVMFFIShape, allocator->context) : NULL;
  if (!shape) {
    if (!extents) refuse("MemoryError", "no memory for a shape");
    free(extents);
    give_up(&made);
    return -1;
  }
  if (old.size) memcpy(extents, old.data, old.size * sizeof(int64_t));
  memset(shape, 0, sizeof(*shape));
  shape->header.combined_ref_count = 1ull << 32 | 1;
  shape->header.type_index = kTVMFFIShape;
  shape->header.deleter = end_shape;
  shape->cell = (TVMFFIShapeCell){extents, old.size};
  give_up(&made);
  *result = (TVMFFIAny){.type_index = kTVMFFIShape, .v_obj = &shape->header};
  return 0;
}

static void install(void) { put("ffi.Shape", make); }
