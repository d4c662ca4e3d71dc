"""The dashboard: a Streamlit app that asks, calls mtsig's public names, and shows."""
