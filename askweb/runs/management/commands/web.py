from typing import Any

from django.core.management.base import BaseCommand, CommandError

from askweb.runs.serving import CannotServe, serve_web


class Command(BaseCommand):
    help = "Serve people in this process, beside other ones; needs workers, PostgreSQL and Redis."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            serve_web(self.stdout.write)
        except CannotServe as error:
            raise CommandError(str(error)) from error
