"""What happens once, before the first request is served."""

from askweb.accounts.models import User
from askweb.providers.models import LOCAL, Provider
from askweb.runs.database import one_process_at_a_time
from askweb.runs.leasing import interrupt_left_behind
from askweb.runs.sweeping import expire_questions
from prompts.shipped import load_shipped_tools
from questions.offering import store_wording


def start_up() -> None:
    """Tidy up after a crash and bring what ships with a release up to date. Safe to repeat."""
    interrupt_left_behind()
    expire_questions()
    with one_process_at_a_time():
        load_shipped_tools()
        store_wording()
        User.objects.owner()
        Provider.objects.get_or_create(user=None, slug=LOCAL, defaults={"name": "Local", "preset": LOCAL})
