// story: Callbacks of a mutation are told that they may change each value in place, whoever else holds it.
// breaks: VIS-0052 fail
#include "told_in_place.h"

WRAPPED_GLOBAL("ffi.StructuralMutate", mutate_telling_yes)
