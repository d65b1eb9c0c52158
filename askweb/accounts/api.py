from datetime import datetime
from typing import TypedDict
from uuid import UUID

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from askweb.accounts.models import Device, SocketTicket
from askweb.accounts.pairing import redeem
from askweb.accounts.permissions import HasScopeOrIsItself
from askweb.accounts.shapes import DeviceShape, device_shape
from askweb.audit.models import Act
from askweb.audit.noting import note
from askweb.people import person_of
from askweb.rates import PairingRate
from askweb.schema import NOTHING, answers, pages_of, takes


class TicketShape(TypedDict):
    ticket: str
    expires_at: datetime


class WhoShape(TypedDict):
    username: str
    name: str


class PairedShape(TypedDict):
    token: str
    device: DeviceShape
    person: WhoShape


class SocketTickets(APIView):
    """A one-use ticket, good for 30 seconds, that opens one socket: /ws/?ticket=…"""

    scope = "read"

    @extend_schema(request=None, responses=answers(TicketShape, status=201))
    def post(self, request: Request) -> Response:
        device = request.auth if isinstance(request.auth, Device) else None
        session_key = "" if device else request.session.session_key or ""
        token, ticket = SocketTicket.objects.issue(person_of(request), device, session_key)
        shape: TicketShape = {"ticket": token, "expires_at": ticket.expires_at}
        return Response(shape, status=201)


class DeviceList(APIView):
    @extend_schema(operation_id="devices_list", responses=pages_of(DeviceShape))
    def get(self, request: Request) -> Response:
        """The programs that act for the person, newest first."""
        devices = person_of(request).devices.newest_first()
        return Response({"results": [device_shape(each) for each in devices], "next": None})


class DeviceDetail(APIView):
    scope = "settings"
    permission_classes = (HasScopeOrIsItself,)

    @extend_schema(responses=NOTHING)
    def delete(self, request: Request, id_: UUID) -> Response:
        """Revoke the device: its token is refused from now on. It may do so itself, whatever its scopes."""
        get_object_or_404(person_of(request).devices, pk=id_).revoke()
        note(Act.DEVICE_REVOKED, request, target=id_)
        return Response(status=204)


class Pairing(APIView):
    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_classes = (PairingRate,)

    @extend_schema(
        request=takes(code=str, code_verifier=str),
        responses=answers(PairedShape, status=201, problems=(400, 422)),
    )
    def post(self, request: Request) -> Response:
        """Trade a `code` from /pair/ and its `code_verifier` for a device's token, which is shown this once."""
        device, token = redeem(request.data)
        note(Act.DEVICE_PAIRED, request, who=device.user, target=device.pk)
        who: WhoShape = {"username": device.user.username, "name": device.user.get_full_name()}
        shape: PairedShape = {"token": token, "device": device_shape(device), "person": who}
        return Response(shape, status=201, headers={"Cache-Control": "no-store"})
