"""What people see: tables in every format."""
