import type { AuditEntry, AuditFilter, AuditLink, audit } from '#contract/audit/audit.ts';
import { auditActions, auditKindOf } from '#contract/audit/audit-kinds.ts';
import type { InputOf } from '#contract/core/endpoint.ts';
import type { Locale } from '#contract/core/text.ts';
import { readInSteps, timeAndId, toPage, unpackCursor } from '../../platform/cursor.ts';
import type { Deps } from '../../platform/deps.ts';
import { yieldToEventLoop } from '../../platform/event-loop.ts';
import { formatMoment, startOfDay } from '../../platform/format.ts';
import { emailKeyOf } from '../../platform/ids.ts';
import { translate } from '../../platform/messages.ts';
import * as queries from './audit.queries.ts';
import { formatDetails, formatSentence } from './audit-sentences.ts';

const rowsPerStep = 200;

export async function listAuditEntries(deps: Deps, locale: Locale, input: InputOf<typeof audit.list>) {
	const readRows = await createRowReader(deps, input);
	const rows = await readRows(unpackCursor(input.cursor, timeAndId), input.limit + 1);
	const { page, nextCursor } = toPage(rows, input.limit, positionOf);
	return { items: await presentEntries(deps, locale, page), nextCursor };
}

function positionOf({ at, id }: queries.AuditRow): [string, string] {
	return [at, id];
}

/** Returns a function that reads the filtered entries after a position, newest first. */
async function createRowReader(deps: Deps, filter: AuditFilter) {
	const timeZone = deps.config.TIME_ZONE;
	const email = emailKeyOf(filter.person ?? '');
	const conditions = {
		userIds: email === '' ? null : await queries.listUserIdsByEmailKey(deps.db, email),
		actions: filter.kind === undefined ? null : auditActions[filter.kind],
		from: filter.from === undefined ? null : startOfDay(filter.from, timeZone),
		before: filter.to === undefined ? null : startOfDay(filter.to, timeZone, 1),
	};
	return async (after: queries.AuditQuery['after'], limit: number) =>
		// There is no query when no user has the address, or the kind has no actions.
		(await queries.buildAuditPageQuery(deps.db, { ...conditions, after, limit })?.execute()) ?? [];
}

async function presentEntries(deps: Deps, locale: Locale, rows: queries.AuditRow[]): Promise<AuditEntry[]> {
	const links = await findSubjectLinks(deps, rows);
	const context = { locale, timeZone: deps.config.TIME_ZONE };
	return rows.map((row) => {
		const detail = JSON.parse(row.detail) as Record<string, unknown>;
		const who = row.actor_email || translate(row.ip === 'Unknown' ? 'audit_system' : 'audit_visitor', locale);
		const whomPlace = links.get(row.subject_id) ?? null;
		const whom = formatSubject(row, detail, whomPlace, locale);
		return {
			id: row.id,
			at: row.at,
			action: row.action,
			kind: auditKindOf(row.action),
			sentence: formatSentence(
				{ action: row.action, isOwn: row.actor_id === row.subject_id, who, whom, detail },
				context,
			),
			who,
			whom,
			whoPlace: (row.actor_id !== null && links.get(row.actor_id)) || null,
			whomPlace,
			ip: row.ip,
			details: formatDetails(detail, context),
		};
	});
}

/** Returns links for the entries by the id of the user, order or node. Deleted users, orders and nodes have no link. */
async function findSubjectLinks(deps: Deps, rows: queries.AuditRow[]): Promise<Map<string, AuditLink>> {
	const idsOf = (kind: string) => [
		...new Set(rows.filter((row) => row.subject_kind === kind).map((row) => row.subject_id)),
	];
	const findUnlessEmpty = <T>(ids: string[], find: (ids: string[]) => Promise<T[]>) =>
		ids.length === 0 ? [] : find(ids);
	const nodes = await findUnlessEmpty(idsOf('node'), (ids) => queries.listNodeOwners(deps.db, ids));
	const actors = rows.flatMap((row) => row.actor_id ?? []);
	const userIds = [...new Set([...idsOf('user'), ...actors, ...nodes.map((node) => node.ownerId)])];
	const users = await findUnlessEmpty(userIds, (ids) => queries.listUserEmails(deps.db, ids));
	const orders = await findUnlessEmpty(idsOf('order'), (ids) => queries.listOrderEmails(deps.db, ids));
	const emails = new Map(users.map((user) => [user.id, user.email]));
	const links = new Map<string, AuditLink>();
	for (const { id, email } of users) links.set(id, { screen: 'person', email });
	for (const { id, email } of orders) links.set(id, { screen: 'order', email });
	for (const { id, ownerId } of nodes) {
		const email = ownerId === 'guest' || ownerId === 'book' ? ownerId : emails.get(ownerId);
		if (email !== undefined) links.set(id, { screen: 'space', email });
	}
	return links;
}

function formatSubject(row: queries.AuditRow, detail: Record<string, unknown>, link: AuditLink | null, locale: Locale) {
	const readDetail = (name: string) => (typeof detail[name] === 'string' ? (detail[name] as string) : undefined);
	if (row.subject_kind === 'user') return link?.email ?? readDetail('email') ?? translate('audit_deleted_user', locale);
	if (row.subject_kind === 'order') return readDetail('code') ?? row.subject_id;
	if (row.subject_kind === 'node') return readDetail('name') ?? readDetail('to') ?? row.subject_id;
	return readDetail('name') ?? readDetail('title') ?? row.subject_id;
}

const csvColumns = ['time', 'iso', 'who', 'sentence', 'whom', 'ip', 'action', 'details'] as const;

export function csvHeader(locale: Locale): string[] {
	return csvColumns.map((column) => translate(`audit_csv_${column}`, locale));
}

/**
 * Yields the filtered entries as CSV rows, each with its time in the business time zone and in ISO 8601. Reads at most
 * 200 entries at a time to limit memory.
 */
export async function* csvRows(deps: Deps, locale: Locale, filter: AuditFilter): AsyncGenerator<string[]> {
	const readRows = await createRowReader(deps, filter);
	for await (const rows of readInSteps(null, rowsPerStep, (after) => readRows(after, rowsPerStep), positionOf)) {
		for (const entry of await presentEntries(deps, locale, rows)) {
			yield [
				formatMoment(entry.at, deps.config.TIME_ZONE, 'en'),
				entry.at,
				entry.who,
				entry.sentence.map(({ text }) => text).join(''),
				entry.whom,
				entry.ip,
				entry.action,
				entry.details.map(({ label, value }) => `${label}: ${value}`).join('; '),
			];
		}
		// SQLite queries block the event loop: without yielding, all other requests would wait for the whole file.
		await yieldToEventLoop();
	}
}
