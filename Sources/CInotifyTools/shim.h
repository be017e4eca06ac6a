#include <stddef.h>
#include <sys/inotify.h>
#include <inotifytools/inotify.h>
#include <inotifytools/inotifytools.h>
