"""The workspace as a server of the Model Context Protocol (modelcontextprotocol.io): for agents, by stdio and HTTP."""
