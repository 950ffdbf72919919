"""The card facts as rows of tables: what a row more brings, and which rows are refused."""
