"""JSON that comes back as it was put in, on any database."""

import json
from typing import Any

from django.db import models


class TextJSON(models.JSONField):
    """Stored as text: jsonb sorts the keys, and models write an object's keys in the order of their schema."""

    def db_type(self, connection: Any) -> str:
        return "text"

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        return value if hasattr(value, "as_sql") else json.dumps(value, ensure_ascii=False)
