/*
 * Faults in the visitors and mutators that C hooks of clients are given: `stand_in(name, hook, make)` registers, in the place of a C function
 * in the column of that name, one that calls it with a copy of the engine whose functions are those that `make` chooses. The engine
 * itself stands behind the fields of the copy.
 */
#ifndef TVM_FFI_STAND_IN_ENGINE_H_
#define TVM_FFI_STAND_IN_ENGINE_H_

#include "own_engine.h"

typedef struct {
  TVMFFIObject header;
  engine_function* functions;
  int32_t region;
  TVMFFIObjectHandle engine;
} stand_in_engine;

enum { MOST_HOOKS = 256 };

/** The C functions of clients, by the index of the type, from the first that is dynamic on. */
static _Atomic(void*) hooks_of_clients[MOST_HOOKS];

static engine_function stand_in_functions[4];

static void never_ends(TVMFFIObjectHandle self, int flags) { (void)self, (void)flags; }

static inline TVMFFIObjectHandle behind(TVMFFIObjectHandle copy) { return ((stand_in_engine*)copy)->engine; }

static TVMFFIAny call_with_stand_in(TVMFFIObjectHandle engine, TVMFFIAny value) {
  const engine_function hook = (engine_function)hooks_of_clients[value.type_index - kTVMFFIDynObjectBegin];
  stand_in_engine copy = {.header = *(TVMFFIObject*)engine, .functions = stand_in_functions, .engine = engine};
  copy.header.deleter = never_ends;
  copy.region = *(int32_t*)((void**)((TVMFFIObject*)engine + 1) + 1);
  return hook(&copy, value);
}

static inline int register_stand_in(int32_t type_index, const TVMFFIByteArray* name, const TVMFFIAny* hook) {
  const int32_t at = type_index - kTVMFFIDynObjectBegin;
  if (hook->type_index != kTVMFFIOpaquePtr || at < 0 || at >= MOST_HOOKS) {
    return real.TVMFFITypeRegisterAttr(type_index, name, hook);
  }
  hooks_of_clients[at] = hook->v_ptr;
  const TVMFFIAny changed = {.type_index = kTVMFFIOpaquePtr, .v_ptr = (void*)call_with_stand_in};
  return real.TVMFFITypeRegisterAttr(type_index, name, &changed);
}

#endif /* TVM_FFI_STAND_IN_ENGINE_H_ */
