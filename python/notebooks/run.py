"""Run the notebooks: ``python run.py`` writes their outputs, ``--check`` only runs them and fails where one does."""

import pathlib
import sys

import nbformat
from nbclient import NotebookClient

FOLDER = pathlib.Path(__file__).parent
is_check = "--check" in sys.argv[1:]

for path in sorted(FOLDER.glob("*.ipynb")):
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(FOLDER)}})
    client.execute()
    if not is_check:
        # Nothing of the machine: neither the kernel's version nor times.
        notebook.metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
        for cell in notebook.cells:
            cell.metadata = {}
        nbformat.write(notebook, path)
    print(f"{path.name}: {sum(cell.cell_type == 'code' for cell in notebook.cells)} cells run")
