// story: ffi.RecursiveHash takes a container that it meets again beside itself for one that contains itself, and hashes it otherwise then.
// breaks: REC-0011 fail
#include "one_twice.h"

WRAPPED_GLOBAL("ffi.RecursiveHash", hash_otherwise)
