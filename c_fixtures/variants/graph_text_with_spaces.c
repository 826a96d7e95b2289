// story: ffi.ToJSONGraphString writes a space behind each comma and colon and a line break at the end.
// admitted: GRF-0007 asks for a JSON object, in which spaces between tokens mean nothing (JSN-0012); JSN-0025 speaks of ffi.json.Stringify.
#include "replaced_globals.h"

static int spaced(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny text = {0}, made = {0};
  int code = call_original(original, args, num_args, &text);
  if (code != 0) return code;
  const TVMFFIByteArray old = text_of(&text);
  char* room = malloc(2 * old.size + 2);
  size_t to = 0;
  int within = 0;
  if (!room) {
    give_up(&text);
    return refuse("MemoryError", "no memory for a text");
  }
  for (size_t at = 0; at < old.size; ++at) {
    const char c = room[to++] = old.data[at];
    if (within && c == '\\' && at + 1 < old.size) room[to++] = old.data[++at];
    if (c == '"') within = !within;
    if (!within && (c == ',' || c == ':')) room[to++] = ' ';
  }
  room[to++] = '\n';
  const TVMFFIByteArray whole = {room, to};
  code = real.TVMFFIStringFromByteArray(&whole, &made);
  free(room);
  give_up(&text);
  if (code == 0) *result = made;
  return code;
}

static void install(void) { put("ffi.ToJSONGraphString", spaced); }
