"$LAB/python.sh" "$PWD" "mlflow-skinny==$VERSION" "sqlalchemy<2.2" alembic pandas
