"""An executor with Python's standard library alone: one task at a time, worked on by the function `work`.

TASK_SERVICE_URL=…/api OIDC_ISSUER=… OIDC_CLIENT_ID=… OIDC_CLIENT_SECRET=… python3 python_executor.py [ORGANIZATION] (also OIDC_SCOPE, OIDC_RESOURCE)"""
import base64, contextlib, json, os, socket, sys, threading, time, urllib.error, urllib.parse, urllib.request, uuid

SERVICE, ISSUER = os.environ["TASK_SERVICE_URL"], os.environ["OIDC_ISSUER"]
BASIC = "Basic " + base64.b64encode(f"{os.environ['OIDC_CLIENT_ID']}:{os.environ['OIDC_CLIENT_SECRET']}".encode()).decode()
ASKED = {name: os.environ[f"OIDC_{name.upper()}"] for name in ("scope", "resource") if os.environ.get(f"OIDC_{name.upper()}")}
BEAT_SECONDS, PAUSE_SECONDS, session = 20, 5, {}
QUERY = "&".join([f"executor={socket.gethostname()}-py&wait_seconds=50&lease_seconds=60", *map("organization={}".format, sys.argv[1:])])

def work(task, agent_type, notes):
    """Put your model here. What it returns is written to the task, what it raises gives the task back."""
    result, read = f"{agent_type['name']} has counted {len(task['prompt'].split())} words.", agent_type["body"] + task["prompt"]
    return {"result": result, "input_tokens": len(read) // 4, "output_tokens": len(result) // 4}

def send(method, url, data=None, **headers):
    with urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method), timeout=70) as response:
        return json.loads(response.read() or b"null")

def sign_in():
    endpoint = send("GET", f"{ISSUER}/.well-known/openid-configuration")["token_endpoint"]
    form = urllib.parse.urlencode({"grant_type": "client_credentials", **ASKED}).encode()
    session["token"] = send("POST", endpoint, form, authorization=BASIC)["access_token"]

def call(method, path, body=None):
    """Repeats until the service answers, which every request here allows, and renews a token that has ended."""
    data = body if body is None else json.dumps(body).encode()
    while True:
        try:
            "token" in session or sign_in()
            return send(method, SERVICE + path, data, authorization=f"Bearer {session['token']}", **{"content-type": "application/json"})
        except OSError as error:
            code = getattr(error, "code", 0)
            if 400 <= code < 500 and code not in (401, 429):
                raise RuntimeError(f"{method} {path}: {error.read().decode()}") from error
            if code != 401 or not session.pop("token", None):
                asked = error.headers.get("Retry-After", "") if code in (429, 503) else ""
                time.sleep(int(asked) if asked.isdigit() else PAUSE_SECONDS)

def heartbeats(dispatch, ended):
    while not ended.wait(BEAT_SECONDS):
        call("POST", f"/dispatches/{dispatch}/heartbeat", {})

while True:
    key, ended, dispatch = uuid.uuid4(), threading.Event(), None  # The key is fresh for each hand-over: call repeats it.
    try:
        if handoff := call("GET", f"/tasks/next?{QUERY}&claim_key={key}"):
            task, dispatch = handoff["task"], handoff["dispatch"]["id"]
            threading.Thread(target=heartbeats, args=(dispatch, ended), daemon=True).start()
            report = work(task, handoff["agent_type"], handoff["notes"])
            call("PATCH", f"/tasks/{task['id']}", {"dispatch_id": dispatch, **report})
            call("POST", f"/dispatches/{dispatch}/finish", {})
    except Exception as error:
        print(error, file=sys.stderr)
        with contextlib.suppress(RuntimeError):  # Refused: there is no task for us, or it is somebody else's by now.
            dispatch and call("POST", f"/dispatches/{dispatch}/release", {"reason": str(error)[:500] or "failed"})
        time.sleep(PAUSE_SECONDS)
    ended.set()
