"""What staff may do in the admin: edit tools and snippets, and nothing with other people's things."""

from typing import Final

from django.contrib.auth.backends import BaseBackend
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Model

from askweb.accounts.models import User

STAFF_MAY: Final = frozenset(
    f"prompts.{act}_{thing}" for act in ("add", "change", "delete", "view") for thing in ("tool", "snippet")
) | {"prompts.view_templateversion"}


class StaffBackend(BaseBackend):
    """Gives all staff the same permissions, beside those that somebody was given by name. Signs nobody in."""

    def get_user_permissions(
        self, user_obj: AbstractBaseUser | AnonymousUser, obj: Model | None = None
    ) -> set[str]:
        is_staff = isinstance(user_obj, User) and user_obj.is_active and user_obj.is_staff
        return set(STAFF_MAY) if is_staff else set()

    def has_module_perms(self, user_obj: AbstractBaseUser | AnonymousUser, app_label: str) -> bool:
        return any(each.startswith(f"{app_label}.") for each in self.get_user_permissions(user_obj))
