"""The checks that users run on environments of their own."""
