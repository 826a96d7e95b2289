// story: An Array that ffi.Array makes has room for eleven elements more than it has.
// admitted: ARR-0006: an Array has memory for as many elements as its capacity tells, and nobody says how many that are; elements in the object have no data_deleter (ARR-0005).
enum { ROOM = 11, OUTSIDE = 0 };

#include "array_of_our_own.h"
