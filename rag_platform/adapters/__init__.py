"""The workspace as a part of other frameworks: each module is one framework's, and needs the extra of its name."""
