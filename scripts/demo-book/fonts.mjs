import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import decompress from 'woff2-encoder/decompress';

const require = createRequire(join(process.cwd(), 'package.json'));

const LATIN = 'U+0000-00FF, U+2000-206F';
const LATIN_EXT = 'U+0100-02BA, U+20A0-20C0';

const FRAUNCES = '@fontsource-variable/fraunces/files/fraunces-latin-opsz-normal.woff2';
const FRAUNCES_EXT = '@fontsource-variable/fraunces/files/fraunces-latin-ext-opsz-normal.woff2';
const FRAUNCES_ITALIC = '@fontsource-variable/fraunces/files/fraunces-latin-opsz-italic.woff2';
const INTER = '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2';
const INTER_EXT = '@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2';
/** Whole ones, with Latin and all signs: a page of Hindi takes one font for each weight, however it is punctuated. */
const MUKTA = '@expo-google-fonts/mukta';
const NOTO_SERIF = '@expo-google-fonts/noto-serif-devanagari';

/** Each weight that the styles ask for, and of Fraunces the optical size of where it stands, in CSS pixels. */
const FONTS = [
	{ family: 'Fraunces', range: LATIN, file: FRAUNCES, weight: 390, axes: { opsz: 14, wght: 390 } },
	{ family: 'Fraunces', range: LATIN_EXT, file: FRAUNCES_EXT, weight: 390, axes: { opsz: 14, wght: 390 } },
	{ family: 'Fraunces', range: LATIN, file: FRAUNCES, weight: 580, axes: { opsz: 14, wght: 580 } },
	{
		family: 'Fraunces',
		range: LATIN,
		file: FRAUNCES_ITALIC,
		style: 'italic',
		weight: 390,
		axes: { opsz: 14, wght: 390 },
	},
	{ family: 'Fraunces Section', range: LATIN, file: FRAUNCES, weight: 440, axes: { opsz: 21, wght: 440 } },
	{ family: 'Fraunces Chapter', range: LATIN, file: FRAUNCES, weight: 420, axes: { opsz: 36, wght: 420 } },
	{ family: 'Fraunces Title', range: LATIN, file: FRAUNCES, weight: 430, axes: { opsz: 53, wght: 430 } },
	...[400, 600].flatMap((weight) => [
		{ family: 'Inter', range: LATIN, file: INTER, weight, axes: { wght: weight } },
		{ family: 'Inter', range: LATIN_EXT, file: INTER_EXT, weight, axes: { wght: weight } },
	]),
	{ family: 'Mukta', file: `${MUKTA}/400Regular/Mukta_400Regular.ttf`, weight: 400 },
	{ family: 'Mukta', file: `${MUKTA}/600SemiBold/Mukta_600SemiBold.ttf`, weight: 600 },
	{ family: 'Noto Serif Devanagari', file: `${NOTO_SERIF}/400Regular/NotoSerifDevanagari_400Regular.ttf`, weight: 400 },
	{
		family: 'Noto Serif Devanagari',
		file: `${NOTO_SERIF}/600SemiBold/NotoSerifDevanagari_600SemiBold.ttf`,
		weight: 600,
	},
];

/**
 * The book's `@font-face` rules with the fonts inlined, found in the `node_modules` of the working directory. All are
 * static: of a variable font Chromium writes drawings of its glyphs (Type 3), which a reader in a browser paints one by
 * one, and a static one it embeds.
 */
export async function renderFontFaces() {
	const rules = FONTS.map(async ({ family, range = 'U+0-10FFFF', file, style = 'normal', weight, axes }) => {
		const stored = await readFile(require.resolve(file));
		const font = Buffer.from(axes ? await cutFont(await decompress(stored), axes) : stored);
		return `@font-face { font-family: '${family}'; font-style: ${style}; font-weight: ${weight};
      unicode-range: ${range}; src: url(data:font/ttf;base64,${font.toString('base64')}) format('truetype') }`;
	});
	return (await Promise.all(rules)).join('\n');
}

/** Cuts a variable TrueType font at one place of its axes with HarfBuzz; every glyph and feature is kept. */
async function cutFont(font, axes) {
	const harfBuzz = await loadHarfBuzz();
	const start = harfBuzz.malloc(font.length);
	new Uint8Array(harfBuzz.memory.buffer).set(font, start);
	const face = harfBuzz.hb_face_create(harfBuzz.hb_blob_create(start, font.length, READ_ONLY, 0, 0), 0);
	const input = harfBuzz.hb_subset_input_create_or_fail();
	harfBuzz.hb_subset_input_keep_everything(input);
	for (const [axis, place] of Object.entries(axes))
		if (!harfBuzz.hb_subset_input_pin_axis_location(input, face, tagOf(axis), place))
			throw new Error(`The font has no axis ${axis}.`);
	const cut = harfBuzz.hb_subset_or_fail(face, input);
	if (!cut) throw new Error(`HarfBuzz cannot cut the font at ${JSON.stringify(axes)}.`);
	const blob = harfBuzz.hb_face_reference_blob(cut);
	const data = harfBuzz.hb_blob_get_data(blob, 0);
	return harfBuzz.memory.buffer.slice(data, data + harfBuzz.hb_blob_get_length(blob));
}

/** HB_MEMORY_MODE_READONLY: HarfBuzz takes the bytes from where they are. */
const READ_ONLY = 1;

/** One for each font: the memory that it takes goes with it. */
async function loadHarfBuzz() {
	const file = require.resolve('harfbuzzjs/dist/harfbuzz-subset.wasm');
	const { instance } = await WebAssembly.instantiate(await readFile(file));
	instance.exports._initialize();
	return instance.exports;
}

/** HB_TAG: the four letters as one number. */
function tagOf(axis) {
	return Buffer.from(axis, 'latin1').readUInt32BE();
}
