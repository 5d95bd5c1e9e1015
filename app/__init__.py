"""The page: `streamlit run app/main.py`."""
