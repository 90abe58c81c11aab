import { lockRows } from '../../db/row-lock.ts';
import type { Db } from '../../db/schema.ts';

export function lockPerson(tx: Db, id: string) {
	return lockRows(
		tx,
		tx.selectFrom('users').select(['id', 'email', 'email_key as emailKey']).where('id', '=', id),
	).executeTakeFirst();
}

/** The person with everything that hangs on the account: sessions, sign-ins, links, codes. Orders stay without them. */
export async function deletePerson(tx: Db, person: { id: string; emailKey: string }): Promise<void> {
	await tx.deleteFrom('imported_logins').where('email_key', '=', person.emailKey).execute();
	await tx.deleteFrom('users').where('id', '=', person.id).execute();
}
