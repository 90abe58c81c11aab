import { AppError } from '../../../platform/app-error.ts';
import type { Deps } from '../../../platform/deps.ts';
import { findUserByEmail } from '../../accounts/index.ts';

/** Whom a share is for. */
export interface Recipient {
	id: string;
	email: string;
	active: boolean;
	isAdmin: boolean;
}

/** @throws AppError RECIPIENT_UNKNOWN */
export async function getRecipient(deps: Deps, email: string): Promise<Recipient> {
	const user = await findUserByEmail(deps.db, email);
	if (user === undefined) throw new AppError('RECIPIENT_UNKNOWN', { fields: { email: 'error_recipient_unknown' } });
	return { id: user.id, email: user.email, active: user.active === 1, isAdmin: user.role === 'admin' };
}
