"""Fills a data folder with something of everything, without a server: python -m tests.operations.filling ADDRESS

It makes the tables, and prints what a test needs to know. ADDRESS is where a provider answers.
"""

import json
import os
import sys
from typing import Any

import django

CHINESE = "数据库里的一页。" * 400
ANSWER = "回答：好的。"
PAGE = {"id": "page", "title": "A page", "url": "https://ok.example/页", "content": CHINESE, "ratio": 1e2}


def fill(address: str) -> dict[str, str]:
    from django.core.management import call_command
    from rest_framework.test import APIClient

    from askweb.accounts.models import User
    from askweb.audit.models import Act, AuditEntry
    from askweb.providers.models import Provider
    from askweb.runs.start_up import start_up

    call_command("migrate", verbosity=0)
    start_up()
    owner = User.objects.owner()
    User.objects.create_user("somebody")
    device, token = owner.new_device("tests")
    AuditEntry.objects.create(act=Act.DEVICE_MADE, target=str(device.pk), address="::ffff:10.0.0.1")
    provider = Provider(user=owner, slug="parrot", name="鹦鹉", base_url=address, default_model="parrot")
    provider.api_key = "sk-test"
    provider.save()
    client = APIClient(HTTP_AUTHORIZATION=f"Bearer {token}", HTTP_HOST="127.0.0.1")
    return {"token": token, **_ask(client)}


def _ask(client: Any) -> dict[str, str]:
    from django.core.files.uploadedfile import SimpleUploadedFile

    from askweb.conversations.reading_on import read_conversation
    from askweb.runs.models import Run, State
    from askweb.runs.settling import UnsavedText, settle
    from tests.images.pictures import drawn, written
    from tests.live.asking import TARGET

    question = {"role": "user", "content": "Was steht da? 写了什么？"}
    envelope = {"context": [PAGE], "meta": {"provider": "parrot"}, "messages": [question]}
    posted = client.post("/api/conversations/", envelope, format="json").json()
    run = Run.objects.get(pk=posted["run"]["id"])
    settle(run, State.COMPLETED, UnsavedText(ANSWER), finish="stop")
    while read_conversation(run.conversation_id):
        pass
    image = SimpleUploadedFile("a.png", written(drawn(), "PNG"))
    set_ = {"conversation": posted["conversation"]["id"], "questions": [TARGET]}
    tool = {"slug": "mine", "name": "我的", "draft": "Do {{chat.text}}"}
    for answer in (
        client.post("/api/images/", {"image": image}, format="multipart"),
        client.post("/api/questions/", set_, format="json"),
        client.post("/api/tools/", tool, format="json"),
        client.post("/api/tools/mine/publish/", format="json"),
    ):
        assert answer.status_code in (200, 201), answer.content
    return {key: posted[key]["id"] for key in ("conversation", "message", "reply")}


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "askweb.settings")
    django.setup()
    print(json.dumps(fill(sys.argv[1])))
