// Declarations of GrantModel.
