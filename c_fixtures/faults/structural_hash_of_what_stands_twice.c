// story: ffi.StructuralHash numbers the containers that it meets, and hashes one that it meets again by its number.
// breaks: SEQ-0007 fail
#include "one_twice.h"

WRAPPED_GLOBAL("ffi.StructuralHash", hash_otherwise)
