import { expect, type Page } from '@playwright/test';
import {
	expectNoHorizontalOverflow,
	failRequests,
	hostJourneys,
	liveUpdateTimeout,
	phone,
	test,
	waitForEventStream,
} from '../../support/browser/journey.ts';
import { addUser } from '../../support/browser/seeding.ts';
import { expectSaved, expectStatus, openSection, publishDraft } from '../../support/browser/storefront-editor.ts';
import { makePicture } from '../../support/documents/images.ts';

const product = hostJourneys();

const savePath = /^\/api\/storefront\/draft\//u;

const preview = (page: Page) => page.frameLocator('iframe');
const headline = (page: Page) => page.getByRole('textbox', { name: 'Headline', exact: true });
const tagline = (page: Page) => page.getByRole('textbox', { name: 'Tagline' });

test('texts, benefits, colours and an excerpt with a picture are seen in the preview, and by visitors once published', async ({
	enter,
}) => {
	const owner = await enter({ signedInAs: 'owner', at: '/admin/storefront' });
	const visitor = await enter({ at: '/' });
	const before = await visitor.getByRole('heading', { level: 1 }).textContent();

	await openSection(owner, 'Top of the page');
	await headline(owner).fill('Cooking with Dadi');
	await expect(preview(owner).getByRole('heading', { level: 1 })).toContainText('Cooking with Dadi');
	await owner.getByRole('group', { name: 'Accent', exact: true }).getByRole('textbox').fill('x'.repeat(21));
	await headline(owner).focus();
	await expect(owner.getByRole('textbox', { name: 'Accent', exact: true })).toHaveAccessibleDescription(/too long/u);
	await expectStatus(owner, 'Not saved yet');
	await owner.getByRole('button', { name: 'Restore default: Accent' }).click();
	await expectSaved(owner);

	await openSection(owner, 'Benefits');
	await owner.getByRole('button', { name: 'Add a benefit' }).click();
	await expect(owner.getByRole('textbox', { name: 'Title' })).toBeFocused();
	await test.step('an item with an error stays open while the error is corrected, and a line break becomes a space', async () => {
		const title = owner.getByRole('textbox', { name: 'Title' });
		await title.fill('x'.repeat(85));
		await owner.getByRole('button', { name: /^1 A reason that holds/u }).click();
		await owner.getByRole('textbox', { name: 'Heading' }).focus();
		await expect(title.last()).toHaveAccessibleDescription(/too long/u);
		await title.last().press('Backspace');
		await expect(title).toHaveCount(1);
		await expect(title).toBeFocused();
		await owner.getByRole('textbox', { name: 'Text' }).fill('One\nTwo');
		await expect(owner.getByRole('textbox', { name: 'Text' })).toHaveValue('One Two');
	});
	await owner.getByRole('textbox', { name: 'Title' }).fill('Forty recipes');
	await owner.getByRole('button', { name: 'Move up: Forty recipes' }).click();
	await expect(owner.getByRole('button', { name: 'Move up: Forty recipes' })).toBeFocused();
	await owner.getByRole('button', { name: 'Remove: A mind on your side' }).click();
	await owner.getByRole('button', { name: 'Remove: A reason that holds' }).click();
	await owner.getByRole('button', { name: 'Undo' }).last().click();
	await expect(preview(owner).locator('#gain').getByRole('heading', { level: 3 })).toHaveText([
		'A reason that holds',
		'A day with a spine',
		'Money you can see',
		'Forty recipes',
		'People who pull with you',
	]);

	await openSection(owner, 'Colours and name');
	await owner.getByRole('textbox', { name: 'Accent colour', exact: true }).fill('#2457a6');
	await expect(owner.getByText('Texts on this colour are white, with a contrast of 7.0')).toBeVisible();

	await openSection(owner, 'Excerpts');
	await owner.getByRole('button', { name: 'Remove: Chapter 3: Mindset' }).click();
	const belief = owner.getByRole('button', { name: 'Chapter 2: Belief' }).first();
	await belief.click();
	await expect(preview(owner).getByRole('dialog').getByRole('heading', { name: 'Belief' })).toBeVisible();
	await expect(belief, 'the preview does not take the focus').toBeFocused();
	const text = owner.getByRole('textbox', { name: 'Text' });
	await text.fill('First, the *dough*.');
	await owner.getByRole('toolbar').getByRole('button', { name: 'Numbered list' }).click();
	await expect(text).toHaveValue('1. First, the *dough*.');
	const picture = { name: 'dough.png', mimeType: 'image/png', buffer: await makePicture('png', 800, 600) };
	await owner.getByLabel('Choose a picture for the text').setInputFiles(picture);
	await expect(text).toHaveValue(/!\[Describe the picture\]\(\/storefront\/images\//u);
	await expect(preview(owner).getByRole('dialog').getByRole('img', { name: 'Describe the picture' })).toBeVisible();
	await expectSaved(owner);

	await visitor.reload();
	await expect(visitor.getByRole('heading', { level: 1 })).toHaveText(before ?? '');
	await owner.getByRole('button', { name: 'Publish', exact: true }).click();
	const summary = owner.getByRole('dialog', { name: 'Publish the changes' });
	await expect(summary.getByRole('region', { name: 'Top of the page' })).toContainText('Cooking with Dadi');
	await expect(summary.getByRole('region')).toHaveCount(4);
	await owner.keyboard.press('Escape');
	await publishDraft(owner);

	await visitor.reload();
	await expect(visitor.getByRole('heading', { level: 1 })).toContainText('Cooking with Dadi');
	await expect(visitor.getByText('Forty recipes')).toBeVisible();
	await visitor.getByRole('link', { name: /Belief/u }).click();
	await expect(visitor.getByRole('dialog').getByRole('img', { name: 'Describe the picture' })).toBeVisible();
	const button = visitor.locator('.hero .button-primary');
	await expect(button).toHaveCSS('background-color', 'rgb(36, 87, 166)');
});

test('changes can be discarded, and a former version can be restored', async ({ enter }) => {
	const owner = await enter({ signedInAs: 'owner', at: '/admin/storefront?section=hero' });
	await tagline(owner).fill('First tagline');
	await publishDraft(owner);
	await tagline(owner).fill('Second tagline');
	await expectSaved(owner);
	await owner.getByRole('button', { name: 'Discard changes' }).click();
	await owner.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click();
	await expect(tagline(owner)).toHaveValue('First tagline');
	await expect(preview(owner).getByText('First tagline')).toBeVisible();
	await owner.getByRole('button', { name: 'Publish', exact: true }).click();
	await expect(owner.getByRole('dialog').getByText('There is nothing to publish.')).toBeVisible();
	await owner.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();

	await owner.getByRole('button', { name: 'Versions' }).click();
	const versions = owner.getByRole('dialog', { name: 'Versions' }).getByRole('listitem');
	await expect(versions.first()).toContainText('Changed: Top of the page');
	await versions.last().getByRole('button').click();
	await owner.getByRole('dialog').getByRole('button', { name: 'Restore', exact: true }).last().click();
	await expect(owner.getByText('is restored and published.')).toBeVisible();
	await expect(versions.first()).toContainText('Published now');
	const visitor = await enter({ at: '/' });
	await expect(visitor.getByText('A plain book about belief')).toBeVisible();
});

test('two admins edit at once: changes of others appear, are merged, and a collision shows both texts', async ({
	enter,
}) => {
	await addUser(product.owner, 'priya@example.com', 'admin');
	const first = await enter({ signedInAs: 'owner' });
	const second = await enter({ signedInAs: 'priya@example.com' });
	const streams = [waitForEventStream(first), waitForEventStream(second)];
	await Promise.all([first, second].map((page) => page.goto('/admin/storefront?section=hero')));
	await Promise.all(streams);

	await second.getByRole('textbox', { name: 'Author' }).fill('Dadi Sharma');
	await expect(first.getByRole('textbox', { name: 'Author' })).toHaveValue('Dadi Sharma', liveUpdateTimeout);
	await expect(first.getByText('Changed by priya@example.com')).toBeVisible();

	// Each changes another language of the same field, while the first has no connection.
	const restore = await failRequests(first, savePath, 'PUT');
	await tagline(first).fill('Recipes for every day');
	await expectStatus(first, 'Could not save');
	await second.getByRole('group', { name: 'Language of the texts' }).getByRole('button', { name: 'हिन्दी' }).click();
	await tagline(second).fill('रोज़ की रसोई');
	await expectSaved(second);
	await restore();
	await expectSaved(first);
	await second.getByRole('group', { name: 'Language of the texts' }).getByRole('button', { name: 'English' }).click();
	await expect(tagline(second)).toHaveValue('Recipes for every day', liveUpdateTimeout);

	// Both change the same text.
	const restoreAgain = await failRequests(first, savePath, 'PUT');
	await headline(first).fill('My headline');
	await expectStatus(first, 'Could not save');
	await headline(second).fill('Another headline');
	await expectSaved(second);
	const collision = first.getByRole('alert').filter({ hasText: 'priya@example.com changed this at the same time' });
	await expect(collision).toContainText('My headline');
	await expect(collision).toContainText('Another headline');
	await restoreAgain();
	await collision.getByRole('button', { name: 'Keep mine' }).click();
	await expectSaved(first);
	await expect(headline(second)).toHaveValue('My headline', liveUpdateTimeout);
});

test('without a connection, what is typed survives a reload and is saved when the connection is back', async ({
	enter,
}) => {
	const owner = await enter({ signedInAs: 'owner', at: '/admin/storefront?section=hero' });
	await failRequests(owner, savePath, 'PUT');
	await headline(owner).fill('Typed without a connection');
	await expectStatus(owner, 'Could not save');
	await owner.getByRole('link', { name: 'Chat' }).first().click();
	await owner.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Cancel' }).click();
	const again = await owner.context().newPage();
	await owner.close();
	const restore = await failRequests(again, savePath, 'PUT');
	await again.goto('/admin/storefront?section=hero');
	await expect(headline(again)).toHaveValue('Typed without a connection');
	await expectStatus(again, 'Could not save');
	await restore();
	await again.evaluate(() => dispatchEvent(new Event('online')));
	await expectSaved(again);
	await expect(preview(again).getByRole('heading', { level: 1 })).toContainText('Typed without a connection');
});

test('on a phone, a cover is cropped with the keyboard, and the preview has its own tab', async ({ enter }) => {
	const owner = await enter({ signedInAs: 'owner', ...phone, at: '/admin/storefront?section=covers' });
	const file = { name: 'cover.png', mimeType: 'image/png', buffer: await makePicture('png', 900, 1000) };
	await owner.getByLabel('Choose a picture: Part 1, English').first().setInputFiles(file);
	const dialog = owner.getByRole('dialog', { name: 'Part 1, English' });
	await dialog.getByRole('slider', { name: 'Zoom' }).press('ArrowRight');
	await dialog.getByRole('slider', { name: 'Left to right' }).press('Home');
	const upload = owner.waitForRequest((request) => request.url().includes('/api/storefront/images'));
	await dialog.getByRole('button', { name: 'Use this part' }).click();
	const query = new URL((await upload).url()).searchParams;
	const [x, width, height] = ['x', 'width', 'height'].map((name) => Number(query.get(name)));
	expect(x).toBe(0);
	expect((width ?? 0) / (height ?? 1)).toBeCloseTo(2 / 3, 2);
	await expect(owner.getByRole('img', { name: 'Part 1, English' })).toBeVisible();
	await expectNoHorizontalOverflow(owner);

	await owner.getByRole('button', { name: 'Preview', exact: true }).click();
	await expect(preview(owner).locator('.hero img').first()).toBeVisible();
	await expectNoHorizontalOverflow(owner);
	await owner.getByRole('button', { name: 'Edit', exact: true }).click();
	await owner.getByRole('button', { name: 'Remove the picture: Part 1, English' }).click();
	await expect(owner.getByRole('img', { name: 'Part 1, English' })).toBeHidden();
});
