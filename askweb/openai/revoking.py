"""What happens to an answer whose client is no longer let in: its run is stopped, as if the client had left."""

from askweb.accounts.access import Access
from askweb.openai.following import Following
from askweb.runs.hub import hub
from askweb.runs.models import Run


class Watch:
    """A request that is closed with the sockets of its device or person."""

    def __init__(self, run: Run, access: Access) -> None:
        self.access = access
        self._run = run
        hub.sockets.add(self)

    def end(self) -> None:
        hub.sockets.discard(self)

    async def restart(self) -> None:
        """Its run may go on to its end while the server drains."""

    async def access_ended(self) -> None:
        Following(self._run, deltas=False).leave()
