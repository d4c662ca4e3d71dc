"""What every row of the registries keeps, each file named after the module that has the registry or its rows."""
