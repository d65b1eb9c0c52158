from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from askweb.accounts.inviting import invite
from askweb.accounts.links import invitation_url
from askweb.accounts.roles import Role
from askweb.errors import Problem


class Command(BaseCommand):
    help = "Print a link that lets somebody new in, once, within 7 days. Hand it over yourself."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="who it is for")
        parser.add_argument("--role", choices=Role.values, default=Role.READER.value)
        parser.add_argument("--email", default="")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            _invitation, token = invite({field: options[field] for field in ("name", "role", "email")})
        except Problem as problem:
            faults = [each["message"] for faults in problem.fields.values() for each in faults]
            raise CommandError(" ".join(faults) or problem.message) from problem
        self.stdout.write(invitation_url(token))
