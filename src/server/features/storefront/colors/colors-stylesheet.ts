import type { FastifyInstance } from 'fastify';
import type { Content } from '#contract/storefront/content-fields.ts';
import { mixColors, readableOn, textColorOn } from '#shared/colors.ts';

/** Surfaces of the storefront on which texts have the accent colour: `--paper`, `--paper-2`, `--surface` in tokens.css. */
const lightSurfaces = ['#fbf8f1', '#f4eee1', '#fffdf9'];

/** Part of the URL, which never changes its content: increase it with each change of the rules. */
const revision = 1;

const path = /^([0-9a-f]{6}|default)-([0-9a-f]{6}|default)-([0-9a-f]{6})-([0-9a-f]{6})-\d+\.css$/u;
const folder = '/storefront/colors/';

/** Returns the URL of the stylesheet, which contains the colours; null if the page has only the default colours. */
export function colorsStylesheetOf(content: Content, hasDefaultDrawings: boolean): string | null {
	const { ground, ink } = content['covers.drawing'];
	const [accent, band] = [content['colors.accent'], content['colors.ground']];
	if (accent === null && band === null && hasDefaultDrawings) return null;
	const names = [accent ?? 'default', band ?? 'default', ground, ink].map((color) => color.replace('#', ''));
	return `${folder}${[...names, revision].join('-')}.css`;
}

/** Serves the stylesheets, which depend on nothing but their URL. */
export function registerColorStylesheets(app: FastifyInstance): void {
	app.get<{ Params: { file: string } }>(`${folder}:file`, { config: { access: 'public' } }, (request, reply) => {
		const [, accent, band, ground, ink] = path.exec(request.params.file) ?? [];
		if (accent === undefined || band === undefined) return reply.callNotFound();
		const css = [
			...(accent === 'default' ? [] : accentRules(`#${accent}`)),
			...(band === 'default' ? [] : bandRules(`#${band}`)),
			...accentOnBandRules(accent, band),
			`--cover-ground:#${ground};`,
			// A drawn cover whose ink cannot be read on its ground has black or white ink.
			`--cover-ink:${readableOn(`#${ink}`, [`#${ground}`])};`,
		].join('\n');
		return reply
			.header('cache-control', 'public, max-age=31536000, immutable')
			.type('text/css; charset=utf-8')
			.send(`:root,[data-theme]{\n${css}\n}\n`);
	});
}

function accentRules(accent: string): string[] {
	const text = textColorOn(accent);
	return [
		`--accent-fill:${accent};`,
		`--accent-fill-hover:${mixColors(accent, text === '#ffffff' ? '#000000' : '#ffffff', 0.12)};`,
		`--on-accent-fill:${text};`,
		`--accent:${readableOn(accent, lightSurfaces)};`,
		`--accent-soft:${mixColors(accent, '#ffffff', 0.8)};`,
	];
}

function accentOnBandRules(accent: string, band: string): string[] {
	if (accent === 'default' && band === 'default') return [];
	const color = accent === 'default' ? '#f2b04a' : `#${accent}`;
	const ground = band === 'default' ? '#16130f' : `#${band}`;
	return [`--on-band-accent:${readableOn(color, [ground])};`];
}

function bandRules(band: string): string[] {
	const text = textColorOn(band);
	const quiet = (share: number) => readableOn(mixColors(text, band, share), [band]);
	return [
		`--band:${band};`,
		`--on-band:${text};`,
		`--on-band-2:${quiet(0.2)};`,
		`--on-band-muted:${quiet(0.32)};`,
		`--band-line:${mixColors(band, text, 0.22)};`,
	];
}
