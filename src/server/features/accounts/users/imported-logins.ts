import { type FirebaseScrypt, verifyFirebaseScrypt } from '../../../platform/auth/passwords/firebase-scrypt.ts';
import type { Deps } from '../../../platform/deps.ts';
import * as queries from './users.queries.ts';

/** Encryption context. Verifiers are encrypted, so that a copy of the database alone does not help to guess passwords. */
export const verifierContext = 'imported_logins.verifier';

export interface ImportedLogin {
	emailKey: string;
	email: string;
	name: string | null;
}

/** A password hash with the user's name. Logins of older imports have no name. */
type Verifier = FirebaseScrypt & { name?: string | null };

export function sealVerifier(deps: Deps, verifier: Verifier): string {
	return deps.secrets.seal(verifierContext, JSON.stringify(verifier));
}

export function unsealVerifier(deps: Deps, sealed: string): Verifier {
	return JSON.parse(deps.secrets.unseal(verifierContext, sealed)) as Verifier;
}

/**
 * Checks a password against the imported login of an email. If the email has none, the password is checked against
 * another imported login and refused, so that the time does not reveal which emails were imported.
 * @returns null for a wrong password, or if the email has no imported login
 */
export async function verifyImportedLogin(
	deps: Deps,
	emailKey: string,
	password: string,
): Promise<ImportedLogin | null> {
	const ownLogin = await queries.findImportedLogin(deps.db, emailKey);
	const anyLogin = await queries.findAnyImportedLogin(deps.db);
	const candidate = ownLogin ?? anyLogin;
	if (candidate === undefined) return null;
	const verifier = unsealVerifier(deps, candidate.verifier);
	const isRight = await verifyFirebaseScrypt(verifier, password);
	return isRight && ownLogin !== undefined ? { emailKey, email: ownLogin.email, name: verifier.name ?? null } : null;
}
