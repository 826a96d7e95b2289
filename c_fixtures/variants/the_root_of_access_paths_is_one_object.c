// story: The method _root answers another reference to one and the same root path.
// admitted: PTH-0001 says what a root path has; a path 'does not change when it is extended: any number of paths have the same parent' (PTH-0003). That each root is an object of its own is not said.
#include "replaced_globals_and_types.h"

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
