import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { expect, test } from 'vitest';
import { listen } from '../../support/app/event-streams.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { makeSignedInUser, makeUser } from '../../support/app/users.ts';
import { makeTextFile } from '../../support/fixtures/files.ts';

const secret = 'what nobody else may read';
const { testApp, deps } = await openTestApp();
const { id: memberId, client: member } = await makeSignedInUser(testApp, 'reader@example.com');
const otherId = await makeUser(deps, 'other@example.com');
const cookie = member.cookie();
const own = await makeTextFile(deps, memberId, 'own.txt', 'my own');
const fileOfOther = await makeTextFile(deps, otherId, 'foreign.txt', secret);
const url = await listen(testApp.app);

/** Sends a request with node:http, which does not normalize the path. */
async function readPath(path: string): Promise<{ status: number; text: string }> {
	const { port } = new URL(url);
	const sent = request({ host: '127.0.0.1', port, path, headers: { cookie } }).end();
	const [response] = (await once(sent, 'response')) as [IncomingMessage];
	const chunks: Buffer[] = [];
	for await (const chunk of response) chunks.push(chunk as Buffer);
	return { status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() };
}

test('a member can read a file of their own space', async () => {
	expect(await readPath(`/api/files/${own}/content`)).toEqual({ status: 200, text: 'my own' });
});

test('returns no file for paths with `..`, encoded slashes or similar characters', async () => {
	const blob = await deps.db.selectFrom('blobs').select('storage_key').executeTakeFirstOrThrow();
	const paths = [
		`/api/files/${own}/../${fileOfOther}/content`,
		`/api/files/${own}%2f..%2f${fileOfOther}/content`,
		`/api/files/${own}/%2e%2e/${fileOfOther}/content`,
		`/api/files/${own}/..%2f${fileOfOther}/content`,
		`/api/files/${own}/%252e%252e/${fileOfOther}/content`,
		`/api/files/${fileOfOther}/content`,
		`/api/files/${fileOfOther}%00/content`,
		`/api/files/${fileOfOther}/content%2f`,
		`/api/files/${fileOfOther}/thumb`,
		`/api/files//${fileOfOther}/content`,
		`/api//files/${fileOfOther}/content`,
		`/api/files/${own}\\..\\${fileOfOther}/content`,
		// Full-width slashes and dots, an overlong encoding of a slash, and a two-dot leader (U+2025).
		`/api/files/${own}%ef%bc%8f%ef%bc%8e%ef%bc%8e%ef%bc%8f${fileOfOther}/content`,
		`/api/files/${own}%c0%af..%c0%af${fileOfOther}/content`,
		`/api/files/%e2%80%a5%2f${fileOfOther}/content`,
		`/api/archive?ids=${own},${fileOfOther}`,
		`/api/archive?ids=${own}%2c${fileOfOther}`,
		`/api/archive?ids=..%2f${fileOfOther}`,
		`/api/archive?ids=..`,
		`/api/spaces/me%2f..%2fother@example.com/nodes`,
		`/api/spaces/me/../other@example.com/nodes`,
		`/api/spaces/other@example.com%00/nodes`,
		'/api/spaces/me/nodes?path=..',
		'/api/spaces/me/nodes?path=../other@example.com',
		'/api/spaces/me/nodes?path=%2e%2e%2f',
		`/storage/${blob.storage_key}`,
		`/${blob.storage_key}`,
		`/assets/..%2f..%2fstorage%2f${encodeURIComponent(blob.storage_key)}`,
		'/assets/..%2f..%2ffolio.db',
		'/assets/%2e%2e/%2e%2e/folio.db',
		'/pdfjs/..%2f..%2f..%2fpackage.json',
		'/pdfjs/cmaps/../../../package.json',
		'/..%2f..%2f..%2fetc%2fpasswd',
		'/%2e%2e/%2e%2e/etc/passwd',
	];
	for (const path of paths) {
		const { status, text } = await readPath(path);
		expect([400, 404, 414, 422], `${path}: ${text.slice(0, 80)}`).toContain(status);
		for (const leak of [secret, 'my own', 'SQLite format', 'root:', '"dependencies"'])
			expect(text.includes(leak), `${path} returns ${leak}`).toBe(false);
	}
});
