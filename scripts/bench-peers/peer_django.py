"""Django: one remake of the table with both fields altered. A migration of three operations would remake it three times.

The model does not declare the CHECK, so the new table comes without it.
"""

import django
from django.conf import settings
from measure import measure


def change(path):
    settings.configure(
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": path}}, INSTALLED_APPS=[]
    )
    django.setup()
    from django.db import connection, models

    class Item(models.Model):
        id = models.AutoField(primary_key=True)
        name = models.TextField()
        code = models.TextField()
        qty = models.IntegerField(null=True)
        price = models.FloatField()
        category = models.TextField()
        created = models.IntegerField()
        updated = models.IntegerField(null=True)
        rating = models.IntegerField(null=True)
        note = models.TextField(null=True)
        maker = models.IntegerField(null=True)
        body = models.BinaryField()

        class Meta:
            app_label = "bench"
            db_table = "item"
            indexes = [
                models.Index(fields=["name"], name="item_name"),
                models.Index(fields=["category", "created"], name="item_category"),
                models.Index(fields=["price"], name="item_price"),
            ]

    def altered(name, field):
        field.set_attributes_from_name(name)
        field.model = Item
        return Item._meta.get_field(name), field

    fields = [
        altered("code", models.IntegerField()),
        altered("qty", models.IntegerField(db_default=0)),
    ]
    with connection.schema_editor() as editor:
        editor._remake_table(Item, alter_fields=fields)
    connection.close()


measure(change)
