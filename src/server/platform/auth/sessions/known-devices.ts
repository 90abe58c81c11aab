import { timingSafeEqual } from 'node:crypto';
import type { Deps } from '../../deps.ts';
import { newId } from '../../ids.ts';

/** Remembers for a year who has signed in here: guesses from elsewhere lock nobody out. OWASP, 'Device cookies'. */
export const knownDeviceCookie = 'folio_device';
export const knownDeviceSeconds = 365 * 24 * 3600;

const accountsPerDevice = 5;
const entryPattern = /^([\w-]{22})\.([\w-]{22})$/u;

/**
 * Whether the cookie proves an earlier sign-in to this account. An entry is a random ID and a keyed hash of it and the
 * account: it does not identify a person, and cannot be forged or moved to another account without the installation's
 * secret.
 * @returns the ID under which failures of this device are counted, or null
 */
export function findKnownDevice(deps: Deps, cookie: string | undefined, emailKey: string): string | null {
	for (const entry of entriesOf(cookie)) {
		const [, id = '', proof = ''] = entryPattern.exec(entry) ?? [];
		if (id !== '' && timingSafeEqual(Buffer.from(proof), Buffer.from(proofOf(deps, emailKey, id)))) return id;
	}
	return null;
}

/** Adds the account to the cookie, replacing the oldest of five others. @returns null if it has the account already */
export function rememberDevice(deps: Deps, cookie: string | undefined, emailKey: string): string | null {
	if (findKnownDevice(deps, cookie, emailKey) !== null) return null;
	const id = newId();
	return [`${id}.${proofOf(deps, emailKey, id)}`, ...entriesOf(cookie)].slice(0, accountsPerDevice).join('~');
}

function entriesOf(cookie: string | undefined): string[] {
	return (cookie ?? '').split('~', accountsPerDevice).filter((entry) => entryPattern.test(entry));
}

function proofOf(deps: Deps, emailKey: string, id: string): string {
	return deps.secrets.fingerprint(`known-device ${id} ${emailKey}`);
}
