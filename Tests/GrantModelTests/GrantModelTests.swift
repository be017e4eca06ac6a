// Tests of GrantModel.
