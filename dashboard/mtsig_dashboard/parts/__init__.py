"""Pictures, tables and forms that several pages share."""
