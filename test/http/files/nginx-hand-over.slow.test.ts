import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { freePort } from '../../../scripts/services/free-port.mjs';
import { listen, requireWithinASecond } from '../../support/app/event-streams.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { downloadSlowly } from '../../support/app/slow-download.ts';
import { getBlobOfFile } from '../../support/app/stored-objects.ts';
import { makeSignedInUser, makeUser } from '../../support/app/users.ts';
import { makeFile, tinyPdf } from '../../support/fixtures/files.ts';
import { prepareNginx } from '../../support/services/nginx.ts';
import { exchange } from '../../support/services/server-client.ts';

const location = '/stored-files';
// Files are in a folder, because the setting cannot be combined with an S3 store.
const { testApp, deps, admin } = await openTestApp({ S3_BUCKET: '', X_ACCEL_REDIRECT: location });
const url = await listen(testApp.app);
const port = await freePort();
const nginx = await prepareNginx(port, [Number(new URL(url).port)], join(deps.config.DATA_DIR, 'storage'));
await nginx.start();
afterAll(() => nginx.close());
afterEach(() => expect.poll(() => deps.live.count()).toBe(0));
const { url: nginxUrl } = nginx;

const email = 'reader@example.com';
const { client: reader } = await makeSignedInUser(testApp, email);
const ownerId = await makeUser(deps, 'owner@example.com');
const mebibyte = 1024 * 1024;
const make = async (name: string, bytes: Buffer, contentType: string) => {
	const id = await makeFile(deps, { ownerId, name, bytes, contentType });
	await admin.call('POST', '/api/shares', { nodeId: id, email });
	return id;
};
const picture = await make('चित्र (1).png', randomBytes(20_000), 'image/png');
const document = await make('100% "sure".pdf', tinyPdf, 'application/pdf');
const large = await make('large.mp4', randomBytes(3 * mebibyte), 'video/mp4');
const etagOf = async (id: string) => `"${(await getBlobOfFile(deps, { id })).id}"`;
const cookie = reader.cookie();

const contentOf = (id: string) => `/api/files/${id}/content`;
const handedOver = [
	['a picture', contentOf(picture), {}],
	['a download', `${contentOf(picture)}?download`, {}],
	['a PDF', contentOf(document), {}],
	['a short range', contentOf(large), { range: 'bytes=1000000-1262143' }],
	['a range of 1 MB', contentOf(large), { range: `bytes=1-${mebibyte}` }],
	['the last bytes', contentOf(large), { range: `bytes=${3 * mebibyte - 10}-${3 * mebibyte - 1}` }],
] as const;
const sentByFolio = [
	['a file of more than 1 MB', contentOf(large), {}],
	['a range of more than 1 MB', contentOf(large), { range: `bytes=0-${mebibyte}` }],
	['a range without an end', contentOf(picture), { range: 'bytes=5-' }],
	['a range beyond the end', contentOf(picture), { range: 'bytes=5-99999999999999999999' }],
	['two ranges', contentOf(picture), { range: 'bytes=0-1,4-5' }],
	['an unsatisfiable range', contentOf(picture), { range: 'bytes=20000-20001' }],
	['an unchanged file', contentOf(picture), { 'if-none-match': await etagOf(picture) }],
	['a file with If-None-Match: *', contentOf(picture), { 'if-none-match': '*' }],
	['a range of an unchanged file', contentOf(large), { range: 'bytes=0-9', 'if-range': await etagOf(large) }],
	['a range of a changed file', contentOf(picture), { range: 'bytes=0-9', 'if-range': '"other"' }],
] as const;

test.each([
	...handedOver.map(([what, path, headers]) => ({ what, path, headers, isHandedOver: true })),
	...sentByFolio.map(([what, path, headers]) => ({ what, path, headers, isHandedOver: false })),
])('sends $what with the same status, headers and bytes as without nginx', async ({ path, headers, isHandedOver }) => {
	const request = { headers: { cookie, ...headers } };
	const answer = await exchange(url + path, request);
	expect(answer.headers['x-accel-redirect'] !== undefined).toBe(isHandedOver);
	expect(answer.bytes.length === 0 || !isHandedOver).toBe(true);
	const behindNginx = comparable(await exchange(nginxUrl + path, request));
	deps.config.X_ACCEL_REDIRECT = undefined;
	const withoutSetting = comparable(await exchange(url + path, request));
	deps.config.X_ACCEL_REDIRECT = location;
	expect(behindNginx).toEqual(withoutSetting);
});

/** Removes the headers that belong to a connection or to the program that sends the response. */
function comparable({ status, headers, bytes }: Awaited<ReturnType<typeof exchange>>) {
	const { date, server, connection, 'keep-alive': keepAlive, ...own } = headers;
	return { status, headers: own, sha256: createHash('sha256').update(bytes).digest('hex') };
}

test('returns 404 for the location itself, and for a file without a share', async () => {
	const { storage_key: key } = await getBlobOfFile(deps, { id: picture });
	expect((await exchange(`${nginxUrl}${location}/${key}`, { headers: { cookie } })).status).toBe(404);
	const other = await makeFile(deps, { ownerId, name: 'other.txt', bytes: Buffer.from('not shared') });
	expect((await exchange(nginxUrl + contentOf(other), { headers: { cookie } })).status).toBe(404);
	expect((await exchange(nginxUrl + contentOf(picture), {})).status).toBe(401);
});

test('ends a running download behind nginx within a second when the share is removed', async () => {
	const film = await make('film.mp4', Buffer.alloc(80 * mebibyte, 'x'), 'video/mp4');
	const download = await downloadSlowly(nginxUrl, reader, contentOf(film));
	await expect.poll(() => deps.live.count()).toBe(1);
	await admin.call('POST', '/api/shares/remove', { nodeId: film, email });
	await requireWithinASecond(expect.poll(() => deps.live.count()).toBe(0), 'the download');
	expect(await download.finish()).toBe(false);
	expect((await exchange(nginxUrl + contentOf(film), { headers: { cookie } })).status).toBe(404);
});
