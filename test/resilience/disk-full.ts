/**
 * Fills a small disk. Uploads are refused with a message before they use the reserves (64 MiB for the database, and a
 * tenth of this disk for orders), when they are created and while they are sent. While uploads and chat messages are
 * refused, orders are accepted with smaller and smaller screenshots, and the owner gets a mail. On the full disk,
 * reading, signing in and deleting still work. When space is free again, uploads work without a restart.
 * Control: without the reserves, uploads use the space of the database.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { createUpload, sendFrom } from '../support/browser/seeding.ts';
import { type BuiltServer, ownerEmail, ownerPassword } from '../support/services/built-server.ts';
import { type Mailbox, startMailbox } from '../support/services/mailbox.ts';
import { type Client, createClient, signInOwner } from '../support/services/server-client.ts';
import { sendCheckout } from './support/purchases.ts';
import { finishTest, printLine } from './support/report.ts';
import { checkFiles, openServer } from './support/server.ts';
import { type Rewrite, runControl } from './support/server-variant.ts';
import { enterMountingNamespace, mountSmallDisk, type SmallDisk } from './support/small-disk.ts';
import { findDifferences, makeSample, type Sample } from './support/uploads.ts';

const mebibyte = 1024 * 1024;
const diskBytes = 176 * mebibyte;
const databaseReserveBytes = 64 * mebibyte;
/** Bytes by which the database and its log may grow while the disk fills up. */
const slackBytes = 4 * mebibyte;
const diskFullMessage = 'The disk is full.';
const buyer = { name: 'Asha Rao', email: 'asha@example.com' };
/** The server reads the free space of its disk at most once a second. */
const freeSpaceReadAgainMs = 1100;

enterMountingNamespace();

const withoutReserve: Rewrite = {
	file: 'platform/storage/free-space.ts',
	find: /const reservedBytes = databaseReserveBytes \+ .*/u,
	replace: 'const reservedBytes = -(2 ** 40);',
};

const failures: string[] = (await runScenario('full disk', undefined)).map((fault) => `full disk: ${fault}`);
failures.push(
	...(await runControl('no-reserve', [withoutReserve], (dist) => runScenario('control', dist), /reserve/u)),
);
finishTest(failures);

async function runScenario(name: string, dist: string | undefined): Promise<string[]> {
	using disk = mountSmallDisk(diskBytes);
	await using mailbox = await startMailbox();
	const env = { DATA_DIR: join(disk.folder, 'data'), BUYER_PASSWORD: 'name', SMTP_URL: mailbox.url };
	await using server = await openServer(dist, env);
	const faults: string[] = [];
	await fillAndRecover(server, disk, mailbox, faults).catch((error: Error) => faults.push(error.message));
	printLine(`${name}: ${faults.length === 0 ? 'no faults' : faults.join('; ')}`);
	return faults;
}

async function fillAndRecover(server: BuiltServer, disk: SmallDisk, mailbox: Mailbox, faults: string[]): Promise<void> {
	const owner = await signInOwner(server.url);
	const reservedBytes = databaseReserveBytes + disk.totalBytes() / 10;
	const earlySample = makeSample('early.bin', 24 * mebibyte);
	const location = await createUpload(owner, earlySample);
	const stored = await fillWithUploads(owner, faults);
	printLine(`${stored.length} files of 8 MiB stored, ${Math.round(disk.freeBytes() / mebibyte)} MiB free`);
	if (disk.freeBytes() < reservedBytes - slackBytes) faults.push('uploads have used the reserve');

	// The disk has become full since this upload was created.
	const status = await sendFrom(owner, location, earlySample.bytes);
	// The upload may be completed or refused, but must be answered, and must not use the reserves.
	if (status !== 204 && status !== 507) faults.push(`an upload that was created earlier was answered with ${status}`);
	if (disk.freeBytes() < reservedBytes - slackBytes)
		faults.push('an upload that was created earlier has used the reserve');

	await checkOrders(server, { disk, mailbox, owner, faults });
	disk.fillTo(32 * mebibyte);
	await checkOtherCalls(server, owner, stored, faults);
	disk.clear();
	const late = makeSample('late.bin', mebibyte);
	const again = await createUpload(owner, late).catch((error: Error) => error.message);
	if (!again.startsWith('/') && !again.startsWith('http'))
		faults.push(`no upload was created after space was free again: ${again}`);
	else {
		const sent = await sendFrom(owner, again, late.bytes);
		if (sent !== 204) faults.push(`the upload after space was free again was answered with ${sent}`);
		faults.push(...(await findDifferences(owner, [late])));
	}
	faults.push(...(await findDifferences(owner, stored.slice(1))));
	faults.push(...(await checkFiles(server)));
}

/** Uploads files until the server refuses one with a message. */
async function fillWithUploads(owner: Client, faults: string[]): Promise<Sample[]> {
	const stored: Sample[] = [];
	for (let number = 1; number <= 40; number += 1) {
		const sample = makeSample(`filling ${number}.bin`, 8 * mebibyte);
		const location = await createUpload(owner, sample).catch((error: Error) => error);
		if (location instanceof Error) {
			if (!location.message.includes(`507 `) || !location.message.includes(diskFullMessage))
				faults.push(`file ${number} was not refused with a message: ${location.message}`);
			return stored;
		}
		const status = await sendFrom(owner, location, sample.bytes);
		if (status === 507) return stored;
		if (status !== 204) {
			faults.push(`file ${number} was answered with ${status}, although the reserve is for others`);
			return stored;
		}
		stored.push(sample);
	}
	faults.push('the disk never became full');
	return stored;
}

/** Checks that orders are still accepted on a disk without space for files, and that the owner gets a mail. */
async function checkOrders(
	server: BuiltServer,
	{ disk, mailbox, owner, faults }: { disk: SmallDisk; mailbox: Mailbox; owner: Client; faults: string[] },
): Promise<void> {
	const [width, height] = [1150, 1750];
	const screenshot = await sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
		.jpeg()
		.toBuffer();
	const reserveBytes = disk.totalBytes() / 10;
	const member = createClient(server.url);
	const steps = [
		{ what: 'half of the space for purchases', leftBytes: reserveBytes / 2, maxBytes: 1_000_000 },
		{ what: 'less than a tenth of it', leftBytes: reserveBytes / 10 - mebibyte, maxBytes: 150_000 },
		{ what: 'nothing of it', leftBytes: -16 * mebibyte, maxBytes: 40_000 },
		{ what: 'less than half of the reserve of the database', leftBytes: -40 * mebibyte, maxBytes: 0 },
	];
	for (const { what, leftBytes, maxBytes } of steps) {
		disk.fillTo(Math.round(databaseReserveBytes + leftBytes));
		await sleep(freeSpaceReadAgainMs);
		const upload = await createUpload(owner, makeSample('late.bin', 1000)).catch((error: Error) => error.message);
		if (!upload.includes(' 507 ')) faults.push(`with ${what} left an upload was created: ${upload}`);
		const { status, ms } = await sendCheckout(server, buyer.email, { name: buyer.name, screenshot });
		if (status !== (maxBytes === 0 ? 507 : 200))
			faults.push(`with ${what} left a purchase was answered with ${status}`);
		if (status !== 200) continue;
		const sizeBytes = await proofBytesOf(owner);
		printLine(
			`${what} left: a purchase in ${Math.round(ms)} ms, its proof ${Math.round(sizeBytes / 1000)} KB; uploads refused`,
		);
		if (sizeBytes > maxBytes) faults.push(`with ${what} left a proof of ${sizeBytes} bytes was stored`);
		const chat = await chatStatus(member);
		if (chat !== 507) faults.push(`with ${what} left a chat message was answered with ${chat}`);
	}
	// Searches only the first words of the sentence, because a line break follows in the mail.
	const mail = await mailbox.waitFor(ownerEmail, 'but payment screenshots').catch(() => null);
	if (mail === null) faults.push('the owner was not mailed that the space for purchases is low');
}

/** Returns the size of the image of the newest payment proof of the buyer. */
async function proofBytesOf(owner: Client): Promise<number> {
	const { items } = await owner.get<{ items: Array<{ screenshot: string }> }>(`/api/orders?search=${buyer.email}`);
	const answer = await owner.request(items[0]?.screenshot ?? '');
	return (await answer.arrayBuffer()).byteLength;
}

async function chatStatus(member: Client): Promise<number> {
	await member.signIn(buyer.email, buyer.name);
	const { id } = await member.get<{ id: string }>('/api/me');
	return member.sendForStatus('POST', `/api/chats/${id}/messages`, {
		clientId: 'of-a-resilience-test',
		message: 'Hello',
	});
}

/** Checks reading, signing in and deleting while the free space is below the reserve. */
async function checkOtherCalls(server: BuiltServer, owner: Client, stored: Sample[], faults: string[]): Promise<void> {
	const secondClient = createClient(server.url);
	const signedIn = await secondClient.signIn(ownerEmail, ownerPassword);
	if (signedIn !== 200) return void faults.push(`sign-in on a full disk: ${signedIn}`);
	const [first, second] = stored;
	if (first === undefined || second === undefined) return void faults.push('too few files were stored');
	faults.push(...(await findDifferences(secondClient, [second])));
	const { items } = await owner.get<{ items: Array<{ id: string }> }>(
		`/api/spaces/guest/nodes?search=${encodeURIComponent(first.name)}`,
	);
	const deleted = await owner.sendForStatus('DELETE', `/api/nodes/${items[0]?.id}`, {});
	if (deleted !== 200) faults.push(`delete on a full disk: ${deleted}`);
	const emptied = await owner.sendForStatus('POST', '/api/spaces/guest/trash/empty', {});
	if (emptied !== 200) faults.push(`emptying the trash on a full disk: ${emptied}`);
	const ready = await fetch(`${server.url}/readyz`);
	if (ready.status !== 200) faults.push(`readyz on a full disk: ${ready.status}`);
	await sleep(200);
}
