import * as z from 'zod';
import { limits } from '#contract/core/limits.ts';
import type { Credential, CredentialLookup } from '#contract/credentials/credentials.ts';
import type { Caller } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { consumeRateLimit, rateLimits } from '../../platform/auth/rate-limits/rate-limits.ts';
import { isoAt } from '../../platform/clock.ts';
import { packCursor, unpackCursor } from '../../platform/cursor.ts';
import type { Deps } from '../../platform/deps.ts';
import { parseUserAgent } from '../../platform/http/user-agent.ts';
import { newId } from '../../platform/ids.ts';
import { requireDatabaseSpace } from '../../platform/storage/free-space.ts';
import * as queries from './credentials.queries.ts';
import { createRecordRow, lookupKeyOf, normalizeRecord, unsealRecord } from './sealed-records.ts';

const lookupSealContext = 'credential_lookups.asked_sealed';
const lookupInput = z.object({ username: z.string(), state: z.string() });
const cursorSchema = z.tuple([z.string(), z.string()]);
/** More than a lookup can take as a row with its indexes; see docs/storage-limits.md. */
const lookupMaxBytes = 8 * 1024;

/**
 * The public lookup. The work is the same for any input: one search by the key of both fields, one record decrypted (a
 * dummy when none was found), one row in the list of lookups. So neither the answer nor its time shows whether the
 * username or the state was wrong.
 * @throws AppError TOO_MANY_LOOKUPS after 10 in a minute from one address, TOO_MANY_LOOKUPS_TODAY after 500 in a day,
 * STORAGE_FULL
 */
export async function searchCredentials(
	deps: Deps,
	caller: Caller,
	input: { username: string; state: string },
): Promise<{ found: boolean; data: Credential | null }> {
	if (!(await consumeRateLimit(deps, rateLimits.lookupPerAddress, caller.ip)))
		throw new AppError('TOO_MANY_LOOKUPS', { retryAfterSeconds: rateLimits.lookupPerAddress.seconds });
	if (!(await consumeRateLimit(deps, rateLimits.lookupPerAddressAndDay, caller.ip)))
		throw new AppError('TOO_MANY_LOOKUPS_TODAY', { retryAfterSeconds: rateLimits.lookupPerAddressAndDay.seconds });
	await requireDatabaseSpace(deps, lookupMaxBytes);
	const wanted = normalizeRecord(input);
	const row = await queries.findCredentialByKey(deps.db, lookupKeyOf(deps, wanted));
	const record = unsealRecord(deps, row ?? createRecordRow(deps, { ...wanted, id: '', password: '' }));
	await queries.insertLookup(deps.db, {
		id: newId(),
		at: isoAt(deps.clock),
		asked_sealed: deps.secrets.seal(lookupSealContext, JSON.stringify(truncateLookupInput(wanted))),
		is_found: row === undefined ? 0 : 1,
		user_id: caller.actor?.userId ?? null,
		ip: caller.ip,
		user_agent: caller.userAgent,
	});
	deps.bus.publish({ kind: 'event', audience: { to: 'admins' }, event: { topic: 'credential-lookups' } });
	return row === undefined ? { found: false, data: null } : { found: true, data: record };
}

/** What the list of lookups keeps. */
function truncateLookupInput({ username, state }: Pick<Credential, 'username' | 'state'>): z.infer<typeof lookupInput> {
	const max = limits.credentialLookupMaxLength;
	return { username: username.slice(0, max), state: state.slice(0, max) };
}

/** Who looked for what, newest first. */
export async function listLookups(
	deps: Deps,
	input: { filter: 'all' | 'found' | 'not-found'; cursor?: string | undefined; limit: number },
): Promise<{ items: CredentialLookup[]; nextCursor: string | null; total: number }> {
	const after = unpackCursor(input.cursor, cursorSchema);
	const isFound = input.filter === 'all' ? null : input.filter === 'found' ? 1 : 0;
	const rows = await queries.listLookups(deps.db, {
		isFound,
		after: after && { at: after[0], id: after[1] },
		limit: input.limit + 1,
	});
	const page = rows.slice(0, input.limit);
	const last = page.at(-1);
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
		nextCursor: rows.length > page.length && last ? packCursor([last.at, last.id]) : null,
		total: await queries.countLookups(deps.db, isFound),
	};
}

/** One that cannot be read must not take the list away. */
function unsealLookupInput(deps: Deps, sealed: string): z.infer<typeof lookupInput> & { isUnreadable: boolean } {
	try {
		return { ...lookupInput.parse(JSON.parse(deps.secrets.unseal(lookupSealContext, sealed))), isUnreadable: false };
	} catch (error) {
		deps.log.warn({ err: error }, 'a lookup of credentials cannot be read');
		return { username: '', state: '', isUnreadable: true };
	}
}
