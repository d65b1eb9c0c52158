from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models import Q

from askweb.accounts.links import sign_in_url
from askweb.accounts.models import User
from askweb.audit.models import Act
from askweb.audit.noting import note


class Command(BaseCommand):
    help = "Print a new link that signs a person in once, within 15 minutes."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("who", nargs="?", help="a user name or an address; without it, the owner")

    def handle(self, *args: Any, **options: Any) -> None:
        person = self._person(options["who"])
        self.stdout.write(sign_in_url(person))
        note(Act.LINK_MADE, None, target=person.pk)

    def _person(self, who: str | None) -> User:
        if who is None:
            return User.objects.owner()
        people = User.objects.filter(Q(username=who) | Q(email__iexact=who), is_active=True)
        if people.count() != 1:
            raise CommandError(
                f"{people.count()} people have the name or address {who}; a link needs exactly one."
            )
        return people.get()
