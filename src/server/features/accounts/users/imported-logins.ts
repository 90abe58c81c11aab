import { type FirebaseScrypt, verifyFirebaseScrypt } from '../../../platform/auth/passwords/firebase-scrypt.ts';
import type { Deps } from '../../../platform/deps.ts';
import * as queries from './users.queries.ts';

/** Encryption context of verifiers: a copy of the database alone must not allow guessing passwords. */
const sealContext = 'imported_logins.verifier';

export interface ImportedLogin {
	emailKey: string;
	email: string;
}

export function sealVerifier(deps: Deps, verifier: FirebaseScrypt): string {
	return deps.secrets.seal(sealContext, JSON.stringify(verifier));
}

/**
 * Checks a password against an imported login. While any import exists, the check takes equally long for every address:
 * for an address without an import, the password is checked against another import and refused.
 * @returns null for a wrong password and without an import
 */
export async function verifyImportedLogin(deps: Deps, emailKey: string, password: string) {
	const ownLogin = await queries.findImportedLogin(deps.db, emailKey);
	const anyLogin = await queries.findAnyImportedLogin(deps.db);
	const candidate = ownLogin ?? anyLogin;
	if (candidate === undefined) return null;
	const verifier = JSON.parse(deps.secrets.unseal(sealContext, candidate.verifier)) as FirebaseScrypt;
	const isRight = await verifyFirebaseScrypt(verifier, password);
	return isRight && ownLogin !== undefined ? { emailKey, email: ownLogin.email } : null;
}
