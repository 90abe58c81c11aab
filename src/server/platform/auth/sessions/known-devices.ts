import { timingSafeEqual } from 'node:crypto';
import type { Deps } from '../../deps.ts';
import { newId } from '../../ids.ts';

/**
 * Cookie that proves for a year which accounts have signed in on this browser. Failed sign-ins on such a browser have
 * their own rate limit, so that other browsers cannot lock the user out. Source: OWASP, 'Device cookies'.
 */
export const knownDeviceCookie = 'folio_device';
export const knownDeviceSeconds = 365 * 24 * 3600;

const accountsPerDevice = 5;
const entryPattern = /^([\w-]{22})\.([\w-]{22})$/u;

/**
 * Finds the cookie's entry for this account. An entry is a random ID and a keyed hash of this ID and the account. It
 * does not identify a person. Without the installation's secret it cannot be forged or used for another account.
 * @returns the ID under which failed sign-ins of this device are counted, or null without an entry
 */
export function findKnownDevice(deps: Deps, cookie: string | undefined, emailKey: string): string | null {
	for (const entry of entriesOf(cookie)) {
		const [, id = '', proof = ''] = entryPattern.exec(entry) ?? [];
		if (id !== '' && timingSafeEqual(Buffer.from(proof), Buffer.from(proofOf(deps, emailKey, id)))) return id;
	}
	return null;
}

/** Adds an account to the cookie; a sixth account replaces the oldest. @returns the cookie, or null if unchanged */
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
