import { expect, test } from 'vitest';
import type { CourseModule, Lesson } from '#contract/course/course.ts';
import { findRows } from '../../support/app/database-rows.ts';
import { createHttpClient, type HttpClient } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { makeSignedInUser, makeUser, testPassword } from '../../support/app/users.ts';
import { makeFile, makeFolder, tinyPdf } from '../../support/fixtures/files.ts';

const { testApp, deps, admin } = await openTestApp();
const owner = 'owner@example.com';
const email = 'learner@example.com';
const ownerId = await makeUser(deps, owner);
const { client: desktop } = await makeSignedInUser(testApp, email);
const phone = createHttpClient(testApp.app);
await phone.signIn(email, testPassword);
const ids: Record<string, string> = {};

type Folder = { id: string; path: string };
const newFile = async (name: string, folder?: Folder, contentType = 'video/mp4') => {
	const bytes = contentType === 'application/pdf' ? tinyPdf : Buffer.from(name);
	ids[name] = await makeFile(deps, { ownerId, name, bytes, contentType, folder });
	return ids[name];
};
const newFolder = async (name: string, path = '') => {
	const folder = await makeFolder(deps, owner, name, path);
	ids[name] = folder.id;
	return folder;
};
const share = (nodeId = '') => admin.call('POST', '/api/shares', { nodeId, email });
const saveProgress = (client: HttpClient, name: string, body: object) =>
	client.call('PUT', `/api/course/lessons/${ids[name]}/progress`, body);
async function modules(client = desktop): Promise<{ items: CourseModule[]; resume: unknown }> {
	return (await client.call('GET', '/api/course')).json();
}
async function lessons(name: string): Promise<Lesson[]> {
	return (await desktop.call('GET', `/api/course/modules/${ids[name]}`)).json().lessons;
}

const first = await newFolder('1 Belief');
const part = await newFolder('Extras', first.path);
await newFile('10 last.mp4', first);
await newFile('9 before.mp4', first);
await newFile('notes.pdf', part, 'application/pdf');
await newFile('hidden.mp4', await newFolder('Hidden', first.path));
await newFile('deleted.mp4', await newFolder('Deleted', first.path));
await newFile('mind.mp4', await newFolder('2 Mindset'));
await newFile('single.pdf', undefined, 'application/pdf');
await newFile('not shared.mp4');
for (const name of ['1 Belief', '2 Mindset', 'single.pdf']) await share(ids[name]);
await admin.call('POST', '/api/shares/remove', { nodeId: ids.Hidden, email });
await admin.call('DELETE', `/api/nodes/${ids.Deleted}`);

test('lists shared nodes as modules and their files as lessons, both by name, and omits excluded and deleted nodes', async () => {
	const { items, resume } = await modules();
	expect(items.map(({ node, lessons: count, done }) => [node.name, count, done])).toEqual([
		['1 Belief', 3, 0],
		['2 Mindset', 1, 0],
		['single.pdf', 1, 0],
	]);
	expect(resume).toBeNull();
	expect((await lessons('1 Belief')).map(({ node, section }) => [...section, node.name])).toEqual([
		['9 before.mp4'],
		['10 last.mp4'],
		['Extras', 'notes.pdf'],
	]);
	const { previousModule, nextModule } = (await desktop.call('GET', `/api/course/modules/${ids['2 Mindset']}`)).json();
	expect(previousModule).toEqual({ id: ids['1 Belief'], name: '1 Belief', kind: 'folder' });
	expect(nextModule).toEqual({ id: ids['single.pdf'], name: 'single.pdf', kind: 'file' });
});

test('returns the progress from one device on another device, and counts the lessons that are done', async () => {
	await saveProgress(desktop, '9 before.mp4', { position: 70, total: 600 });
	await saveProgress(desktop, 'notes.pdf', { position: 7, total: 20 });
	const seen = (await phone.call('GET', `/api/course/modules/${ids['1 Belief']}`)).json().lessons as Lesson[];
	expect(seen.map(({ progress }) => progress?.position ?? null)).toEqual([70, null, 7]);
	expect((await modules(phone)).resume).toEqual({
		moduleId: ids['1 Belief'],
		lessonId: ids['notes.pdf'],
		name: 'notes.pdf',
		moduleName: '1 Belief',
	});
	// A lesson that was played to its end stays done when the lesson is played again.
	expect((await saveProgress(phone, '9 before.mp4', { position: 598, total: 600 })).json().isDone).toBe(true);
	const reopened = await saveProgress(phone, '9 before.mp4', { position: 5, total: 600 });
	expect(reopened.json()).toMatchObject({ isDone: true, position: 5 });
	expect((await saveProgress(phone, 'notes.pdf', { position: 19, total: 20 })).json().isDone).toBe(false);
	expect((await saveProgress(phone, 'notes.pdf', { position: 20, total: 20 })).json().isDone).toBe(true);
	expect((await saveProgress(phone, '10 last.mp4', { position: 0, total: 0, isDone: true })).json().isDone).toBe(true);
	expect((await modules()).items.map(({ done }) => done)).toEqual([3, 0, 0]);
	const undone = await saveProgress(phone, 'notes.pdf', { position: 20, total: 20, isDone: false });
	expect(undone.json().isDone).toBe(false);
	expect((await modules()).items.map(({ done }) => done)).toEqual([2, 0, 0]);
});

test('stores progress only for lessons that the user may read, and only for the signed-in user', async () => {
	for (const name of ['not shared.mp4', 'hidden.mp4', '1 Belief'])
		expect((await saveProgress(desktop, name, { position: 1, total: 2 })).statusCode).toBe(404);
	expect((await saveProgress(desktop, 'mind.mp4', { position: -1, total: 2 })).statusCode).toBe(422);
	expect((await saveProgress(desktop, 'mind.mp4', { position: 1, total: 2, userId: 'x' })).statusCode).toBe(200);
	const rows = await findRows(deps, 'lesson_progress');
	expect(new Set(rows.map((row) => row.user_id)).size).toBe(1);
	await admin.call('POST', '/api/shares/remove', { nodeId: ids['2 Mindset'], email });
	expect((await desktop.call('GET', `/api/course/modules/${ids['2 Mindset']}`)).statusCode).toBe(404);
	expect((await modules()).items.map(({ node }) => node.name)).toEqual(['1 Belief', 'single.pdf']);
	expect((await modules()).resume).toMatchObject({ name: 'notes.pdf' });
});
