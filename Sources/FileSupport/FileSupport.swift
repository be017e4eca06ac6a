// Declarations of FileSupport.
