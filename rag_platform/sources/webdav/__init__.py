"""Files on a WebDAV server, such as Nextcloud."""
