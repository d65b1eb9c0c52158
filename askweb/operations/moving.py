"""Moving: everything that this data folder's SQLite holds goes into an empty PostgreSQL database, once."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence

import dj_database_url
from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.core.management.color import no_style
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection, connections, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Model

from askweb.conversations.searched import SearchDocument, SearchedConversation
from askweb.operations.rows import Checksum, Row, checksum_of, fields_of, refused, rows_of
from askweb.runs.data_folder import DataFolderInUse, folder_lock

ALIAS = "postgresql"
READ_ANEW: tuple[type[Model], ...] = (SearchDocument, SearchedConversation)
"""What search has read: each database keeps it in its own form. Without these rows it is read again."""
MADE_BY_MIGRATING: tuple[type[Model], ...] = (Permission, ContentType)
"""Replaced by the rows of the same names that others refer to. Those first that refer to the others."""

Say = Callable[[str], object]


class CannotMove(Exception):
    """Why nothing was moved, and what to do, in a sentence."""


def move(address: str, say: Say) -> int:
    """Copy all rows, in one transaction; return how many. Where it fails, PostgreSQL has tables without rows."""
    _check_source()
    try:
        folder_lock.take()
        _connect(address)
        _prepare(address, say)
        with transaction.atomic(), transaction.atomic(ALIAS):
            return _copy_all(say)
    except DataFolderInUse as error:
        raise CannotMove(str(error)) from error
    except DatabaseError as error:
        raise CannotMove(f"Nothing was moved: {_first_line(error)}") from error
    finally:
        connections.close_all()
        folder_lock.release()


def moved_models() -> list[type[Model]]:
    models = apps.get_models(include_auto_created=True)
    return [each for each in models if each._meta.managed and not each._meta.proxy and each not in READ_ANEW]


def _check_source() -> None:
    if not settings.ON_SQLITE:
        raise CannotMove(
            "DATABASE_URL names PostgreSQL already. Leave it out: what is moved is the SQLite of ASKWEB_DATA."
        )
    if not (settings.DATA_DIR / "db.sqlite3").exists():
        raise CannotMove(
            f"There is no database in {settings.DATA_DIR}. Set ASKWEB_DATA to the folder that has it."
        )


def _connect(address: str) -> None:
    if not address.startswith(("postgresql://", "postgres://")):
        raise CannotMove("The address must look like postgresql://user:password@host/name.")
    try:
        target = dj_database_url.parse(address)
    except ValueError as error:
        raise CannotMove(
            "The address can't be read. It looks like postgresql://user:password@host/name."
        ) from error
    configured = connections.configure_settings({DEFAULT_DB_ALIAS: {}, ALIAS: dict(target)})
    connections.settings[ALIAS] = configured[ALIAS]


def _prepare(address: str, say: Say) -> None:
    """Both have the tables of this release, and the new ones are empty."""
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise CannotMove("The tables of SQLite are of an older release: run `manage.py migrate` first.")
    connection.check_constraints()
    tables = set(connections[ALIAS].introspection.table_names())
    if tables and "django_migrations" not in tables:
        raise CannotMove("The database holds tables of something else. Make an empty one with createdb.")
    for model in moved_models():
        if model not in MADE_BY_MIGRATING and model._meta.db_table in tables:
            _check_empty(model)
    say("Making the tables …")
    _migrate(address)


def _check_empty(model: type[Model]) -> None:
    if model._base_manager.using(ALIAS).exists():
        raise CannotMove(
            f"The database is in use: {model._meta.db_table} has rows, and nothing is added to them. "
            "Make an empty one with createdb."
        )


def _migrate(address: str) -> None:
    """In a process of its own: with PostgreSQL there are tables more, those of the workers' jobs."""
    result = subprocess.run(  # noqa: S603 - nothing from outside but the address, which is no argument
        [sys.executable, settings.BASE_DIR / "manage.py", "migrate", "--noinput", "-v0"],
        env=os.environ | {"DATABASE_URL": address},
        capture_output=True,
        text=True,
        check=False,
    )
    if result.returncode:
        last = (result.stderr.strip().splitlines() or ["no reason was given"])[-1]
        raise CannotMove(f"The tables could not be made: {last}")


def _copy_all(say: Say) -> int:
    for model in MADE_BY_MIGRATING:
        model._base_manager.using(ALIAS).all().delete()
    models = moved_models()
    copied = {model: _copy(model, say) for model in models}
    _set_sequences(models)
    connections[ALIAS].check_constraints()
    say("Comparing …")
    for model, checksum in copied.items():
        _compare(model, checksum)
    return sum(checksum.count for checksum in copied.values())


def _copy(model: type[Model], say: Say) -> Checksum:
    fields, checksum, target = fields_of(model), Checksum(), connections[ALIAS]
    quote = target.ops.quote_name
    columns = ", ".join(quote(str(field.column)) for field in fields)
    command = f"COPY {quote(model._meta.db_table)} ({columns}) FROM STDIN"
    with target.wrap_database_errors, target.cursor() as cursor, cursor.copy(command) as copy:
        for row in _readable_rows(model):
            _check_row(model, row)
            checksum.add(fields, row)
            values = zip(fields, row, strict=True)
            copy.write_row([field.get_db_prep_save(value, target) for field, value in values])
    if checksum.count:
        say(f"{model._meta.db_table}: {checksum.count}")
    return checksum


def _readable_rows(model: type[Model]) -> Iterator[Row]:
    try:
        yield from rows_of(model, DEFAULT_DB_ALIAS)
    except ValueError as error:
        raise CannotMove(
            f"Nothing was moved: {model._meta.db_table} has a row that can't be read ({type(error).__name__})."
        ) from error


def _check_row(model: type[Model], row: Row) -> None:
    for field, value in zip(fields_of(model), row, strict=True):
        if why := refused(field, value, ALIAS):
            key = row[[each.primary_key for each in fields_of(model)].index(True)]
            raise CannotMove(
                f"Nothing was moved: in {model._meta.db_table}, the row {key} {why} in its column {field.column}, "
                "which PostgreSQL refuses. Correct or delete it, then try again."
            )


def _set_sequences(models: Sequence[type[Model]]) -> None:
    """Ids that PostgreSQL gives go on after those that came along."""
    target = connections[ALIAS]
    with target.cursor() as cursor:
        for statement in target.ops.sequence_reset_sql(no_style(), models):
            cursor.execute(statement)


def _compare(model: type[Model], copied: Checksum) -> None:
    found = checksum_of(model, ALIAS)
    if found != copied:
        raise CannotMove(
            f"Nothing was moved: {model._meta.db_table} has {found.count} rows in PostgreSQL and {copied.count} in "
            "SQLite, or they differ. This is a fault of the command; please tell it."
        )


def _first_line(error: Exception) -> str:
    """Further ones quote rows."""
    return next(iter(str(error).splitlines()), type(error).__name__)
