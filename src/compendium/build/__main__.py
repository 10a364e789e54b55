"""Print the graph of the rooms, as CONTRIBUTING shows it."""

from compendium.build._dependencies import room_graph
from compendium.files import repository

print(room_graph(repository() / "src"))
