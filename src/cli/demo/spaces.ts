import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolder, listFolder, removeNodes } from '#server/features/files/files.service.ts';
import { beginUpload, finishUpload, uploadFolder } from '#server/features/uploads/uploads.service.ts';
import type { Caller } from '#server/platform/actor.ts';
import type { Deps } from '#server/platform/deps.ts';
import { newId } from '#server/platform/ids.ts';
import { type Calendar, depsAt } from './calendar.ts';
import type { SampleFiles } from './sample-files.ts';

/** Puts folders and files into one space on the owner's behalf. */
interface Filler {
	/** @returns the path of what lies in the new folder */
	folder(daysAgo: number, time: string, path: string, name: string): Promise<string>;
	file(daysAgo: number, time: string, path: string, name: string, bytes: Buffer | Promise<Buffer>): Promise<void>;
}

function fillerOf(deps: Deps, calendar: Calendar, admin: Caller, owner: string): Filler {
	return {
		async folder(daysAgo, time, path, name) {
			const then = depsAt(deps, calendar(daysAgo, time));
			const { realPath } = await createFolder(then, admin, { owner, path, name });
			return path === '' ? String(realPath) : `${path}/${realPath}`;
		},
		async file(daysAgo, time, path, name, given) {
			const then = depsAt(deps, calendar(daysAgo, time));
			const bytes = await given;
			const id = newId();
			await beginUpload(then, admin, id, { owner, path, name, sizeBytes: bytes.length });
			await mkdir(uploadFolder(then), { recursive: true });
			await writeFile(join(uploadFolder(then), id), bytes);
			await finishUpload(then, admin, id);
		},
	};
}

/** A member with a course, worksheets, recordings and single files of every kind. */
export async function fillMemberSpace(deps: Deps, calendar: Calendar, admin: Caller, email: string, make: SampleFiles) {
	const { folder, file } = fillerOf(deps, calendar, admin, email);
	const course = await folder(24, '10:00', '', 'Course material');
	const module1 = await folder(24, '10:01', course, 'Module 1');
	const foundations = await folder(23, '18:20', module1, '1 Foundations');
	await file(
		23,
		'18:21',
		foundations,
		'1 Three honest lines.pdf',
		make.worksheet('Foundations', ['Three honest lines']),
	);
	await file(23, '18:21', foundations, '2 The sentence.pdf', make.worksheet('Foundations', ['The sentence', 'Again']));
	await file(23, '18:22', foundations, '10 Looking back.pdf', make.worksheet('Foundations', ['Looking back']));
	const customer = await folder(22, '18:20', module1, '2 The first customer');
	await file(22, '18:24', customer, 'Questions to ask.txt', make.text('Who?', 'What do they pay today?', 'Why now?'));
	await file(22, '18:25', customer, 'Shop window.jpg', make.picture('shop-front.jpg'));
	const money = await folder(21, '18:20', module1, '3 Money you can see');
	await file(21, '18:30', money, 'One page a month.png', make.picture('worksheet.png'));
	await folder(20, '12:00', module1, 'Recordings');
	await file(
		6,
		'16:32',
		module1,
		'01 Belief workbook.pdf',
		make.worksheet('Belief', ['What I was told', 'What I saw']),
	);
	await file(
		6,
		'16:32',
		module1,
		'02 Mindset workbook.pdf',
		make.worksheet('Mindset', ['Half past nine', 'Six', 'Ten']),
	);
	await file(7, '11:05', module1, '03 Morning routine.mp4', make.film());
	await file(7, '10:48', module1, '04 Walk and think.wav', make.tune([262, 330, 392, 523, 392, 330, 262]));
	await file(8, '19:15', module1, 'Cover sketch.jpg', make.picture('cover-sketch.jpg'));
	await file(
		9,
		'09:20',
		module1,
		'Goals for the quarter.docx',
		make.letter('Goals for the quarter', '1. Open at nine.'),
	);
	await file(11, '18:41', module1, 'Office plan.png', make.picture('office-plan.png'));
	await file(12, '12:10', module1, 'Worksheets, all parts.zip', make.archive('worksheet.png', 'office-plan.png'));
	await file(18, '08:03', module1, 'Yearly ledger template.pdf', make.worksheet('Ledger', ['Came in', 'Went out']));
	const module2 = await folder(14, '10:00', course, 'Module 2');
	await file(
		14,
		'10:05',
		module2,
		'Saying no, practice.pdf',
		make.worksheet('Saying no', ['A polite no', 'A short no']),
	);
	const own = await folder(20, '09:00', '', 'My worksheets');
	for (const [index, month] of ['August', 'September', 'October'].entries()) {
		await file(19 - index, '20:10', own, `${month} page.pdf`, make.worksheet(month, ['What came in', 'What went out']));
	}
	await file(0, '08:46', '', 'November page.pdf', make.worksheet('November', ['What came in', 'What went out']));
	await file(2, '19:02', '', 'Call with Rohan.wav', make.tune([392, 440, 494, 523, 587, 523]));
	await file(4, '13:30', '', 'Letter to the landlord.docx', make.letter('Dear Mr Deshpande,', 'about the shutter …'));
	await file(5, '10:15', '', 'दुकान का नक्शा.png', make.picture('office-plan.png'));
}

/** The owner's own storage, from which others are shared with: a course in three modules, and a checklist. */
export async function fillOwnerSpace(deps: Deps, calendar: Calendar, admin: Caller, email: string, make: SampleFiles) {
	const { folder, file } = fillerOf(deps, calendar, admin, email);
	const course = await folder(16, '10:00', '', 'Build Your Empire, the course');
	const start = await folder(16, '10:01', course, '1 Where you stand');
	await file(16, '10:02', start, '1 Welcome.mp4', make.film());
	await file(16, '10:03', start, '2 Where you stand.pdf', make.worksheet('Where you stand', ['Today', 'In a year']));
	await file(16, '10:04', start, '3 Think aloud.wav', make.tune([330, 392, 494, 392, 330]));
	const customer = await folder(16, '10:10', course, '2 The first customer');
	await file(
		16,
		'10:11',
		customer,
		'1 Questions to ask.pdf',
		make.worksheet('Questions', ['Who?', 'Why now?', 'How?']),
	);
	await file(16, '10:12', customer, '2 A shop window.jpg', make.picture('shop-front.jpg'));
	const money = await folder(16, '10:20', course, '3 Money you can see');
	await file(16, '10:21', money, '1 One page a month.pdf', make.worksheet('One page a month', ['Came in', 'Went out']));
	await file(16, '10:22', money, '2 The worksheet.png', make.picture('worksheet.png'));
	await file(
		5,
		'18:00',
		'',
		'Shop opening checklist.pdf',
		make.worksheet('Before you open', ['Keys', 'Light', 'Change']),
	);
	await file(5, '18:05', '', 'Rent agreement, draft.docx', make.letter('Rent agreement', 'between …'));
}

/** What every member may read. */
export async function fillGuestSpace(deps: Deps, calendar: Calendar, admin: Caller, make: SampleFiles): Promise<void> {
	const { folder, file } = fillerOf(deps, calendar, admin, 'guest');
	const posters = await folder(27, '11:00', '', 'Posters to print');
	await file(27, '11:02', posters, 'Cover sketch.jpg', make.picture('cover-sketch.jpg'));
	await file(27, '11:03', posters, 'Shop front.jpg', make.picture('shop-front.jpg'));
	await file(28, '10:00', '', 'Welcome to Folio.mp4', make.film());
	await file(
		28,
		'10:04',
		'',
		'Monthly page, blank.pdf',
		make.worksheet('Monthly page', ['Came in', 'Went out', 'Sunday']),
	);
	await file(12, '09:20', '', 'Old price list.txt', make.text('Masala 200 g    80'));
	const drafts = await folder(12, '09:21', '', 'Drafts of the poster');
	await file(12, '09:22', drafts, 'First idea.jpg', make.picture('cover-sketch.jpg'));
	await throwAway(depsAt(deps, calendar(2, '18:05')), admin, ['Old price list.txt', 'Drafts of the poster']);
}

/** Sends things of the guest space into the trash. */
async function throwAway(deps: Deps, admin: Caller, names: string[]): Promise<void> {
	const { items } = await listFolder(deps, admin, {
		owner: 'guest',
		path: '',
		type: 'all',
		sort: 'name',
		order: 'asc',
		limit: 50,
	});
	const ids = items.filter(({ name }) => names.includes(name)).map(({ id }) => id);
	await removeNodes(deps, admin, ids);
}

/** Small spaces of other members, so that their cards have something to say. */
export async function fillOtherSpaces(deps: Deps, calendar: Calendar, admin: Caller, make: SampleFiles): Promise<void> {
	const ritu = fillerOf(deps, calendar, admin, 'ritu.a@example.com');
	await ritu.file(1, '19:10', '', 'Stall at the fair.jpg', make.picture('shop-front.jpg'));
	await ritu.file(1, '19:11', '', 'Price list.txt', make.text('Masala 200 g    90', 'Pickle 500 g   180'));
	const imran = fillerOf(deps, calendar, admin, 'imran.q@example.com');
	await imran.file(3, '17:00', '', 'Workshop plan.png', make.picture('office-plan.png'));
}

/** The book's own files. @returns the ids of its parts by language */
export async function fillBookSpace(
	deps: Deps,
	calendar: Calendar,
	admin: Caller,
	make: SampleFiles,
): Promise<{ en: string; hi: string }> {
	const { file } = fillerOf(deps, calendar, admin, 'book');
	const names = { en: 'Build Your Empire, Part 1, English.pdf', hi: 'Build Your Empire, Part 1, Hindi.pdf' };
	await file(30, '10:30', '', names.en, make.book('en'));
	await file(30, '10:31', '', names.hi, make.book('hi'));
	const { items } = await listFolder(deps, admin, {
		owner: 'book',
		path: '',
		type: 'all',
		sort: 'name',
		order: 'asc',
		limit: 10,
	});
	const idOf = (name: string): string => {
		const node = items.find((item) => item.name === name);
		if (node === undefined) throw new Error(`${name} is not in the book's space.`);
		return node.id;
	};
	return { en: idOf(names.en), hi: idOf(names.hi) };
}
