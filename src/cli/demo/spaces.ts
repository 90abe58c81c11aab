import { Readable } from 'node:stream';
import { type EditionKey, editionKeys } from '#contract/book/book-settings.ts';
import { listFolder } from '#server/features/files/listing/listing.service.ts';
import { createFolder, deleteNodes } from '#server/features/files/tree/tree.service.ts';
import { appendUploadBytes, beginUpload, finishUpload } from '#server/features/files/uploads/uploads.service.ts';
import type { Caller } from '#server/platform/actor.ts';
import type { Deps } from '#server/platform/deps.ts';
import { newId } from '#server/platform/ids.ts';
import { type Calendar, depsAt } from './calendar.ts';
import type { SampleFiles } from './sample-files.ts';

/** A file or folder: days ago and time of its creation, its name, and its bytes or its content. */
type SampleNode = [daysAgo: number, time: string, name: string, content: Buffer | Promise<Buffer> | SampleNode[]];

/** Creates folders and files in a space, one after another, as the admin. */
async function fill(deps: Deps, calendar: Calendar, admin: Caller, owner: string, entries: SampleNode[], path = '') {
	for (const [daysAgo, time, name, content] of entries) {
		const then = depsAt(deps, calendar(daysAgo, time));
		if (!Array.isArray(content)) {
			await putFile(then, admin, { owner, path, name }, await content);
			continue;
		}
		const { realPath } = await createFolder(then, admin, { owner, path, name });
		await fill(deps, calendar, admin, owner, content, path === '' ? String(realPath) : `${path}/${realPath}`);
	}
}

async function putFile(deps: Deps, admin: Caller, place: { owner: string; path: string; name: string }, bytes: Buffer) {
	const id = newId();
	await beginUpload(deps, admin, id, { ...place, sizeBytes: bytes.length });
	await appendUploadBytes(deps, id, Readable.from([bytes]));
	await finishUpload(deps, admin, id);
}

/** Seeds the space of a member with a course, worksheets, recordings and files of every kind. */
export function fillMemberSpace(deps: Deps, calendar: Calendar, admin: Caller, email: string, make: SampleFiles) {
	const foundations: SampleNode[] = [
		[23, '18:21', '1 Three honest lines.pdf', make.worksheet('Foundations', ['Three honest lines'])],
		[23, '18:21', '2 The sentence.pdf', make.worksheet('Foundations', ['The sentence', 'Again'])],
		[23, '18:22', '10 Looking back.pdf', make.worksheet('Foundations', ['Looking back'])],
	];
	const customer: SampleNode[] = [
		[22, '18:24', 'Questions to ask.txt', make.text('Who?', 'What do they pay today?', 'Why now?')],
		[22, '18:25', 'Shop window.jpg', make.picture('shop-front.jpg')],
	];
	const module1: SampleNode[] = [
		[23, '18:20', '1 Foundations', foundations],
		[22, '18:20', '2 The first customer', customer],
		[21, '18:20', '3 Money you can see', [[21, '18:30', 'One page a month.png', make.picture('worksheet.png')]]],
		[20, '12:00', 'Recordings', []],
		[6, '16:32', '01 Belief workbook.pdf', make.worksheet('Belief', ['What I was told', 'What I saw'])],
		[6, '16:32', '02 Mindset workbook.pdf', make.worksheet('Mindset', ['Half past nine', 'Six', 'Ten'])],
		[7, '11:05', '03 Morning routine.mp4', make.film()],
		[7, '10:48', '04 Walk and think.wav', make.tune([262, 330, 392, 523, 392, 330, 262])],
		[8, '19:15', 'Cover sketch.jpg', make.picture('cover-sketch.jpg')],
		[9, '09:20', 'Goals for the quarter.docx', make.letter('Goals for the quarter', '1. Open at nine.')],
		[11, '18:41', 'Office plan.png', make.picture('office-plan.png')],
		[12, '12:10', 'Worksheets, all parts.zip', make.archive('worksheet.png', 'office-plan.png')],
		[18, '08:03', 'Yearly ledger template.pdf', make.worksheet('Ledger', ['Came in', 'Went out'])],
	];
	const module2: SampleNode[] = [
		[14, '10:05', 'Saying no, practice.pdf', make.worksheet('Saying no', ['A polite no', 'A short no'])],
	];
	const months = ['August', 'September', 'October'].map((month, index): SampleNode => {
		return [19 - index, '20:10', `${month} page.pdf`, make.worksheet(month, ['What came in', 'What went out'])];
	});
	return fill(deps, calendar, admin, email, [
		[
			24,
			'10:00',
			'Course material',
			[
				[24, '10:01', 'Module 1', module1],
				[14, '10:00', 'Module 2', module2],
			],
		],
		[20, '09:00', 'My worksheets', months],
		[0, '08:46', 'November page.pdf', make.worksheet('November', ['What came in', 'What went out'])],
		[2, '19:02', 'Call with Rohan.wav', make.tune([392, 440, 494, 523, 587, 523])],
		[4, '13:30', 'Letter to the landlord.docx', make.letter('Dear Mr Deshpande,', 'about the shutter …')],
		[5, '10:15', 'दुकान का नक्शा.png', make.picture('office-plan.png')],
	]);
}

/** Seeds the owner's space, from which files are shared: a course in three modules, and a checklist. */
export function fillOwnerSpace(deps: Deps, calendar: Calendar, admin: Caller, email: string, make: SampleFiles) {
	const start: SampleNode[] = [
		[16, '10:02', '1 Welcome.mp4', make.film()],
		[16, '10:03', '2 Where you stand.pdf', make.worksheet('Where you stand', ['Today', 'In a year'])],
		[16, '10:04', '3 Think aloud.wav', make.tune([330, 392, 494, 392, 330])],
	];
	const customer: SampleNode[] = [
		[16, '10:11', '1 Questions to ask.pdf', make.worksheet('Questions', ['Who?', 'Why now?', 'How?'])],
		[16, '10:12', '2 A shop window.jpg', make.picture('shop-front.jpg')],
	];
	const money: SampleNode[] = [
		[16, '10:21', '1 One page a month.pdf', make.worksheet('One page a month', ['Came in', 'Went out'])],
		[16, '10:22', '2 The worksheet.png', make.picture('worksheet.png')],
	];
	const course: SampleNode[] = [
		[16, '10:01', '1 Where you stand', start],
		[16, '10:10', '2 The first customer', customer],
		[16, '10:20', '3 Money you can see', money],
	];
	return fill(deps, calendar, admin, email, [
		[16, '10:00', 'Build Your Empire, the course', course],
		[5, '18:00', 'Shop opening checklist.pdf', make.worksheet('Before you open', ['Keys', 'Light', 'Change'])],
		[5, '18:05', 'Rent agreement, draft.docx', make.letter('Rent agreement', 'between …')],
	]);
}

/** Seeds the guest space, which every member may read. */
export async function fillGuestSpace(deps: Deps, calendar: Calendar, admin: Caller, make: SampleFiles): Promise<void> {
	const posters: SampleNode[] = [
		[27, '11:02', 'Cover sketch.jpg', make.picture('cover-sketch.jpg')],
		[27, '11:03', 'Shop front.jpg', make.picture('shop-front.jpg')],
	];
	await fill(deps, calendar, admin, 'guest', [
		[27, '11:00', 'Posters to print', posters],
		[28, '10:00', 'Welcome to Folio.mp4', make.film()],
		[28, '10:04', 'Monthly page, blank.pdf', make.worksheet('Monthly page', ['Came in', 'Went out', 'Sunday'])],
		[12, '09:20', 'Old price list.txt', make.text('Masala 200 g    80')],
		[12, '09:21', 'Drafts of the poster', [[12, '09:22', 'First idea.jpg', make.picture('cover-sketch.jpg')]]],
	]);
	await moveToTrash(depsAt(deps, calendar(2, '18:05')), admin, ['Old price list.txt', 'Drafts of the poster']);
}

/** Moves nodes of the guest space to the trash. */
async function moveToTrash(deps: Deps, admin: Caller, names: string[]): Promise<void> {
	const ids = (await topOf(deps, admin, 'guest')).filter(({ name }) => names.includes(name)).map(({ id }) => id);
	await deleteNodes(deps, admin, ids);
}

async function topOf(deps: Deps, admin: Caller, owner: string) {
	const page = { path: '', type: 'all', sort: 'name', order: 'asc', limit: 50 } as const;
	return (await listFolder(deps, admin, { owner, ...page })).items;
}

/** Seeds small spaces of other members, so that their user cards show figures. */
export async function fillOtherSpaces(deps: Deps, calendar: Calendar, admin: Caller, make: SampleFiles): Promise<void> {
	await fill(deps, calendar, admin, 'ritu.a@example.com', [
		[1, '19:10', 'Stall at the fair.jpg', make.picture('shop-front.jpg')],
		[1, '19:11', 'Price list.txt', make.text('Masala 200 g    90', 'Pickle 500 g   180')],
	]);
	await fill(deps, calendar, admin, 'imran.q@example.com', [
		[3, '17:00', 'Workshop plan.png', make.picture('office-plan.png')],
	]);
}

const bookNames: Record<EditionKey, string> = {
	'part-1-en': 'Build Your Empire, Part 1, English.pdf',
	'part-1-hi': 'Build Your Empire, Part 1, Hindi.pdf',
	'part-2-en': 'Build Your Empire, Part 2, English.pdf',
	'part-2-hi': 'Build Your Empire, Part 2, Hindi.pdf',
};

/** Seeds the book's files. @returns the ID of each edition's file */
export async function fillBookSpace(
	deps: Deps,
	calendar: Calendar,
	admin: Caller,
	make: SampleFiles,
): Promise<Array<{ key: EditionKey; fileId: string }>> {
	const files = editionKeys.map((key, index): SampleNode => [30, `10:3${index}`, bookNames[key], make.book(key)]);
	await fill(deps, calendar, admin, 'book', files);
	const items = await topOf(deps, admin, 'book');
	return editionKeys.map((key) => {
		const node = items.find((item) => item.name === bookNames[key]);
		if (node === undefined) throw new Error(`${bookNames[key]} is not in the book's space.`);
		return { key, fileId: node.id };
	});
}
