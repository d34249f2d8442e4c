"""books.py make|use|wait: keeps accounts with GnuCash's own bindings in an SQLite file."""
import datetime
import os
import sys

from gnucash import Account, GncNumeric, Session, SessionOpenMode, Split, Transaction
from gnucash.gnucash_core_c import ACCT_TYPE_BANK, ACCT_TYPE_EXPENSE

FILE = f"sqlite3://{os.getcwd()}/books.gnucash"


def account(book, parent, name, kind):
    made = Account(book)
    parent.append_child(made)
    made.SetName(name)
    made.SetType(kind)
    made.SetCommodity(book.get_table().lookup("CURRENCY", "EUR"))
    return made


def pay(book, source, target, cents, words):
    transaction = Transaction(book)
    transaction.BeginEdit()
    transaction.SetCurrency(book.get_table().lookup("CURRENCY", "EUR"))
    transaction.SetDate(1 + cents % 28, 1 + cents % 12, 2025)
    transaction.SetDescription(words)
    for where, amount in ((source, -cents), (target, cents)):
        split = Split(book)
        split.SetParent(transaction)
        split.SetAccount(where)
        split.SetValue(GncNumeric(amount, 100))
        split.SetAmount(GncNumeric(amount, 100))
    transaction.CommitEdit()


def balance(account):
    return account.GetBalance().num() * 100 // account.GetBalance().denom()


if sys.argv[1] == "make":
    session = Session(FILE, SessionOpenMode.SESSION_NEW_STORE)
    session.save()
    session.end()
    session.destroy()
    session = Session(FILE, SessionOpenMode.SESSION_NORMAL_OPEN)
    book = session.book
    root = book.get_root_account()
    bank, food = account(book, root, "Bank", ACCT_TYPE_BANK), account(book, root, "Gem\u00fcse", ACCT_TYPE_EXPENSE)
    for number in range(1, 41):
        pay(book, bank, food, 100 + number, f"Purchase {number}")
    assert balance(food) == 40 * 100 + 820
else:
    session = Session(FILE, SessionOpenMode.SESSION_NORMAL_OPEN)
    book = session.book
    root = book.get_root_account()
    bank, food = root.lookup_by_name("Bank"), root.lookup_by_name("Gem\u00fcse")
    before = balance(food)
    if sys.argv[1] == "wait":
        print("ready", flush=True)
        sys.stdin.readline()
    assert before >= 40 * 100 + 820 and balance(bank) == -before
    assert any(split.GetParent().GetDescription() == "Purchase 17" for split in food.GetSplitList())
    pay(book, bank, food, 1234, "One more")
    account(book, root, f"Account {before}", ACCT_TYPE_EXPENSE)
    assert balance(food) == before + 1234 and balance(bank) == -before - 1234
session.save()
session.end()
session.destroy()
