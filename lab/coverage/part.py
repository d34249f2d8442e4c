"""A program with branches, of which a run takes some."""
import sys


def test_even(value):
    if value % 2:
        return "odd"
    return "even"


def test_size(value):
    for step in range(value):
        if step > 3:
            return "large"
    else:
        return "small"


if __name__ == "__main__":
    print(NUMBER, test_even(int(sys.argv[1])), test_size(int(sys.argv[1])))
