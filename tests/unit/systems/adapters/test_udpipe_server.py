"""A server with the interface of UDPipe: one of our own, on loopback, with a real model."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

import pytest

import treegauge as tg
from treegauge.systems import SystemsError, make_system
from treegauge.toys import toy_parts
from treegauge.treebank import generator_of, paragraphs_of

GOLD = toy_parts("toy:svo", tokens=3000)["test"][:12]


class Interface(BaseHTTPRequestHandler):
    """Answers `/process` as UDPipe's server does; further addresses are broken on purpose."""

    model = None

    def do_POST(self) -> None:
        form = parse_qs(
            self.rfile.read(int(self.headers["Content-Length"])).decode(), keep_blank_values=True
        )
        fields = {name: values[0] for name, values in form.items()}
        if self.path == "/odd/process":
            self._send(200, b"<html>")
        elif self.path == "/empty/process":
            self._send(200, json.dumps({"model": "x"}).encode())
        elif fields.get("model", "toy") != "toy" or self.path != "/process":
            self._send(400, b"Requested model is not\navailable.\n")
        else:
            self._send(200, json.dumps(self._answer(fields)).encode())

    def _answer(self, fields: dict[str, str]) -> dict[str, str]:
        import ufal.udpipe as udpipe

        assert fields["tagger"] == fields["parser"] == ""
        source = "tokenize" if "tokenizer" in fields else fields["input"]
        default = udpipe.Pipeline.DEFAULT
        pipeline = udpipe.Pipeline(self.model, source, default, default, "conllu")
        error = udpipe.ProcessingError()
        written = pipeline.process(fields["data"], error)
        assert not error.occurred(), error.message
        return {"model": "toy-2.5", "result": f"# generator = UDPipe 1, own server\n{written}"}

    def _send(self, code: int, content: bytes) -> None:
        self.send_response(code)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def address(udpipe_file) -> Iterator[str]:
    """Where the server is."""
    import ufal.udpipe as udpipe

    Interface.model = udpipe.Model.load(str(udpipe_file))
    with ThreadingHTTPServer(("127.0.0.1", 0), Interface) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_a_server_says_what_its_model_says(address, udpipe_file) -> None:
    here, there = (
        make_system(name) for name in (f"udpipe:{udpipe_file}", f"udpipe-server:{address}/")
    )
    text = paragraphs_of(GOLD)
    for one, other in (
        (here.annotate(GOLD), there.annotate(GOLD)),
        (here.annotate_text(text), there.annotate_text(text)),
    ):
        assert list(one.form) == list(other.form)
        assert one.head.tolist() == other.head.tolist()
        assert list(one.upos) == list(other.upos)
    assert generator_of(there.annotate(GOLD)) == f"UDPipe 1 at {address[7:]}, toy-2.5"


def test_words_are_sent_and_no_annotation(address, monkeypatch) -> None:
    sent = []
    answer = Interface._answer

    def noted(self, fields):
        sent.append(fields["data"])
        return answer(self, fields)

    monkeypatch.setattr(Interface, "_answer", noted)
    make_system(f"udpipe-server:{address}?batch_size=5").annotate(GOLD)
    assert len(sent) == 3
    words = tg.parse("".join(sent))
    assert words.form == GOLD.form
    assert not words.has_heads
    assert not any(column.is_annotated for name, column in words.columns.items() if name != "form")
    assert "#" not in "".join(sent)


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("?server_model=klingon", "refused with 400 Bad Request: Requested model is not available"),
        ("/odd", "its answer is no JSON: is it a UDPipe server"),
        ("/empty", "its answer has no result: is it a UDPipe server"),
    ],
)
def test_what_a_server_says_instead(address, place, message) -> None:
    with pytest.raises(SystemsError, match=message):
        make_system(f"udpipe-server:{address}{place}").annotate(GOLD)


def test_a_server_that_is_not_there() -> None:
    with pytest.raises(SystemsError, match=r"cannot be reached \(.*\): is the server running"):
        make_system("udpipe-server:http://127.0.0.1:9").annotate(GOLD)
    for place in ("file:///etc/passwd", "localhost"):
        with pytest.raises(SystemsError, match="expected an address such as http://localhost"):
            make_system(f"udpipe-server:{place}")


def test_a_saved_model_sends_no_text_without_leave(address, tmp_path) -> None:
    settings = {"tags_from": f"udpipe-server:{address}", "epochs": 1}
    make_system("transition", settings).fit(GOLD).save(tmp_path / "parser")
    with pytest.raises(SystemsError, match=f"sending text to {address}"):
        tg.load_system(tmp_path / "parser")
