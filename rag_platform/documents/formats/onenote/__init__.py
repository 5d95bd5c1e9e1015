"""Sections of OneNote (.one).

cursor.py          reading bytes one after the other
property_sets.py   objects and their properties
revision_store.py  sections as OneNote keeps them on a disk
cell_packages.py   sections as OneDrive and SharePoint hand them out
reader.py          the pages of a section as text
"""
