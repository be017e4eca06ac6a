// Declarations of FileWatching.
