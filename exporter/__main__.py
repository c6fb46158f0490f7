"""`python -m exporter` is `model-drift-exporter`."""

from exporter.cli.main import main

if __name__ == "__main__":
    main()
