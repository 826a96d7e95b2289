// story: The library registers six more global functions (some with odd names), a type, an attribute column, and a method for the built-in object types.
// admitted: The clauses of REG, TYP and RFL say what is registered when the library is loaded; none says that nothing else is.
#include "replaced_globals_and_types.h"

static int size_of(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)self;
  if (is_no_call(args, num_args, result)) return refuse("TypeError", "is not called as a function is");
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
