// Tests of JOSE.
