from datetime import datetime
from typing import TypedDict

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from askweb.accounts.models import SocketTicket
from askweb.people import person_of
from askweb.schema import answers


class TicketShape(TypedDict):
    ticket: str
    expires_at: datetime


class SocketTickets(APIView):
    """A one-use ticket, good for 30 seconds, that opens one socket: /ws/?ticket=…"""

    scope = "read"

    @extend_schema(request=None, responses=answers(TicketShape, status=201))
    def post(self, request: Request) -> Response:
        token, ticket = SocketTicket.objects.issue(person_of(request))
        shape: TicketShape = {"ticket": token, "expires_at": ticket.expires_at}
        return Response(shape, status=201)
