// Declarations of StrictJSON.
