"""Chat where people talk: Slack, Teams and e-mail ask through the same functions as the page."""
