"""What the buttons on the pages of tools do. Each act returns where to go, and tells the person."""

from collections.abc import Callable, Mapping

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from askweb.accounts.models import User
from askweb.errors import Problem
from askweb.people import person_of
from prompts.editing import change_tool, create_tool, delete_tool
from prompts.importing import LARGEST_FILE, import_tools
from prompts.models import Tool
from prompts.noting import noting_published
from prompts.page_forms import EditorForm, current_text, fingerprint, read_settings, tool_address
from prompts.publishing import publish_draft, restore

Act = Callable[[HttpRequest, Tool, EditorForm], str]


def may_edit(person: User, tool: Tool) -> bool:
    return tool.owner_id == person.pk or (tool.owner_id is None and person.is_staff)


def _save(request: HttpRequest, tool: Tool, form: EditorForm) -> str:
    """Keep the text as the draft; one that is in use already needs none."""
    _refuse_stale(tool, form)
    text = form.template or ""
    is_in_use = tool.published is not None and tool.published.source == text
    change_tool(tool, {"draft": None if is_in_use else text})
    messages.success(request, _("This text is in use already.") if is_in_use else _("The draft is saved."))
    return tool_address(tool, context=form.context)


def _publish(request: HttpRequest, tool: Tool, form: EditorForm) -> str:
    """Keep the text, then publish it: a text with errors stays as the draft."""
    _refuse_stale(tool, form)
    change_tool(tool, {"draft": form.template or ""})
    with noting_published(request, tool):
        version = publish_draft(tool)
    messages.success(request, _("Version {number} is in use now.").format(number=version.number))
    return tool_address(tool, context=form.context)


def _discard(request: HttpRequest, tool: Tool, form: EditorForm) -> str:
    change_tool(tool, {"draft": None})
    messages.success(request, _("The draft is gone."))
    return tool_address(tool, context=form.context)


def _restore(request: HttpRequest, tool: Tool, form: EditorForm) -> str:
    number = request.POST.get("number", "")
    with noting_published(request, tool):
        version = restore(tool, int(number) if number.isdecimal() and len(number) < 9 else 0)
    told = _("The text of version {old} is in use again, as version {new}.")
    messages.success(request, told.format(old=number, new=version.number))
    return tool_address(tool, context=form.context)


def _settings(request: HttpRequest, tool: Tool, form: EditorForm) -> str:
    """Name and options apply at once; they are no part of a version."""
    change_tool(tool, read_settings(request.POST))
    messages.success(request, _("The settings are saved, and in use."))
    return tool_address(tool)


def _delete(request: HttpRequest, tool: Tool, form: EditorForm) -> str:
    name = tool.name
    delete_tool(tool)
    messages.success(request, _("{name} is deleted.").format(name=name))
    return reverse("tools")


def _refuse_stale(tool: Tool, form: EditorForm) -> None:
    """Somebody else's changes are not written over unseen; pressing the button once more does it."""
    if form.seen and form.seen != fingerprint(current_text(tool)):
        message = _(
            "The tool was changed meanwhile, in another window or by someone else. Your text is kept below: "
            "compare, then press the button again to put it in place of the other one."
        )
        raise Problem("draft.changed", message, status=409)


EDITING: Mapping[str, Act] = {
    "save": _save,
    "publish": _publish,
    "discard": _discard,
    "restore": _restore,
    "settings": _settings,
    "delete": _delete,
}


def new_tool(request: HttpRequest) -> str:
    """A tool of the person's, or a shared one where staff ask for that; it starts as an empty draft."""
    shared = request.POST.get("owner") == "shared"
    person = person_of(request)
    if shared and not person.is_staff:
        raise PermissionDenied
    tool = create_tool(person, {"name": request.POST.get("name", ""), "draft": ""}, shared=shared)
    return tool_address(tool)


def copy_tool(request: HttpRequest) -> str:
    tool = create_tool(person_of(request), {"copy_of": request.POST.get("slug", "")})
    messages.success(request, _("This is your own copy. Change it as you like."))
    return tool_address(tool)


def import_file(request: HttpRequest) -> str:
    """Import a TOML file as tools of the person's, and tell what became of each table."""
    result = import_tools(person_of(request), _text_of(request.FILES.get("file")))
    for told, done in ((_("Added: {names}"), result.created), (_("Changed: {names}"), result.updated)):
        if done:
            messages.success(request, told.format(names=", ".join(each.slug for each in done)))
    for each in (each for each in (*result.created, *result.updated) if not each.published):
        messages.warning(request, _("{name} has errors and is kept as a draft.").format(name=each.slug))
    for skipped in result.skipped:
        messages.warning(request, f"{skipped.slug}: {skipped.reason}")
    return reverse("tools")


LISTING: Mapping[str, Callable[[HttpRequest], str]] = {
    "new": new_tool,
    "copy": copy_tool,
    "import": import_file,
}


def _text_of(file: "UploadedFile[bytes] | None") -> str:
    if file is None:
        raise Problem("file.missing", _("Choose a file first."))
    content: bytes = file.read(4 * LARGEST_FILE)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Problem("text.broken", _("The file is not UTF-8.")) from error
