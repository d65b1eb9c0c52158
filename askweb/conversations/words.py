"""The words that scripts show. They reach the browser as JSON in the page, already translated."""

from django.utils.translation import gettext as _

from questions.words import question_words


def browser_words() -> dict[str, str]:
    return {**_faults(), **_everywhere(), **_composer(), **_replies(), **_lists(), **question_words()}


def _faults() -> dict[str, str]:
    return {
        "reconnecting": _("Reconnecting…"),
        "forbidden_origin": _(
            "Live updates are refused for this address. Open AskWeb at the address it was set up with "
            "(ASKWEB_URL), or reload to see what is new."
        ),
        "unreachable": _(
            "The server can't be reached. Your text is kept here: check that AskWeb is running, then send again."
        ),
        "server_failed": _("The server had a problem. Your text is kept here: send again in a moment."),
        "signed_out": _(
            "You are signed out. Your text is kept here: sign in again in another tab, then send."
        ),
        "too_large": _("This is too much text for one message. Shorten it, or send it in parts."),
        "gone": _(
            "This conversation was deleted in another window. Your text is kept here: start a new conversation."
        ),
        "still_writing": _("An answer is still being written. Wait for it, or stop it; your text is kept."),
        "stop_failed": _("The answer could not be stopped. Try again, or reload the page."),
    }


def _everywhere() -> dict[str, str]:
    return {
        "copied": _("Copied"),
        "copy": _("Copy"),
        "copy_failed": _("Copying failed"),
        "load_failed": _("This could not be loaded. Open the link in a new tab, or try again."),
        "no_errors": _("No errors"),
        "one_error": _("One error"),
        "errors": _("{count} errors"),
    }


def _composer() -> dict[str, str]:
    return {
        "one_suggestion": _("One suggestion. Enter picks it, Escape closes."),
        "suggestions": _("{count} suggestions. Arrow keys choose, Enter picks, Escape closes."),
        "tool_chosen": _("Tool: {name}"),
        "mentioned": _("Put into your message: {name}"),
        "image_too_large": _("{name} is larger than 5 MB. Use a smaller image."),
        "earlier_shown": _("{count} earlier messages are shown above."),
    }


def _replies() -> dict[str, str]:
    return {
        "writing": _("Writing an answer"),
        "retrying": _(
            "The provider can't answer right now. Trying again in {seconds} s ({attempt} of {of})."
        ),
        "retrying_now": _("Trying again…"),
        "finished": _("The answer is finished."),
        "unfinished": _("The answer ended early."),
        "formula_broken": _("This formula can't be set: {why}"),
        "formula_long": _("It is too long."),
    }


def _lists() -> dict[str, str]:
    return {
        "untitled": _("Untitled conversation"),
        "listed_more": _("Pin, archive or delete"),
        "pin": _("Pin"),
        "unpin": _("Unpin"),
        "archive": _("Archive"),
        "unarchive": _("Unarchive"),
        "done_pin": _("Pinned."),
        "done_unpin": _("No longer pinned."),
        "done_archive": _("Archived."),
        "done_unarchive": _("Back among the current ones."),
        "done_delete": _("Deleted."),
        "not_json": _("This is not a file that AskWeb has saved: it is not JSON."),
    }
