"""How the programs print: a heading, and a line for each step with its result or the error it raised."""


def heading(text):
    print(f"# {text}")


def show(what, function, *args, **kwargs):
    """Calls the function, prints what it gives, and returns that."""
    try:
        value = function(*args, **kwargs)
    except Exception as error:
        print(f"{what}: {type(error).__name__}: {error}")
        return None
    print(f"{what}: {value!r}")
    return value
