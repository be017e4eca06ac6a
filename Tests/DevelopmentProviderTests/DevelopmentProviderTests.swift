// Tests of DevelopmentProvider.
