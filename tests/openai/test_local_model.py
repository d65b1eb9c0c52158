"""What llama.cpp offers beyond OpenAI's API is there through `/v1/`, too."""

import orjson
import pytest
from openai import OpenAI

from tests.required import LocalModel
from tests.stand_ins.server import MakeServer

HI = [{"role": "user", "content": "Tell me about a person."}]
SCHEMA = {
    "type": "object",
    "properties": {"name": {"type": "string", "maxLength": 12}, "age": {"type": "integer"}},
    "required": ["name", "age"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def local(new_server: MakeServer, installed_model: LocalModel) -> OpenAI:
    server = new_server(ASKWEB_LOCAL_MODEL=str(installed_model.path))
    server.start()
    return OpenAI(base_url=f"{server.url}/v1", api_key=server.token, max_retries=0)


@pytest.fixture
def local_name(installed_model: LocalModel) -> str:
    return f"local/{installed_model.name}"


@pytest.mark.long
def test_a_schema_is_kept_to(local: OpenAI, local_name: str) -> None:
    form = {"type": "json_schema", "json_schema": {"name": "person", "strict": True, "schema": SCHEMA}}
    completion = local.chat.completions.create(
        model=local_name, messages=HI, response_format=form, max_tokens=60
    )
    person = orjson.loads(completion.choices[0].message.content or "")
    assert [(name, type(value)) for name, value in person.items()] == [("name", str), ("age", int)]


@pytest.mark.long
def test_thoughts_that_a_grammar_forces_are_reasoning(local: OpenAI, local_name: str) -> None:
    grammar = 'root ::= "<think>Let me see.</think>" "Yes."'
    chunks = local.chat.completions.create(
        model=local_name, messages=HI, stream=True, extra_body={"grammar": grammar}
    )
    deltas = [chunk.choices[0].delta.model_dump() for chunk in chunks]
    assert "".join(delta.get("reasoning_content") or "" for delta in deltas) == "Let me see."
    assert "".join(delta["content"] or "" for delta in deltas) == "Yes."
