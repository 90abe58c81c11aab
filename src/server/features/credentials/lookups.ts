import type * as z from 'zod';
import type { InputOf } from '#contract/core/endpoint.ts';
import { limits } from '#contract/core/limits.ts';
import { credential, type credentials } from '#contract/credentials/credentials.ts';
import type { Caller } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { consumeRateLimit, rateLimits } from '../../platform/auth/rate-limits/rate-limits.ts';
import { isoAt } from '../../platform/clock.ts';
import { timeAndId, toPage, unpackCursor } from '../../platform/cursor.ts';
import type { Deps } from '../../platform/deps.ts';
import { parseUserAgent } from '../../platform/http/user-agent.ts';
import { newId } from '../../platform/ids.ts';
import { requireDatabaseSpace } from '../../platform/storage/free-space.ts';
import * as queries from './credentials.queries.ts';
import { createRecordRow, lookupKeyOf, normalizeRecord, unsealRecord } from './sealed-records.ts';

export const lookupSealContext = 'credential_lookups.asked_sealed';
const lookupInput = credential.pick({ username: true, state: true });
/** Upper bound of a lookup's row with its indexes, in bytes; see docs/storage-limits.md. */
const lookupMaxBytes = 8 * 1024;

/**
 * The public lookup. Every call does the same work: it searches one key of username and state, decrypts one record (a
 * dummy if none was found) and inserts one lookup. So neither the response nor its time reveals whether the username or
 * the state was wrong.
 * @throws AppError TOO_MANY_LOOKUPS after 10 in a minute from one address, TOO_MANY_LOOKUPS_TODAY after 500 in a day,
 * STORAGE_FULL
 */
export async function searchCredentials(deps: Deps, caller: Caller, input: { username: string; state: string }) {
	if (!(await consumeRateLimit(deps, rateLimits.lookupPerIpAddress, caller.ip)))
		throw new AppError('TOO_MANY_LOOKUPS', { retryAfterSeconds: rateLimits.lookupPerIpAddress.seconds });
	if (!(await consumeRateLimit(deps, rateLimits.lookupPerIpAddressAndDay, caller.ip)))
		throw new AppError('TOO_MANY_LOOKUPS_TODAY', { retryAfterSeconds: rateLimits.lookupPerIpAddressAndDay.seconds });
	await requireDatabaseSpace(deps, lookupMaxBytes);
	const wanted = normalizeRecord(input);
	const row = await queries.findCredentialByKey(deps.db, lookupKeyOf(deps, wanted));
	const record = unsealRecord(deps, row ?? createRecordRow(deps, { ...wanted, id: '', password: '' }));
	const [username, state] = [wanted.username, wanted.state].map((text) =>
		text.slice(0, limits.credentialLookupMaxLength),
	);
	await queries.insertLookup(deps.db, {
		id: newId(),
		at: isoAt(deps.clock),
		asked_sealed: deps.secrets.seal(lookupSealContext, JSON.stringify({ username, state })),
		is_found: row === undefined ? 0 : 1,
		user_id: caller.actor?.userId ?? null,
		ip: caller.ip,
		user_agent: caller.userAgent,
	});
	deps.bus.publish({ kind: 'event', audience: { to: 'admins' }, event: { topic: 'credential-lookups' } });
	return row === undefined ? { found: false, data: null } : { found: true, data: record };
}

export async function listLookups(deps: Deps, input: InputOf<typeof credentials.lookups>) {
	const after = unpackCursor(input.cursor, timeAndId);
	const isFound = input.filter === 'all' ? null : input.filter === 'found' ? 1 : 0;
	const rows = await queries.listLookups(deps.db, { isFound, after, limit: input.limit + 1 });
	const { page, nextCursor } = toPage(rows, input.limit, (last) => [last.at, last.id]);
	return {
		items: page.map((row) => ({
			id: row.id,
			at: row.at,
			...unsealLookupInput(deps, row.asked_sealed),
			isFound: row.is_found === 1,
			ip: row.ip,
			device: parseUserAgent(row.user_agent),
			email: row.email,
		})),
		nextCursor,
		total: await queries.countLookups(deps.db, isFound),
	};
}

/** Decrypts a lookup's input; does not throw, so that one unreadable lookup does not make the whole list fail. */
function unsealLookupInput(deps: Deps, sealed: string): z.infer<typeof lookupInput> & { isUnreadable: boolean } {
	try {
		return { ...lookupInput.parse(JSON.parse(deps.secrets.unseal(lookupSealContext, sealed))), isUnreadable: false };
	} catch (error) {
		deps.log.warn({ err: error }, 'a lookup of credentials cannot be read');
		return { username: '', state: '', isUnreadable: true };
	}
}
