from django.core.management.commands import makemessages


class Command(makemessages.Command):
    """Django's own, which also sees the texts that are translated where they are shown."""

    xgettext_options = [*makemessages.Command.xgettext_options, "--keyword=_lazy"]
