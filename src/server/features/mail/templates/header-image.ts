import type { Locale } from '#contract/core/text.ts';
import type { SiteIdentity } from '#contract/storefront/site-identity.ts';
import { loadSharp } from '../../../platform/images/load-sharp.ts';
import { keepLatest, renderTextBanner } from '../../../platform/images/text-banner.ts';

const width = 1088;
const height = 336;

const drawnOnce = keepLatest();

/** Renders the header image of mails, as a PNG of twice the displayed size; the latest is kept. */
export function renderHeaderImage({ hasDefaultDrawings, colors, texts }: SiteIdentity, locale: Locale) {
	const { bookTitle: title, author } = texts[locale];
	const { ground, ink } = colors;
	const key = JSON.stringify(hasDefaultDrawings ? null : [title, author, ground, ink]);
	return drawnOnce(key, async () =>
		hasDefaultDrawings
			? (await loadSharp())(Buffer.from(headerImageSvg())).png({ palette: true }).toBuffer()
			: renderTextBanner({ width, height, title, author, ground, ink, picture: null }),
	);
}

function headerImageSvg(): string {
	const stars = [
		[80, 80, 3],
		[220, 48, 2],
		[360, 132, 2.5],
		[520, 60, 2.5],
		[1000, 52, 2.5],
		[140, 208, 2],
	].map(([x, y, r]) => `<circle cx="${x}" cy="${y}" r="${r}" fill="#f6cf86"/>`);
	const tiers = Array.from({ length: 6 }, (_, i) => pyramidTier(824, 64 + i * 40, 90 + i * 62));
	return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<rect width="${width}" height="${height}" fill="#1a2340"/>${stars.join('')}
<circle cx="600" cy="116" r="48" fill="#f6cf86"/>${tiers.reverse().join('')}</svg>`;
}

/** Draws one step of the pyramid in isometric projection: its top, left and right face. */
function pyramidTier(x: number, y: number, half: number): string {
	const rise = half / 2;
	const wall = 40;
	const top = `${x},${y} ${x + half},${y + rise} ${x},${y + 2 * rise} ${x - half},${y + rise}`;
	const left = `${x - half},${y + rise} ${x},${y + 2 * rise} ${x},${y + 2 * rise + wall} ${x - half},${y + rise + wall}`;
	const right = `${x + half},${y + rise} ${x},${y + 2 * rise} ${x},${y + 2 * rise + wall} ${x + half},${y + rise + wall}`;
	return `<polygon points="${left}" fill="#e59a34"/><polygon points="${right}" fill="#9a4a1c"/><polygon points="${top}" fill="#f6cf86"/>`;
}
