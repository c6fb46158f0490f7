"""What every kind of database has to do. They know none: the fixture `backend` opens one, and another kind is another `backend`."""
