from typing import Any

from django.core.management.base import BaseCommand, CommandError

from askweb.runs.serving import CannotServe, work


class Command(BaseCommand):
    help = "Execute runs in this process, beside other ones; needs PostgreSQL and Redis."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            work(self.stdout.write)
        except CannotServe as error:
            raise CommandError(str(error)) from error
