/**
 * Edits the storefront while the server is killed (-9): an admin saves two fields, uploads a picture and publishes, over
 * and over. After each kill every acknowledged value, picture and version is there, and what visitors see is one
 * publication as a whole.
 * Control: with a server that acknowledges a field before it is stored, the same checks must find faults.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ContentVersion, DraftField, StorefrontImage } from '#contract/storefront/content.ts';
import { paintPicture } from '../support/documents/sample-files.ts';
import { type Client, signInOwner } from '../support/services/server-client.ts';
import { finishTest, isShort, printLine } from './support/report.ts';
import { checkFiles, openServer } from './support/server.ts';
import { type Rewrite, runControl } from './support/server-variant.ts';

const kills = isShort ? 6 : 40;
const names = ['wordmark', 'author'] as const;
const picture = await paintPicture();

/** What the server has acknowledged. A later value may be stored too: its answer was lost. */
interface Acknowledged {
	/** Number of the last acknowledged value of each field, and of the last one that was sent. */
	saved: Record<(typeof names)[number], number>;
	sent: number;
	published: number;
	pictures: StorefrontImage[];
	version: number;
}

const failures = await editUnderKills(kills);
const acknowledgedEarly: Rewrite = {
	file: 'features/storefront/content/content.service.ts',
	find: /await (changeField\(deps, caller, \{ field, version \}, \(\) => \(value === null \? null : parseValue\(field, value\)\)\));/u,
	replace: 'setTimeout(() => $1.catch(() => {}), 300);',
};
const control = (dist: string) => editUnderKills(3, dist);
failures.push(...(await runControl('acknowledged-early', [acknowledgedEarly], control, /was acknowledged/u)));
finishTest(failures);

async function editUnderKills(times: number, dist?: string): Promise<string[]> {
	await using server = await openServer(dist);
	const faults: string[] = [];
	const done: Acknowledged = { saved: { wordmark: 0, author: 0 }, sent: 0, published: 0, pictures: [], version: 1 };
	for (let round = 1; round <= times; round += 1) {
		const owner = await signInOwner(server.url);
		const edits = edit(owner, done);
		await sleep(randomInt(200, 1200));
		await server.kill();
		await edits;
		await server.start();
		faults.push(...(await check(await signInOwner(server.url), done)));
	}
	faults.push(...(await checkFiles(server)));
	printLine(
		`${done.sent} values sent, ${done.version} versions and ${done.pictures.length} pictures acknowledged in ${times} kills; ${faults.length} faults`,
	);
	return faults;
}

/** Edits until the server no longer answers. */
async function edit(owner: Client, done: Acknowledged): Promise<void> {
	try {
		for (;;) {
			done.sent += 1;
			const number = done.sent;
			for (const name of names) {
				const version = (await readDraft(owner)).find(({ field }) => field === name)?.version;
				const value = { en: String(number), hi: '' };
				await owner.send('PUT', `/api/storefront/draft/${name}`, { value, version });
				done.saved[name] = number;
			}
			if (number % 4 === 0) done.pictures.push(await upload(owner));
			const fields = (await readDraft(owner)).filter(({ isChanged }) => isChanged);
			const seen = fields.map(({ field, version }) => ({ field, version }));
			done.version = (await owner.send<ContentVersion>('POST', '/api/storefront/publish', { fields: seen })).number;
			done.published = number;
		}
	} catch {
		// The server was killed, or the control refused a field that it has not stored yet.
	}
}

async function check(owner: Client, { saved, sent, published, pictures, version }: Acknowledged): Promise<string[]> {
	const faults: string[] = [];
	const shown: number[] = [];
	const draft = await readDraft(owner);
	for (const name of names) {
		const field = draft.find((other) => other.field === name);
		const numberOf = (value: unknown) => Number((value as { en: string }).en) || 0;
		shown.push(numberOf(field?.published));
		const stored = numberOf(field?.value);
		if (stored < saved[name] || stored > sent)
			faults.push(`${name} ${saved[name]} was acknowledged, but ${stored} is stored`);
	}
	if (shown[0] !== shown[1]) faults.push(`visitors see half of a publication: ${shown.join(' and ')}`);
	if ((shown[0] ?? 0) < published) faults.push(`publication ${published} was acknowledged, but ${shown[0]} is shown`);
	const { items } = await owner.get<{ items: ContentVersion[] }>('/api/storefront/versions');
	if ((items[0]?.number ?? 0) < version) faults.push(`version ${version} was acknowledged, but is missing`);
	for (const { url } of pictures) {
		const answer = await owner.request(url);
		await answer.arrayBuffer();
		if (answer.status !== 200)
			faults.push(`the picture ${url} was acknowledged, but is answered with ${answer.status}`);
	}
	return faults;
}

async function readDraft(owner: Client): Promise<DraftField[]> {
	return (await owner.get<{ fields: DraftField[] }>('/api/storefront/draft')).fields;
}

async function upload(owner: Client): Promise<StorefrontImage> {
	const answer = await owner.sendFile('/api/storefront/images?kind=cover', 'cover.png', picture);
	if (!answer.ok) throw new Error(await answer.text());
	return (await answer.json()) as StorefrontImage;
}
