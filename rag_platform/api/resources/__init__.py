"""What the API shows and changes beside collections, searches and answers: a module for each kind of thing."""
