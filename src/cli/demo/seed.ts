import { join } from 'node:path';
import { editionDefaults, listEditionKeys, partAndLanguage } from '#contract/book/editions.ts';
import { registerUser, setUserActive } from '#server/features/accounts/administration/administration.service.ts';
import { signOut } from '#server/features/accounts/sign-in/sign-in.service.ts';
import { getBook, saveBook, saveQr } from '#server/features/book/content/content.service.ts';
import { deleteNode } from '#server/features/files/tree/tree.service.ts';
import { saveMailSettings } from '#server/features/mail/mail-settings.ts';
import { saveFirstSteps } from '#server/features/setup/setup.service.ts';
import { jobHandlers } from '#server/job-handlers.ts';
import type { Caller } from '#server/platform/actor.ts';
import type { Deps } from '#server/platform/deps.ts';
import { runNextJob } from '#server/platform/jobs/jobs.ts';
import { callerFor, demoPassword, makeMember, memberFor, owner, seedDevices, signInOnDays } from './accounts.ts';
import { writeStatement } from './bank-statement.ts';
import { seedChats } from './chats.ts';
import { fillCredentials } from './credentials.ts';
import { placeOrders } from './orders.ts';
import { seedLessonProgress, seedReadingPositions } from './progress.ts';
import { createDepsAt, type DepsAt, readSample } from './sample-data.ts';
import { shareSamples } from './shares.ts';
import { fillSpaces, findNodeId, seedUnfinishedUploads } from './spaces.ts';
import { seedVisits } from './visits.ts';

export const statementFile = 'statement.csv';

const days = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_day, index) => to + index);

/**
 * Fills an empty installation with a month of an invented shop. Every change is a call of a service, with a clock
 * that is set to the time of the change. @returns the accounts, each with a description
 */
export async function seedDemo(deps: Deps) {
	const at = createDepsAt(deps);
	const start = at(31, '09:00');
	await makeMember(start, { ...owner, role: 'admin' });
	const rohan = await callerFor(start, owner.email);

	await openShop(at, rohan);
	await registerMembers(at, rohan);
	await placeOrders(at, rohan);
	await writeStatement(at, join(deps.config.DATA_DIR, statementFile));
	await fillSpaces(at, rohan, 'others');
	await moveToTrash(at(2, '18:05'), rohan, ['Old price list.txt', 'Drafts of the poster']);
	await seedUnfinishedUploads(at, 'neha@folio.example');
	await shareSamples(at, rohan);
	await seedLessonProgress(at, 'asha.verma@example.com');
	await seedReadingPositions(at);
	await fillCredentials(at, rohan);
	await seedVisits(at);
	await seedChats(at, rohan);

	await signInOnDays(at, 'asha.verma@example.com', days(13, 0), '08:02');
	await signInOnDays(at, owner.email, days(29, 1), '08:30');
	for (const email of ['asha.verma@example.com', owner.email]) await seedDevices(at, email);
	for (const email of ['imran.q@example.com', 'vikram.d@example.com']) await deactivate(at(1, '12:00'), rohan, email);
	await signOut(at(0, '09:29'), rohan);
	// Makes the thumbnails and reads the outlines now, so that the screens show them at once.
	for (const lane of ['pictures', 'documents'] as const) while (await runNextJob(deps, jobHandlers, lane));
	return [
		{ email: owner.email, what: 'the owner: users, orders, files, book settings' },
		{ email: 'neha@folio.example', what: 'a second admin, who left two uploads unfinished' },
		{ email: 'asha.verma@example.com', what: 'a member with the book, folders and files' },
		{ email: 'meera.nair@example.com', what: 'a buyer whose order is Pending' },
		{ email: 'sunil.y@example.com', what: 'a buyer who has just got the book' },
		{ email: 'dev.anand@example.com', what: 'a member who still has the first, mailed password, and no order' },
		{ email: 'imran.q@example.com', what: 'deactivated' },
	];
}

async function openShop(at: DepsAt, admin: Caller): Promise<void> {
	await fillSpaces(at, admin, 'book');
	const then = at(30, '10:40');
	const editions = await Promise.all(
		listEditionKeys(editionDefaults).map(async (key) => {
			const { part, language } = partAndLanguage(key);
			const name = `Build Your Empire, Part ${part}, ${language === 'hi' ? 'Hindi' : 'English'}.pdf`;
			return { key, fileId: await findNodeId(then, admin, 'book', name) };
		}),
	);
	const { title, version } = await getBook(then, then.db);
	await saveBook(then, admin, {
		title,
		originalPrice: 999,
		discountedPrice: 499,
		bank: {
			name: 'Sahyadri Example Bank',
			accountNumber: '0042 1000 5678 123',
			ifsc: 'EXMP0000421',
			accountHolder: 'Build Your Empire Books',
		},
		editions,
		version,
	});
	const seller = 'Build Your Empire Books\n14 Example Road, Pune 411001\nhello@folio.example';
	await saveMailSettings(then, admin, { isOrderMailed: true, isChatMailed: true, orderMailTo: '', seller, version: 0 });
	await saveFirstSteps(then, admin, { isDismissed: true, isDefaultContentKept: true });
	await saveQr(then, admin, { name: 'upi-qr-499.png', bytes: await readSample('pictures/upi-qr-499.png') });
}

/** Adds the accounts that are not created by a purchase. */
async function registerMembers(at: DepsAt, admin: Caller): Promise<void> {
	await makeMember(at(28, '12:00'), { email: 'asha.verma@example.com', name: 'Asha Verma' });
	await makeMember(at(9, '12:00'), { email: 'dev.anand@example.com', name: 'Dev Anand', isInitialPassword: true });
	const then = at(28, '12:10');
	await registerUser(then, admin, { email: 'neha@folio.example', password: demoPassword, role: 'admin' });
	await registerUser(then, admin, { email: 'press@newspaper.example', password: demoPassword, role: 'user' });
	await signInOnDays(at, 'neha@folio.example', [21, 14, 9, 3], '11:40');
	await signInOnDays(at, 'dev.anand@example.com', [8], '21:00');
}

async function moveToTrash(then: Deps, admin: Caller, names: string[]): Promise<void> {
	const ids = await Promise.all(names.map((name) => findNodeId(then, admin, 'guest', name)));
	for (const id of ids) await deleteNode(then, admin, id);
}

async function deactivate(then: Deps, admin: Caller, email: string): Promise<void> {
	const { actor } = await memberFor(then, email);
	await setUserActive(then, admin, { id: actor.userId, active: false });
}
