"""Pages made by scripts: headless Chromium behind a proxy of ours."""
