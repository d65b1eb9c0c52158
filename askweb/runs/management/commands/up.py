from typing import Any

from django.core.management.base import BaseCommand, CommandError

from askweb.runs.serving import CannotServe, serve


class Command(BaseCommand):
    help = "Set up what is missing and serve everything on this machine, in this process."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            serve(self.stdout.write)
        except CannotServe as error:
            raise CommandError(str(error)) from error
