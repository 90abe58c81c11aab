import sharp from 'sharp';
import type { DraftField, ImageKind, StorefrontImage } from '#contract/storefront/content.ts';
import type { Content } from '#contract/storefront/content-fields.ts';
import { addFile, changeBook, exampleBank, findNode } from '../browser/seeding.ts';
import { writePdf } from '../documents/sample-files.ts';
import type { Client } from '../services/server-client.ts';

/**
 * Paints a pot on a table as an owner's photograph. @param grain strength of the noise of a camera, which makes a JPEG
 * of 4000 × 6000 pixels as large as a photograph; 0 for a small file
 */
export async function paintKitchen(width: number, height: number, grain = 0): Promise<Buffer> {
	const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 400 600" preserveAspectRatio="xMidYMid slice">
		<rect width="400" height="600" fill="#2f5d50"/><rect y="420" width="400" height="180" fill="#8a4b2a"/>
		<circle cx="200" cy="190" r="90" fill="#f3d9a4"/><path d="M70 330h260l-30 150H100z" fill="#c8672f"/>
		<ellipse cx="200" cy="330" rx="130" ry="34" fill="#f0b34a"/></svg>`;
	const painting = sharp(Buffer.from(svg)).resize(width, height);
	if (grain > 0) {
		const noise = { type: 'gaussian' as const, mean: 128, sigma: grain };
		const create = { width, height, channels: 3 as const, background: '#808080', noise };
		painting.composite([{ input: await sharp({ create }).png().toBuffer(), blend: 'soft-light' }]);
	}
	return painting.jpeg({ quality: 80 }).toBuffer();
}

/**
 * Sets up and publishes the storefront of a cookbook in one English edition, in English and Hindi, with its own pictures.
 * @param side length of the longer side of each photograph, in pixels. The storefront shows at most 1200 × 1800 pixels of it
 */
export async function publishCookbook(owner: Client, side = 6000): Promise<void> {
	await addFile(owner, 'book', 'kitchen.pdf', writePdf(['Dal for a rainy day']));
	const { id: fileId } = await findNode(owner, 'book', 'kitchen.pdf');
	await changeBook(owner, {
		title: "Dadi's Kitchen",
		originalPrice: 900,
		discountedPrice: 750,
		bank: exampleBank,
		parts: [{ number: 1, name: { en: '', hi: '' } }],
		languages: [{ code: 'en', name: 'English' }],
		editions: [{ key: 'part-1-en', fileId }],
	});
	await saveFields(owner, { template: 'empty' });
	await publish(owner);
	const cover = await uploadPicture(owner, 'cover', await paintKitchen((side * 2) / 3, side, 20));
	const pot = await uploadPicture(owner, 'excerpt', await paintKitchen(side, (side * 2) / 3, 20));
	const item = (id: string, en: string, hi: string) => ({
		id,
		title: { en, hi },
		text: { en: `${en}, and trust your own hand.`, hi: `${hi}, और अपने हाथ पर भरोसा रखें।` },
	});
	await saveFields(owner, {
		covers: { 'part-1-en': cover.id },
		wordmark: { en: 'Dadi’s Table', hi: 'दादी की मेज़' },
		author: { en: 'Asha Rao', hi: 'आशा राव' },
		'hero.headline': { en: 'Cook like Dadi', hi: 'दादी जैसा खाना' },
		'hero.tagline': {
			en: 'Forty recipes of a grandmother from Nagpur.',
			hi: 'नागपुर की एक दादी के चालीस व्यंजन।',
		},
		'colors.accent': '#b5542a',
		'colors.ground': '#2f3d2c',
		'benefits.items': [
			item('measure', 'Cook without measuring', 'बिना नापे पकाएँ'),
			item('waste', 'Waste nothing', 'कुछ भी बर्बाद न करें'),
			item('crowd', 'Feed a crowd', 'बहुत लोगों को खिलाएँ'),
		],
		'excerpts.items': [
			{
				id: 'dal',
				label: { en: 'Recipe 7', hi: 'व्यंजन 7' },
				shortLabel: { en: '', hi: '' },
				title: { en: 'Dal for a rainy day', hi: 'बारिश के दिन की दाल' },
				lead: { en: 'Slow fire, one pot.', hi: 'धीमी आँच, एक बर्तन।' },
				text: {
					en: `Wash the dal *three* times.\n\n![The dal pot](${pot.url})`,
					hi: `दाल को *तीन* बार धोएँ।\n\n![दाल का बर्तन](${pot.url})`,
				},
				note: { en: 'From the chapter on lentils.', hi: 'दालों के अध्याय से।' },
			},
		],
		'page.description': { en: 'A cookbook of forty family recipes.', hi: 'चालीस घरेलू व्यंजनों की किताब।' },
	});
	await publish(owner);
}

async function readDraft(owner: Client): Promise<DraftField[]> {
	return (await owner.get<{ fields: DraftField[] }>('/api/storefront/draft')).fields;
}

async function saveFields(owner: Client, values: Partial<Content>): Promise<void> {
	const versions = new Map((await readDraft(owner)).map(({ field, version }) => [String(field), version]));
	for (const [field, value] of Object.entries(values))
		await owner.send('PUT', `/api/storefront/draft/${field}`, { value, version: versions.get(field) });
}

async function publish(owner: Client): Promise<void> {
	const changed = (await readDraft(owner)).filter(({ isChanged }) => isChanged);
	await owner.send('POST', '/api/storefront/publish', {
		fields: changed.map(({ field, version }) => ({ field, version })),
	});
}

async function uploadPicture(owner: Client, kind: ImageKind, bytes: Buffer): Promise<StorefrontImage> {
	const body = new FormData();
	body.set('file', new File([new Uint8Array(bytes)], 'photograph.jpg'));
	const answer = await owner.request(`/api/storefront/images?kind=${kind}`, { method: 'POST', body });
	if (!answer.ok) throw new Error(`upload of a picture: ${answer.status} ${await answer.text()}`);
	return (await answer.json()) as StorefrontImage;
}
