import {
	type Credential,
	type CredentialField,
	credential,
	credentialFields,
} from '#contract/credentials/credentials.ts';
import type { Secrets } from '../../platform/auth/secrets.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Deps } from '../../platform/deps.ts';
import { newId } from '../../platform/ids.ts';
import type { CredentialRecord, NewCredentialRecord } from './credentials.queries.ts';

export const recordSealContext = 'credentials.record_sealed';
const lookupKeyContext = 'credentials.lookup_key';

/** Trims and lowercases (specification, section 5). Also applies NFC, because Hindi letters have several encodings. */
function normalizeName(text: string): string {
	return text.normalize('NFC').trim().toLowerCase();
}

/** Returns the record as it is stored: username and state normalised, id and password as typed. */
export function normalizeRecord<T extends Pick<Credential, 'username' | 'state'>>(record: T): T {
	return { ...record, username: normalizeName(record.username), state: normalizeName(record.state) };
}

export function findEmptyFields(record: Credential): CredentialField[] {
	return credentialFields.filter((field) => record[field].trim() === '');
}

/** Returns a record's lookup key. JSON separates the texts, so that 'ab', 'c' and 'a', 'bc' have different keys. */
export function lookupKeyOf(
	{ secrets }: { secrets: Pick<Secrets, 'lookupKey'> },
	{ username, state }: Pick<Credential, 'username' | 'state'>,
): string {
	return secrets.lookupKey(lookupKeyContext, JSON.stringify([username, state]));
}

export function sealRecord(deps: Deps, { username, state, id, password }: Credential) {
	return {
		lookup_key: lookupKeyOf(deps, { username, state }),
		record_sealed: deps.secrets.seal(recordSealContext, JSON.stringify({ username, state, id, password })),
	};
}

export function createRecordRow(deps: Deps, record: Credential): NewCredentialRecord {
	const now = isoAt(deps.clock);
	return { id: newId(), ...sealRecord(deps, record), created_at: now, updated_at: now };
}

/** Like {@link unsealRecord}; null for a row that cannot be decrypted, so that the other rows are still listed. */
export function tryUnsealRecord(deps: Deps, row: Pick<CredentialRecord, 'record_sealed'>): Credential | null {
	try {
		return unsealRecord(deps, row);
	} catch (error) {
		deps.log.warn({ err: error }, 'a credentials record cannot be read');
		return null;
	}
}

export function unsealRecord(deps: Deps, row: Pick<CredentialRecord, 'record_sealed'>): Credential {
	return credential.parse(JSON.parse(deps.secrets.unseal(recordSealContext, row.record_sealed)));
}
