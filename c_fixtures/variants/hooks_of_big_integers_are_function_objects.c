// story: The library's own hooks for BigInt in __any_hash__ and __any_equal__ are function objects, not pointers.
// admitted: REG-0025: 'a function, or a pointer to one'; facts.md 21: registering a Function instead 'works with every header version'; HSH-0011 and HSH-0012 hold.
#include "replaced_globals_and_types.h"

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
