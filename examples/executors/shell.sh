#!/bin/sh
# An executor with curl alone: takes one task at a time and runs a command, prompt in, result out, $PERSONA_FILE beside.
#   TASK_SERVICE_URL=…/api OIDC_ISSUER=… OIDC_CLIENT_ID=… OIDC_CLIENT_SECRET=… sh shell.sh COMMAND…
# ORGANIZATION (a slug), EXECUTOR_NAME, OIDC_SCOPE and OIDC_RESOURCE may be set. JSON is read by jq, by node where there is none, or by what JSON names.
set -u
umask 077
: "${1:?a command is missing}" "${TASK_SERVICE_URL:?}" "${OIDC_ISSUER:?}" "${OIDC_CLIENT_ID:?}"
secret=${OIDC_CLIENT_SECRET:?} && unset OIDC_CLIENT_SECRET # which is not for the command
tool=${JSON:-$(command -v jq >/dev/null && echo jq || echo node)} name=${EXECUTOR_NAME:-$(hostname)-sh}
pause=5 count=0 key='' dispatch='' worker='' beat='' dir=$(mktemp -d) && export PERSONA_FILE="$dir/persona"

# json .dispatch.id <FILE reads a value; report DISPATCH <FILE makes the request that reports a result.
json() { if [ "$tool" = jq ]; then jq -re "$1"; else node -p "JSON.parse(fs.readFileSync(0))$1"; fi; }
report() {
  if [ "$tool" = jq ]; then jq -Rs --arg id "$1" '{ dispatch_id: $id, result: . }'
  else node -p 'JSON.stringify({ dispatch_id: process.argv[1], result: fs.readFileSync(0, "utf8") })' "$1"; fi
}
# Secrets go through files that only this user may read: arguments are seen by everybody on the machine.
sign_in() {
  endpoint=$(curl -s "$OIDC_ISSUER/.well-known/openid-configuration" | json .token_endpoint) &&
    token=$(printf 'user = "%s:%s"\n' "$OIDC_CLIENT_ID" "$secret" |
      curl -s -K - -d grant_type=client_credentials ${OIDC_SCOPE:+--data-urlencode "scope=$OIDC_SCOPE"} \
        ${OIDC_RESOURCE:+--data-urlencode "resource=$OIDC_RESOURCE"} "$endpoint" | json .access_token) &&
    printf 'header = "Authorization: Bearer %s"\n' "$token" >"$1" && mv "$1" "$dir/auth"
}
ask() { status=$(curl -s -m 70 -K "$dir/auth" -D "$answer.head" -o "$answer" -w '%{http_code}' -X "$@"); }
# call METHOD PATH [OPTION…] leaves the answer in $answer and its code in $status; a token that has ended is renewed.
call() {
  method=$1 url=$TASK_SERVICE_URL$2 && shift 2
  ask "$method" "$url" -H 'Content-Type: application/json' "$@"
  [ "$status" != 401 ] || { sign_in "$answer.auth" && ask "$method" "$url" -H 'Content-Type: application/json' "$@"; }
}
is_told() { case $status in 000 | 401 | 429 | 5*) false ;; esac }
nap() { # as long as the service asks for; in the background, so that a signal ends it
  case $status in 429 | 503) asked=$(sed -n 's/^[Rr]etry-[Aa]fter: *\([0-9]*\).*/\1/p' "$answer.head") ;; *) asked='' ;; esac
  sleep "${asked:-$pause}" & wait $!; }
tell() { until call "$@"; is_told; do nap; done; }
release() { tell POST "/dispatches/$dispatch/release" -d "{\"reason\":\"$1\"}"; }
heartbeats() { # every third of the lease; 409: the task is somebody else's now
  answer=$dir/beat && while sleep 20; do call POST "/dispatches/$dispatch/heartbeat" -d '{}'; [ "$status" != 409 ] || kill "$worker"; done
}
stop() { if [ -n "$dispatch" ]; then kill "$worker" "$beat"; release 'the executor was stopped'; fi; exit; }
answer=$dir/answer && : >"$dir/auth" && trap 'rm -rf "$dir"' EXIT && trap stop INT TERM

while :; do
  [ -n "$key" ] || key="$$-$(date +%s)-$((count += 1))" # repeated only if the answer was lost: then it is given again
  call GET "/tasks/next?wait_seconds=50&lease_seconds=60&executor=$name&claim_key=$key${ORGANIZATION:+&organization=$ORGANIZATION}"
  case $status in 200 | 204) key='' ;; 409) key='' && sleep 1 ;; *) echo "no task: $status" >&2 && nap ;; esac
  [ "$status" = 200 ] || continue
  task=$(json .task.id <"$answer") && dispatch=$(json .dispatch.id <"$answer")
  json .task.prompt <"$answer" >"$dir/prompt" && json .agent_type.body <"$answer" >"$PERSONA_FILE"
  "$@" <"$dir/prompt" >"$dir/result" & worker=$!
  heartbeats >/dev/null 2>&1 & beat=$!
  wait "$worker"; code=$? && kill "$beat"
  tail -c 16000 "$dir/result" | report "$dispatch" >"$dir/report"
  if [ "$code" = 0 ]; then tell PATCH "/tasks/$task" -d "@$dir/report" && tell POST "/dispatches/$dispatch/finish" -d '{}'
  else release "exit code $code" && sleep "$pause"; fi
  echo "$task: exit code $code, told: $status" && dispatch=''
done
