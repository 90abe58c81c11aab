import { signOut } from '#server/features/accounts/sign-in/sign-in.service.ts';
import { saveReadingPosition } from '#server/features/book/reading/reading.service.ts';
import { getModule, listModules, saveProgress } from '#server/features/course/course.service.ts';
import { requireMember } from '#server/platform/actor.ts';
import { isoAt } from '#server/platform/clock.ts';
import { callerFor, memberFor } from './accounts.ts';
import { buyers, type DepsAt } from './sample-data.ts';

/** Time of the last position in a lesson, the lesson's name, the position in seconds or pages, and the total. */
const lessonsInProgress = [
	['20:31', '1 Welcome.mp4', 5.98, 5.98],
	['20:36', '2 Where you stand.pdf', 2, 2],
	['20:38', '3 Think aloud.wav', 1.2, 2.25],
	['20:44', '1 Questions to ask.pdf', 2, 3],
] as const;

/** Seeds a member's progress in a shared course on one evening: some lessons are done, some half done. */
export async function seedLessonProgress(at: DepsAt, email: string): Promise<void> {
	const then = at(2, '20:30');
	const caller = await callerFor(then, email);
	const learner = requireMember(caller);
	const { items } = await listModules(then, learner, { limit: 10 });
	for (const { node } of items) {
		const { lessons } = await getModule(then, learner, node.id);
		for (const [time, name, position, total] of lessonsInProgress) {
			const lesson = lessons.find((each) => each.node.name === name);
			if (lesson === undefined) continue;
			await saveProgress(at(2, time), learner, { id: lesson.node.id, position, total });
		}
	}
	await signOut(at(2, '20:50'), caller);
}

const pageCounts = { en: 27, hi: 26 };
/** The furthest page of each reader; 0 if the reader never opened the book. */
const pages = [27, 3, 0, 10, 19, 27, 5, 12, 0, 26, 8, 16];

/** Seeds reading positions of most buyers, in the edition of their language, on the evening after the last proof. */
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
