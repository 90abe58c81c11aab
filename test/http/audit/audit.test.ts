import { parse } from 'csv-parse/sync';
import { CompiledQuery, sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import type { AuditEntry } from '#contract/audit/audit.ts';
import { type AuditAction, auditActions } from '#contract/audit/audit-kinds.ts';
import { type AuditQuery, buildAuditPageQuery } from '#server/features/audit/audit.queries.ts';
import { recordAudit, systemCaller } from '#server/features/audit/audit.service.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { startOfDay } from '#server/platform/format.ts';
import { insertRows } from '../../support/app/database-rows.ts';
import { listen, openEventStream } from '../../support/app/event-streams.ts';
import type { HttpClient } from '../../support/app/http-client.ts';
import { type Page, readAllItems, readAuditSentences } from '../../support/app/lists.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import type { TestApp } from '../../support/app/test-app.ts';
import { adminCaller, makeSignedInUser, makeUser, testPassword } from '../../support/app/users.ts';
import { makeOrder } from '../../support/fixtures/orders.ts';
import { testDatabase } from '../../support/services/test-database.ts';
import { readMessages } from '../../support/texts/messages.ts';

const { testApp, deps, admin } = await openTestApp();
const memberId = await makeUser(deps, 'member@example.com');

const emptyEntry = { actor_email: '', detail: '{}', ip: 'Unknown' };
const read = async (query = ''): Promise<Page<AuditEntry>> => (await admin.call('GET', `/api/audit?${query}`)).json();
const textOf = ({ sentence }: AuditEntry) => sentence.map(({ text }) => text).join('');
const sentences = (query = '') => readAuditSentences(admin, query);
const actions = async (query: string) => (await read(query)).items.map(({ action }) => action);
type Author = Parameters<typeof recordAudit>[2];
/** Records an entry. The clock advances, because entries with the same time have no order. */
function record(action: AuditAction, detail: Record<string, unknown>, subjectId = memberId, by: Author = systemCaller) {
	testApp.clock.advance(1);
	return recordAudit(deps, deps.db, by, action, ['user', subjectId], detail);
}
function send(client: HttpClient, ...[method, url, body]: Parameters<HttpClient['call']>) {
	testApp.clock.advance(1);
	return client.call(method, url, body);
}
const setActive = (client: HttpClient, id: string, active: boolean) =>
	send(client, 'POST', `/api/users/${id}/active`, { active });

describe('an audit entry', () => {
	test('shows times in the business time zone, and that an impersonation ended by itself', async () => {
		const until = '2026-03-04T18:45:00.000Z';
		await record('view-as-ended', { email: 'member@example.com', isByItself: true, until });
		const [entry] = (await read('limit=1')).items;
		const value = expect.stringMatching(/^5 Mar 2026,? 12:15\sam$/u);
		expect(entry?.details).toContainEqual({ label: 'Until', value });
		expect(entry?.details).toContainEqual({ label: 'By itself', value: 'yes' });
		expect(entry && textOf(entry)).toContain('saw the product as member@example.com does; that ended by itself.');
	});

	test('has a sentence with actor and subject, a time, an IP address, and links to both users', async () => {
		await setActive(admin, memberId, false);
		const { items } = await read('limit=1');
		expect(items[0]).toMatchObject({
			at: testApp.clock.now().toISOString(),
			action: 'user-deactivated',
			kind: 'people',
			sentence: [
				{ text: 'admin@example.com', names: 'who' },
				{ text: ' deactivated ', names: null },
				{ text: 'member@example.com', names: 'whom' },
				{ text: '.', names: null },
			],
			whoPlace: { screen: 'person', email: 'admin@example.com' },
			whomPlace: { screen: 'person', email: 'member@example.com' },
			ip: '203.0.113.7',
			details: [{ label: 'Email', value: 'member@example.com' }],
		});
		expect(await sentences('limit=1&lang=hi')).toEqual(['admin@example.com ने member@example.com को निष्क्रिय किया।']);
		await setActive(admin, memberId, true);
	});

	test('contains the user once when actor and subject are the same user', async () => {
		const { client: careful } = await makeSignedInUser(testApp, 'careful@example.com');
		const passwords = { currentPassword: testPassword, password: 'a better one' };
		expect((await send(careful, 'POST', '/api/password/change', passwords)).statusCode).toBe(200);
		expect(await sentences('limit=1')).toEqual(['careful@example.com changed their own password.']);
		expect(await sentences('limit=1&lang=hi')).toEqual(['careful@example.com ने अपना पासवर्ड बदला।']);
	});

	test('about an order links to the buyer, and contains the order code and the change of status', async () => {
		const { id } = await makeOrder(deps, { userId: memberId, email: 'member@example.com' });
		const order = (await admin.call('GET', '/api/orders?search=member')).json().items[0];
		await send(admin, 'PUT', `/api/orders/${id}`, { ...order, status: 'Complete' });
		const { items } = await read('kind=orders');
		expect(items.map(textOf)).toEqual([
			`admin@example.com changed order ${order.code} from Pending to Complete.`,
			`The system placed order ${order.code}.`,
		]);
		expect(items[0]).toMatchObject({ whomPlace: { screen: 'order', email: 'member@example.com' } });
		const [hindi] = await sentences('kind=orders&lang=hi&limit=1');
		expect(hindi).toBe(`admin@example.com ने ऑर्डर ${order.code} को लंबित से पूर्ण किया।`);
	});

	test('about a folder links to its space', async () => {
		await send(admin, 'POST', '/api/spaces/guest/folders', { name: 'For all', path: '' });
		const { items } = await read('kind=files');
		expect(items[0]).toMatchObject({ whom: 'For all', whomPlace: { screen: 'space', email: 'guest' } });
	});

	test('with an unknown action, nested details or placeholder characters is also listed', async () => {
		await record('moon-landed' as AuditAction, {
			crater: { name: 'Tycho' },
			remark: '\uE000 {whom} <b>',
			nothing: null,
		});
		const { items } = await read('limit=1');
		expect(items[0]).toMatchObject({
			kind: null,
			details: [
				{ label: 'crater', value: '{"name":"Tycho"}' },
				{ label: 'remark', value: ' {whom} <b>' },
			],
		});
		expect(items.map(textOf)).toEqual(['The system: moon-landed, member@example.com']);
	});

	test('calls an actor without an account a visitor, and keeps the address of a deleted user', async () => {
		const visitor = { ...systemCaller, ip: '198.51.100.9' };
		await record('password-set', { email: 'gone@example.com' }, 'gone', visitor);
		expect(await sentences('limit=1')).toEqual(['A visitor set a new password for gone@example.com by a mailed link.']);
		expect((await read('limit=1')).items[0]).toMatchObject({ whomPlace: null, whoPlace: null, ip: '198.51.100.9' });
	});

	test('has a text in both languages for every action', () => {
		for (const locale of ['en', 'hi'] as const)
			for (const action of Object.values(auditActions).flat())
				expect(readMessages('audit/audit', locale)(`audit_${action.replaceAll('-', '_')}`)).toMatch(/\{whom?\}/u);
	});
});

describe('the filter of GET /api/audit', () => {
	test('finds each entry whose actor or subject has the email address, once and ignoring case', async () => {
		const { id: other, client: second } = await makeSignedInUser(testApp, 'second-admin@example.com', 'admin');
		await setActive(second, memberId, false);
		await setActive(admin, memberId, true);
		await setActive(admin, other, false);
		await setActive(admin, other, true);
		await record('password-reset', {}, other, adminCaller(other, 'second-admin@example.com'));
		expect(await sentences('person=Second-Admin@EXAMPLE.com')).toEqual([
			'second-admin@example.com gave second-admin@example.com a new password.',
			'admin@example.com activated second-admin@example.com.',
			'admin@example.com deactivated second-admin@example.com.',
			'second-admin@example.com deactivated member@example.com.',
		]);
		expect(await sentences('person=second-admin@example.com&kind=sign-in')).toHaveLength(1);
		expect(await sentences('person=nobody@example.com')).toEqual([]);
	});

	const register = async (email: string): Promise<string> =>
		(await send(admin, 'POST', '/api/users', { email, password: testPassword, role: 'user' })).json().id;
	const remove = (uid: string) => send(admin, 'POST', '/delete-user-all', { uid });

	test.each([
		['Left_100%@example.com', 'left_100%@EXAMPLE.com'],
		['Émile@example.com', 'éMILE@example.com'],
		['ＷＩＤＥ@example.com', 'wide@example.com'],
	])('finds entries of a deleted user by the address %s', async (email, typed) => {
		const id = await register(email);
		await setActive(admin, id, false);
		await remove(id);
		await remove(await register(email.replace('@', '5@')));
		const found = ['user-deleted', 'user-deactivated', 'user-registered'];
		expect(await actions(`person=${encodeURIComponent(typed)}`)).toEqual(found);
	});

	test('finds the entries of 300 deleted users who had the same address', async () => {
		const deletion = { action: 'user-deleted', subject_kind: 'user', deleted_email_key: 'again@example.com' };
		const rows = Array.from({ length: 300 }, (_, i) => {
			const id = `again-${i}`;
			return { ...emptyEntry, ...deletion, id, subject_id: id, at: '2021-01-01T00:00:00.000Z' };
		});
		await insertRows(deps, 'audit', rows);
		const again = adminCaller('again-3', 'again@example.com');
		await record('folder-created', {}, 'again-4', again);
		await record('user-activated', {}, memberId, again);
		await record('folder-renamed', {}, 'again-5');
		const person = 'person=again@example.com';
		expect(await actions(`${person}&kind=files`)).toEqual(['folder-renamed', 'folder-created']);
		const newest = ['folder-renamed', 'user-activated', 'folder-created', 'user-deleted'];
		expect(await actions(`${person}&limit=4`)).toEqual(newest);
		expect(await actions(`${person}&limit=1000`)).toHaveLength(303);
		const file = await admin.call('GET', `/api/audit.csv?${person}&kind=people`);
		expect(parse(file.body, { bom: true, columns: true })).toHaveLength(301);
	});

	test('selects days in the business time zone, and refuses an invalid day or kind', async () => {
		// In India, 20 March is the time from 18:30 UTC on 19 March to 18:30 UTC on 20 March.
		const times = ['19T18:29:59.999Z', '19T18:30:00.000Z', '20T18:29:59.999Z', '20T18:30:00.000Z'];
		const edges = ['qr-uploaded', 'film-titled', 'film-replaced', 'film-removed'] as const;
		for (const [i, edge] of edges.entries()) {
			const depsAtTime = { ...deps, clock: { now: () => new Date(`2026-03-${times[i]}`) } };
			await recordAudit(depsAtTime, deps.db, systemCaller, edge, ['system', 'edge']);
		}
		expect(await actions('from=2026-03-20&to=2026-03-20')).toEqual([edges[2], edges[1]]);
		expect(await actions('from=2026-03-21&to=2026-03-31')).toEqual([edges[3]]);
		expect((await actions('to=2026-03-19'))[0]).toBe(edges[0]);
		expect((await admin.call('GET', '/api/audit?from=2026-02-31')).statusCode).toBe(422);
		expect((await admin.call('GET', '/api/audit?kind=everything')).statusCode).toBe(422);
	});

	test('startOfDay returns midnight in the time zone, also on days when the clocks change', () => {
		expect(startOfDay('2026-11-20', 'Asia/Kolkata')).toBe('2026-11-19T18:30:00.000Z');
		expect(startOfDay('2026-12-31', 'Asia/Kolkata', 1)).toBe('2026-12-31T18:30:00.000Z');
		expect(startOfDay('2026-03-08', 'America/New_York')).toBe('2026-03-08T05:00:00.000Z');
		expect(startOfDay('2026-03-08', 'America/New_York', 1)).toBe('2026-03-09T04:00:00.000Z');
		expect(startOfDay('2026-11-20', 'UTC')).toBe('2026-11-20T00:00:00.000Z');
	});
});

test('GET /api/audit returns the same entries in the same order with every page size and filter', async () => {
	for (const filter of ['', 'person=member@example.com', 'person=admin@example.com&kind=people']) {
		const readAll = async (limit: number) =>
			(await readAllItems<AuditEntry>(admin, `/api/audit?${filter}&limit=${limit}`)).map(({ id }) => id);
		const whole = await readAll(1000);
		expect(new Set(whole).size).toBe(whole.length);
		expect(whole.length).toBeGreaterThan(3);
		expect(await readAll(2)).toEqual(whole);
	}
});

describe('GET /api/audit.csv', () => {
	test('contains the entries that match the filter, with the time in two formats, and escapes formulas', async () => {
		const formula = '=HYPERLINK("http://evil.example","x")';
		await record('user-activated', { email: 'member@example.com', '+note': formula });
		await record('user-activated', {}, memberId, adminCaller('odd', '@odd,"one"@example.com'));
		const response = await admin.call('GET', '/api/audit.csv?person=member@example.com&kind=people');
		expect(response.headers).toMatchObject({
			'content-type': 'text/csv; charset=utf-8; header=present',
			'content-disposition': expect.stringContaining('attachment; filename="audit-'),
			'cache-control': 'no-store',
		});
		expect(response.rawPayload.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
		const rows = parse(response.body, { bom: true, columns: true }) as Array<Record<string, string>>;
		expect(rows).toHaveLength((await read('person=member@example.com&kind=people&limit=1000')).items.length);
		expect(rows[0]).toMatchObject({
			Time: '20 Nov 2026, 9:12 am',
			'Time (ISO 8601)': testApp.clock.now().toISOString(),
			Who: '\'@odd,"one"@example.com',
			What: '\'@odd,"one"@example.com activated member@example.com.',
			Whom: 'member@example.com',
			From: 'Unknown',
			Action: 'user-activated',
		});
		expect(rows[1]?.Details).toBe(`Email: member@example.com; +note: ${formula}`);
		const hindi = (await admin.call('GET', '/api/audit.csv?kind=orders&lang=hi')).body;
		expect(hindi).toContain('"समय","समय (ISO 8601)","किसने"');
		expect((await admin.call('GET', '/api/audit.csv?kind=everything')).statusCode).toBe(422);
	});

	test('contains all 1,203 entries of a long list', async () => {
		const upload = { action: 'file-uploaded', subject_kind: 'node' };
		const rows = Array.from({ length: 1203 }, (_, i) => {
			const id = `bulk-${String(i).padStart(5, '0')}`;
			return { ...emptyEntry, ...upload, id, subject_id: id, at: '2020-01-01T00:00:00.000Z' };
		});
		await insertRows(deps, 'audit', rows);
		const { body } = await admin.call('GET', '/api/audit.csv?to=2020-01-02');
		expect(parse(body, { bom: true, columns: true })).toHaveLength(1203);
	});
});

test('publishes an audit event when an entry is committed, but not when it is rolled back', async () => {
	const url = await listen(testApp.app);
	const stream = await openEventStream(url, admin.cookie());
	await expect(
		inTransaction(deps.db, async (tx) => {
			await recordAudit(deps, tx, systemCaller, 'qr-uploaded', ['system', 'x']);
			throw new Error('rolled back');
		}),
	).rejects.toThrow('rolled back');
	expect(stream.events).toEqual([]);
	await inTransaction(deps.db, (tx) => recordAudit(deps, tx, systemCaller, 'qr-uploaded', ['system', 'x']));
	expect(await stream.waitFor('audit')).toEqual({ topic: 'audit' });
	stream.close();
});

describe('buildAuditPageQuery', () => {
	const noFilter: AuditQuery = { userIds: null, actions: null, from: null, before: null, after: null, limit: 51 };
	const after = ['2026-06-01T00:00:00.000Z', 'm'] as const;
	const span = { from: '2026-01-01T00:00:00.000Z', before: '2027-01-01T00:00:00.000Z' };

	const many = Array.from({ length: 1000 }, (_, i) => `many-${i}`);

	beforeAll(async () => {
		await fillAudit(deps.db);
		await sql`analyze audit`.execute(deps.db);
	});

	test.each([
		['no filter', { after }],
		['a user', { userIds: ['busy'], after }],
		['a kind', { actions: auditActions.files, after }],
		['a user and a kind', { userIds: ['busy'], actions: auditActions.settings, after, ...span }],
		['two users of one address', { userIds: ['busy', 'rare'], ...span }],
		['1,000 users of one address and a kind', { userIds: many, actions: auditActions.files, after }],
		['1,000 users of one address', { userIds: many, ...span }],
		['days', { ...span, after }],
	] as Array<[string, Partial<AuditQuery>]>)('uses an index for %s', async (_what, filter) => {
		const plan = await explain({ ...noFilter, ...filter });
		// The plan may sort the few rows that the index returns, but may not scan the whole table.
		expect(plan).not.toMatch(/Seq Scan on audit|SCAN audit(?! USING INDEX)/u);
		expect(plan).toMatch(/audit_(newest|actor|subject|action)/u);
	});

	async function explain(query: AuditQuery): Promise<string> {
		const compiled = buildAuditPageQuery(deps.db, query)?.compile();
		const how = testDatabase === 'postgres' ? 'explain' : 'explain query plan';
		const { rows } = await deps.db.executeQuery(
			CompiledQuery.raw(`${how} ${compiled?.sql}`, [...(compiled?.parameters ?? [])]),
		);
		return rows.map((row) => Object.values(row as object).join(' ')).join('\n');
	}
});

/** Inserts 20,000 entries. Most of them have the same user and the same action. */
async function fillAudit(db: TestApp['deps']['db']): Promise<void> {
	const numbers =
		testDatabase === 'postgres'
			? sql`select generate_series(1, 20000) as i`
			: sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000) select i from n`;
	await sql`insert into audit (id, at, actor_id, actor_email, action, subject_kind, subject_id, detail, ip)
		select 'fill-' || i, '2026-' || substr(cast(101 + i % 12 as text), 2) || '-01T00:00:00.000Z',
			case when i % 50 = 0 then 'rare' else 'busy' end, 'x', case when i % 100 = 0 then 'folder-renamed' else 'file-uploaded' end,
			'node', 'fill-' || i, '{}', 'Unknown' from (${numbers}) as numbers`.execute(db);
}
