import { saveReadingPosition } from '#server/features/book/reading/reading.service.ts';
import { isoAt } from '#server/platform/clock.ts';
import { memberFor } from './accounts.ts';
import type { DepsAt } from './calendar.ts';
import { buyers } from './sample-data.ts';

/** Number of pages of part 1 of the sample book. */
const pageCounts = { en: 27, hi: 26 };
/** The share of the book that each reader has read; 0 if the book was never opened. */
const pages = [27, 3, 0, 10, 19, 27, 5, 12, 0, 26, 8, 16];

/** Seeds a reading position for each buyer, in the buyer's language, on the evening after the order. */
export async function seedReadingPositions(at: DepsAt): Promise<void> {
	const readers = buyers.filter(({ isPending }) => !isPending);
	for (const [index, { email, locale, proofs }] of readers.entries()) {
		const pageCount = pageCounts[locale];
		const page = Math.min(pages[index % pages.length] ?? 0, pageCount);
		const daysAgo = (proofs.at(-1)?.daysAgo ?? 0) - 1;
		if (page === 0 || daysAgo < 1) continue;
		const then = at(daysAgo, '21:15');
		const place = { page, pageCount, offset: 0, chapter: null, readAt: isoAt(then.clock) };
		await saveReadingPosition(then, await memberFor(then, email), { document: `part-1-${locale}`, ...place });
	}
}
