// Tests of FileWatching.
