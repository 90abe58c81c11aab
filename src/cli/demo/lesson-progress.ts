import { signOut } from '#server/features/accounts/sign-in/sign-in.service.ts';
import { getModule, listModules, saveProgress } from '#server/features/course/course.service.ts';
import { requireMember } from '#server/platform/actor.ts';
import { callerFor } from './accounts.ts';
import type { DepsAt } from './calendar.ts';

/** The time at which a lesson was left, its name, the position in seconds or pages, and the total. */
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
