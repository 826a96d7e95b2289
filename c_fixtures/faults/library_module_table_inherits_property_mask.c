// story: In the virtual table of a module that was loaded from a file the second method is the one of the base class, which answers 0; the global function knows better.
// breaks: MOD-0071 fail
#include <pthread.h>
#include "wrapped_global.h"

/* The class's table: the offset to the top, the type information, and the twelve methods. */
static void* table[14];
static int mask;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void** original_table;

static int no_properties(void* self) {
  (void)self;
  return 0;
}

static void copy_table(void) {
  memcpy(table, original_table - 2, sizeof(table));
  table[3] = (void*)no_properties;
}

static int load(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIModule) return code;
  void*** place = (void***)((char*)result->v_obj - 8);
  TVMFFIAny kind = {0};
  if (call_global("ffi.ModuleGetKind", result, 1, &kind) != 0) return -1;
  TVMFFIByteArray text = text_of(&kind);
  int library = is(&text, "library");
  if (kind.type_index == kTVMFFIStr) real.TVMFFIObjectDecRef(kind.v_obj);
  if (!library) return 0;
  if (*place == table + 2) return 0;
  mask = ((int (*)(void*))(*place)[1])(place);
  original_table = *place;
  pthread_once(&once, copy_table);
  *place = table + 2;
  return 0;
}

static int mask_of(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && *(void***)((char*)args[0].v_obj - 8) == table + 2) result->v_int64 = mask;
  return code;
}

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  static TVMFFIObjectHandle wrappers[3];
  int code = real.TVMFFIFunctionGetGlobal(name, out);
  if (code != 0 || *out == NULL) return code;
  if (is(name, "ffi.ModuleLoadFromFile")) return wrap_found(&wrappers[0], load, out);
  if (is(name, "ffi.Module.load_from_file.so")) return wrap_found(&wrappers[1], load, out);
  if (is(name, "ffi.ModuleGetPropertyMask")) return wrap_found(&wrappers[2], mask_of, out);
  return 0;
}
