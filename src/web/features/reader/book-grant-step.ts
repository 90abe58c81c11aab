import type { PersonBookAccess } from '#contract/reader/book-access.ts';

/** What an admin may do with a member's book grant. */
export type BookGrantStep = 'give' | 'take';

/** Undefined where there is nothing to do: an order that is Complete opens the book already, and admins read by their role. */
export function findBookGrantStep(
	{ access, grant }: PersonBookAccess,
	role: 'user' | 'admin',
): BookGrantStep | undefined {
	if (role === 'admin') return undefined;
	if (grant !== null) return 'take';
	return access === 'open' ? undefined : 'give';
}
