"""Numbers of other programs and exact laws, each file named after the module that is held to them."""
