from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from askweb.accounts.models import User
from askweb.audit.models import Act
from askweb.audit.noting import note


class Command(BaseCommand):
    help = "Print a new device token of the owner for a script, alone on its line. It can't be shown again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="what the device is called in the list of devices")

    def handle(self, *args: Any, **options: Any) -> None:
        device, token = User.objects.owner().new_device(options["name"])
        note(Act.DEVICE_MADE, None, who=device.user, target=device.pk)
        self.stdout.write(token)
