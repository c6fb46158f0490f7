"""The steps from each version of the tables to the next. A step that was released is never edited; a change is a new step."""
