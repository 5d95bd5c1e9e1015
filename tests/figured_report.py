"""A report as a PDF with figures: one that two of its pages name, another, and a table."""

import io

from reportlab.pdfgen.canvas import Canvas

HOSTILE = 'Figure 3: Levels of the river <img src=x onerror=window.owned=1> "in spring".'
"""The caption of a chart."""
MILL = "Figure 4: The old mill, seen from the bank."
NAMES = "In the wet year the keepers of the lock measured more than ever, see Figure 3."
BESIDE = "The level was highest in April, when the snow of the mountains melts."
OTHER = "The wheel of the mill turned for two hundred years, but in those of Figure 3."


def figured_report() -> bytes:
    """Return three pages: the first names the chart of the second, and the third has a mill."""
    written = io.BytesIO()
    canvas = Canvas(written, pagesize=(595, 842))
    canvas.setTitle("Report of the river")
    canvas.drawString(60, 760, NAMES)
    canvas.drawString(60, 700, "Table 1: Wages of the keepers.")
    canvas.showPage()
    canvas.drawString(60, 760, BESIDE)
    canvas.setFillColorRGB(0.05, 0.4, 0.55)
    for place, high in enumerate((40, 90, 120, 160)):
        canvas.rect(100 + 70 * place, 500, 50, high, fill=1, stroke=0)
    canvas.setFillColorRGB(0, 0, 0)
    canvas.line(90, 500, 380, 500)
    canvas.drawString(60, 470, HOSTILE)
    canvas.drawString(60, 300, "Nothing else is drawn here, and the keepers went home at six in the evening.")
    canvas.showPage()
    canvas.drawString(60, 760, OTHER)
    canvas.circle(200, 500, 80, fill=0)
    canvas.drawString(60, 390, MILL)
    canvas.showPage()
    canvas.save()
    return written.getvalue()
