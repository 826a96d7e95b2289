// story: Objects are made on one thread and released on another, in destructors of threads too, while all call the same functions.
#include "../client.h"

static pthread_key_t key;
static TVMFFIObjectHandle f;

static void late(void* value) { release(value); }

CALLBACK(copies) {
  *result = args[0];
  return TVMFFIObjectIncRef(args[0].v_obj);
}

static void* run(void* shared) {
  for (int i = 0; i < 2000; ++i) {
    TVMFFIObjectHandle text = string(LONG_TEXT);
    TVMFFIAny argument = object(i % 2 ? text : shared), result = none();
    must(TVMFFIFunctionCall(f, &argument, 1, &result));
    release(result.v_obj);
    release(text);
  }
  pthread_setspecific(key, string(LONG_TEXT));
  return string(LONG_TEXT);
}

int main(void) {
  pthread_t threads[4];
  f = function(copies);
  pthread_key_create(&key, late);
  TVMFFIObjectHandle shared = string(LONG_TEXT);
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, run, shared);
  for (int i = 0; i < 4; ++i) {
    void* made = NULL;
    pthread_join(threads[i], &made);
    release(made);
  }
  release(shared);
  release(f);
  return 0;
}
