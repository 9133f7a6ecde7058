"""The logic of the client: nothing in it is about one document."""
