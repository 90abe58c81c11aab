import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { chatMailDelaySeconds } from '#contract/chat/chat.ts';
import { mailNextUnread } from '#server/features/chat/mail-notifications/mail-notifications.service.ts';
import { getRow } from '../../support/app/database-rows.ts';
import type { HttpClient } from '../../support/app/http-client.ts';
import { openSecondProcess, openTestApp } from '../../support/app/shared-test-app.ts';
import type { TestApp } from '../../support/app/test-app.ts';
import { joinAs } from '../../support/app/users.ts';
import { sendChatFile, sendText } from '../../support/fixtures/chat.ts';
import { makeOrder } from '../../support/fixtures/orders.ts';
import { startSmtp } from '../../support/services/mail-server.ts';

const smtp = await startSmtp();
afterAll(() => smtp.stop());
const { testApp, admin } = await openTestApp({ SMTP_URL: smtp.url }, 'owner@example.com');
let member: HttpClient;
let memberId: string;
let email: string;

beforeEach(async () => {
	testApp.clock.advance(24 * 3600);
	await testApp.runDueWork();
	await testApp.deps.db.deleteFrom('outbox').execute();
	smtp.mails.length = 0;
	({ client: member, id: memberId, email } = await joinAs(testApp));
});

async function later(seconds: number): Promise<void> {
	testApp.clock.advance(seconds);
	await testApp.runDueWork();
}
const mailsTo = (to: string) => smtp.mails.filter((mail) => mail.to?.[0]?.address === to);
const viewAsMember = (through: number) => member.call('POST', '/api/chat-viewed', { through });
const viewAsOwner = (through: number) => admin.call('POST', `/api/chats/${memberId}/viewed`, { through });
const outbox = () => testApp.deps.db.selectFrom('outbox').select(['recipient', 'state', 'payload_sealed']).execute();

describe('mail about unread messages', () => {
	test('mails the messages and a link to the owner once, five minutes after the first message of a member', async () => {
		const start = testApp.clock.now().getTime();
		await sendText(member, memberId, 'Where is\n\nthe second part?');
		testApp.clock.advance(60);
		await sendChatFile(member, memberId, { name: 'receipt.jpg', bytes: Buffer.from('no picture') });
		await later(chatMailDelaySeconds - 61);
		expect(smtp.mails).toEqual([]);
		await later(1);
		expect(smtp.mails).toMatchObject([
			{ to: [{ address: 'owner@example.com' }], subject: `${email} wrote to you in the chat` },
		]);
		const [mail] = mailsTo('owner@example.com');
		for (const form of [mail?.text, mail?.html]) {
			expect(form).toContain('Where is the second part?');
			expect(form).toContain('File: receipt.jpg');
			expect(form).toContain('Unread messages: 2.');
			expect(form?.replaceAll('&amp;', '&')).toContain(
				`http://folio.test/admin/contact?person=${encodeURIComponent(email)}&from=mail`,
			);
		}
		expect(mail?.text).toContain('> Where is the second part?\n> File: receipt.jpg');
		expect(testApp.clock.now().getTime() - start).toBe(chatMailDelaySeconds * 1000);
		expect(await outbox()).toEqual([{ recipient: 'owner@example.com', state: 'sent', payload_sealed: null }]);
		await later(24 * 3600);
		expect(smtp.mails).toHaveLength(1);
	});

	test('sends no second mail until the recipient has viewed all messages of the other side', async () => {
		await sendText(member, memberId, 'one');
		await later(chatMailDelaySeconds);
		await sendText(member, memberId, 'two');
		await sendText(admin, memberId, 'an answer, written without a look');
		await later(24 * 3600);
		expect(mailsTo('owner@example.com')).toHaveLength(1);
		// The page of the owner reports message 2 as viewed, because message 3 is from the owner.
		await viewAsOwner(2);
		await sendText(member, memberId, 'three');
		await later(chatMailDelaySeconds);
		const [, second, ...more] = mailsTo('owner@example.com');
		expect(more).toEqual([]);
		expect(second?.text).toContain('> three\n');
		expect(second?.text).toContain('Unread messages: 1.');
	});
});

describe('mail about unread messages, exceptions', () => {
	test('sends no mail about a message that was viewed in time, and mails the next message five minutes later', async () => {
		await sendText(member, memberId, 'seen');
		testApp.clock.advance(200);
		await viewAsOwner(1);
		await sendText(member, memberId, 'later');
		await later(chatMailDelaySeconds - 1);
		expect(smtp.mails).toEqual([]);
		await later(1);
		expect(smtp.mails[0]?.text).not.toContain('> seen');
		expect(smtp.mails[0]?.text).toContain('> later');
	});

	test('sends no mail about messages that were deleted before the mail was due or sent', async () => {
		await sendText(member, memberId, 'cleared');
		await admin.call('DELETE', `/api/chats/${memberId}/messages`);
		const conversation = await getRow(testApp.deps, 'conversations', { user_id: memberId });
		expect(conversation).toMatchObject({ user_mail_due_at: null, admin_mail_due_at: null });
		await later(chatMailDelaySeconds);
		expect(await outbox()).toEqual([]);

		await sendText(member, memberId, 'cleared too');
		testApp.clock.advance(chatMailDelaySeconds);
		expect(await mailNextUnread(testApp.deps)).toBe(true);
		expect(await outbox()).toMatchObject([{ state: 'waiting' }]);
		await admin.call('DELETE', `/api/chats/${memberId}/messages`);
		await testApp.runDueWork();
		expect(smtp.mails).toEqual([]);

		await sendText(member, memberId, 'anew');
		await later(chatMailDelaySeconds);
		expect(smtp.mails).toHaveLength(1);
	});

	test('deletes an undelivered mail from the outbox when its messages are viewed', async () => {
		await sendText(admin, memberId, 'unsent');
		smtp.refuseWith(451);
		await later(chatMailDelaySeconds);
		expect(await outbox()).toMatchObject([{ state: 'waiting' }]);
		await viewAsMember(1);
		smtp.refuseWith(null);
		await later(3600);
		expect(smtp.mails).toEqual([]);
		expect(await outbox()).toEqual([]);
	});

	test.each([0, 1])(
		'sends no mail about the conversation of a deactivated user, to either side (message from the member: %i)',
		async (isFromMember) => {
			await sendText(isFromMember === 1 ? member : admin, memberId, 'hello');
			await testApp.deps.db.updateTable('users').set({ active: 0 }).where('id', '=', memberId).execute();
			await later(chatMailDelaySeconds);
			expect(await outbox()).toEqual([]);
		},
	);

	test('sends no mail about the conversation of a deleted user, and deletes an undelivered mail', async () => {
		await sendText(member, memberId, 'to the owner');
		testApp.clock.advance(chatMailDelaySeconds);
		await mailNextUnread(testApp.deps);
		await sendText(admin, memberId, 'to the member');
		expect(await outbox()).toHaveLength(1);
		expect((await admin.call('POST', '/delete-user-all', { uid: memberId })).statusCode).toBe(200);
		await later(chatMailDelaySeconds);
		expect(smtp.mails).toEqual([]);
		expect(await outbox()).toEqual([]);
	});

	test('sends no mail about a message in the conversation of an admin', async () => {
		const { id } = (await admin.call('GET', '/api/me')).json();
		await sendText(admin, id, 'a note to myself');
		await later(chatMailDelaySeconds);
		expect(await outbox()).toEqual([]);
	});

	test('sends no mail to the owner while these mails are turned off, and uses the notification address in the settings', async () => {
		const settings = (await admin.call('GET', '/api/settings/mail')).json();
		const save = (changes: object, version: number) =>
			admin.call('PUT', '/api/settings/mail', { ...settings, ...changes, version });
		expect((await save({ isChatMailed: false }, settings.version)).statusCode).toBe(200);
		await sendText(member, memberId, 'unheard');
		await later(chatMailDelaySeconds);
		expect(smtp.mails).toEqual([]);
		await save({ orderMailTo: 'desk@example.com' }, settings.version + 1);
		await sendText(member, memberId, 'heard');
		await later(chatMailDelaySeconds);
		expect(smtp.mails).toMatchObject([{ to: [{ address: 'desk@example.com' }] }]);
		expect(smtp.mails[0]?.text).toContain('> unheard\n> heard');
		await save({}, settings.version + 2);
	});
});

describe('the content of a mail', () => {
	test('has the first five unread messages, shortened, with escaped HTML and without control characters, and the number of unread messages', async () => {
		const text = '<img src=x onerror=alert(1)>\u202egnp.exe <b>"bold"</b> & \u0007 =cmd';
		await sendText(member, memberId, text);
		await sendText(member, memberId, 'x'.repeat(10_000));
		await sendChatFile(member, memberId, { name: '"><script>alert(2)<.svg', bytes: Buffer.from('<svg/>') });
		for (let line = 4; line <= 9; line += 1) await sendText(member, memberId, `line ${line}`);
		await later(chatMailDelaySeconds);
		const [mail, ...more] = smtp.mails;
		expect(more).toEqual([]);
		expect(mail?.text).toContain('> line 4\n> line 5\n> and 4 more\n');
		expect(mail?.text).toContain('Unread messages: 9.');
		expect(mail?.html).not.toMatch(/<img src=x|<b>"|<script|\u202e|\u0007/u);
		expect(mail?.html).toContain('&lt;img src=x onerror=alert(1)&gt;gnp.exe &lt;b&gt;');
		expect(mail?.text).toContain('> <img src=x onerror=alert(1)>gnp.exe <b>"bold"</b> & =cmd\n');
		expect(mail?.text).toContain(`> ${'x'.repeat(200)}…\n`);
		expect(mail?.html?.match(/(?:src|background)="(?!cid:)[^"]*"/gu)).toBeNull();
	});

	const subjects = { en: 'You have an answer in the chat', hi: 'चैट में आपके लिए उत्तर है' };

	test('to the member is in the language of their latest message, with a link to the contact page', async () => {
		await member.call('POST', `/api/chats/${memberId}/messages?lang=hi`, { clientId: 'in-hindi', message: 'नमस्ते' });
		await sendText(admin, memberId, 'नमस्ते जी');
		await later(chatMailDelaySeconds);
		const [mail] = mailsTo(email);
		expect(mail?.subject).toBe(subjects.hi);
		expect(mail?.text).toContain('http://folio.test/contact?lang=hi&from=mail');
		expect(mail?.html).toContain('<html lang="hi">');
		await viewAsMember(2);
		await sendText(admin, memberId, 'again');
		await later(chatMailDelaySeconds);
		const [, second, ...more] = mailsTo(email);
		expect([second?.subject, more]).toEqual([subjects.en, []]);
		for (const form of [second?.text, second?.html]) {
			expect(form).toContain('again');
			expect(form?.replaceAll('&amp;', '&')).toContain('http://folio.test/contact?lang=en&from=mail');
		}
	});

	test('is in the language of the order for a member who has not used the chat yet', async () => {
		const { id } = await makeOrder(testApp.deps, { userId: memberId, email });
		await testApp.deps.db.updateTable('orders').set({ locale: 'hi' }).where('id', '=', id).execute();
		await sendText(admin, memberId, 'welcome');
		await later(chatMailDelaySeconds);
		expect(mailsTo(email)[0]?.subject).toBe(subjects.hi);
		// The mail is also in the other language, because the language of the order may be wrong.
		expect(mailsTo(email)[0]?.text).toContain('Support wrote to you in the chat.');
	});
});

describe('two server processes', () => {
	test('send one mail about each conversation when they look for unread messages at the same time', async () => {
		const secondApp = await openSecondProcess(testApp);
		const others = await Promise.all(Array.from({ length: 8 }, () => joinAs(testApp)));
		for (const { client, id } of others) {
			await sendText(client, id, 'from a member');
			await sendText(admin, id, 'from the owner');
		}
		testApp.clock.advance(chatMailDelaySeconds);
		const mailAll = async ({ deps }: TestApp) => {
			let mailed = 0;
			while (await mailNextUnread(deps)) mailed += 1;
			return mailed;
		};
		const counts = await Promise.all([testApp, secondApp, testApp, secondApp].map(mailAll));
		expect(counts.reduce((sum, count) => sum + count, 0)).toBe(16);
		expect(await outbox()).toHaveLength(16);
		await secondApp.runDueWork();
		expect(smtp.mails).toHaveLength(16);
	});

	test('send a mail about a conversation after one process was killed before its commit', async () => {
		await sendText(member, memberId, 'not lost');
		testApp.clock.advance(chatMailDelaySeconds);
		const secondApp = await openSecondProcess(testApp);
		const seal = () => {
			throw new Error('killed');
		};
		const secrets = { ...testApp.deps.secrets, seal };
		await expect(mailNextUnread({ ...testApp.deps, secrets })).rejects.toThrow('killed');
		expect(await outbox()).toEqual([]);
		await secondApp.runDueWork();
		await testApp.runDueWork();
		expect(smtp.mails).toHaveLength(1);
	});
});
