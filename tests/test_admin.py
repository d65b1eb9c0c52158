"""What can't be changed in the admin has no button that says so."""

import pytest
from django.contrib import admin
from django.db.models import Model
from django.test import Client, RequestFactory

from askweb.accounts.models import User
from askweb.audit.models import AuditEntry
from askweb.conversations.models import Conversation, Message
from askweb.images.models import Image
from prompts.models import ContextLook
from questions.models import QuestionSet

pytestmark = pytest.mark.django_db

READ_ONLY = [AuditEntry, ContextLook, Conversation, Image, Message, QuestionSet]


@pytest.mark.parametrize("model", READ_ONLY, ids=lambda model: model.__name__)
def test_rows_that_are_only_read_are_not_changed_by_an_owner_either(
    rf: RequestFactory, person: User, model: type[Model]
) -> None:
    request = rf.get("/")
    request.user = person
    page = admin.site.get_model_admin(model)
    assert page.has_view_permission(request)
    assert not page.has_change_permission(request)
    assert not page.has_add_permission(request)


def test_their_pages_offer_to_close_and_to_delete(client: Client, person: User) -> None:
    client.force_login(person)
    row = Conversation.objects.create(user=person)
    page = client.get(f"/admin/conversations/conversation/{row.pk}/change/").content.decode()
    assert 'class="closelink"' in page
    assert 'class="deletelink"' in page
    assert 'name="_save"' not in page
