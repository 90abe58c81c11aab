import { randomUUID } from 'node:crypto';
import type { Email } from 'postal-mime';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { emailAndIpAddress } from '#server/features/orders/checkout/payment-proof-size.ts';
import type { Caller } from '#server/platform/actor.ts';
import { consumeRateLimit, rateLimits } from '#server/platform/auth/rate-limits/rate-limits.ts';
import { checkoutReserveBytes, databaseReserveBytes } from '#server/platform/storage/free-space.ts';
import { fakeDiskSpace, largeDisk } from '../../support/app/disk-space.ts';
import { createHttpClient, multipart } from '../../support/app/http-client.ts';
import { openSecondProcess, openTestApp } from '../../support/app/shared-test-app.ts';
import type { TestApp } from '../../support/app/test-app.ts';
import { makeUser, testPassword } from '../../support/app/users.ts';
import { makeNoise } from '../../support/documents/images.ts';
import { pngFile, sendCheckoutForm } from '../../support/fixtures/checkout.ts';
import { testDatabase } from '../../support/services/test-database.ts';

const ownerEmail = 'owner@example.com';
const dailyLimitMessage =
	'Too many screenshots came from your network or for this email today. Please try again tomorrow, or write to us.';
const mebibyte = 2 ** 20;

const { testApp, admin } = await openTestApp({}, ownerEmail);
/** This image hardly compresses, and has 1.3 MB before the server makes the image smaller. */
const largeNoise = await makeNoise(1150, 1750);
/** An image of about 200 KB. */
const noise = await makeNoise(450, 700);

beforeEach(() => {
	fakeDiskSpace(testApp.deps, largeDisk);
});
afterEach(async () => {
	// Earlier tests must not use up the limits.
	await testApp.deps.db.deleteFrom('rate_limits').execute();
});

interface Attempt {
	email?: string;
	ip?: string;
	bytes?: Buffer;
	to?: TestApp;
}

function buy({
	email = `${randomUUID()}@example.com`,
	ip = '198.51.100.1',
	bytes = noise,
	to = testApp,
}: Attempt = {}) {
	// Each payment proof has a different time, because `newestProof` finds the newest by its time.
	testApp.clock.advance(1);
	return sendCheckoutForm(createHttpClient(to.app, ip), { email }, { bytes });
}

/** Returns the newest payment proof with its sizes and the key of its picture. */
async function newestProof() {
	const proof = await testApp.deps.db
		.selectFrom('proofs')
		.innerJoin('blobs as full', 'full.id', 'proofs.blob_id')
		.innerJoin('blobs as thumb', 'thumb.id', 'proofs.thumb_blob_id')
		.select(['proofs.id', 'proofs.picture_key', 'full.size_bytes', 'thumb.size_bytes as thumb_bytes'])
		.orderBy('proofs.created_at', 'desc')
		.executeTakeFirstOrThrow();
	return { ...proof, bytes: proof.size_bytes + proof.thumb_bytes };
}

const setCheckoutSpace = (bytes: number) =>
	fakeDiskSpace(testApp.deps, { ...largeDisk, freeBytes: databaseReserveBytes + bytes });
const isDiskMail = ({ to, subject }: Email) => to?.[0]?.address === ownerEmail && /disk/u.test(subject ?? '');
const mailsToOwner = async () => (await testApp.runDueWork()).filter(isDiskMail);
const countOrders = async () => (await testApp.deps.db.selectFrom('orders').select('id').execute()).length;

test('a screenshot of a buyer does not wait for all eight screenshots from another address', async () => {
	const ended: string[] = [];
	const send = async (ip: string) => {
		expect((await buy({ ip })).statusCode).toBe(200);
		ended.push(ip);
	};
	const many = Array.from({ length: 8 }, () => send('198.51.100.20'));
	await Promise.all([...many, send('198.51.100.21')]);
	// Screenshots that are already being processed may end earlier.
	expect(ended.indexOf('198.51.100.21')).toBeLessThan(5);
});

describe('a stored payment screenshot', () => {
	test('has at most 1 MB together with its thumbnail, also when a larger screenshot is sent', async () => {
		expect(largeNoise.length).toBeGreaterThan(1_200_000);
		expect((await buy({ bytes: largeNoise })).statusCode).toBe(200);
		const { bytes } = await newestProof();
		expect(bytes).toBeGreaterThan(500_000);
		expect(bytes).toBeLessThanOrEqual(1_000_000);
	});

	test('has at most 150 KB when the purchase space is low and 40 KB when none is left, and is still recognized', async () => {
		const bytes = await makeNoise(720, 1000);
		const tenth = checkoutReserveBytes(largeDisk) / 10;
		const sizes: number[] = [];
		const keys = new Set<string | null>();
		for (const spaceBytes of [tenth, tenth - 1, 150_000, 149_999, 0, -databaseReserveBytes / 2]) {
			setCheckoutSpace(spaceBytes);
			expect((await buy({ bytes })).statusCode).toBe(200);
			const proof = await newestProof();
			keys.add(proof.picture_key);
			sizes.push(proof.bytes);
		}
		// By the same key, the orders with the picture are found.
		expect(keys.size).toBe(1);
		expect(sizes[0]).toBeGreaterThan(150_000);
		for (const size of sizes.slice(1, 3)) expect(size).toBeGreaterThan(40_000);
		for (const size of sizes.slice(1, 3)) expect(size).toBeLessThanOrEqual(150_000);
		for (const size of sizes.slice(3)) expect(size).toBeLessThanOrEqual(40_000);
	});

	test('is made smaller because of the disk only with SQLite, and then the owner is mailed', async () => {
		await testApp.deps.db.deleteFrom('settings').where('key', '=', 'space-warnings').execute();
		const before = (await mailsToOwner()).length;
		const isEmbedded = testDatabase === 'sqlite';
		const sizes: number[] = [];
		for (const spaceBytes of [mebibyte, 0]) {
			setCheckoutSpace(spaceBytes);
			// With PostgreSQL, purchases use no disk that Folio can watch.
			testApp.deps.storage.getDiskSpace = async () => largeDisk;
			expect((await buy()).statusCode).toBe(200);
			sizes.push((await newestProof()).bytes);
		}
		const texts = (await mailsToOwner()).slice(before).map(({ text }) => text ?? '');
		const notices = texts.filter((text) => /payment screenshots are now stored at 150 KB or less/u.test(text));
		expect(notices).toHaveLength(isEmbedded ? 1 : 0);
		const limits = sizes.map((bytes) => [bytes <= 150_000, bytes <= 40_000]);
		expect(limits.flat()).toEqual([isEmbedded, false, isEmbedded, isEmbedded]);
	});

	test('is refused with STORAGE_FULL when less than half of the database reserve is left', async () => {
		setCheckoutSpace(-databaseReserveBytes / 2 - 1);
		const before = await countOrders();
		const answer = await buy();
		expect([answer.statusCode, answer.json().code]).toEqual([507, 'STORAGE_FULL']);
		expect(await countOrders()).toBe(before);
	});
});

describe('the daily limit of payment screenshots', () => {
	const { proofKilobytesPerEmail, proofKilobytesPerIpAddress, proofKilobytesPerEmailAndIpAddress } = rateLimits;
	const use = (limit: typeof proofKilobytesPerEmail, subject: string, kilobytes: number) =>
		consumeRateLimit(testApp.deps, limit, subject, kilobytes);

	test('of an email makes them smaller and later refuses them, and treats known and unknown emails alike', async () => {
		await makeUser(testApp.deps, 'known@example.com');
		for (const email of ['known@example.com', 'unknown@example.com']) {
			await use(proofKilobytesPerEmail, email, proofKilobytesPerEmail.count - 60);
			expect((await buy({ email: email.toUpperCase() })).statusCode).toBe(200);
			const { bytes } = await newestProof();
			expect(bytes).toBeGreaterThan(20 * 1024);
			expect(bytes).toBeLessThanOrEqual(60 * 1024);
			// The IP address may then send a few small screenshots.
			let small = 0;
			let answer = await buy({ email });
			for (; answer.statusCode === 200; answer = await buy({ email })) {
				expect((await newestProof()).bytes).toBeLessThanOrEqual(40_000);
				small += 1;
			}
			expect([answer.statusCode, answer.json().fields]).toEqual([422, { screenshot: dailyLimitMessage }]);
			expect(small).toBeGreaterThanOrEqual(5);
			expect(small).toBeLessThanOrEqual(10);
		}
		expect((await buy({ email: 'another@example.com' })).statusCode).toBe(200);
	});

	test('of an email only makes the screenshots of the buyer small when other networks have used up the limit', async () => {
		const email = 'victim@example.com';
		await use(proofKilobytesPerEmail, email, proofKilobytesPerEmail.count - 300);
		let sent = 0;
		while ((await buy({ email })).statusCode === 200) sent += 1;
		expect(sent).toBeGreaterThan(1);
		expect((await buy({ email, ip: '198.51.100.77' })).statusCode).toBe(200);
		expect((await newestProof()).bytes).toBeLessThanOrEqual(40_000);
	});

	test('of a network applies to all emails and in all processes, and ends after a day', async () => {
		await use(proofKilobytesPerIpAddress, '198.51.100.1', proofKilobytesPerIpAddress.count - 10);
		const secondApp = await openSecondProcess(testApp);
		for (const to of [testApp, secondApp]) {
			const before = await countOrders();
			expect((await buy({ to })).json().fields).toEqual({ screenshot: dailyLimitMessage });
			expect(await countOrders()).toBe(before);
		}
		expect((await buy({ ip: '198.51.100.2' })).statusCode).toBe(200);
		testApp.clock.advance(24 * 3600);
		expect((await buy()).statusCode).toBe(200);
		await admin.signIn(ownerEmail, testPassword);
	});

	test('of a network allows 104 screenshots of the largest size and then smaller screenshots', async () => {
		let allowed = 0;
		while (await use(proofKilobytesPerIpAddress, '2001:db8:1:2::9', Math.ceil(1_000_000 / 1024))) allowed += 1;
		expect(allowed).toBe(104);
		// All addresses of an IPv6 network share a limit.
		expect((await buy({ ip: '2001:db8:1:2::1' })).statusCode).toBe(200);
	});

	test('also applies to screenshots on the order page', async () => {
		const email = 'further@example.com';
		const { statusUrl } = (await buy({ email })).json();
		await use(proofKilobytesPerEmail, email, proofKilobytesPerEmail.count - 320);
		const post = () => {
			testApp.clock.advance(1);
			const form = multipart({ utr: '512345678901' }, { ...pngFile, bytes: noise });
			const headers = { ...form.headers, accept: 'text/html' };
			return createHttpClient(testApp.app, '198.51.100.3').call('POST', `${statusUrl}/proof`, form.body, headers);
		};
		expect((await post()).statusCode).toBe(303);
		expect((await newestProof()).bytes).toBeLessThanOrEqual(120 * 1024);
		// Both the limit of the email and the additional limit of the IP address are used up.
		await testApp.deps.db.deleteFrom('rate_limits').execute();
		await use(proofKilobytesPerEmail, email, proofKilobytesPerEmail.count);
		const subject = emailAndIpAddress({ email, caller: { ip: '198.51.100.3' } as Caller });
		await use(proofKilobytesPerEmailAndIpAddress, subject, proofKilobytesPerEmailAndIpAddress.count);
		const refused = await post();
		expect(refused.statusCode).toBe(422);
		for (const text of [dailyLimitMessage, 'value="512345678901"']) expect(refused.body).toContain(text);
	});
});
