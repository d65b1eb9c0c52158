from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from askweb.operations.moving import CannotMove, move


class Command(BaseCommand):
    help = "Copies everything from the SQLite of the data folder into an empty PostgreSQL database, all or nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("address", help="postgresql://user:password@host/name")

    def handle(self, *, address: str, **options: Any) -> None:
        try:
            count = move(address, self.stdout.write)
        except CannotMove as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"Moved {count} rows; each is the same on both sides. Set DATABASE_URL to this address from now on and keep "
            "ASKWEB_DATA, or take ASKWEB_SECRET_KEY and ASKWEB_PROVIDER_KEYS from its files secret_key and provider_key. "
            "What search has read is read anew while the server runs. db.sqlite3 is left as it was."
        )
