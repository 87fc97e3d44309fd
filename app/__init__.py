"""The application: settings, composition, ADK, web page, command line, evaluation."""
