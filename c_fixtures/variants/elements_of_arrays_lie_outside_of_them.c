// story: The elements of an Array that ffi.Array makes lie in a block from the C heap, which its data_deleter frees.
// admitted: ARR-0005: the elements lie in the object if data_deleter is NULL, 'and in memory that the data_deleter frees if it is not'.
enum { ROOM = 1, OUTSIDE = 1 };

#include "array_of_our_own.h"
