from typing import Any

from django.core.management.base import BaseCommand

from askweb.providers.rotating import rotate_keys


class Command(BaseCommand):
    help = (
        "Encrypts the keys of all providers again: under the first of ASKWEB_PROVIDER_KEYS, or else under a "
        "new secret in the data folder. Safe to interrupt and to repeat; the server may run meanwhile."
    )

    def handle(self, **options: Any) -> None:
        rotated = rotate_keys()
        keys = "1 key" if rotated.count == 1 else f"{rotated.count} keys"
        self.stdout.write(f"Encrypted {keys} again.")
        for name in rotated.unreadable:
            self.stderr.write(
                f"The key of {name} can't be read any more and was left as it is: enter it again."
            )
