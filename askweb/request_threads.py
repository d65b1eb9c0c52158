"""The thread that Django gives a request. Whoever waits for long gives it back."""

from asgiref.sync import SyncToAsync


def release_thread() -> None:
    """Django keeps a request's thread until the end, which waiting puts off; a new one comes at need."""
    context = SyncToAsync.thread_sensitive_context.get(None)
    executor = SyncToAsync.context_to_thread_executor.pop(context, None) if context else None
    if executor is not None:
        executor.shutdown(wait=False)
