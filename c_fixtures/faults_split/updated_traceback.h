/* Errors that are taken with another update_traceback than their own; `update` has to be defined. */
#ifndef TVM_FFI_UPDATED_TRACEBACK_H_
#define TVM_FFI_UPDATED_TRACEBACK_H_

#include "split_fault.h"

static void (*own_update)(TVMFFIObjectHandle, const TVMFFIByteArray*);

static void update(TVMFFIObjectHandle self, const TVMFFIByteArray* traceback);

void TVMFFIErrorMoveFromRaised(TVMFFIObjectHandle* result) {
  real.TVMFFIErrorMoveFromRaised(result);
  if (!*result || cell_of(*result)->update_traceback == update) return;
  own_update = cell_of(*result)->update_traceback;
  cell_of(*result)->update_traceback = update;
}

#endif /* TVM_FFI_UPDATED_TRACEBACK_H_ */
