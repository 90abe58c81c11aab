import { expect, type Locator, type Page } from '@playwright/test';
import { conversationList, openInbox, userPanel } from '../../support/browser/chat-page.ts';
import { expectNoHorizontalOverflow, expectText, hostJourneys, test } from '../../support/browser/journey.ts';
import { addUser, buy, offerBook } from '../../support/browser/seeding.ts';

/** Without a mail server, on which one of the journeys relies. */
const product = hostJourneys();
const asha = 'asha@example.com';
const dev = 'dev@example.com';

test.beforeAll(async () => {
	const { owner, url } = product;
	for (const email of [asha, dev]) {
		const { id } = await addUser(owner, email);
		const message = { clientId: `seed-of-${id}`, message: 'Namaste and welcome' };
		await owner.send('POST', `/api/chats/${id}/messages`, message);
	}
	await offerBook(owner);
	await buy(url, { name: 'Asha Verma', email: asha, utr: '412345678901' });
});

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

/** Returns the texts of the elements that extend beyond the right edge of a panel. */
const cutOffIn = (panel: Locator) =>
	panel.evaluate((element) => {
		const edge = element.getBoundingClientRect().right;
		const inside = [...element.querySelectorAll('dd, button, a, h3')];
		return inside.filter((part) => part.getBoundingClientRect().right > edge).map((part) => part.textContent);
	});

for (const width of [1440, 390]) {
	test(`the inbox cuts off no text when text has twice the size, at a width of ${width} px`, async ({ enter }) => {
		const owner = await enter({ signedInAs: 'owner', viewport: { width, height: 900 } });
		await openInbox(owner, asha);
		await owner.evaluate(() => {
			document.documentElement.style.fontSize = '32px';
		});
		await expectNoHorizontalOverflow(owner);
		const name = owner.getByRole('heading', { level: 2, name: asha });
		await expect.poll(async () => (await name.boundingBox())?.width).toBeGreaterThan(200);
		await expect(owner.getByRole('button', { name: 'Delete All Chat' })).toBeInViewport({ ratio: 1 });

		const isPhone = width < 768;
		if (isPhone) await owner.getByRole('button', { name: 'Details', exact: true }).click();
		const person = isPhone ? dialog(owner, 'Details') : userPanel(owner);
		await expect(person).toContainText('412345678901');
		await expect.poll(() => cutOffIn(person)).toEqual([]);
		await expectNoHorizontalOverflow(owner);
		if (isPhone) {
			await owner.keyboard.press('Escape');
			await owner.getByRole('link', { name: 'All conversations' }).click();
		}

		const rows = conversationList(owner).getByRole('listitem');
		await expect(rows).toHaveCount(2);
		await expect
			.poll(async () => {
				const [first, second] = await Promise.all([rows.nth(0).boundingBox(), rows.nth(1).boundingBox()]);
				return (second?.y ?? 0) - ((first?.y ?? 0) + (first?.height ?? 0));
			})
			.toBeGreaterThanOrEqual(-0.5);
		const overflows = await rows.evaluateAll((all) =>
			all.map((row) => row.scrollHeight - row.clientHeight).filter((over) => over > 0),
		);
		expect(overflows).toEqual([]);
	});
}

test('without a mail server the owner sees that a login sent again was kept as a file', async ({ enter }) => {
	const owner = await enter({ signedInAs: 'owner' });
	await openInbox(owner, asha);
	await userPanel(owner).getByRole('button', { name: 'Send login again' }).click();
	await dialog(owner, 'Send the login again?').getByRole('button', { name: 'Send login again' }).click();
	await expectText(owner, `The login for ${asha} was kept as a file: no SMTP server is set.`);
});
