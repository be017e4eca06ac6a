// Tests of SecureStore.
