import { saveReadingPosition } from '#server/features/book/reading/reading.service.ts';
import { isoAt } from '#server/platform/clock.ts';
import type { Deps } from '#server/platform/deps.ts';
import { memberFor } from './accounts.ts';
import { buyers } from './buyers.ts';
import { type Calendar, depsAt } from './calendar.ts';

/** Number of pages of part 1 of the sample book. */
const pageCounts = { en: 27, hi: 26 };
/** The share of the book that each reader has read; 0 if the book was never opened. */
const pages = [27, 3, 0, 10, 19, 27, 5, 12, 0, 26, 8, 16];

/** Seeds a reading position for each buyer, in the buyer's language, on the evening after the order. */
export async function seedReadingPositions(deps: Deps, calendar: Calendar): Promise<void> {
	const readers = buyers.filter(({ status }) => status === 'Complete');
	for (const [index, { email, locale, proofs }] of readers.entries()) {
		const pageCount = pageCounts[locale];
		const page = Math.min(pages[index % pages.length] ?? 0, pageCount);
		const daysAgo = (proofs.at(-1)?.daysAgo ?? 0) - 1;
		if (page === 0 || daysAgo < 1) continue;
		const then = depsAt(deps, calendar(daysAgo, '21:15'));
		const place = { page, pageCount, offset: 0, chapter: null, readAt: isoAt(then.clock) };
		await saveReadingPosition(then, await memberFor(deps, email), { document: `part-1-${locale}`, ...place });
	}
}
