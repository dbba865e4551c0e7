// Organizations over HTTP (D-10): slugs, repositories on the git host, changes, and when one may be deleted.
import type { Organization, OrganizationCreate, OrganizationPatch } from "@task-service/contract";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createFleet, createTask, newSlug } from "../../test/factories.ts";
import { findViolations } from "../../test/queue-invariants.ts";
import { refusal } from "../../test/refusal.ts";
import { startTestApp, type TestApp } from "../../test/test-app.ts";
import { untilBlocked } from "../../test/until-blocked.ts";

let app: TestApp;
/** Ids of organizations of which it was said that their repository is another one. */
let heard: string[] = [];
beforeAll(async () => {
  app = await startTestApp({ sourceChanged: (id) => heard.push(id) });
});
afterAll(async () => {
  expect(await findViolations(app)).toEqual([]);
  await app.close();
});

const create = (body: OrganizationCreate): Promise<Organization> => app.client.createOrganization({ body });
const read = (organization: string): Promise<Organization> => app.client.getOrganization({ params: { organization } });
const patch = (organization: string, body: OrganizationPatch): Promise<Organization> =>
  app.client.updateOrganization({ params: { organization }, body });
const remove = (organization: string) => app.client.deleteOrganization({ params: { organization } });
const eventsOf = ({ id }: Organization) =>
  app.sql`select type, actor, data from events where organization_id = ${id} and task_id is null order by id`;

describe("POST /organizations", () => {
  test("needs only a slug: 201, Location, the whole resource", async () => {
    const slug = newSlug();
    const response = await app.request("/organizations", { method: "POST", body: JSON.stringify({ slug }) });
    expect(response.status).toBe(201);
    const organization = (await response.json()) as Organization;
    expect(organization).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      slug,
      name: slug,
      agents_repo_url: null,
      agents_repo_effective_url: `${inject("gitUrl")}/${slug}/${slug}-agents`,
      sync: {
        status: "never",
        message: null,
        commit: null,
        started_at: null,
        finished_at: null,
        errors: [],
        warnings: [],
      },
      agent_type_count: 0,
      created_at: expect.stringMatching(/Z$/),
      updated_at: organization.created_at,
    });
    expect(new URL(response.headers.get("location") ?? "", response.url).pathname).toBe(
      `/api/organizations/${organization.id}`,
    );
    expect([await read(organization.id), await read(slug.toUpperCase())]).toEqual([organization, organization]);
    expect(await eventsOf(organization)).toEqual([
      { type: "organization.created", actor: { sub: "executor", name: "executor" }, data: { slug, name: slug } },
    ]);
  });

  test.each(["a", "7", "A-b_c.D", "a".repeat(40), "0190f3a4-0000-7000-8000-00000000000g"])(
    "takes the slug %s",
    async (slug) => {
      expect(await create({ slug })).toMatchObject({ slug });
    },
  );

  test.each([
    "",
    "a".repeat(41),
    "-a",
    "a-",
    ".a",
    "a_",
    "a--b",
    "a.-b",
    "a b",
    "a/b",
    "ä",
    "a\n",
    "🦀",
    "0190f3a4-0000-7000-8000-000000000000",
    "0190F3A4-0000-7000-8000-00000000000A",
  ])("refuses the slug %j", async (slug) => {
    await expect(create({ slug })).rejects.toMatchObject(refusal("invalid_request", "/slug"));
  });

  test.each([
    ["/slug", {}],
    ["/slug", { slug: null }],
    ["/name", { slug: "ok", name: " " }],
    ["/name", { slug: "ok", name: "x".repeat(201) }],
    ["/id", { slug: "ok", id: "x" }],
  ])("names %s when it is what is wrong: %j", async (pointer, body) => {
    await expect(create(body as OrganizationCreate)).rejects.toMatchObject(refusal("invalid_request", pointer));
  });

  test("a slug is taken without regard to case", async () => {
    const slug = newSlug();
    await create({ slug });
    await expect(create({ slug: slug.toUpperCase() })).rejects.toMatchObject(refusal("slug_taken", "/slug"));
  });

  test("of many at once under one slug one succeeds", async () => {
    const slug = newSlug();
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, (_, n) => create({ slug: n % 2 ? slug : slug.toUpperCase() })),
    );
    const refused = results.flatMap((one) => (one.status === "rejected" ? [one.reason.code] : []));
    expect(refused).toEqual(Array(7).fill("slug_taken"));
  });
});

describe("agents_repo_url", () => {
  test.each([
    ["as it is", "/team/personas"],
    ["without .git and slash", "/team/personas.git/"],
  ])("on the git host is kept %s", async (_, path) => {
    const agents_repo_url = `${inject("gitUrl")}/team/personas`;
    const organization = await create({ slug: newSlug(), agents_repo_url: `${inject("gitUrl")}${path}` });
    expect(organization).toMatchObject({ agents_repo_url, agents_repo_effective_url: agents_repo_url });
    expect(await patch(organization.id, { agents_repo_url: null })).toMatchObject({
      agents_repo_url: null,
      agents_repo_effective_url: `${inject("gitUrl")}/${organization.slug}/${organization.slug}-agents`,
    });
  });

  test.each([
    "https://elsewhere.example/team/personas",
    "team/personas",
    "/team",
    "/team/personas/tree/main",
    "/team/../personas",
    "/team/personas?x=1",
    "",
  ])("%j is refused, on creation and on change", async (address) => {
    const agents_repo_url = address.startsWith("/") ? `${inject("gitUrl")}${address}` : address;
    const { id } = await create({ slug: newSlug() });
    for (const send of [create({ slug: newSlug(), agents_repo_url }), patch(id, { agents_repo_url })]) {
      await expect(send).rejects.toMatchObject(refusal("invalid_request", "/agents_repo_url"));
    }
  });
});

describe("PATCH /organizations/{organization}", () => {
  test("changes name and slug, and tells the history old and new", async () => {
    const organization = await create({ slug: newSlug() });
    const slug = newSlug();
    const changed = await patch(organization.slug, { slug, name: "Acme" });
    expect(changed).toMatchObject({ id: organization.id, slug, name: "Acme" });
    expect(changed.agents_repo_effective_url).toContain(`/${slug}/${slug}-agents`);
    await expect(read(organization.slug)).rejects.toMatchObject({ code: "not_found" });
    expect((await eventsOf(organization)).at(-1)).toMatchObject({
      type: "organization.updated",
      data: { changes: { slug: { old: organization.slug, new: slug }, name: { old: organization.slug, new: "Acme" } } },
    });
  });

  test("may change the case of its own slug, but not take another's", async () => {
    const [one, other] = [await create({ slug: newSlug() }), await create({ slug: newSlug() })];
    expect(await patch(one.id, { slug: one.slug.toUpperCase() })).toMatchObject({ slug: one.slug.toUpperCase() });
    await expect(patch(one.id, { slug: other.slug })).rejects.toMatchObject(refusal("slug_taken", "/slug"));
  });

  test("that changes nothing leaves time and history as they are", async () => {
    const organization = await create({ slug: newSlug() });
    const { slug, name, agents_repo_url } = organization;
    expect(await patch(slug, {})).toEqual(organization);
    expect(await patch(slug, { slug, name, agents_repo_url })).toEqual(organization);
    expect(await eventsOf(organization)).toHaveLength(1);
  });

  test.each([
    ["/name", { name: null }],
    ["/slug", { slug: null }],
    ["/slug", { slug: "-" }],
    ["/sync", { sync: {} }],
  ])("names %s when it is what is wrong", async (pointer, body) => {
    const { id } = await create({ slug: newSlug() });
    await expect(patch(id, body as unknown as OrganizationPatch)).rejects.toMatchObject(
      refusal("invalid_request", pointer),
    );
  });
});

describe("GET /organizations", () => {
  test("is ordered by slug without regard to case, page by page, and searched literally", async () => {
    const mark = newSlug().slice(4);
    const slugs = [`a.${mark}`, `B.${mark}`, `c.${mark}`, `D.${mark}`, `e_${mark}`];
    for (const slug of slugs.toReversed()) await create({ slug, name: slug.startsWith("c") ? `100% ${mark}` : slug });
    const seen: string[] = [];
    for (let cursor: string | undefined | null; cursor !== null; ) {
      const page = await app.client.listOrganizations({ query: { q: mark, limit: 2, ...(cursor && { cursor }) } });
      seen.push(...page.items.map(({ slug }) => slug));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(slugs);
    const search = async (q: string) =>
      (await app.client.listOrganizations({ query: { q } })).items.map(({ slug }) => slug);
    expect(await search(`E_${mark}`)).toEqual([`e_${mark}`]);
    expect(await search(`100% ${mark}`)).toEqual([`c.${mark}`]);
    expect([await search(`%${mark}`), await search(`_${mark}\\`)]).toEqual([[], []]);
  });
});

describe("DELETE /organizations/{organization}", () => {
  test("is 409 while a task is queued or live; the ended ones go with it, and the history stays", async () => {
    const { organization, agentTypes } = await createFleet(app);
    const { id, slug } = organization;
    const task = await createTask(app, { organization, agentTypes });
    await expect(remove(slug)).rejects.toMatchObject({ code: "organization_in_use" });
    const handoff = await app.client.takeNextTask({ query: { organization: slug } });
    await expect(remove(id)).rejects.toMatchObject({ code: "organization_in_use" });
    await app.client.finishDispatch({ params: { id: handoff?.dispatch.id ?? "" } });
    expect(await remove(slug)).toBeNull();

    await expect(read(id)).rejects.toMatchObject({ code: "not_found" });
    await expect(app.client.getTask({ params: { id: task.id } })).rejects.toMatchObject({ code: "not_found" });
    const { items } = await app.client.listAgentTypes({ query: { organization: id } });
    expect(items).toEqual([]);
    expect((await eventsOf(organization)).map(({ type }) => type)).toEqual([
      "organization.created",
      "agents.synced",
      "organization.deleted",
    ]);
    const history = await app.client.listTaskEvents({ params: { id: task.id } });
    expect(history.items.map(({ type }) => type)).toEqual(["task.finished", "task.dispatched", "task.created"]);
    expect(await create({ slug })).toMatchObject({ sync: { status: "never" } });
  });

  test("is 409 while a person's task is queued", async () => {
    const { id } = await create({ slug: newSlug() });
    const body = { prompt: "x", assignee_type: "user", assignee: "Ada", organization: id } as const;
    const task = await app.client.createTask({ body });
    await expect(remove(id)).rejects.toMatchObject({ code: "organization_in_use" });
    await app.client.deleteTask({ params: { id: task.id } });
    expect(await remove(id)).toBeNull();
  });

  test("leaves follow-ups elsewhere, without their parent", async () => {
    const [here, there] = [await createFleet(app), await createFleet(app)];
    const parent = await createTask(app, here);
    const child = await createTask(app, there, { parent_id: parent.id });
    const handoff = await app.client.takeNextTask({ query: { organization: here.organization.id } });
    await app.client.finishDispatch({ params: { id: handoff?.dispatch.id ?? "" } });
    await remove(here.organization.id);
    expect(await app.client.getTask({ params: { id: child.id } })).toMatchObject({
      parent_id: null,
      root_id: parent.id,
    });
  });

  test("works when a task that was dispatched here has moved to another organization since", async () => {
    const [here, there] = [await createFleet(app), await createFleet(app)];
    const { id } = await createTask(app, here);
    const handoff = await app.client.takeNextTask({ query: { organization: here.organization.id } });
    await app.client.releaseDispatch({ params: { id: handoff?.dispatch.id ?? "" } });
    const assignee = there.agentTypes.developer?.id ?? "";
    await app.client.updateTask({ params: { id }, body: { assignee_type: "agent", assignee, input_tokens: 7 } });
    await remove(here.organization.id);
    const task = await app.client.getTask({ params: { id } });
    expect(task).toMatchObject({ organization_id: there.organization.id, state: "queued", input_tokens: 7 });
    await app.client.deleteTask({ params: { id } });
  });

  test("racing a requeue of its last task: one of them is refused, neither fails", async () => {
    const fleet = await createFleet(app);
    const { id } = await createTask(app, fleet);
    const handoff = await app.client.takeNextTask({ query: { organization: fleet.organization.id } });
    await app.client.finishDispatch({ params: { id: handoff?.dispatch.id ?? "" } });
    const { outcomes } = await app.sql.begin(async (transaction) => {
      await transaction`select from tasks where id = ${id} for update`;
      const requeue = app.client.requeueTask({ params: { id } }).catch((error) => error);
      await untilBlocked(app);
      const removal = remove(fleet.organization.id).catch((error) => error);
      await untilBlocked(app, 2);
      return { outcomes: Promise.all([requeue, removal]) };
    });
    expect(await outcomes).toMatchObject([{ state: "queued" }, { code: "organization_in_use" }]);
  });
});

test("a new agents repository is heard of at once, and nothing else is", async () => {
  heard = [];
  const { id, slug } = await create({ slug: newSlug() });
  expect(heard).toEqual([id]);
  await expect(create({ slug })).rejects.toMatchObject({ code: "slug_taken" });
  await patch(slug, { name: "Another", slug });
  await patch(slug, { agents_repo_url: `${inject("gitUrl")}/${slug}/${slug}-agents` });
  expect(heard).toEqual([id]);
  await patch(slug, { agents_repo_url: `${inject("gitUrl")}/elsewhere/agents` });
  await patch(slug, { agents_repo_url: null });
  await patch(slug, { slug: newSlug() });
  expect(heard).toEqual([id, id, id, id]);
});
