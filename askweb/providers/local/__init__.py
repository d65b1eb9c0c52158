"""The small model that comes with the default install, served by a child process of this server.

Nothing is imported here: the child imports this package too, and must start without Django.
"""
