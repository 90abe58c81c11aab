import { type FirebaseScrypt, verifyFirebaseScrypt } from '../../../platform/auth/passwords/firebase-scrypt.ts';
import type { Deps } from '../../../platform/deps.ts';
import * as queries from './users.queries.ts';

/** Encryption context. Verifiers are encrypted, so that a copy of the database alone does not help to guess passwords. */
export const verifierContext = 'imported_logins.verifier';

export interface ImportedLogin {
	emailKey: string;
	email: string;
}

export function sealVerifier(deps: Deps, verifier: FirebaseScrypt): string {
	return deps.secrets.seal(verifierContext, JSON.stringify(verifier));
}

/**
 * Checks a password against the imported login of an email. If the email has none, the password is checked against
 * another imported login and refused, so that the time does not reveal which emails were imported.
 * @returns null for a wrong password, or if the email has no imported login
 */
export async function verifyImportedLogin(deps: Deps, emailKey: string, password: string) {
	const ownLogin = await queries.findImportedLogin(deps.db, emailKey);
	const anyLogin = await queries.findAnyImportedLogin(deps.db);
	const candidate = ownLogin ?? anyLogin;
	if (candidate === undefined) return null;
	const verifier = JSON.parse(deps.secrets.unseal(verifierContext, candidate.verifier)) as FirebaseScrypt;
	const isRight = await verifyFirebaseScrypt(verifier, password);
	return isRight && ownLogin !== undefined ? { emailKey, email: ownLogin.email } : null;
}
