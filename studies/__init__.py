"""The experiments behind the pages under docs/, and the script that writes their numbers."""
