// Declarations of JOSE.
