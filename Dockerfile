# The page on a machine of your own: CPU only, no torch. A Space does not need this file.
FROM python:3.12-slim

WORKDIR /program
COPY requirements.txt ./
RUN pip install --no-cache-dir -r requirements.txt
COPY LICENSE config.yaml ./
COPY app app
COPY memory_tiers memory_tiers
COPY tools tools

RUN useradd --uid 1000 --create-home person && install -d -o person -g person /memory
USER person
ENV HOST=0.0.0.0 PORT=7860 TIERED_MEMORY__STORAGE__DATA_DIR=/memory
VOLUME /memory
EXPOSE 7860

# As a list, so that the request to end reaches Python itself.
CMD ["python", "app/gradio_app.py"]
