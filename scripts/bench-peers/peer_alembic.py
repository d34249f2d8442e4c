"""Alembic: one batch. The NULLs are filled first, since it copies them as they are."""

import sqlalchemy
from alembic.migration import MigrationContext
from alembic.operations import Operations
from measure import measure


def change(path):
    engine = sqlalchemy.create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        connection.execute(sqlalchemy.text("UPDATE item SET qty = 0 WHERE qty IS NULL"))
        operations = Operations(MigrationContext.configure(connection))
        with operations.batch_alter_table("item", recreate="always") as batch:
            batch.alter_column("qty", nullable=False, server_default="0", existing_type=sqlalchemy.Integer())
            batch.alter_column("code", type_=sqlalchemy.Integer(), existing_type=sqlalchemy.Text())
    engine.dispose()


measure(change)
