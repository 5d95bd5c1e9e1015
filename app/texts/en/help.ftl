## What helps when something did not work

help-open = What helps
help-generator = <p>Your question is kept, and what you see is true: it is quoted from the documents. What is missing is the language model that
    writes an answer in its own words; its server is down, busy, or refused.</p>
    <ul><li>Press <b>Try again</b> in a minute.</li>
    <li>Where there is a choice, let another model answer, or <b>Quotes alone, no model</b> under <b>Written by</b>.</li>
    <li>If it lasts, tell whoever runs this page: <b>Admin</b> › models and servers tests each server, and says why one fails.</li></ul>
help-unpublished = <p>There is nothing to search yet: no documents were read, or what was read was not published because a check stopped it.</p>
    <ul><li>Who looks after the documents adds some under <b>Collections</b>, and presses <b>Sync now</b>.</li>
    <li>If that was done, <b>Quality</b> says whether a version was refused, and why.</li>
    <li>This page notices the first version by itself; you need not reload it.</li></ul>
help-permission = <p>Documents have readers, and what you may not read is not shown, not counted and not quoted. That can change at any time, also for
    an answer that you have seen.</p>
    <ul><li>Are you signed in with the account that you mean? Your name is in the upper corner.</li>
    <li>Ask the owner of the document, or whoever runs this page, to let you or your group read it. Tell them the title and your name.</li>
    <li>A link that somebody sent you opens only what you may read yourself.</li></ul>
help-signed-out = <p>For safety one stays signed in for some hours only. Your chats are kept, and what you had typed is still in the box when you are
    back.</p><ul><li>Sign in again.</li><li>If that fails at once, the clock of your device may be wrong, or your account was closed: ask whoever runs this
    page.</li></ul>
help-limits = <p>So that one person does not take the machine from all others, each may ask only so often. Nothing was lost, and nothing is held
    against you.</p>
    <ul><li>Wait for the seconds that are named, and press the button again.</li>
    <li>For many questions at once, a program may ask over the API; whoever runs this page can raise the limits under <b>Admin</b>.</li></ul>
help-long = <p>A chat takes up to ten files of 20{ "\u00A0" }MB each, and texts of up to two million characters in all. A long text that you paste becomes such
    a file by itself.</p>
    <ul><li>Attach the part that your question is about.</li>
    <li>What several people will ask about belongs into a collection, where files may be larger.</li>
    <li>A scan is read only where text recognition is set up; a file with a password is not read.</li></ul>
help-moved = <p>The documents are read anew from time to time, and each time they become a version. An answer, a quote or a link keeps the version
    that it was made from.</p>
    <ul><li><b>Ask again</b> answers from what is published now.</li>
    <li>In the document, <b>Read it as it was cited</b> shows the older text as long as it is kept, and <b>History</b> shows what changed.</li></ul>
help-failed = <p>Your question and your chats are kept.</p>
    <ul><li>Try again; what was short of time or memory often works then.</li>
    <li>Reload the page. An answer that the server is still writing goes on.</li>
    <li>If it happens again, tell whoever runs this page what you did and at what time: the reason is in the log, and <code>rag doctor</code> names
    what is missing.</li></ul>
