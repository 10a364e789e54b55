"""Draw the figure of README anew, and print the graph of the rooms, as CONTRIBUTING shows it."""

from compendium.build._dependencies import room_graph
from compendium.build._first_figure import write_first_figure
from compendium.files import repository

write_first_figure(repository())
print(room_graph(repository() / "src"))
