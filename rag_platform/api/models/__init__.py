"""What several routes are sent and answer, as models: validation and the OpenAPI document are made of them."""
