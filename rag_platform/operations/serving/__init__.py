"""The server of the API and of the page, within limits on what one client may hold."""
