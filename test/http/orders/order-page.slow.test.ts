import { beforeEach, describe, expect, test } from 'vitest';
import { checkIntegrity } from '#server/features/maintenance/tasks/tasks.service.ts';
import { dumpDatabase } from '../../support/app/database-dump.ts';
import { findRows, getRow } from '../../support/app/database-rows.ts';
import { createHttpClient, multipart } from '../../support/app/http-client.ts';
import { openSecondProcess, openTestApp } from '../../support/app/shared-test-app.ts';
import { listMailsTo, tokenIn } from '../../support/app/test-app.ts';
import { makeUser } from '../../support/app/users.ts';
import { makePicture } from '../../support/documents/images.ts';
import { saveBook } from '../../support/fixtures/book.ts';
import { pngFile, sendCheckoutForm } from '../../support/fixtures/checkout.ts';
import { changeOrder } from '../../support/fixtures/orders.ts';
import { publishFields } from '../../support/storefront/storefront.ts';

const html = { accept: 'text/html,application/xhtml+xml' };
const { testApp, admin } = await openTestApp({ RATE_LIMIT_FACTOR: '1000' }, 'owner@example.com');
const shot = { ...pngFile, bytes: await makePicture() };

async function emptyOutbox() {
	await testApp.runDueWork();
	await testApp.deps.db.deleteFrom('outbox').execute();
}
beforeEach(async () => {
	testApp.clock.advance(60);
	await emptyOutbox();
});

let count = 0;
const visitor = () => {
	count += 1;
	return createHttpClient(testApp.app, `198.51.100.${count % 250}`);
};

/** Sends the checkout form as the script of the page does. @returns the path of the order page */
async function buy(email: string, fields: Record<string, string> = {}, lang = 'en'): Promise<string> {
	const answer = await sendCheckoutForm(visitor(), { email, ...fields }, shot, { cookie: `lang=${lang}` });
	expect(answer.statusCode).toBe(200);
	return answer.json().statusUrl;
}

const open = (path: string, headers = html) => visitor().call('GET', path, undefined, headers);
const read = async (path: string) => visibleTextOf((await open(path)).body);

/** Replaces the order codes and emails in the text of a page. */
const withoutOwnValues = (text: string) => text.replaceAll(/BYE-\w{4}-\w{2}|\w+@example\.com/gu, '…');

function visibleTextOf(page: string): string {
	return page
		.replace(/<[^>]+>/gu, ' ')
		.replace(/\s+/gu, ' ')
		.replaceAll('&#x27;', "'");
}

function post(path: string, fields: Record<string, string>, file?: typeof shot) {
	const form = multipart(fields, file);
	return visitor().call('POST', path, form.body, { ...form.headers, ...html });
}

const passwordIn = (mail: string) => /Password: (\S+)/u.exec(mail)?.[1] ?? '';
const codeOf = (page: string) => /[A-Z]{3}-\w{4}-\w{2}/u.exec(page)?.[0] ?? '';
const orderOf = (email: string) => getRow(testApp.deps, 'orders', { email });
const userOf = async (email: string) => (await findRows(testApp.deps, 'users', { email }))[0];
const outbox = () => findRows(testApp.deps, 'outbox');
const mailsTo = async (email: string) => (await listMailsTo(testApp, email)).map(({ text }) => text ?? '');
const linkIn = (mail: string) => /http:\/\/folio\.test(\/order\/[\w-]{43}[^?\s]*)/u.exec(mail)?.[1] ?? '';

const sell = async (discountedPrice: number) =>
	expect((await saveBook(admin, { discountedPrice })).statusCode).toBe(200);

const rowOf = async (email: string) => (await admin.call('GET', `/api/orders?search=${email}`)).json().items[0];
async function complete(email: string, status: 'Complete' | 'Pending' = 'Complete') {
	expect((await changeOrder(admin, (await rowOf(email)).id, { status })).statusCode).toBe(200);
}
async function writeNote(email: string, note: string, isProofWanted = false) {
	const { id, note: was } = await orderOf(email);
	return admin.call('POST', `/api/orders/${id}/note`, { note, was, isProofWanted });
}

describe('the order page', () => {
	test('shows the order and the entered values in both languages, and HTML in a name as text', async () => {
		const path = await buy('reads@example.com', { name: '<img src=x onerror=alert(1)>' });
		const { body } = await open(path);
		expect(body).toContain('&lt;img src=x onerror=alert(1)&gt;');
		expect(body).not.toContain('<img src=x');
		const words = visibleTextOf(body);
		const { code } = await orderOf('reads@example.com');
		for (const value of [code, 'Pending', '₹499', '98230 55512', 'reads@example.com', 'asha@examplebank'])
			expect(words).toContain(value);
		const hindi = await open(`${path}?lang=hi`);
		expect(hindi.body).toContain('<html lang="hi"');
		expect(visibleTextOf(hindi.body)).toContain('जाँच बाकी');
	});

	test('is linked on the landing page once after a purchase without script, together with the specified sentence', async () => {
		const client = visitor();
		const thanks = 'Purchase Complated Id Password sent on Email';
		const sent = await sendCheckoutForm(client, { name: 'No Script', email: 'noscript@example.com' }, shot, html);
		expect(sent.statusCode).toBe(303);
		expect(sent.headers.location).toMatch(/^\/\?purchase=done#[\w-]+$/u);
		expect(sent.cookies).toMatchObject([{ name: 'checkout_done', httpOnly: true }]);
		const page = await client.call('GET', '/?purchase=done', undefined, html);
		expect(page.body).toContain(thanks);
		expect(page.headers['cache-control']).toBe('no-store');
		const path = /href="(\/order\/[\w-]{43})"/u.exec(page.body)?.[1] ?? '';
		const status = await read(path);
		expect(status).toContain('No Script');
		expect(visibleTextOf(page.body)).toContain(codeOf(status));
		const again = await client.call('GET', '/?purchase=done', undefined, html);
		for (const text of ['/order/', thanks]) expect(again.body).not.toContain(text);
	});

	test('is not cached or indexed, sends no referrer to other sites, and loads only its own script', async () => {
		const { headers, body } = await open(await buy('private@example.com'));
		expect(headers).toMatchObject({
			'cache-control': 'no-store',
			'referrer-policy': 'same-origin',
			'x-robots-tag': 'noindex, nofollow',
		});
		expect(body).toContain('name="robots" content="noindex, nofollow"');
		expect(body.match(/<script[^>]*>[^<]*/gu)).toEqual([
			'<script type="module" src="/assets/order.js" fetchPriority="low">',
		]);
	});

	test.each([
		[{ email: 'hello@books.example', chatUrl: '/chat' }, 'href="mailto:hello@books.example'],
		[{ email: '', chatUrl: 'https://chat.example/me' }, 'href="https://chat.example/me"'],
		[{ email: '', chatUrl: '' }, null],
	])(
		'shows how to contact the seller, also on the error page of an unknown order: %j',
		async ({ email, chatUrl }, link) => {
			const path = await buy(`asks-${chatUrl.length}@example.com`);
			await publishFields(admin, { 'links.chat': chatUrl });
			const info = (await admin.call('GET', '/api/contact-info')).json();
			await admin.call('PUT', '/api/settings/contact-info', { ...info, email });
			for (const url of [path, `${path}?lang=hi`, '/order/nothing']) {
				const { body } = await open(url);
				if (link === null) expect(body).not.toMatch(/mailto:|chat\.example/u);
				else expect(body).toContain(link);
			}
			if (link?.includes('mailto:')) {
				const { body } = await open(path);
				expect(body).toContain(encodeURIComponent(`Order ${codeOf(visibleTextOf(body))}`));
			}
		},
	);

	test.each(['/order/nothing', `/order/${'A'.repeat(43)}`, `/order/${'A'.repeat(43)}/receipt`])(
		'returns 404 as a page for a browser and as JSON for other clients: %s',
		async (path) => {
			const page = await open(path);
			expect(page.statusCode).toBe(404);
			expect(visibleTextOf(page.body)).toContain('This order is not here');
			const plain = await visitor().call('GET', path);
			expect(plain.json()).toMatchObject({ status: 404, code: 'NOT_FOUND' });
		},
	);

	test('returns 404 for a deleted order, and for the receipt of an order that is not Complete', async () => {
		const path = await buy('deleted@example.com');
		expect((await open(`${path}/receipt`)).statusCode).toBe(404);
		const { id } = await orderOf('deleted@example.com');
		await admin.call('DELETE', `/api/orders/${id}`);
		expect((await open(path)).statusCode).toBe(404);
	});

	test('does not store its token in plain text or log it', async () => {
		const path = await buy('hashed@example.com');
		const token = path.split('/').at(-1) ?? '';
		await testApp.runDueWork();
		expect(JSON.stringify(await dumpDatabase(testApp.deps))).not.toContain(token);
		const lines: unknown[] = [];
		const { info } = testApp.deps.log;
		testApp.deps.log.info = (line: unknown) => void lines.push(line);
		const variants = ['order/', '%6frder/', 'Order/', 'order%2F'].map((prefix) => path.replace('order/', prefix));
		for (const variant of [...variants, `${path}/unknown`]) await open(variant);
		await post(`${path}/proof`, {}, shot);
		testApp.deps.log.info = info;
		expect(lines).toHaveLength(6);
		expect(JSON.stringify(lines)).not.toContain(token);
		expect(lines[0]).toMatchObject({ path: '/order/:token', status: 200 });
	});
});

describe('a checkout form with the email of another buyer', () => {
	test('shows neither the values that the other buyer has entered nor the note to the other buyer', async () => {
		const own = await buy('victim@example.com', { name: 'Victim', phone: '111', upiId: 'victim@bank' });
		testApp.clock.advance(3600);
		await writeNote('victim@example.com', 'We rang you yesterday.');
		testApp.clock.advance(3600);
		const secondPage = await read(await buy('victim@example.com', { name: 'Curious', phone: '222', upiId: 'c@bank' }));
		for (const secret of ['Victim', '111', 'victim@bank', 'We rang you']) expect(secondPage).not.toContain(secret);
		expect(secondPage).toContain('Curious');
		expect(await read(own)).toContain('We rang you yesterday.');
		// Apart from code and email, the page must be the same as for a new email.
		const fresh = await read(await buy('freshest@example.com', { name: 'Curious', phone: '222', upiId: 'c@bank' }));
		expect(withoutOwnValues(secondPage)).toBe(withoutOwnValues(fresh));
	});

	test('does not reveal that an order with an earlier price exists, or the name of its buyer on the receipt', async () => {
		await sell(123);
		await buy('priced@example.com', { name: 'Real Buyer' });
		await sell(499);
		const [joined, fresh] = [await buy('priced@example.com', { name: 'Curious' }), await buy('fresh@example.com')];
		await sell(777);
		for (const path of [joined, fresh]) {
			const page = await read(path);
			expect([page.includes('₹499'), page.includes('₹123'), page.includes('₹777')]).toEqual([true, false, false]);
		}
		const { price_paise } = await orderOf('priced@example.com');
		expect(price_paise).toBe(123_00);
		await complete('priced@example.com');
		const receipt = await read(`${joined}/receipt`);
		expect(receipt).toContain('Curious');
		for (const secret of ['₹123', 'Real Buyer']) expect(receipt).not.toContain(secret);
		await sell(499);
	});

	test('moves only its own payment proofs when its email is corrected, also if it is the first form', async () => {
		const first = await buy('joined@example.com', { name: 'Curious' });
		await buy('joined@example.com', { name: 'Real Buyer', phone: '777' });
		expect((await post(`${first}/address`, { email: 'elsewhere@example.com' })).statusCode).toBe(303);
		expect(await orderOf('joined@example.com')).toMatchObject({ name: 'Real Buyer', phone: '777' });
		expect(await orderOf('elsewhere@example.com')).toMatchObject({ name: 'Curious', status: 'Pending' });
		expect(await userOf('joined@example.com')).toBeDefined();
		expect((await orderOf('elsewhere@example.com')).user_id).toBe((await userOf('elsewhere@example.com'))?.id);
	});

	test('keeps the price that was valid when it was sent, also if it is the first form and its email is corrected', async () => {
		await sell(99);
		await buy('early@example.com', { name: 'Early' });
		const own = await buy('mistyped@example.com', { name: 'Own' });
		await sell(499);
		testApp.clock.advance(60);
		const late = await buy('early@example.com', { name: 'Late' });
		await buy('mistyped@example.com', { name: 'Other' });
		await post(`${late}/address`, { email: 'late@example.com' });
		await post(`${own}/address`, { email: 'own@example.com' });
		expect(await orderOf('late@example.com')).toMatchObject({ name: 'Late', price_paise: 49_900 });
		expect(await orderOf('own@example.com')).toMatchObject({ name: 'Own', price_paise: 9_900 });
		expect(await orderOf('early@example.com')).toMatchObject({ name: 'Early', price_paise: 9_900 });
		expect((await mailsTo('late@example.com'))[0]).toContain('₹499');
	});
});

describe('a further screenshot', () => {
	test('is added to the order, removes the request of the owner, and increases the version of the order', async () => {
		const path = await buy('more@example.com');
		expect((await writeNote('more@example.com', 'The amount is cut off.', true)).json()).toMatchObject({
			note: 'The amount is cut off.',
			isProofWanted: true,
		});
		expect(await read(path)).toContain('Please send another screenshot');
		const mail = (await mailsTo('more@example.com')).find((text) => text.includes('cut off')) ?? '';
		expect(mail).toContain('We need another screenshot');
		const mailed = linkIn(mail);
		expect(await read(mailed)).toContain('The amount is cut off.');
		const answer = await post(`${mailed}/proof`, {}, shot);
		expect([answer.statusCode, answer.headers.location]).toEqual([303, `${mailed}?done=proof#done`]);
		expect(await read(String(answer.headers.location))).toContain('Thank you. We have your screenshot.');
		expect(await rowOf('more@example.com')).toMatchObject({
			proofCount: 2,
			isProofWanted: false,
			note: null,
			version: 2,
		});
		expect(await read(path)).not.toContain('cut off');
	});

	test.each<[string, string, Buffer | null, string]>([
		['no file', '532411870888', null, 'Please attach the payment screenshot.'],
		['a page', '', Buffer.from('<html><script>alert(1)</script>'), 'not a picture that can be read'],
		['11 MB', '', Buffer.alloc(11 * 1024 * 1024), 'too large'],
		['a long reference', '1'.repeat(301), shot.bytes, 'This is too long.'],
	])(
		'is refused with a field error, and the page keeps the payment reference: %s',
		async (_what, utr, bytes, sentence) => {
			const path = await buy(`refused-${count}@example.com`);
			const answer = await post(`${path}/proof`, { utr }, bytes === null ? undefined : { ...shot, bytes });
			expect(answer.statusCode).toBe(422);
			const isUtrRefused = bytes === shot.bytes;
			const errorId = isUtrRefused ? 'order-utr-error' : 'order-screenshot-error';
			for (const text of [`value="${utr}"`, `aria-invalid="true" aria-describedby="${errorId}"`])
				expect(answer.body).toContain(text);
			const words = visibleTextOf(answer.body);
			expect(words).toContain(sentence);
			expect(words.includes('Please choose the screenshot once more.')).toBe(isUtrRefused);
			expect(words.includes('Usually 12 digits')).toBe(!isUtrRefused);
		},
	);

	test('must have a payment reference only if the owner requires one', async () => {
		const path = await buy('required-utr@example.com');
		expect((await saveBook(admin, { utrRequest: 'required' })).statusCode).toBe(200);
		expect((await open(path)).body).toMatch(/aria-required="true"[^>]+name="utr"/u);
		const refused = await post(`${path}/proof`, { utr: ' ' }, shot);
		expect(refused.statusCode).toBe(422);
		expect(visibleTextOf(refused.body)).toContain('Please fill in this field.');
		expect(await rowOf('required-utr@example.com')).toMatchObject({ proofCount: 1 });
		expect((await post(`${path}/proof`, { utr: '532411870778' }, shot)).statusCode).toBe(303);
		await saveBook(admin, { utrRequest: 'optional' });
		expect(visibleTextOf((await open(path)).body)).toContain('Payment reference (UTR), if you have it');
		expect((await post(`${path}/proof`, { utr: '' }, shot)).statusCode).toBe(303);
		await saveBook(admin, { utrRequest: 'wanted' });
		expect(await rowOf('required-utr@example.com')).toMatchObject({ proofCount: 3 });
	});

	test('can have a payment reference, which causes the same warnings as in the checkout form', async () => {
		await buy('first-utr@example.com', { utr: '532411870777' });
		const path = await buy('later-utr@example.com');
		expect((await open(path)).body).toMatch(/aria-required="false"[^>]+name="utr" value=""/u);
		for (const utr of [' 5324 1187 0777 ', 'odd', '']) {
			testApp.clock.advance(1);
			expect((await post(`${path}/proof`, { utr }, shot)).statusCode).toBe(303);
		}
		// The page shows the last payment reference that was entered. The newest payment proof has none.
		expect(visibleTextOf((await open(path)).body)).toContain('Payment reference (UTR) odd');
		const mark = { kind: 'utr', code: (await orderOf('first-utr@example.com')).code, isOwnOrder: false };
		const order = await rowOf('later-utr@example.com');
		expect(order).toMatchObject({ proofCount: 4, oddFields: ['utr'] });
		expect((await admin.call('GET', `/api/orders/${order.id}/proofs`)).json()).toMatchObject([
			{ utr: null, isUtrOdd: false },
			{ utr: 'odd', isUtrOdd: true },
			{ utr: '5324 1187 0777', isUtrOdd: false, repeats: expect.arrayContaining([mark]) },
			{ utr: null },
		]);
	});

	test('is refused with 409 when the order is Complete', async () => {
		const path = await buy('paid@example.com');
		await complete('paid@example.com');
		expect((await open(path)).body).not.toContain('/proof"');
		const answer = await post(`${path}/proof`, {}, shot);
		expect(answer.statusCode).toBe(409);
	});
});

describe('correcting the email of an order', () => {
	test('moves the order, the account and unsent mails to the new email, and replaces the password', async () => {
		const path = await buy('tpyo@example.com');
		const account = await userOf('tpyo@example.com');
		const before = await orderOf('tpyo@example.com');
		const answer = await post(`${path}/address`, { email: ' typo@example.com ' });
		expect([answer.statusCode, answer.headers.location]).toEqual([303, `${path}?done=address#done`]);
		expect(await userOf('tpyo@example.com')).toBeUndefined();
		const moved = await userOf('typo@example.com');
		expect(moved).toMatchObject({ id: account?.id, has_initial_password: 1 });
		expect(moved?.password_hash).not.toBe(account?.password_hash);
		expect(await orderOf('typo@example.com')).toMatchObject({ id: before.id, user_id: account?.id });
		expect((await outbox()).filter(({ recipient }) => recipient === 'tpyo@example.com')).toEqual([]);
		const [mail = ''] = await mailsTo('typo@example.com');
		await createHttpClient(testApp.app).signIn('typo@example.com', passwordIn(mail));
		expect(await read(path)).toContain('typo@example.com');
		await complete('typo@example.com');
		expect((await visitor().call('GET', linkIn(mail), undefined, html)).statusCode).toBe(200);
	});

	test("is possible for two buyers who enter each other's email at the same time", async () => {
		for (let round = 0; round < 8; round += 1) {
			const [firstEmail, secondEmail] = [`cross-a-${round}@example.com`, `cross-b-${round}@example.com`];
			const paths = [await buy(firstEmail), await buy(secondEmail)] as const;
			const answers = await Promise.all([
				post(`${paths[0]}/address`, { email: secondEmail }),
				post(`${paths[1]}/address`, { email: firstEmail }),
			]);
			expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 303]);
			for (const email of [firstEmail, secondEmail]) await orderOf(email);
		}
	});

	test('ends the validity of the links and of the password in mails to the wrong email', async () => {
		const path = await buy('worng@example.com');
		const [sent = ''] = await mailsTo('worng@example.com');
		const token = tokenIn({ text: sent });
		const isUsable = async () => (await visitor().call('POST', '/api/password/check-link', { token })).json().isUsable;
		expect([await isUsable(), (await open(linkIn(sent))).statusCode]).toEqual([true, 200]);
		await post(`${path}/address`, { email: 'wrong@example.com' });
		expect([await isUsable(), (await open(linkIn(sent))).statusCode]).toEqual([false, 404]);
		const signIn = createHttpClient(testApp.app).signIn('wrong@example.com', passwordIn(sent));
		await expect(signIn).rejects.toThrow('LOGIN_FAILED');
	});

	test('to the email of another account moves the order to that account, deletes the empty account, and returns the same response as for a new email', async () => {
		await makeUser(testApp.deps, 'known@example.com');
		const known = await userOf('known@example.com');
		const [firstPath, secondPath] = [await buy('one@example.com'), await buy('other@example.com')];
		const emptied = await userOf('one@example.com');
		const words = { clientId: 'to-the-empty-one', message: 'Is this your address?' };
		expect((await admin.call('POST', `/api/chats/${emptied?.id}/messages`, words)).statusCode).toBe(200);
		const correct = async (path: string, email: string) => {
			const { statusCode, body, headers } = await post(`${path}/address`, { email });
			const page = withoutOwnValues(await read(`${path}?done=address`));
			return { statusCode, body, location: String(headers.location).replace(path, ''), page };
		};
		const toKnown = await correct(firstPath, 'known@example.com');
		expect(toKnown).toEqual(await correct(secondPath, 'unheard@example.com'));
		expect(await userOf('one@example.com')).toBeUndefined();
		expect(await userOf('known@example.com')).toEqual(known);
		expect((await orderOf('known@example.com')).user_id).toBe(known?.id);
		const [mail = ''] = await mailsTo('known@example.com');
		expect(mail).not.toMatch(/Password: /u);
	});

	test('gives the order a new code, also when its checkout form was added to an earlier order', async () => {
		await makeUser(testApp.deps, 'regular@example.com');
		await buy('regular@example.com');
		for (const email of ['alone@example.com', 'regular@example.com']) {
			const path = await buy(email);
			const before = codeOf(await read(path));
			expect((await post(`${path}/address`, { email: `right-of-${email}` })).statusCode).toBe(303);
			const after = codeOf(await read(path));
			expect(after).toMatch(/^BYE-/u);
			expect(after).not.toBe(before);
		}
		expect((await orderOf('regular@example.com')).status).toBe('Pending');
	});

	describe('keeps the account with the wrong email, and returns the same response', () => {
		const send = async (path: string, body: unknown) => {
			const answer = await admin.call('POST', path, body);
			expect(answer.statusCode).toBe(200);
			return answer.json();
		};
		const putFolder = (space: string) => send(`/api/spaces/${space}/folders`, { name: 'Contracts', path: '' });
		const shareFolder = async (email: string) =>
			send('/api/shares', { nodeId: (await putFolder('owner@example.com')).id, email });
		const deactivate = async (email: string) =>
			send(`/api/users/${(await userOf(email))?.id}/active`, { active: false });

		test.each([
			['an account with a folder in its space', 'stored@example.com', putFolder],
			['an account with a shared folder', 'shared@example.com', shareFolder],
			['a deactivated account', 'closed@example.com', deactivate],
		])('if this account is %s', async (_state, email, prepare) => {
			const path = await buy(email);
			const account = await userOf(email);
			await prepare(email);
			const answer = await post(`${path}/address`, { email: `not-${email}` });
			expect([answer.statusCode, answer.headers.location]).toEqual([303, `${path}?done=address#done`]);
			expect((await userOf(email))?.id).toBe(account?.id);
			const other = await userOf(`not-${email}`);
			expect(other?.id).not.toBe(account?.id);
			expect(await orderOf(`not-${email}`)).toMatchObject({ user_id: other?.id });
		});
	});

	test('is refused with a message when the buyer has signed in', async () => {
		const path = await buy('used@example.com');
		const [mail = ''] = await mailsTo('used@example.com');
		await createHttpClient(testApp.app).signIn('used@example.com', passwordIn(mail));
		const answer = await post(`${path}/address`, { email: 'thief@example.com' });
		expect(answer.statusCode).toBe(409);
		expect(visibleTextOf(answer.body)).toContain('This login is in use already');
		expect(answer.body).toContain('value="thief@example.com"');
		expect(await userOf('thief@example.com')).toBeUndefined();
	});

	test('is refused on the page that is linked in mails, and for a Complete order', async () => {
		const path = await buy('mailed@example.com');
		const [mail = ''] = await mailsTo('mailed@example.com');
		expect((await open(linkIn(mail))).body).not.toContain('/address');
		expect((await post(`${linkIn(mail)}/address`, { email: 'thief@example.com' })).statusCode).toBe(409);
		await complete('mailed@example.com');
		expect((await post(`${path}/address`, { email: 'thief@example.com' })).statusCode).toBe(409);
	});

	test.each([
		['', 'Please fill in this field.'],
		['no address', 'Enter a full address'],
		['SAME@example.com', 'This is the email that we have already.'],
	])('refuses %j with a field error', async (email, sentence) => {
		const path = await buy('same@example.com');
		const answer = await post(`${path}/address`, { email });
		expect(answer.statusCode).toBe(422);
		expect(answer.body).toContain('id="order-email-error"');
		expect(visibleTextOf(answer.body)).toContain(sentence);
	});

	test('moves the order once when two browser windows send the correction at the same time', async () => {
		const path = await buy('twice@example.com');
		const answers = await Promise.all(
			['a', 'b'].map((name) => post(`${path}/address`, { email: `${name}@twice.example` })),
		);
		expect(answers.map(({ statusCode }) => statusCode).toSorted()[0]).toBe(303);
		const orders = await findRows(testApp.deps, 'orders');
		expect(orders.filter(({ email }) => email.endsWith('@twice.example'))).toHaveLength(1);
	});
});

describe('POST /order/:token/login', () => {
	test('mails a link to set a password to the email of the order', async () => {
		const path = await buy('again@example.com');
		await emptyOutbox();
		testApp.clock.advance(5);
		expect((await post(`${path}/login`, {})).headers.location).toBe(`${path}?done=login#done`);
		expect(await outbox()).toMatchObject([{ kind: 'login-again', recipient: 'again@example.com' }]);
		const mail = (await mailsTo('again@example.com')).find((text) => text.startsWith('Your login once more'));
		const token = tokenIn({ text: mail });
		await visitor().call('POST', '/api/password/set', { token, password: 'my own words' });
		await createHttpClient(testApp.app).signIn('again@example.com', 'my own words');
	});

	test('mails the order with the parts of the book that the owner sells', async () => {
		const { parts } = (await admin.call('GET', '/api/settings/book')).json();
		await saveBook(admin, { parts: parts.slice(0, 1) });
		const path = await buy('one-part@example.com');
		await post(`${path}/login`, {});
		const mail = (await mailsTo('one-part@example.com')).find((text) => text.startsWith('Your login once more'));
		await saveBook(admin, { parts });
		expect(mail).toContain('₹');
		expect(mail).not.toContain('parts 1 and 2');
	});

	test('is allowed five times an hour for one account', async () => {
		const strict = await openSecondProcess(testApp, { RATE_LIMIT_FACTOR: 1 });
		const path = await buy('often@example.com');
		const { body, headers } = multipart({});
		const ask = () => createHttpClient(strict.app).call('POST', `${path}/login`, body, { ...headers, ...html });
		for (let i = 0; i < 5; i += 1) expect((await ask()).statusCode).toBe(303);
		expect((await ask()).statusCode).toBe(429);
	});
});

test('the receipt is mailed once, can be opened from the mail, and returns 404 when the order is Pending again', async () => {
	const seller = 'Rohan Books\n12 MG Road <Pune>';
	const { version } = (await admin.call('GET', '/api/settings/mail')).json();
	const saved = { isOrderMailed: true, isChatMailed: true, orderMailTo: '', seller, version };
	await admin.call('PUT', '/api/settings/mail', saved);
	await buy('receipt@example.com', { name: 'Meera Nair' }, 'hi');
	await emptyOutbox();
	await complete('receipt@example.com');
	await complete('receipt@example.com', 'Pending');
	await complete('receipt@example.com');
	expect(await outbox()).toMatchObject([{ kind: 'receipt', recipient: 'receipt@example.com' }]);
	const mail = (await mailsTo('receipt@example.com')).find((text) => text.includes('/receipt')) ?? '';
	expect(mail).toContain('आपकी किताब खुल गई है');
	// The sample title is translated as on the landing page.
	for (const text of [mail, await read(`${linkIn(mail)}?lang=hi`)])
		expect(text).toContain('अपना साम्राज्य बनाएँ, भाग 1 और 2');
	const { code } = await orderOf('receipt@example.com');
	const page = await read(`${linkIn(mail)}?lang=en`);
	for (const fact of [
		'Receipt',
		code,
		'Meera Nair',
		'Build Your Empire',
		'₹499',
		'Rohan Books 12 MG Road &lt;Pune&gt;',
	])
		expect(page).toContain(fact);
	await complete('receipt@example.com', 'Pending');
	expect((await open(linkIn(mail))).statusCode).toBe(404);
});

describe('the owner', () => {
	test('is mailed about each new order once, at the address in the settings, unless these mails are turned off', async () => {
		await buy('told@example.com', { name: 'Told http://evil.example' });
		await buy('told@example.com');
		const toOwner = (await outbox()).filter(({ kind }) => kind === 'new-order');
		expect(toOwner).toMatchObject([{ recipient: 'owner@example.com' }]);
		const mail = (await mailsTo('owner@example.com')).find((text) => text.includes('told@example.com')) ?? '';
		expect(mail).toContain('http://folio.test/Bookdashboard?search=');
		expect(mail).not.toContain('evil.example');
		const settings = (await admin.call('GET', '/api/settings/mail')).json();
		expect(settings).toMatchObject({ isOrderMailed: true, firstAdmin: 'owner@example.com' });
		const save = (changes: object) => admin.call('PUT', '/api/settings/mail', { ...settings, ...changes });
		expect((await save({ orderMailTo: 'no address' })).json().fields).toHaveProperty('orderMailTo');
		expect((await save({ orderMailTo: 'desk@example.com' })).statusCode).toBe(200);
		expect((await save({ orderMailTo: 'late@example.com' })).json().code).toBe('STALE');
		await buy('told-again@example.com');
		expect((await outbox()).map(({ recipient }) => recipient)).toContain('desk@example.com');
		await save({ isOrderMailed: false, version: settings.version + 1 });
		await testApp.deps.db.deleteFrom('outbox').execute();
		await buy('untold@example.com');
		expect((await outbox()).map(({ kind }) => kind)).toEqual(['credentials']);
	});

	test('gets a conflict for an outdated note, and cannot add a note to a Complete order', async () => {
		await buy('noted@example.com');
		const { id } = await orderOf('noted@example.com');
		const write = (note: string, was: string | null, isProofWanted = false, orderId = id) =>
			admin.call('POST', `/api/orders/${orderId}/note`, { note, was, isProofWanted });
		expect((await write('First', null)).statusCode).toBe(200);
		expect((await write('Second', null)).json().code).toBe('ORDER_STALE');
		expect((await write('', 'First')).json()).toMatchObject({ note: null, isProofWanted: false, version: 1 });
		await complete('noted@example.com');
		expect((await write('Third', null, true)).json().code).toBe('ORDER_COMPLETE');
		expect((await write('', null, false, 'none')).json().code).toBe('ORDER_GONE');
	});
});

describe('without a mail server', () => {
	/** With a mail server, the promises of mails; without one, what happens instead. */
	const texts = {
		en: {
			toast: 'Purchase Complated Id Password sent on Email',
			landing: [
				/Your login is sent here|It comes by email|Open your email|on their way by email/u,
				/You will log in with this email/u,
			],
			confirmation: [/Your id and password are on their way by email/u, /We will send you your login ourselves/u],
			order: [/a mail with the login|We can send the login to/u, /We send you your login ourselves/u],
			address: [/The login is on its way to the new address/u, /Your order has the new address/u],
		},
		hi: {
			toast: 'खरीद पूरी हुई, आईडी और पासवर्ड ईमेल पर भेज दिए गए',
			landing: [/आपका लॉगिन यहीं भेजा जाएगा|लॉगिन ईमेल से आता है|अपना ईमेल खोलें|ईमेल से आ रहे हैं/u, /आप इसी ईमेल से लॉगिन करेंगे/u],
			confirmation: [/आपकी आईडी और पासवर्ड ईमेल से आ रहे हैं/u, /आपका लॉगिन हम ख़ुद/u],
			order: [/लॉगिन का ईमेल वहीं जाएगा|लॉगिन फिर से भेज सकते हैं/u, /लॉगिन हम ख़ुद आपको फ़ोन या ईमेल से भेजते हैं/u],
			address: [/लॉगिन नए पते पर आ रहा है/u, /ऑर्डर में नया पता दर्ज हो गया/u],
		},
	} as const;

	test.each(['en', 'hi'] as const)('no page promises a mail, except the specified toast (%s)', async (lang) => {
		const withMail = await openSecondProcess(testApp, { SMTP_URL: 'smtp://127.0.0.1:1' });
		for (const [{ app }, expected, absent] of [
			[withMail, 0, 1],
			[testApp, 1, 0],
		] as const) {
			const client = createHttpClient(app, `198.51.100.${200 + expected}`);
			const show = async (path: string) => {
				const { body } = await client.call('GET', path, undefined, html);
				return visibleTextOf(body.replaceAll(/<script.*?<\/script>/gsu, ''));
			};
			// Also stores the language in a cookie.
			const landing = await show(`/?lang=${lang}`);
			await sendCheckoutForm(client, { name: 'Asha', email: `done-${expected}-${lang}@example.com` }, shot, html);
			const path = await buy(`mail-${expected}-${lang}@example.com`, {}, lang);
			const pages = {
				landing,
				confirmation: await show('/?purchase=done'),
				order: await show(path),
				address: await show(`${path}?done=address`),
			};
			for (const [name, text] of Object.entries(pages)) {
				const patterns = texts[lang][name as keyof typeof pages];
				expect(text, name).toMatch(patterns[expected]);
				expect(text, name).not.toMatch(patterns[absent]);
			}
			expect(pages.confirmation).toContain(texts[lang].toast);
		}
	});
});

test('the integrity check finds no problem after all tests of this file', async () => {
	testApp.clock.advance(7200);
	expect((await checkIntegrity(testApp.deps)).problems).toEqual([]);
});
