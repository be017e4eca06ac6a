// What Swift cannot call of libcurl: the variadic option functions, one spelling for each kind of
// argument. The type checks of curl's own macros need constant options, so they are off here.
#define CURL_DISABLE_TYPECHECK 1
#include <curl/curl.h>
#include <malloc.h>

static inline CURLcode tv_curl_set_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode tv_curl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode tv_curl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode tv_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode tv_curl_set_list(
    CURL *handle, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode tv_curl_set_url(CURL *handle, CURLU *value) {
  return curl_easy_setopt(handle, CURLOPT_CURLU, value);
}

typedef size_t (*tv_curl_data_callback)(char *, size_t, size_t, void *);

// CURLOPT_WRITEFUNCTION or CURLOPT_HEADERFUNCTION.
static inline CURLcode tv_curl_set_data_callback(
    CURL *handle, CURLoption option, tv_curl_data_callback callback) {
  return curl_easy_setopt(handle, option, callback);
}

typedef int (*tv_curl_request_callback)(void *, char *, char *, int, int);

static inline CURLcode tv_curl_set_request_callback(
    CURL *handle, tv_curl_request_callback callback) {
  return curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, callback);
}

static inline long tv_curl_get_long(CURL *handle, CURLINFO information) {
  long value = 0;
  if (curl_easy_getinfo(handle, information, &value) != CURLE_OK) return 0;
  return value;
}

static inline curl_off_t tv_curl_get_size(CURL *handle, CURLINFO information) {
  curl_off_t value = 0;
  if (curl_easy_getinfo(handle, information, &value) != CURLE_OK) return 0;
  return value;
}

// The result of the one transfer of `multi` once it is done; -1 before that. The message is a
// union that only its DONE case may read, which C sees and Swift does not.
static inline int tv_curl_finished(CURLM *multi) {
  int waiting = 0;
  struct CURLMsg *message;
  while ((message = curl_multi_info_read(multi, &waiting)) != NULL) {
    if (message->msg == CURLMSG_DONE) return (int)message->data.result;
  }
  return -1;
}

// The macro CURL_GLOBAL_DEFAULT is an expression that Swift does not import.
static inline CURLcode tv_curl_global_init(void) {
  return curl_global_init(CURL_GLOBAL_DEFAULT);
}

// CURL_HTTP_VERSION_1_1 and CURL_SSLVERSION_TLSv1_2 are members of anonymous enumerations.
static inline CURLcode tv_curl_set_versions(CURL *handle) {
  CURLcode result = curl_easy_setopt(handle, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
  if (result != CURLE_OK) return result;
  return curl_easy_setopt(handle, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
}
