import { join } from 'node:path';
import {
	listUsers,
	registerUser,
	setUserActive,
} from '#server/features/accounts/administration/administration.service.ts';
import { signOut } from '#server/features/accounts/sign-in/sign-in.service.ts';
import { getBook, saveBook, saveQr } from '#server/features/book/content/content.service.ts';
import { saveMailSettings } from '#server/features/mail/mail-settings.ts';
import { jobHandlers } from '#server/job-handlers.ts';
import type { Caller } from '#server/platform/actor.ts';
import type { Deps } from '#server/platform/deps.ts';
import { runNextJob } from '#server/platform/jobs/jobs.ts';
import { callerFor, demoPassword, makeMember, owner, seedDevices, signInOnDays } from './accounts.ts';
import { writeStatement } from './bank-statement.ts';
import { type Calendar, createCalendar, depsAt } from './calendar.ts';
import { seedChats } from './chats.ts';
import { fillCredentials } from './credentials.ts';
import { seedLessonProgress } from './lesson-progress.ts';
import { placeOrders } from './orders.ts';
import { seedReadingPositions } from './reading-positions.ts';
import { openSampleFiles, type SampleFiles } from './sample-files.ts';
import { shareSamples } from './shares.ts';
import { fillBookSpace, fillGuestSpace, fillMemberSpace, fillOtherSpaces, fillOwnerSpace } from './spaces.ts';
import { seedUnfinishedUploads } from './unfinished-uploads.ts';
import { seedVisits } from './visits.ts';

/** An account of the demo, and what can be seen with it. */
export interface SignIn {
	email: string;
	what: string;
}

/** In the demo's folder. */
export const statementFile = 'statement.csv';

const days = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_day, index) => to + index);

/** Fills an empty installation with a month of an invented shop. Every change goes through the services, with a clock that shows its past time. */
export async function seedDemo(deps: Deps, demoFolder: string): Promise<SignIn[]> {
	const calendar = createCalendar(deps.clock.now());
	const start = depsAt(deps, calendar(31, '09:00'));
	await makeMember(start, { ...owner, role: 'admin' });
	const rohan = await callerFor(start, owner.email);
	const make = openSampleFiles(demoFolder);

	await openShop(deps, calendar, rohan, make);
	await registerMembers(deps, calendar, rohan);
	await placeOrders(deps, calendar, rohan, join(demoFolder, 'pictures'));
	await writeStatement(calendar, join(deps.config.DATA_DIR, statementFile));
	await fillMemberSpace(deps, calendar, rohan, 'asha.verma@example.com', make);
	await fillGuestSpace(deps, calendar, rohan, make);
	await fillOtherSpaces(deps, calendar, rohan, make);
	await seedUnfinishedUploads(deps, calendar, 'neha@folio.example');
	await fillOwnerSpace(deps, calendar, rohan, owner.email, make);
	await shareSamples(deps, calendar, rohan);
	await seedLessonProgress(deps, calendar, 'asha.verma@example.com');
	await seedReadingPositions(deps, calendar);
	await fillCredentials(deps, calendar, rohan);
	await seedVisits(deps, calendar);
	await seedChats(deps, calendar, rohan, make);

	await signInOnDays(deps, calendar, 'asha.verma@example.com', days(13, 0), '08:02');
	await signInOnDays(deps, calendar, owner.email, days(29, 1), '08:30');
	for (const email of ['asha.verma@example.com', owner.email]) await seedDevices(deps, calendar, email);
	for (const email of ['imran.q@example.com', 'vikram.d@example.com'])
		await deactivate(depsAt(deps, calendar(1, '12:00')), rohan, email);
	await signOut(depsAt(deps, calendar(0, '09:29')), rohan);
	// The watermarked copies are made now, so that the first visitor can open them.
	while (await runNextJob(deps, jobHandlers, 'pictures'));
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

/** The book's four editions, prices, bank details and the payment QR code. */
async function openShop(deps: Deps, calendar: Calendar, admin: Caller, make: SampleFiles): Promise<void> {
	const editions = await fillBookSpace(deps, calendar, admin, make);
	const then = depsAt(deps, calendar(30, '10:40'));
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
	await saveQr(then, admin, { name: 'upi-qr-499.png', bytes: await make.picture('upi-qr-499.png') });
}

/** Accounts that existed before their first purchase, or that never bought. */
async function registerMembers(deps: Deps, calendar: Calendar, admin: Caller): Promise<void> {
	await makeMember(depsAt(deps, calendar(28, '12:00')), { email: 'asha.verma@example.com', name: 'Asha Verma' });
	await makeMember(depsAt(deps, calendar(9, '12:00')), {
		email: 'dev.anand@example.com',
		name: 'Dev Anand',
		isInitialPassword: true,
	});
	const then = depsAt(deps, calendar(28, '12:10'));
	await registerUser(then, admin, { email: 'neha@folio.example', password: demoPassword, role: 'admin' });
	await registerUser(then, admin, { email: 'press@newspaper.example', password: demoPassword, role: 'user' });
	await signInOnDays(deps, calendar, 'neha@folio.example', [21, 14, 9, 3], '11:40');
	await signInOnDays(deps, calendar, 'dev.anand@example.com', [8], '21:00');
}

async function deactivate(then: Deps, admin: Caller, email: string): Promise<void> {
	const { items } = await listUsers(then, admin, { search: email, filter: 'all', limit: 1 });
	const [person] = items;
	if (person === undefined) throw new Error(`There is no account for ${email}.`);
	await setUserActive(then, admin, { id: person.id, active: false });
}
