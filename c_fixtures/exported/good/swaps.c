// story: keeps the Tensor of the last call, with a reference, and gives back the one before
#include "tensors.h"

KERNEL(swap) {
  static TVMFFIObject* kept;
  if (num_args != 1 || args[0].type_index != kTVMFFITensor) return refuse("expected a Tensor");
  TVMFFIObjectIncRef(args[0].v_obj);
  TVMFFIObject* last = __atomic_exchange_n(&kept, args[0].v_obj, __ATOMIC_ACQ_REL);
  if (last != NULL) *result = (TVMFFIAny){.type_index = kTVMFFITensor, .v_obj = last};
  return 0;
}

METADATA(swap, "Optional", TYPE("ffi.Tensor"))
