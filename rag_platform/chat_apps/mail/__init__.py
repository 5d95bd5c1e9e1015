"""E-mails answered: read by IMAP, answered by SMTP; what a program sent, or nobody vouches for, is not."""
