# A page as a tree of elements, which must be closed in the order in which they were opened.
from html.parser import HTMLParser

VOID = {"meta", "link", "img", "input", "br", "hr", "wbr", "source"}


class Element:
    def __init__(self, tag, attributes, parent):
        self.tag, self.attributes, self.parent, self.parts = tag, dict(attributes), parent, []

    def get(self, name):
        return self.attributes.get(name)

    def text(self):
        return "".join(part if isinstance(part, str) else part.text() for part in self.parts)

    def all(self, *tags):
        """All elements below it, or those with one of the tags."""
        for part in self.parts:
            if not isinstance(part, str):
                if not tags or part.tag in tags:
                    yield part
                yield from part.all(*tags)

    def by_id(self, name):
        return next((element for element in self.all() if element.get("id") == name), None)


class Tree(HTMLParser):
    def __init__(self, source):
        super().__init__(convert_charrefs=True)
        self.top = self.at = Element("", [], None)
        self.problems = []
        self.feed(source)
        self.close()
        if self.at is not self.top:
            self.problems.append(f"<{self.at.tag}> is not closed")

    def handle_starttag(self, tag, attributes):
        names = [name for name, _ in attributes]
        if len(names) != len(set(names)):
            self.problems.append(f"<{tag}> has an attribute twice")
        element = Element(tag, attributes, self.at)
        self.at.parts.append(element)
        if tag not in VOID:
            self.at = element

    def handle_endtag(self, tag):
        if self.at.tag != tag:
            self.problems.append(f"</{tag}> closes <{self.at.tag}> at {self.getpos()}")
        self.at = self.at.parent or self.at

    def handle_data(self, data):
        self.at.parts.append(data)
