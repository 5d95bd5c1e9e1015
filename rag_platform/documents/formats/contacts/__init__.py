"""People and appointments: vCard and iCalendar."""
