"""How the OpenAPI document says who may call."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension


class DeviceScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "askweb.accounts.authentication.DeviceAuthentication"
    name = "device"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        return {"type": "http", "scheme": "bearer", "description": "A device token."}


class PersonScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "askweb.accounts.authentication.PersonAuthentication"
    name = "person"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        return {
            "type": "apiKey",
            "in": "cookie",
            "name": "sessionid",
            "description": "The Control UI's cookie.",
        }
