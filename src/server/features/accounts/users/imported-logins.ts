import { type FirebaseScrypt, verifyFirebaseScrypt } from '../../../platform/auth/passwords/firebase-scrypt.ts';
import type { Db } from '../../../platform/database/schema.ts';
import type { Deps } from '../../../platform/deps.ts';
import * as queries from './users.queries.ts';

/** The hash and the other system's key are sealed: a copy of the database alone guesses no password. */
const sealContext = 'imported_logins.verifier';

/** An imported login whose password was just right. */
export interface ImportedLogin {
	emailKey: string;
	email: string;
}

export function sealVerifier(deps: Deps, verifier: FirebaseScrypt): string {
	return deps.secrets.seal(sealContext, JSON.stringify(verifier));
}

/**
 * Checks a password against an imported login. While there are any, every address costs the same: one without an import
 * is checked against somebody else's and refused. @returns null for a wrong password and without an import
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

/** A profile stands for it now, or its person is gone. @returns whether there was one */
export function deleteImportedLogin(tx: Db, emailKey: string): Promise<boolean> {
	return queries.deleteImportedLogin(tx, emailKey);
}

function unsealVerifier(deps: Deps, sealed: string): FirebaseScrypt {
	return JSON.parse(deps.secrets.unseal(sealContext, sealed)) as FirebaseScrypt;
}
