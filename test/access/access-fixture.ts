import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { LightMyRequestResponse } from 'fastify';
import sharp from 'sharp';
import type { ContentValue } from '#contract/storefront/content-fields.ts';
import { addMembers, createGroup, removeMembers } from '#server/features/accounts/groups/groups.service.ts';
import { createPasswordLink } from '#server/features/accounts/passwords/password-links.ts';
import { findUserByEmail } from '#server/features/accounts/users/users.service.ts';
import { saveBook, saveQr } from '#server/features/book/content/content.service.ts';
import { appendUploadBytes, beginUpload } from '#server/features/files/uploads/uploads.service.ts';
import { shareNode, shareNodes, unshareNode } from '#server/features/sharing/sharing.service.ts';
import { saveField } from '#server/features/storefront/content/content.service.ts';
import { publishDraft } from '#server/features/storefront/content/publishing.ts';
import { savePicture } from '#server/features/storefront/content-files/picture-upload.ts';
import { saveVideoPart } from '#server/features/storefront/videos/videos.service.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { readSplicedBytes } from '#server/platform/storage/spliced-bytes.ts';
import { listen } from '../support/app/event-streams.ts';
import { createHttpClient, smallPng } from '../support/app/http-client.ts';
import { createTestApp } from '../support/app/test-app.ts';
import { adminCaller, makeUser, testPassword } from '../support/app/users.ts';
import { captions } from '../support/documents/videos.ts';
import { makeFile, makeFolder, makeVideo, tinyPdf } from '../support/fixtures/files.ts';
import { makeOrder } from '../support/fixtures/orders.ts';

/**
 * The actors of the access table. A: anonymous. I: an inactive user, whose session was ended by the deactivation. O: a user
 * who requests their own data. X: a user who requests data of another user. G: a user who requests the guest space. R:
 * the recipient of a share, or a buyer with book access. U: a user whose share or book access was removed. D: an admin.
 */
export const actors = ['A', 'I', 'O', 'X', 'G', 'R', 'U', 'D'] as const;
export type Actor = (typeof actors)[number];

export interface AccessRequest {
	url: string;
	body?: unknown;
	headers?: Record<string, string>;
	/** Replaces the session cookie of the actor. */
	cookie?: string;
	isStream?: boolean;
	/** Identifies the target of the request for the checks, usually by its ID. */
	target?: string;
}

export type AccessFixture = Awaited<ReturnType<typeof createAccessFixture>>;

export const fileBytes = (owner: string) => Buffer.from(`the bytes of ${owner}, and of nobody else`);
export const posterOf = (owner: string) => Buffer.from(`the poster of ${owner}`);
export const fileName = (owner: string) => `Note of ${owner}.txt`;
export const uploadBytes = Buffer.from('uploaded');

const emails = {
	I: 'inactive@example.com',
	O: 'own@example.com',
	X: 'curious@example.com',
	G: 'guest-reader@example.com',
	R: 'reader@example.com',
	U: 'unpaid@example.com',
	D: 'admin@example.com',
};
const otherMember = 'bystander@example.com';
/** A folder of this user is shared with R. An earlier share of the folder with U was deleted. */
export const sharer = 'sharer@example.com';

/**
 * Creates an app with the users, spaces, orders and book that the access table needs. With `isThroughGroup`, R reads the
 * shared folder as a member of a group, which U has left.
 */
export async function createAccessFixture({ isThroughGroup = false } = {}) {
	const app = await createTestApp({ RATE_LIMIT_FACTOR: '1000' });
	const { deps } = app;
	const userIds: Record<string, string> = {};
	for (const [actor, email] of Object.entries(emails))
		userIds[actor] = await makeUser(deps, email, actor === 'D' ? 'admin' : 'user');
	userIds.other = await makeUser(deps, otherMember);
	await makeUser(deps, sharer);
	userIds.otherAdmin = await makeUser(deps, 'other-admin@example.com', 'admin');

	const cookies: Partial<Record<Actor, string>> = {};
	for (const [actor, email] of Object.entries(emails)) {
		const client = createHttpClient(app.app);
		await client.signIn(email, testPassword);
		cookies[actor as Actor] = client.cookie();
	}
	/** The owner of the space in the URLs that the actor requests. */
	const spaces: Record<Actor, string> = {
		A: emails.O,
		I: emails.I,
		O: emails.O,
		X: otherMember,
		G: 'guest',
		R: sharer,
		U: sharer,
		D: otherMember,
	};
	const { I = '', O = '', other = '' } = userIds;
	/** The user whose conversation the actor requests. */
	const chats: Record<Actor, string> = { A: O, I, O, X: other, G: O, R: O, U: O, D: other };
	// The keys are the owners of the spaces, and the values are node IDs.
	const files: Record<string, string> = {};
	const videos: Record<string, string> = {};
	const videosWithoutPoster: Record<string, string> = {};
	const shared = await makeFolder(deps, sharer, 'Shared folder');
	for (const owner of new Set([...Object.values(spaces), 'book'])) {
		const ownerId = (await findUserByEmail(deps.db, owner))?.id ?? owner;
		const folder = owner === sharer ? shared : undefined;
		files[owner] = await makeFile(deps, { ownerId, name: fileName(owner), bytes: fileBytes(owner), folder });
		videos[owner] = await makeVideo(deps, { ownerId, name: 'film.mp4', poster: posterOf(owner), folder });
		videosWithoutPoster[owner] = await makeVideo(deps, {
			ownerId,
			name: 'other film.mp4',
			poster: posterOf(owner),
			folder,
		});
	}
	const caller = adminCaller(userIds.D ?? '', emails.D);
	if (isThroughGroup) {
		const { id: groupId } = await createGroup(deps, caller, { name: 'Readers' });
		await addMembers(deps, caller, { id: groupId, userIds: [userIds.R ?? '', userIds.U ?? ''] });
		await shareNodes(deps, caller, { ids: [shared.id], recipients: [{ groupId }] });
		await removeMembers(deps, caller, { id: groupId, userIds: [userIds.U ?? ''] });
	} else {
		for (const email of [emails.R, emails.U]) await shareNode(deps, caller, { nodeId: shared.id, email });
		await unshareNode(deps, caller, { nodeId: shared.id, email: emails.U });
	}
	const pdf = { ownerId: 'book', name: 'part-1.pdf', bytes: tinyPdf, contentType: 'application/pdf' };
	const edition = await makeFile(deps, pdf);
	await saveBook(deps, caller, {
		title: 'Build Your Empire',
		originalPrice: 999,
		discountedPrice: 499,
		bank: { name: 'Sample Bank', accountNumber: '1234567890', ifsc: 'SAMP0000001', accountHolder: 'Owner' },
		editions: [{ key: 'part-1-en', fileId: edition }],
		version: 0,
	});
	const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#123456' } })
		.png()
		.toBuffer();
	const { qrCodeUrl } = await saveQr(deps, caller, { name: 'qr.png', bytes: png });
	const captionsPart = { key: 'how-to-get', part: 'captions-hi', version: 0 } as const;
	const captionsFile = { name: 'captions.vtt', bytes: Buffer.from(captions) };
	const saved = await saveVideoPart(deps, caller, captionsPart, captionsFile);
	const pictureFile = { name: 'text.png', bytes: smallPng };
	const picture = await savePicture(deps, caller, { kind: 'icon', crop: null }, pictureFile);
	const icon = await saveField(deps, caller, { field: 'icon', value: picture.id, version: 0 });
	await publishDraft(deps, caller, { fields: [saved, icon] });
	await makeOrder(deps, { userId: userIds.R ?? '', email: emails.R, status: 'Complete' });
	await app.runDueWork();
	const copy = await deps.db
		.selectFrom('watermarked_copies')
		.innerJoin('blobs as parts', 'parts.id', 'watermarked_copies.blob_id')
		.innerJoin('blobs as bases', 'bases.id', 'watermarked_copies.base_blob_id')
		.select(['inserts', 'parts.storage_key as partsKey'])
		.select(['bases.storage_key as baseKey', 'bases.size_bytes as baseBytes'])
		.where('user_id', '=', userIds.R ?? '')
		.executeTakeFirstOrThrow();
	const order = await makeOrder(deps, { userId: userIds.U ?? '', email: emails.U, status: 'Pending' });
	const asAdmin = { cookie: cookies.D ?? '' };
	await createHttpClient(app.app).call('POST', `/api/users/${userIds.I}/active`, { active: false }, asAdmin);

	const { port } = new URL(await listen(app.app));
	const agent = new Agent({ keepAlive: true });
	let count = 0;

	/** Sends a request to `fixture.app`, which a test can replace. */
	function send(actor: Actor, method: string, accessRequest: AccessRequest): Promise<LightMyRequestResponse> {
		const { url, body, headers, cookie, isStream } = accessRequest;
		const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
		const session = cookie ?? cookies[actor];
		return fixture.app.inject({
			method: method as 'GET',
			url,
			remoteAddress: '203.0.113.9',
			headers: {
				...(session !== undefined && { cookie: session }),
				...(body !== undefined && !isRaw && { 'content-type': 'application/json' }),
				...headers,
			},
			...(body !== undefined && { payload: isRaw ? body : JSON.stringify(body) }),
			...(isStream === true && { payloadAsStream: true }),
		}) as Promise<LightMyRequestResponse>;
	}

	/** Sends a request over a TCP connection, because `inject` would normalize the path. @returns the status */
	async function sendRaw(actor: Actor, method: string, path: string): Promise<number> {
		const headers = { cookie: cookies[actor] ?? '' };
		const sent = request({ port, host: '127.0.0.1', method, path, agent, headers }).end();
		const [response] = (await once(sent, 'response')) as [IncomingMessage];
		response.resume();
		await once(response, 'end');
		return response.statusCode ?? 0;
	}

	async function freshUser(role?: 'user' | 'admin') {
		count += 1;
		const email = `fresh-${count}@example.com`;
		return { email, id: await makeUser(deps, email, role) };
	}

	async function freshSession(role?: 'user' | 'admin') {
		const { id, email } = await freshUser(role);
		const client = createHttpClient(app.app);
		await client.signIn(email, testPassword);
		return { id, email, cookie: client.cookie() };
	}

	async function freshLink() {
		const { email, id } = await freshUser();
		const { token } = await inTransaction(deps.db, (tx) => createPasswordLink(deps, tx, id, 600));
		return { email, token };
	}

	/** Creates an unfinished upload by D or by another admin. @returns the ID of the upload */
	async function freshUpload(owner: string, of: 'D' | 'other' = 'D'): Promise<string> {
		const id = randomUUID();
		const uploader = of === 'D' ? caller : adminCaller(userIds.otherAdmin ?? '', emails.D);
		await beginUpload(deps, uploader, id, { owner, path: '', name: `${id}.bin`, sizeBytes: uploadBytes.length });
		await appendUploadBytes(deps, id, Readable.from([]));
		return id;
	}

	const fixture = {
		...app,
		...{ spaces, chats, files, videos, videosWithoutPoster, userIds, order },
		emails: emails as Readonly<Record<string, string>>,
		...{ send, sendRaw, freshUser, freshSession, freshLink, freshUpload },
		/** The ID of the shared folder, and the path of the nodes in it. */
		shared,
		qrUrl: qrCodeUrl ?? '',
		/** The bytes of R's watermarked copy of the edition. */
		watermarkedBytes: await buffer(
			await readSplicedBytes(deps.storage, { ...copy, inserts: JSON.parse(copy.inserts ?? '') }),
		),
		captionsUrl: `/api/films/${(saved.value as ContentValue<'videos.benefits'>).captions.hi?.blobId}`,
		pictureUrl: picture.url,
		async close() {
			agent.destroy();
			await app.close();
		},
	};
	return fixture;
}

export async function freshFolder(fixture: AccessFixture, owner: string): Promise<string> {
	return (await makeFolder(fixture.deps, owner, `Folder ${randomUUID()}`)).id;
}

/** Creates a group with one member, who has no other access. @returns the ID */
export async function freshGroup({ deps, userIds, emails: { D = '' } }: AccessFixture): Promise<string> {
	const caller = adminCaller(userIds.D ?? '', D);
	const { id } = await createGroup(deps, caller, { name: `Group ${randomUUID()}` });
	await addMembers(deps, caller, { id, userIds: [userIds.other ?? ''] });
	return id;
}

export async function freshOrder(fixture: AccessFixture, status: 'Pending' | 'Complete' = 'Pending') {
	const { id, email } = await fixture.freshUser();
	return { ...(await makeOrder(fixture.deps, { userId: id, email, status })), email };
}
