"""People and invitations over REST, for owners alone."""

from uuid import UUID

from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from askweb.accounts.changing import change_person
from askweb.accounts.invitations import Invitation
from askweb.accounts.inviting import invite
from askweb.accounts.links import invitation_url, new_sign_in_url
from askweb.accounts.models import SIGN_IN_LINK_LIFE, User
from askweb.accounts.people_shapes import (
    InvitationShape,
    PersonShape,
    SignInLinkShape,
    invitation_shape,
    person_shape,
)
from askweb.audit.models import Act
from askweb.audit.noting import note
from askweb.limits.usage import usage_of, usage_of_each
from askweb.people import owner_of
from askweb.schema import NOTHING, answers, pages_of, takes


class PersonList(APIView):
    @extend_schema(operation_id="people_list", responses=pages_of(PersonShape))
    def get(self, request: Request) -> Response:
        """Everybody who is here, or was, with what they use; in the order in which they came."""
        owner_of(request)
        people = User.objects.order_by("date_joined", "pk")
        usage = usage_of_each(people)
        return Response({"results": [person_shape(each, usage[each.pk]) for each in people], "next": None})


class PersonDetail(APIView):
    scope = "settings"

    @extend_schema(responses=answers(PersonShape, problems=(401, 403, 404)))
    def get(self, request: Request, id_: UUID) -> Response:
        person = _person(request, id_)
        return Response(person_shape(person, usage_of(person)))

    @extend_schema(
        request=takes(), responses=answers(PersonShape, problems=(400, 401, 403, 404, 409, 413, 422))
    )
    def patch(self, request: Request, id_: UUID) -> Response:
        """Change `role`, `active` and `limits`, where null is the server's; `password: null` forgets a lost one.

        The last owner stays one, and active.
        """
        person = change_person(_person(request, id_), request.data)
        note(Act.PERSON_CHANGED, request, target=person.pk)
        return Response(person_shape(person, usage_of(person)))


class PersonSignInLink(APIView):
    scope = "settings"

    @extend_schema(
        request=None, responses=answers(SignInLinkShape, status=201, problems=(401, 403, 404, 409))
    )
    def post(self, request: Request, id_: UUID) -> Response:
        """A link to hand over: it lets the person in once, within 15 minutes."""
        shape: SignInLinkShape = {
            "url": new_sign_in_url(_person(request, id_)),
            "expires_at": timezone.now() + SIGN_IN_LINK_LIFE,
        }
        note(Act.LINK_MADE, request, target=id_)
        return Response(shape, status=201)


class InvitationList(APIView):
    scope = "settings"

    @extend_schema(operation_id="invitations_list", responses=pages_of(InvitationShape))
    def get(self, request: Request) -> Response:
        """Those that can still be accepted, newest first."""
        owner_of(request)
        pending = [invitation_shape(each) for each in Invitation.objects.pending()]
        return Response({"results": pending, "next": None})

    @extend_schema(
        request=takes(name=str),
        responses=answers(InvitationShape, status=201, problems=(400, 401, 403, 404, 413, 422)),
    )
    def post(self, request: Request) -> Response:
        """Invite somebody: `name`, and if you like `email` and `role`. Hand `url` over; it is told this once."""
        owner_of(request)
        invitation, token = invite(request.data)
        note(Act.PERSON_INVITED, request, target=invitation.pk)
        return Response({**invitation_shape(invitation), "url": invitation_url(token)}, status=201)


class InvitationDetail(APIView):
    scope = "settings"

    @extend_schema(responses=NOTHING)
    def delete(self, request: Request, id_: UUID) -> Response:
        """Revoke it: its link lets nobody in from now on."""
        owner_of(request)
        get_object_or_404(Invitation.objects.pending(), pk=id_).delete()
        note(Act.INVITATION_REVOKED, request, target=id_)
        return Response(status=204)


def _person(request: Request, id_: UUID) -> User:
    owner_of(request)
    return get_object_or_404(User, pk=id_)
