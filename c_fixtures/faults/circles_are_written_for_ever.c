// story: Writing a List that contains itself never ends.
// breaks: GRF-0021 timeout
// breaks: JSN-0030 timeout
#include "circle.h"

WRAPPED_GLOBALS(wait_in_a_circle, "ffi.ToJSONGraph", "ffi.ToJSONGraphString", "ffi.json.Stringify")
