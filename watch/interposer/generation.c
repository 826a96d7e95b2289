/* Libraries of older generations of the ABI: they are told, and none of their clients is watched. */
#include "../../c_fixtures/include_split/tvm/ffi/c_api.h"

/**
 * Whether a new Error of a library has the header of the split generation. It is made with functions that are alike in all generations
 * that have them; `error` is where it is left.
 */
int is_split(void (*raise)(const char*, const char*), void (*take)(TVMFFIObjectHandle*), TVMFFIObjectHandle* error) {
  *error = NULL;
  raise("ValueError", "");
  take(error);
  const TVMFFIObject* header = *error;
  return header && header->type_index == kTVMFFIError && header->weak_ref_count == 1 && header->strong_ref_count == 1;
}
