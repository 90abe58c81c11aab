import { type FirebaseScrypt, verifyFirebaseScrypt } from '../../../platform/auth/passwords/firebase-scrypt.ts';
import type { Deps } from '../../../platform/deps.ts';
import * as queries from './users.queries.ts';

/** Encrypted, so that a copy of the database alone does not allow guessing passwords. */
const sealContext = 'imported_logins.verifier';

/** An imported login whose password was just verified. */
export interface ImportedLogin {
	emailKey: string;
	email: string;
}

export function sealVerifier(deps: Deps, verifier: FirebaseScrypt): string {
	return deps.secrets.seal(sealContext, JSON.stringify(verifier));
}

/**
 * Checks a password against an imported login. While any exist, every address takes the same time: for an address
 * without an import, the password is checked against another import and refused.
 * @returns null for a wrong password and without an import
 */
export async function verifyImportedLogin(
	deps: Deps,
	emailKey: string,
	password: string,
): Promise<ImportedLogin | null> {
	const own = await queries.findImportedLogin(deps.db, emailKey);
	const any = await queries.findAnyImportedLogin(deps.db);
	const candidate = own ?? any;
	if (candidate === undefined) return null;
	const isRight = await verifyFirebaseScrypt(unsealVerifier(deps, candidate.verifier), password);
	return isRight && own !== undefined ? { emailKey, email: own.email } : null;
}

function unsealVerifier(deps: Deps, sealed: string): FirebaseScrypt {
	return JSON.parse(deps.secrets.unseal(sealContext, sealed)) as FirebaseScrypt;
}
