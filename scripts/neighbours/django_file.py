"""Makes a database with the tables of a small Django project and two rows. Usage: django_file.py FILE"""

import sys

import django
from django.conf import settings
from django.core.management import call_command

settings.configure(
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": sys.argv[1]}},
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions"],
    USE_TZ=True,
)
django.setup()

from django.db import connection, models
from django.utils import timezone


class Order(models.Model):
    id = models.AutoField(primary_key=True)
    customer = models.CharField(max_length=100)
    note = models.CharField(max_length=200, null=True)
    total = models.DecimalField(max_digits=8, decimal_places=2)
    placed = models.DateTimeField(db_index=True)

    class Meta:
        app_label = "shop"


call_command("migrate", verbosity=0)
with connection.schema_editor() as editor:
    editor.create_model(Order)
for customer, note in [("Ada", None), ("Bob", "gift")]:
    Order.objects.create(customer=customer, note=note, total="12.50", placed=timezone.now())
