// Declarations of SecureStore.
