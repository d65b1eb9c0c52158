"""Devices over REST: listed without anything secret, revoked by their person alone."""

import pytest
from django.utils.dateparse import parse_datetime
from rest_framework.test import APIClient

from askweb.accounts.models import Device, User
from askweb.ids import new_id

pytestmark = pytest.mark.django_db


def path_of(device: Device) -> str:
    return f"/api/devices/{device.pk}/"


@pytest.fixture
def device(person: User) -> Device:
    return person.new_device("Phone", ("ask", "read"))[0]


def test_they_are_listed_newest_first(api: APIClient, device: Device) -> None:
    answer = api.get("/api/devices/").json()
    assert [each["name"] for each in answer["results"]] == ["Phone", "tests"]
    assert answer["next"] is None


def test_one_has_the_promised_shape(api: APIClient, device: Device) -> None:
    shape = api.get("/api/devices/").json()["results"][0]
    assert parse_datetime(shape.pop("created")) == device.created
    assert shape == {"id": str(device.pk), "name": "Phone", "scopes": ["ask", "read"], "last_used": None}


def test_the_last_use_is_shown(api: APIClient) -> None:
    api.get("/api/devices/")
    assert api.get("/api/devices/").json()["results"][0]["last_used"] is not None


def test_another_persons_are_not_listed(other_api: APIClient, device: Device) -> None:
    assert [each["name"] for each in other_api.get("/api/devices/").json()["results"]] == ["tests"]


def test_a_revoked_one_is_refused(api: APIClient, person: User) -> None:
    device, token = person.new_device("Phone")
    assert api.delete(path_of(device)).status_code == 204
    phone = APIClient(headers={"Authorization": f"Bearer {token}"})
    assert phone.get("/api/devices/").status_code == 401


def test_one_may_give_itself_up_whatever_its_scopes(person: User) -> None:
    (own, token), (other, _token) = person.new_device("Phone", ("read",)), person.new_device("Desk")
    phone = APIClient(headers={"Authorization": f"Bearer {token}"})
    assert phone.delete(path_of(other)).status_code == 403
    assert phone.delete(path_of(own)).status_code == 204
    assert list(person.devices.all()) == [other]


def test_another_persons_is_not_found_and_stays(other_api: APIClient, device: Device) -> None:
    assert other_api.delete(path_of(device)).json()["error"]["code"] == "not_found"
    assert Device.objects.filter(pk=device.pk).exists()


def test_an_unknown_one_is_not_found(api: APIClient) -> None:
    assert api.delete(f"/api/devices/{new_id()}/").status_code == 404
