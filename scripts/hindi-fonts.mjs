/**
 * Subsets the storefront's Hindi fonts to the glyphs that Hindi needs: `node scripts/hindi-fonts.mjs hi_IN.dic`. Most
 * glyphs of a Devanagari font are conjuncts, and half of the conjuncts occur in no Hindi word. The subset has every
 * glyph that HarfBuzz uses in any step of shaping the words of a Hindi dictionary, of the messages and of the default
 * storefront, and each letter and conjunct with each vowel sign. Other conjuncts stay readable, with a half letter or a
 * virama. Needs Debian's fonttools, python3-brotli, libharfbuzz-bin and hunspell-hi (see src/web/styles/fonts/README.md).
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from './setup/processes.mjs';
import { makeTemporaryFolder } from './setup/temporary-folder.mjs';

const [dictionary = '/usr/share/hunspell/hi_IN.dic'] = process.argv.slice(2);
const fonts = join(root, 'src', 'web', 'styles', 'fonts');
/** Name of the output, source file, and weights to keep of a variable font. */
const fontFiles = [
	{ name: 'mukta-hindi-400', from: '@fontsource/mukta/files/mukta-devanagari-400-normal.woff2' },
	{ name: 'mukta-hindi-600', from: '@fontsource/mukta/files/mukta-devanagari-600-normal.woff2' },
	{
		name: 'noto-serif-devanagari-hindi',
		from: '@fontsource-variable/noto-serif-devanagari/files/noto-serif-devanagari-devanagari-wght-normal.woff2',
		weights: '400:640',
	},
];
const virama = '\u094d';
const anusvara = '\u0902';
const lettersWithNukta = [...'कखगजडढफ'].map((letter) => `${letter}\u093c`);
const consonants = [...'कखगघङचछजझञटठडढणतथदधनपफबभमयरलळवशषसह', ...lettersWithNukta];
const vowels = [...'अआइईउऊऋऍएऐऑओऔ'];
const vowelSigns = ['', ...'\u093e\u093f\u0940\u0941\u0942\u0943\u0945\u0947\u0948\u0949\u094b\u094c'];
const endings = ['', anusvara, '\u0901', '\u0903'];
/** Conjuncts that the dictionary lacks and that occur in names and in words from Sanskrit and Persian. */
const extraConjuncts = 'क़्श ख़्क ग़्ल ग़्म ङ्क ङ्ख ङ्ग ङ्घ ञ्च ञ्छ ञ्ज ण्ठ ण्ढ घ्न क्त्व ह्ण ह्ल द्ग्र द्ब द्न द्व्य ट्न ट्प ट्म ठ्य ड्ग ढ्य'.split(' ');

/** Texts per call of `hb-shape`; a call prints a trace of about 10 MB. */
const textsPerCall = 1000;

const folder = makeTemporaryFolder('folio-fonts-');
const texts = [...collectTexts()];
for (const fontFile of fontFiles) subsetFont(fontFile);

function subsetFont({ name, from, weights }) {
	const source = createRequire(import.meta.url).resolve(from);
	const plain = join(folder, `${name}.ttf`);
	run('pyftsubset', source, `--output-file=${plain}`, '--glyphs=*', '--layout-features=*');
	if (weights !== undefined) run('fonttools', 'varLib.instancer', plain, `wght=${weights}`, '-o', plain);
	const glyphs = join(folder, `${name}.gids`);
	writeFileSync(glyphs, findGlyphs(plain).join('\n'));
	run(
		'pyftsubset',
		plain,
		`--output-file=${join(fonts, `${name}.woff2`)}`,
		'--flavor=woff2',
		'--no-hinting',
		'--no-layout-closure',
		`--unicodes=${readUnicodeRange(name)}`,
		`--gids-file=${glyphs}`,
	);
}

function run(program, ...arguments_) {
	return execFileSync(program, arguments_, {
		encoding: 'utf8',
		maxBuffer: 2 ** 28,
		stdio: ['ignore', 'pipe', 'inherit'],
	});
}

function readUnicodeRange(name) {
	const css = readFileSync(join(fonts, '..', 'fonts.css'), 'utf8');
	const range = new RegExp(`/${name}\\.woff2.*?unicode-range:([^;]*);`, 'su').exec(css)?.[1];
	if (range === undefined) throw new Error(`fonts.css has no range for ${name}.`);
	return range.replace(/\s/gu, '');
}

/** Returns the numbers of all glyphs that occur in any step of shaping the texts. */
function findGlyphs(font) {
	const glyphs = new Set();
	const list = join(folder, 'texts');
	for (let start = 0; start < texts.length; start += textsPerCall) {
		writeFileSync(list, texts.slice(start, start + textsPerCall).join('\n'));
		const steps = run('hb-shape', font, '--trace', '--no-glyph-names', '--no-positions', `--text-file=${list}`);
		for (const line of steps.split('\n'))
			if (!line.includes('U+')) for (const [, glyph] of line.matchAll(/[[|](\d+)/gu)) glyphs.add(Number(glyph));
	}
	return [...glyphs].sort((a, b) => a - b);
}

function collectTexts() {
	const messages = join(root, 'src', 'messages');
	const sources = readdirSync(messages, { recursive: true })
		.filter((file) => file.endsWith('.hi.json'))
		.map((file) => join(messages, file));
	const defaultContent = join(root, 'src/server/features/storefront/content/templates/build-your-empire.json');
	const words = [dictionary, defaultContent, ...sources].flatMap((file) => findHindi(readFileSync(file, 'utf8')));
	const conjunctPattern = /(?:[\u0915-\u0939\u0958-\u095e]\u093c?\u094d)+[\u0915-\u0939\u0958-\u095e]\u093c?/gu;
	const conjuncts = new Set([...words.flatMap((word) => word.match(conjunctPattern) ?? []), ...extraConjuncts]);
	const texts = new Set(words);
	const addAll = (letter, ends) => {
		for (const sign of vowelSigns) for (const end of ends) texts.add(letter + sign + end);
		texts.add(letter + virama);
	};
	for (const letter of consonants) {
		addAll(letter, endings);
		addAll(`र${virama}${letter}`, ['', anusvara]);
		addAll(`${letter}${virama}र`, ['']);
		// A half letter alone (ZWJ), and a virama that prevents a conjunct (ZWNJ).
		texts.add(`${letter}${virama}\u200d`).add(`${letter}${virama}\u200cक`);
	}
	for (const letters of conjuncts) addAll(letters, ['', anusvara]);
	for (const vowel of vowels) for (const end of endings) texts.add(vowel + end);
	return texts;
}

function findHindi(text) {
	return text.match(/[\u0900-\u097f\u200c\u200d]+/gu) ?? [];
}
