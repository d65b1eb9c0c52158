pytest_plugins = (
    "tests.databases",
    "tests.sharing_out",
    "tests.languages",
    "tests.required",
    "tests.people",
    "tests.threads",
    "tests.stand_ins.upstream",
    "tests.stand_ins.server",
    "tests.stand_ins.own_redis",
    "tests.stand_ins.lossy_redis",
    "tests.stand_ins.browser",
)
