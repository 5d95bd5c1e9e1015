"""Raw files are read in processes of their own, within limits: whatever a file does to its reader, only it is lost.

pool.py          as many processes as are needed at the same time
process.py       one process, as its owner sees it: started, given requests, replaced when it dies
worker.py        the same process from within: it answers requests
protocol.py      what passes between the two, as JSON
channel.py       messages over its standard input and output
confinement.py    what it gives up before it reads: files, network, other processes (landlock.py, seccomp.py, linux.py)
resource_limits.py  what the kernel lets it take
meter.py          what it takes for one document, as its owner sees it
starting.py       how it is started, and with which environment
programs.py       tesseract, which it may not start itself
conversion.py     converters, likewise, for files that no reader reads
"""
