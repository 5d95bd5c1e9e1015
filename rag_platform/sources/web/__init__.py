"""Pages of the web: polite HTTP, crawling, sitemaps, feeds."""
