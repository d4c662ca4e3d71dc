"""A spreadsheet: the tables with their numbers as numbers, and the methods, in one .xlsx file."""

from dataclasses import dataclass

from mtsig.errors import need
from mtsig.report.exporters.base import Exported, Exporter, Written


@dataclass(frozen=True)
class Spreadsheet(Exporter):
    """tables.xlsx."""

    label = "Spreadsheet"
    about = "The tables as .xlsx, numbers as numbers."

    def __call__(self, document: Written) -> Exported:
        """Return the file.

        Raises:
            ProgramError: openpyxl is not installed.
        """
        need("excel")
        from mtsig.report.exporters.workbook import workbook_of  # here, because it loads openpyxl

        return Exported({"tables.xlsx": workbook_of(document)})
