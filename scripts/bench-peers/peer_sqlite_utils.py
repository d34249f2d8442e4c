"""sqlite-utils: one transform. The NULLs are filled first, since it copies them as they are."""

import sqlite_utils
from measure import measure


def change(path):
    database = sqlite_utils.Database(path)
    with database.conn:
        database.execute("UPDATE item SET qty = 0 WHERE qty IS NULL")
    database["item"].transform(types={"code": int}, not_null={"qty": True}, defaults={"qty": 0})
    database.close()


measure(change)
