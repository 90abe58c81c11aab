import { setImmediate } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import type { InputOf } from '#contract/core/endpoint.ts';
import { limits } from '#contract/core/limits.ts';
import type { Order, orders as orderEndpoints } from '#contract/orders/orders.ts';
import type { ComparedStatement } from '#contract/orders/statement-import.ts';
import { recordReferencesOfCompleteOrders } from '#server/platform/database/migrations/steps/0009-used-references.ts';
import { watchEventLoop } from '../../support/app/cpu-time.ts';
import { findRows } from '../../support/app/database-rows.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { listAuditEntries } from '../../support/app/test-app.ts';
import { makeSignedInUser } from '../../support/app/users.ts';
import { createOrderMaker } from '../../support/fixtures/checkout.ts';
import { changeOrder, disableOrderMails } from '../../support/fixtures/orders.ts';
import { plainStatement, sampleStatement, sendStatement, statementLayouts } from '../../support/fixtures/statements.ts';

const { testApp, admin } = await openTestApp();
await disableOrderMails(testApp.deps);
// Sets the clock to the day of the last payments in the sample statements.
testApp.clock.advance(2 * 86_400);
const buy = createOrderMaker(testApp, 'statement');
let lastReference = 700_000_000_000;
const newReference = () => String(++lastReference);

async function read(bytes: Buffer | string, query = ''): Promise<ComparedStatement> {
	const answer = await sendStatement(admin, bytes, query);
	expect(answer.statusCode, answer.body).toBe(200);
	expect(answer.json().state).toBe('read');
	return answer.json();
}
const kindsOf = ({ lines }: ComparedStatement) =>
	lines.map(({ kind, why }) => (why === null ? kind : `${kind}: ${why}`));
const { id: asha } = await buy({ utr: '6326 1234 5678' });
const { id: bina } = await buy({ utr: '632699990001', pricePaise: 100_499_50 });
const { id: chitra } = await buy({ utr: '632655554444' });
const { id: dev } = await buy({ utr: 'n326261234567890' });
const { id: esha } = await buy({ name: 'Esha Menon', upiId: 'esha.menon@oksbi' });
await buy({ utr: '632666660000' });
const complete = (orders: InputOf<typeof orderEndpoints.complete>['orders']) =>
	admin.call('POST', '/api/orders-complete', { orders });

describe('layouts and encodings of a bank statement', () => {
	test.each(statementLayouts)('%s is read, and each payment is exact to the paisa', async (name) => {
		const statement = await read(sampleStatement(name));
		const isApp = ['phonepe.csv', 'google-pay.csv', 'paytm.csv', 'razorpay.csv'].includes(name);
		const { lines } = statement;
		expect(lines.map(({ day, amount, kind, reference, orderIds }) => [day, amount, kind, reference, orderIds])).toEqual(
			[
				['2026-11-20', 499, 'matched', '632612345678', [asha]],
				['2026-11-21', 100_499.5, 'matched', '632699990001', [bina]],
				['2026-11-21', 498.99, 'amount', '632655554444', [chitra]],
				...(isApp ? [] : [['2026-11-21', 499, 'matched', 'N326261234567890', [dev]]]),
				['2026-11-22', 499, 'missing', '', [esha]],
			],
		);
		const failed = { 'razorpay.csv': 2 }[name as string] ?? (isApp ? 1 : 0);
		expect(statement).toMatchObject({ debits: name === 'razorpay.csv' ? 0 : 1, failed, unread: 0 });
		expect(statement.columns).not.toBeNull();
	});

	const text = sampleStatement('kotak.csv').toString();
	const wide = (bytes: Buffer, mark: number[]) => Buffer.concat([Buffer.from(mark), bytes]);
	test.each([
		['UTF-8 and a byte order mark', Buffer.from(`\uFEFF${text}`)],
		['little-endian UTF-16', wide(Buffer.from(text, 'utf16le'), [0xff, 0xfe])],
		['big-endian UTF-16', wide(Buffer.from(text, 'utf16le').swap16(), [0xfe, 0xff])],
		['UTF-16 without a byte order mark', Buffer.from(text, 'utf16le')],
		['Windows-1252', Buffer.from(text.replace('ASHA RAO', 'ASHÉ RAO — «book»'.replace('—', '\u0097')), 'latin1')],
		['the line ends of Windows', Buffer.from(text.replaceAll('\n', '\r\n'))],
		['the line ends of old Macs', Buffer.from(text.replaceAll('\n', '\r'))],
		['semicolons', Buffer.from(text.replaceAll('","', '";"'))],
		['tabs', Buffer.from(text.replaceAll('","', '"\t"'))],
	])('the same payments are read from a file with %s', async (_name, bytes) => {
		const { lines } = await read(bytes);
		expect(lines.map(({ amount }) => amount)).toEqual([499, 100_499.5, 498.99, 499, 499]);
		expect(lines[0]?.orderIds).toEqual([asha]);
	});

	test('returns sample rows when the columns are not recognized, and then reads the columns in the request', async () => {
		const rows = [
			'20.11.2026;Geld;632612345678;499.00',
			'21.11.2026;Geld;632699990001;1,00,499.50',
			'21.11.2026;Post;632600001111;-20.00',
		];
		const own = `Auszug;;;\nTag;Art;Nummer;Betrag\n${rows.join('\n')}\n`;
		const answer = (await sendStatement(admin, own)).json();
		expect(answer).toEqual({
			state: 'columns',
			columns: null,
			sample: [['Auszug', '', '', ''], ['Tag', 'Art', 'Nummer', 'Betrag'], ...rows.map((row) => row.split(';'))],
		});
		const statement = await read(own, '?date=0&amount=3&text=2');
		expect(kindsOf(statement)).toEqual(['matched', 'matched']);
		expect(statement).toMatchObject({ debits: 1, unread: 0, columns: { date: 0, amount: 3, text: 2 } });
	});

	test('reports lines that cannot be read, and rounds no amounts', async () => {
		const rows = [
			'22/11/2026,a,499.005',
			'31/02/2026,b,499',
			'22/11/2026,c,"1,2,3"',
			'22/11/2026,d,',
			'22/11/2026,e,0.00',
			'22/11/2026,more cells than the header,499,1,00',
		];
		const statement = await read(`Date,Narration,Amount\n${rows.join('\n')}\n`);
		expect(statement.unreadLines.map(({ line }) => line)).toEqual([2, 3, 4, 7]);
		expect(statement).toMatchObject({ unread: 4, lines: [] });
	});
});

describe('matching of statement rows', () => {
	test('returns a reference of two orders, repeated rows and refunds as unclear', async () => {
		const [shared, twice, back, fine] = [newReference(), newReference(), newReference(), newReference()];
		const [first, second] = [await buy({ utr: shared }), await buy({ utr: shared })];
		const [once] = [await buy({ utr: twice }), await buy({ utr: back }), await buy({ utr: fine })];
		const rows = [
			`22/11/2026,UPI-A-${shared}-BOOK,,499`,
			`22/11/2026,UPI-B-${twice}-BOOK,,499`,
			`22/11/2026,UPI-B-${twice}-BOOK,,499`,
			`22/11/2026,UPI-C-${back}-BOOK,,499`,
			`22/11/2026,UPI-REV-${back},499,`,
			`22/11/2026,UPI-D-${fine}-BOOK,,499`,
		];
		const statement = await read(`Date,Narration,Debit,Credit\n${rows.join('\n')}\n`);
		const doubts = ['several-orders', 'several-lines', 'several-lines', 'returned'].map((why) => `unclear: ${why}`);
		expect(kindsOf(statement)).toEqual([...doubts, 'matched']);
		expect(statement.lines[0]?.orderIds.toSorted()).toEqual([first.id, second.id].toSorted());
		expect(statement.lines[1]?.orderIds).toEqual([once.id]);
		// The completed order has used the reference, so that the other order does not match.
		await complete([{ id: first.id, version: 1 }]);
		expect(kindsOf(await read(plainStatement([[`UPI-A-${shared}`, '499']])))).toEqual(['unclear: used']);
	});

	test('does not match an account number, IFSC, phone number or word that a buyer has entered as the reference', async () => {
		for (const utr of ['50100123456789', 'HDFC0000001', '98230 55599', 'payment']) await buy({ utr });
		const statement = await read(
			`Account No,50100123456789\n${plainStatement([['UPI-50100123456789-HDFC0000001-9823055599-PAYMENT', '499']])}`,
		);
		expect(kindsOf(statement)).toEqual(['missing']);
	});

	const upi = 'Date,Narration,Amount,Dr/Cr,UTR';
	const typed = 'Date,Narration,Amount,Type';
	const withStatus = 'Date,Narration,Amount,Status';
	const withRefund = `${withStatus},Refund Amount (INR)`;
	test.each([
		['a debit', upi, ['UPI # U,499.00,DR,#'], []],
		['an unknown word', typed, ['UPI #,499,Adjustment'], ['unclear: direction']],
		['a refund', typed, ['UPI #,499,PAYMENT_REFUND'], []],
		['a channel', typed, ['UPI #,499,UPI'], ['matched']],
		['a sign', 'Date,Narration,Amount,Sign', ['UPI #,499,Dr'], ['unclear: direction']],
		['refunded later', withStatus, ['UPI #,499,SUCCESS', 'UPI #,499,REFUNDED'], ['unclear: returned']],
		['returned according to its text', typed, ['REV-UPI-#-RETURN,499,CR'], ['unclear: returned']],
		['refunded in a column', withRefund, ['UPI #,499,Success,499.00'], ['unclear: returned']],
		['nothing refunded in a column', withRefund, ['UPI #,499,Success,0.00'], ['matched']],
		['two references in free text', typed, ['IMPS # FROM 003701012399,499,CR'], ['unclear: reference']],
		['an account number of the payer', typed, ['NEFT CR # N326261234567891,499,CR'], ['unclear: reference']],
		['a UPI ID of the payer', typed, ['UPI 432112345678 x.#@ybl,499,CR'], ['missing']],
		['another reference in the column of references', upi, ['#,499,CR,1'], ['missing']],
		['a note of the payer', `${upi},Notes`, ['a,499,CR,1,#'], ['missing']],
		['a direction for the balance', `${upi},Balance,Dr/Cr`, ['a,499,CR,#,1,DR'], ['matched']],
	])('classifies a payment row as expected: %s', async (_name, header, lines, kinds) => {
		const reference = newReference();
		await buy({ utr: reference });
		const rows = lines.map((line) => `22/11/2026,${line.replaceAll('#', reference)}`);
		expect(kindsOf(await read(`${header}\n${rows.join('\n')}\n`))).toEqual(kinds);
	});

	test.each([
		['four days before the order', '18/11/2026', 'unclear: day'],
		['three days before the order', '19/11/2026', 'matched'],
		['in the future', '23/11/2026', 'unclear: day'],
	])('classifies a payment %s as expected', async (_name, day, kind) => {
		const reference = newReference();
		await buy({ utr: reference });
		expect(kindsOf(await read(plainStatement([[`UPI ${reference}`, '499']], day)))).toEqual([kind]);
	});

	test('never reads a debit as a credit when the columns are in the request', async () => {
		const [out, failed, fine] = [newReference(), newReference(), newReference()];
		for (const utr of [out, failed, fine]) await buy({ utr });
		const rows = [`22/11/2026,U,499.00,DR,${out}`, `22/11/2026,U,499.00,CR,${fine}`];
		const first = await read(`${upi}\n${rows.join('\n')}\n`);
		expect(first).toMatchObject({ debits: 1, columns: { date: 0, amount: 2, text: 4, direction: 3 } });
		for (const query of ['?date=0&amount=2&text=4', '?date=0&amount=2&text=4&direction=3', '?date=0&amount=2&text=1']) {
			const statement = await read(`${upi}\n${rows.join('\n')}\n`, query);
			expect(statement, query).toMatchObject({ debits: 1, unread: 0 });
			expect(statement.lines, query).toHaveLength(1);
		}
		const sides = `Date,Narration,Debit,Credit,Status\n22/11/2026,${out},499,,\n22/11/2026,${failed},,499,FAILED\n`;
		expect(await read(sides, '?date=0&amount=3&text=1')).toMatchObject({ debits: 1, failed: 1, lines: [] });
		expect(await read(sides, '?date=0&amount=2&text=1')).toMatchObject({ debits: 1, failed: 1, lines: [] });
		const sign = `Tag,Text,Summe,Sign\n22/11/2026,${out},499,Dr\n22/11/2026,${fine},499,Cr\n`;
		expect(kindsOf(await read(sign, '?date=0&amount=2&text=1'))).toEqual(['unclear: direction', 'matched']);
		const withoutHeader = `22/11/2026,${fine},499,CR\n22/11/2026,${out},499,DR\n`;
		const kinds = kindsOf(await read(withoutHeader, '?date=0&amount=2&text=1'));
		expect(kinds).toEqual(['matched', 'unclear: direction']);
		const named = await read(sign, '?date=0&amount=2&text=1&direction=3');
		expect(named).toMatchObject({ debits: 1, counts: { matched: 1 } });
	});

	test('does not match account numbers in the first lines of the file, also when they are grouped or masked', async () => {
		const own = ['918273645546', '500123456789', '700000005546'];
		for (const utr of own) await buy({ utr });
		const head = 'Account,9182 7364 5546\nOther,0000500123456789\nCard,XXXX5546\n';
		const lines = own.map((utr) => `22/11/2026,TO A/C ${utr},499`).join('\n');
		const statement = `${head}Date,Narration,Amount\n${lines}\n`;
		for (const query of ['', '?date=0&amount=2&text=1'])
			expect(kindsOf(await read(statement, query))).toEqual(['missing', 'missing', 'missing']);
	});

	test('returns as unclear an order with warnings, and a reference that is the phone number of the buyer', async () => {
		const [marked, phone] = [newReference(), '919876501234'];
		await buy({ utr: marked, phone: '12' });
		await buy({ utr: phone, phone: '98765 01234' });
		const lines = await read(plainStatement([marked, phone].map((utr) => [`UPI-${utr}`, '499'] as const)));
		expect(kindsOf(lines)).toEqual(['unclear: flagged', 'unclear: reference']);
	});

	test('suggests an order only when amount and payer match exactly one order', async () => {
		const paise = 123_45;
		const byPhone = await buy({ pricePaise: paise, name: 'Farida Khan', phone: '+91 90000 12345' });
		const byName = await buy({ pricePaise: paise, name: 'Gopal Krishnan Iyer' });
		await buy({ pricePaise: paise, name: 'Hema Nair' });
		await buy({ pricePaise: paise, name: 'Hema Nair' });
		const { lines, orders } = await read(
			plainStatement([
				['UPI/CR/9000012345@ybl', '123.45'],
				['NEFT-GOPAL KRISHNA-BOOK', '123.45'],
				['UPI-HEMA NAIR-BOOK', '123.45'],
				['UPI-FARIDA KHAN', '123.46'],
			]),
		);
		expect(new Set(lines.map(({ kind }) => kind))).toEqual(new Set(['missing']));
		expect(lines.map(({ orderIds }) => orderIds)).toEqual([[byPhone.id], [byName.id], [], []]);
		expect(orders.map(({ id }: Order) => id).toSorted()).toEqual([byPhone.id, byName.id].toSorted());
	});
});

test('completes matched orders, audits their references, and shows them as complete when the file is read again', async () => {
	const [firstReference, secondReference] = [newReference(), newReference()];
	const bought = [await buy({ utr: firstReference }), await buy({ utr: secondReference, pricePaise: null })];
	const file = plainStatement([
		[`UPI-A-${firstReference}`, '499.00'],
		[`UPI-B-${secondReference}`, '₹499'],
	]);
	const { lines, orders } = await read(file);
	expect(lines.map(({ kind, orderIds }) => [kind, orderIds])).toEqual(bought.map(({ id }) => ['matched', [id]]));
	const referenceOf = (id: string) => lines.find(({ orderIds }) => orderIds.includes(id))?.reference ?? '';
	const chosen = orders.map(({ id, version }) => ({ id, version, reference: referenceOf(id) }));
	const answer = await complete([...chosen, { id: bought[0]?.id ?? '', version: 99 }]);
	expect(answer.json().items.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['done', 'done', 'done']);
	const entries = await listAuditEntries(testApp, bought[0]?.id ?? '', 'order-updated');
	expect(entries.map(({ detail }) => JSON.parse(detail))).toEqual([
		{ code: bought[0]?.code, from: 'Pending', to: 'Complete', reference: firstReference },
	]);
	const list = (await admin.call('GET', '/api/audit?kind=orders')).json();
	expect(list.items.flatMap(({ details }: { details: unknown[] }) => details)).toContainEqual({
		label: 'Payment reference on the statement',
		value: secondReference,
	});
	const again = await read(file);
	expect(kindsOf(again)).toEqual(['complete', 'complete']);
	expect(again.counts).toEqual({ matched: 0, amount: 0, unclear: 0, missing: 0, complete: 2 });
	expect((await complete([{ id: bought[0]?.id ?? '', version: 1, reference: '=1+1' }])).statusCode).toBe(422);
});

describe('a payment that has completed an order', () => {
	const rowOf = async ({ id }: { id: string }): Promise<Order> =>
		(await admin.call('GET', `/api/orders/${id}/row`)).json();
	const save = async ({ id }: { id: string }, status: Order['status']) =>
		expect((await changeOrder(admin, id, { status })).statusCode).toBe(200);

	test('by hand does not match a later order, also after the first order was deleted', async () => {
		const utr = newReference();
		const file = plainStatement([[`UPI-A-${utr}-BOOK`, '499']]);
		const first = await buy({ utr });
		await save(first, 'Complete');
		await admin.call('DELETE', `/api/orders/${first.id}`);
		const alone = await read(file);
		expect(alone.lines).toMatchObject([{ kind: 'unclear', why: 'used', usedBy: first.code, orderIds: [] }]);
		const second = await buy({ utr });
		expect((await rowOf(second)).repeats).toEqual([{ kind: 'used', code: first.code, isOwnOrder: false }]);
		const csv = await admin.call('GET', `/api/orders.csv?search=${second.email}`);
		expect(csv.body).toContain(`Payment reference already used for ${first.code}, which was deleted`);
		const [proof] = (await admin.call('GET', `/api/orders/${second.id}/proofs`)).json();
		expect(proof.repeats).toEqual([{ kind: 'used', code: first.code, isOwnOrder: false }]);
		const { lines } = await read(file);
		expect(lines).toMatchObject([{ kind: 'unclear', why: 'used', usedBy: first.code, orderIds: [second.id] }]);
		const answer = await complete([{ id: second.id, version: 1, reference: utr, references: [utr] }]);
		expect(answer.json().items).toEqual([{ id: second.id, outcome: 'used', usedBy: first.code }]);
		expect(await rowOf(second)).toMatchObject({ status: 'Pending', version: 1 });
	});

	test('completes another order only when the admin confirms the order that it has completed', async () => {
		const utr = newReference();
		const first = await buy({ utr, name: 'Indra Nooyi' });
		const [byHand, inBulk, plain] = [await buy({ utr }), await buy({ utr }), await buy()];
		await save(first, 'Complete');
		testApp.clock.advance(1);
		const refusal = { code: 'PAYMENT_USED', fields: { usedBy: first.code } };
		const message = `This payment was already used for ${first.code} (Indra Nooyi).`;
		for (const usedBy of [undefined, byHand.code]) {
			const answer = await changeOrder(admin, byHand.id, { status: 'Complete', name: 'New Name', usedBy });
			expect([answer.statusCode, answer.json()]).toMatchObject([409, { ...refusal, message }]);
			const both = [inBulk, plain].map(({ id }) => ({ id, version: 1, ...(usedBy && { usedBy }) }));
			expect((await complete(both)).json().items).toEqual([
				{ id: inBulk.id, outcome: 'used', usedBy: first.code, usedByName: 'Indra Nooyi' },
				{ id: plain.id, outcome: 'done' },
			]);
		}
		const recipients = [byHand, inBulk].map(({ email }) => email);
		const listReceipts = async () =>
			(await findRows(testApp.deps, 'outbox', { kind: 'receipt' })).filter((mail) =>
				recipients.includes(mail.recipient),
			);
		expect(await listReceipts()).toEqual([]);
		for (const order of [byHand, inBulk])
			expect(await rowOf(order)).toMatchObject({ status: 'Pending', version: 1, name: 'Asha Rao' });

		const confirmed = await changeOrder(admin, byHand.id, { status: 'Complete', usedBy: first.code });
		expect(confirmed.statusCode).toBe(200);
		const answer = await complete([{ id: inBulk.id, version: 1, usedBy: first.code }]);
		expect(answer.json().items).toEqual([{ id: inBulk.id, outcome: 'done' }]);
		expect(await listReceipts()).toHaveLength(2);
		for (const { id } of [byHand, inBulk]) {
			const [entry] = await listAuditEntries(testApp, id, 'order-updated');
			expect(JSON.parse(entry?.detail ?? '')).toMatchObject({ to: 'Complete', usedBy: first.code });
		}
	});

	test('by a suggestion is shown as complete, and a later order with the same reference gets a warning', async () => {
		const utr = newReference();
		const file = plainStatement([[`UPI-INDRA NOOYI-${utr}-BOOK`, '77.70']]);
		const first = await buy({ name: 'Indra Nooyi', pricePaise: 77_70 });
		const [hint] = (await read(file)).lines;
		expect(hint).toMatchObject({ why: 'other-reference', orderIds: [first.id], reference: '', references: [utr] });
		await complete([{ id: first.id, version: 1, reference: '', references: hint?.references ?? [] }]);
		expect((await read(file)).lines).toMatchObject([{ kind: 'complete', reference: utr, orderIds: [first.id] }]);
		const second = await buy({ utr, pricePaise: 77_70 });
		expect((await rowOf(second)).repeats).toEqual([{ kind: 'utr', code: first.code, isOwnOrder: false }]);
		expect((await read(file)).lines).toMatchObject([{ why: 'used', usedBy: first.code }]);
		// The reference of a Pending order can be used again.
		await save(first, 'Pending');
		expect((await rowOf(second)).repeats).toEqual([]);
		expect(kindsOf(await read(file))).toEqual(['matched']);
	});

	test('completes only one of two simultaneous orders, and the other response contains the completed order', async () => {
		const utr = newReference();
		const bought = [await buy({ utr }), await buy({ utr })];
		const both = bought.map(({ id }) => ({ id, version: 1, reference: utr, references: [utr] }));
		const answers = await Promise.all(both.map((order) => complete([order])));
		const items = answers.flatMap((answer) => answer.json().items);
		expect(items.map(({ outcome }) => outcome).toSorted()).toEqual(['done', 'used']);
		const done = items.findIndex(({ outcome }) => outcome === 'done');
		expect(items[1 - done].usedBy).toBe(bought[done]?.code);
		expect((await rowOf(bought[1 - done] as { id: string })).status).toBe('Pending');
		const recipient = bought[1 - done]?.email ?? '';
		expect(await findRows(testApp.deps, 'outbox', { kind: 'receipt', recipient })).toEqual([]);
		// The repeated request has the same result.
		expect((await complete(both)).json().items.map(({ outcome }: { outcome: string }) => outcome)).toEqual(
			items.map(({ outcome }) => outcome),
		);
	});

	test('does not get a text that is in several statement rows as its reference', async () => {
		const [terminal, own] = [newReference(), newReference()];
		await buy({ name: 'Jaya Prada', pricePaise: 88_80 });
		const { lines } = await read(
			plainStatement([
				[`${terminal} JAYA PRADA ${own}`, '88.80'],
				[`${terminal} SOMEBODY`, '1'],
			]),
		);
		expect(lines[0]).toMatchObject({ references: [own] });
	});

	test('is searched for only among the first 10 of a statement row', async () => {
		const utrs = Array.from({ length: 60 }, newReference);
		const [last, beyond] = [await buy({ utr: utrs[9] }), await buy({ utr: utrs[10] })];
		const { lines } = await read(plainStatement([[utrs.join(' '), '499']]));
		expect(lines).toMatchObject([{ kind: 'unclear', references: [utrs[9]], orderIds: [last.id] }]);
		expect(lines[0]?.orderIds).not.toContain(beyond.id);
	});

	test('does not make another payment from the same account complete', async () => {
		const [account, later] = ['123412341234', newReference()];
		const first = await buy({ utr: `Txn ${newReference()} a/c ${account}` });
		await save(first, 'Complete');
		const file = plainStatement([[`${later} ${account}`, '499']]);
		expect((await read(file)).lines).toMatchObject([
			{ kind: 'unclear', why: 'used', usedBy: first.code, orderIds: [] },
		]);
		const second = await buy({ utr: later });
		expect((await read(file)).lines).toMatchObject([{ kind: 'unclear', why: 'used', orderIds: [second.id] }]);
	});

	test('before the upgrade is recorded by migration 0009', async () => {
		const utr = newReference();
		const [done, open] = [await buy({ utr, status: 'Complete' }), await buy({ utr: newReference() })];
		await testApp.deps.db.deleteFrom('used_references').execute();
		await recordReferencesOfCompleteOrders(testApp.deps.db as never);
		const rows = await testApp.deps.db.selectFrom('used_references').select(['order_id', 'order_code']).execute();
		expect(rows).toContainEqual({ order_id: done.id, order_code: done.code });
		expect(rows.map(({ order_id }) => order_id)).not.toContain(open.id);
	});
});

test('an order ID with a NUL character is refused, and none of the orders in the request is completed', async () => {
	const order = await buy();
	const answer = await complete([
		{ id: order.id, version: 0 },
		{ id: 'x\0', version: 0 },
	]);
	expect(answer.statusCode).toBe(422);
	expect((await admin.call('GET', `/api/orders/${order.id}/row`)).json().status).toBe('Pending');
	for (const path of ['/row', '/proofs'])
		expect((await admin.call('GET', `/api/orders/x%00${path}`)).statusCode).toBe(422);
	expect((await admin.call('DELETE', '/api/orders/x%00')).statusCode).toBe(422);
});

describe('POST /api/orders-statement with an invalid request', () => {
	const header = 'Date,Narration,Credit\n';
	const fewer = 'Download the statement for fewer days.';
	const notClosedFrom = (line: number) =>
		`The file cannot be read from line ${line} on: a quotation mark is not closed.`;
	const unreadable =
		'This is not a CSV file. Download the statement as CSV, or open it in a spreadsheet and save it as CSV.';
	test.each([
		['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), unreadable],
		['a workbook', Buffer.from('504b0304140006000800', 'hex'), unreadable],
		['a web page', Buffer.from(' <html><table><tr><td>Date</td></tr></table>'), unreadable],
		['a PDF', Buffer.from('%PDF-1.7\n1 0 obj\n'), unreadable],
		['an incomplete surrogate pair in UTF-16', Buffer.from(`\uFEFF${header}\ud800,a,1\n`, 'utf16le'), unreadable],
		['an incomplete surrogate pair in UTF-8', Buffer.from(`${header}\u00ed\u00a0\u0080`, 'latin1'), unreadable],
		['zeros', Buffer.concat([Buffer.from(header), Buffer.alloc(4)]), unreadable],
		['an empty file', Buffer.from(' \n\n'), 'There is nothing in this file.'],
		['6 MB', Buffer.alloc(6 * 1024 * 1024, 'a'), `The file is larger than 5 MB. ${fewer}`],
		['60,000 lines', `${header}${'22/11/2026,a,1\n'.repeat(60_000)}`, `The file has more than 50,000 lines. ${fewer}`],
		['an endless quoted field', `${header}22/11/2026,a,1\n22/11/2026,"${'x'.repeat(4_000_000)}`, notClosedFrom(3)],
		['a quotation mark that is not closed', `${header}22/11/2026,"a,1\n`, notClosedFrom(2)],
	])('returns a message for %s', async (_name, bytes, words) => {
		const answer = await sendStatement(admin, bytes);
		expect(answer.statusCode).toBe(422);
		const { message, fields } = answer.json();
		expect(fields?.file ?? message).toBe(words);
	});

	test('is refused without a form, without a file, or with invalid columns', async () => {
		expect((await admin.call('POST', '/api/orders-statement', {})).statusCode).toBe(415);
		const form = { 'content-type': 'multipart/form-data; boundary=x' };
		expect((await admin.call('POST', '/api/orders-statement', '--x--\r\n', form)).json()).toMatchObject({
			message: unreadable,
		});
		expect((await sendStatement(admin, header, '?date=0&amount=-1&text=zz')).statusCode).toBe(422);
	});
});

test('reading 50,000 lines yields to the event loop, and returns only the first lines of each kind', async () => {
	const reference = newReference();
	await buy({ utr: reference });
	const line = (at: number) =>
		`22/11/2026,UPI-SOMEBODY ${at}-some${at}@okaxis-HDFC0000001-${800_000_000_000 + at}-BOOK,,499.00`;
	const lines = Array.from({ length: limits.statementMaxRows - 2 }, (_, at) => line(at));
	const file = `Date,Narration,Debit,Credit\n${lines.join('\n')}\n22/11/2026,UPI-${reference},,499.00\n`;
	let turns = 0;
	let isRead = false;
	const reading = read(file).finally(() => {
		isRead = true;
	});
	while (!isRead) {
		await setImmediate();
		turns += 1;
	}
	const statement = await reading;
	expect(statement.counts).toMatchObject({ missing: limits.statementMaxRows - 2, matched: 1 });
	expect(statement.lines).toHaveLength(limits.statementRowsShownMax + 1);
	// The server yields after each chunk of the text, and every few milliseconds while it matches rows.
	expect(turns).toBeGreaterThan(file.length / (16 * 1024));
});

describe('a statement that is expensive to read', () => {
	const credits = (narration: string) => {
		const line = `22/11/2026,${narration},499\n`;
		return `Date,Narration,Credit\n${line.repeat(Math.floor(limits.statementMaxBytes / Buffer.byteLength(line)))}`;
	};
	const references = Array.from({ length: 4900 }, (_, at) => 500_000_000_000 + at).join(' ');
	const sixtyReferences = Array.from({ length: 60 }, (_, at) => 500_000_000_000 + at).join(' ');
	test.each([
		['thousands of references in a line', credits(references), 82],
		['sixty references in a line', credits(sixtyReferences), 0],
		['thousands of cells in a line', credits(','.repeat(60_000)), 87],
		['characters that become 18 characters each', credits('\ufdfa'.repeat(20_000)), 87],
		['as many of these characters as a row may have', credits('\ufdfa'.repeat(3900)), 0],
		[
			'these characters before a header with unknown columns',
			`${`${'\ufdfa'.repeat(39)},`.repeat(95)}\n`.repeat(99) + plainStatement([['a', '499']]),
			undefined,
		],
	])(
		'with %s blocks the event loop for less than 600 ms, and the unread lines are counted',
		async (_what, file, unread) => {
			const { result: answer, longestMs } = await watchEventLoop(sendStatement(admin, file));
			expect(answer.statusCode).toBe(200);
			expect(answer.json().unread).toBe(unread);
			expect(longestMs).toBeLessThan(600);
		},
	);

	test('is read for two users at the same time, and further requests return 503 with Retry-After', async () => {
		const { client: second } = await makeSignedInUser(testApp, 'second@example.com', 'admin');
		const { client: third } = await makeSignedInUser(testApp, 'third@example.com', 'admin');
		const file = plainStatement(Array.from({ length: 20_000 }, (_, at) => [`UPI-${at}`, '499'] as const));
		const [warned, failed] = [vi.spyOn(testApp.deps.log, 'warn'), vi.spyOn(testApp.deps.log, 'error')];
		const answers = await Promise.all([admin, admin, second, third].map((client) => sendStatement(client, file)));
		expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, 503, 503]);
		for (const { statusCode, headers } of answers.filter(({ statusCode }) => statusCode === 503))
			expect(headers['retry-after'], String(statusCode)).toBe('5');
		expect([warned.mock.calls.length, failed.mock.calls.length]).toEqual([2, 0]);
		for (const client of [admin, second, third]) expect((await sendStatement(client, file)).statusCode).toBe(200);
	});
});
