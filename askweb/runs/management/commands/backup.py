from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from askweb.operations.backing_up import CannotBackUp, back_up


class Command(BaseCommand):
    help = "Copies the data folder, database and secrets, while the server runs. The copy is a data folder itself."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("target", type=Path, help="a folder that does not exist yet")

    def handle(self, *, target: Path, **options: Any) -> None:
        try:
            files = back_up(target.expanduser().absolute())
        except CannotBackUp as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"Copied and checked: {', '.join(files)} are in {target}. Keep it as safe as a password."
        )
