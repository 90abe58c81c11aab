import { findUserByEmail } from '#server/features/accounts/users/users.service.ts';
import { saveReadingPosition } from '#server/features/book/reading/reading.service.ts';
import { isoAt } from '#server/platform/clock.ts';
import type { Deps } from '#server/platform/deps.ts';
import { visitorFor } from './accounts.ts';
import { buyers } from './buyers.ts';
import { type Calendar, depsAt } from './calendar.ts';

/** Of part 1 of the sample book. */
const pageCounts = { en: 27, hi: 26 };
/** How far the readers are, one after the other; some have not opened the book yet. */
const pages = [27, 3, 0, 10, 19, 27, 5, 12, 0, 26, 8, 16];

/** Buyers read on the evening after their order was placed, each in their own language, and stop somewhere. */
export async function seedReadingPositions(deps: Deps, calendar: Calendar): Promise<void> {
	const readers = buyers.filter(({ status }) => status === 'Complete');
	for (const [index, { email, locale = 'en', proofs }] of readers.entries()) {
		const pageCount = pageCounts[locale];
		const page = Math.min(pages[index % pages.length] ?? 0, pageCount);
		const daysAgo = (proofs.at(-1)?.daysAgo ?? 0) - 1;
		const user = await findUserByEmail(deps.db, email);
		if (page === 0 || daysAgo < 1 || user === undefined) continue;
		const then = depsAt(deps, calendar(daysAgo, '21:15'));
		const actor = {
			userId: user.id,
			email,
			name: user.name,
			role: user.role,
			sessionId: '',
			hasInitialPassword: false,
			mustSetUpTwoFactor: false,
			impersonatedBy: null,
		};
		const place = { page, pageCount, offset: 0, chapter: null, readAt: isoAt(then.clock) };
		await saveReadingPosition(then, { ...visitorFor(email), actor }, { document: `part-1-${locale}`, ...place });
	}
}
