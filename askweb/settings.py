"""Settings of AskWeb. Everything an operator may change is an environment variable, read and checked here."""

from pathlib import Path
from urllib.parse import urlsplit

import dj_database_url
from corsheaders.defaults import default_headers
from django.core.exceptions import ImproperlyConfigured
from environs import Env
from marshmallow.validate import OneOf, Range, Regexp

from askweb.extensions import origins_of
from askweb.openai.headers import OPENAI_HEADERS
from askweb.secrets_file import read_or_make_secret

env = Env()

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(env.str("ASKWEB_DATA", default=str(BASE_DIR / "var"))).expanduser().resolve()

DEBUG = env.bool("ASKWEB_DEBUG", default=False)
try:
    SECRET_KEY = env.str("ASKWEB_SECRET_KEY", default="") or read_or_make_secret(DATA_DIR / "secret_key")
except OSError as error:
    raise ImproperlyConfigured(
        f"Can't use the data folder {DATA_DIR}: {error.strerror}. Choose another one: ASKWEB_DATA=/a/folder/of/yours"
    ) from error

HOST = env.str("HOST", default="127.0.0.1")
PORT = env.int("PORT", default=8000, validate=Range(1, 65535))
ASKWEB_URL = env.str("ASKWEB_URL", default=f"http://{HOST}:{PORT}").rstrip("/")
if urlsplit(ASKWEB_URL).scheme not in ("http", "https") or not urlsplit(ASKWEB_URL).hostname:
    raise ImproperlyConfigured(
        "ASKWEB_URL must be the address that people use, such as https://ask.example.org"
    )
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]", urlsplit(ASKWEB_URL).hostname or HOST]
# Other web or extension origins that may open a cookie socket, each like chrome-extension://<id>.
ASKWEB_ORIGINS: list[str] = env.list("ASKWEB_ORIGINS", default=[])
# Ids of Chrome extensions that may be paired, besides the one that comes with AskWeb.
ASKWEB_EXTENSION_IDS = tuple[str, ...](env.list("ASKWEB_EXTENSION_IDS", default=[]))
CSRF_TRUSTED_ORIGINS = [ASKWEB_URL]
# Programs in browsers that come from there speak with a token of their own, never with the person's cookie.
CORS_ALLOWED_ORIGINS = [*ASKWEB_ORIGINS, *origins_of(ASKWEB_EXTENSION_IDS)]
CORS_URLS_REGEX = r"^/(api|v1)/"
CORS_ALLOW_HEADERS = [*default_headers, *OPENAI_HEADERS]
CORS_EXPOSE_HEADERS = ["Retry-After", "x-should-retry"]

INSTALLED_APPS = [
    "daphne",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "channels",
    "corsheaders",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "askweb.accounts",
    "askweb.audit",
    "askweb.conversations",
    "askweb.images",
    "askweb.providers",
    "askweb.runs",
    "prompts",
    "questions",
]

MIDDLEWARE = [
    "askweb.health.health",
    "django.middleware.security.SecurityMiddleware",
    "askweb.static_files.static_files",
    "askweb.security_headers.security_headers",
    "askweb.compressed_pages.compressed_pages",
    "corsheaders.middleware.CorsMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "askweb.preferences.interface_language.interface_language",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "askweb.urls"
ASGI_APPLICATION = "askweb.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "libraries": {"askweb": "askweb.template_tags"},
        },
    },
]

SQLITE_URL = f"sqlite:///{DATA_DIR / 'db.sqlite3'}"
try:
    DATABASES = {"default": dj_database_url.parse(env.str("DATABASE_URL", default="") or SQLITE_URL)}
except ValueError as error:
    raise ImproperlyConfigured(
        "DATABASE_URL can't be read. It looks like postgresql://user:password@host/name; without it SQLite is used."
    ) from error
ON_SQLITE = DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3"
_in_address = DATABASES["default"].get("OPTIONS", {})  # such as ?sslmode=require
if ON_SQLITE:
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-16000;",
    }
    # A file, because threads of one process could not share an in-memory database without lock errors.
    DATABASES["default"]["TEST"] = {"NAME": str(DATA_DIR / "test.sqlite3")}
else:
    # Its pauses between tries double for as long as it tries to connect: without a limit a database that was away
    # for a minute would be missed for another one.
    DATABASES["default"]["OPTIONS"] = {
        "pool": {"min_size": 1, "max_size": 20, "timeout": 10, "reconnect_timeout": 5}
    }
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = (
        True  # of the pool, some are of before PostgreSQL started again
    )
    INSTALLED_APPS.append("procrastinate.contrib.django")
DATABASES["default"]["OPTIONS"] |= _in_address
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# What several processes share: whose sockets must close, and limits. Without it there is one process.
REDIS_URL = env.str("REDIS_URL", default="")
if REDIS_URL and urlsplit(REDIS_URL).scheme not in ("redis", "rediss", "unix"):
    raise ImproperlyConfigured("REDIS_URL must look like redis://host:6379/0, or be left out.")
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [REDIS_URL], "prefix": "askweb."},
    }
    if REDIS_URL
    else {"BACKEND": "channels.layers.InMemoryChannelLayer"}
}

CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "askweb",
    }
    if REDIS_URL
    else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "OPTIONS": {"MAX_ENTRIES": 10_000}}
}

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["django.contrib.auth.backends.ModelBackend", "askweb.accounts.staff.StaffBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = "home"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 30
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = ASKWEB_URL.startswith("https://")

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("zh-hans", "简体中文"), ("ja", "日本語"), ("vi", "Tiếng Việt")]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "askweb.static_files.EditionStorage"},
}

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "askweb.accounts.authentication.DeviceAuthentication",
        "askweb.accounts.authentication.PersonAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["askweb.accounts.permissions.HasScope"],
    "DEFAULT_PARSER_CLASSES": ["askweb.parsing.StrictJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    # Proxies before the server, each of which says in X-Forwarded-For who came to it.
    "NUM_PROXIES": env.int("ASKWEB_PROXIES", default=0, validate=Range(min=0)),
    "EXCEPTION_HANDLER": "askweb.errors.answer_problem",
    "UNAUTHENTICATED_USER": None,
    "UNICODE_JSON": True,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "AskWeb",
    "DESCRIPTION": "Commands go over REST; the WebSocket at /ws/ tells what happened.",
    "VERSION": "0.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "POSTPROCESSING_HOOKS": ["drf_spectacular.hooks.postprocess_schema_enums", "askweb.schema.add_limits"],
}

# Largest body of a post, in bytes; a larger one is refused before it is parsed.
ASKWEB_BODY_LIMIT = env.int("ASKWEB_BODY_LIMIT", default=16 * 1024 * 1024, validate=Range(min=1024))
DATA_UPLOAD_MAX_MEMORY_SIZE = ASKWEB_BODY_LIMIT

# How often: signing in and pairing from one address, posting by one person. None is no limit.
rate_text = Regexp(
    r"off\Z|[1-9][0-9]{0,8}/(second|minute|min|hour|day)\Z", error="It looks like 120/minute, or is off."
)
ASKWEB_RATES = {
    scope: None if rate == "off" else rate
    for scope, rate in {
        "sign_in": env.str("ASKWEB_SIGN_IN_RATE", default="20/minute", validate=rate_text),
        "pairing": env.str("ASKWEB_PAIRING_RATE", default="30/minute", validate=rate_text),
        "posting": env.str("ASKWEB_POSTING_RATE", default="120/minute", validate=rate_text),
    }.items()
}

# How long the audit log remembers.
ASKWEB_AUDIT_DAYS = env.int("ASKWEB_AUDIT_DAYS", default=365, validate=Range(1, 36_500))

# `off`, a path to a GGUF file, or empty for the weights that come with requirements-local.txt.
ASKWEB_LOCAL_MODEL = env.str("ASKWEB_LOCAL_MODEL", default="")
# Runs that one process streams at the same time; further ones wait their turn.
ASKWEB_RUNS_AT_ONCE = env.int("ASKWEB_RUNS_AT_ONCE", default=256, validate=Range(1, 10_000))
# What each person may have: runs that are written at the same time, runs a day, bytes stored. Without a number
# there is no limit for one who is alone here, and `askweb/limits/deciding.py` has those for several.
ASKWEB_PERSON_LIMITS: dict[str, int | None] = {
    "runs_at_once": env.int("ASKWEB_RUNS_AT_ONCE_PER_PERSON", default=None, validate=Range(min=1)),
    "runs_per_day": env.int("ASKWEB_RUNS_PER_DAY", default=None, validate=Range(min=1)),
    "storage": env.int("ASKWEB_STORAGE_PER_PERSON", default=None, validate=Range(min=1)),
}
# Keys that encrypt providers' keys, newest first; empty means a file in the data folder.
ASKWEB_PROVIDER_KEYS: list[str] = env.list("ASKWEB_PROVIDER_KEYS", default=[])
# Hosts on private networks that everybody's providers may be at, not only the owner's.
ASKWEB_PRIVATE_HOSTS: list[str] = env.list("ASKWEB_PRIVATE_HOSTS", default=[])
# Whether to look for Ollama, LM Studio and keys in the environment when the server starts.
ASKWEB_FIND_PROVIDERS = env.bool("ASKWEB_FIND_PROVIDERS", default=True)
# Seconds a provider may take: to connect, to the first byte, between payloads, in all.
ASKWEB_PROVIDER_TIMEOUTS = {
    "connect": env.float("ASKWEB_CONNECT_TIMEOUT", default=10.0, validate=Range(min=0.1)),
    "first_byte": env.float("ASKWEB_FIRST_BYTE_TIMEOUT", default=300.0, validate=Range(min=0.1)),
    "between": env.float("ASKWEB_BETWEEN_TIMEOUT", default=120.0, validate=Range(min=0.1)),
    "total": env.float("ASKWEB_TOTAL_TIMEOUT", default=3600.0, validate=Range(min=0.1)),
}

# Whether /metrics/ tells Prometheus figures; workers tell theirs on a port of their own.
ASKWEB_METRICS = env.bool("ASKWEB_METRICS", default=False)
ASKWEB_METRICS_PORT = env.int("ASKWEB_METRICS_PORT", default=9108, validate=Range(1, 65535))

LOG_FORMAT = env.str("ASKWEB_LOG_FORMAT", default="line", validate=OneOf(["line", "json"]))
LOG_LEVEL = env.str(
    "ASKWEB_LOG_LEVEL", default="INFO", validate=OneOf(["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"])
)
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "class": "askweb.logs.QuietFormatter",
            "format": "%(asctime)s %(levelname)s %(name)s %(message)s",
        },
        "json": {"class": "askweb.logs.QuietJSON"},
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        name: {"level": LOG_LEVEL, "handlers": ["stderr"], "propagate": False}
        for name in ("askweb", "prompts", "questions")
    },
}
