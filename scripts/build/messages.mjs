import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { withLock } from '../setup/process-lock.mjs';
import { capture, root } from '../setup/processes.mjs';
import { hashSources, listFiles } from './source-hash.mjs';

const folder = join('src', 'messages');
const generated = join(folder, 'generated');
const project = join(folder, 'project.inlang');
const stampFile = join(root, generated, '.stamp');
const paraglide = join(root, 'node_modules', '@inlang', 'paraglide-js', 'bin', 'run.js');

/**
 * Compiles the message files into `src/messages/generated`, unless they are up to date. The compiler empties its output
 * folder. Therefore it writes to a temporary folder, and only changed files are moved from there.
 */
export async function compileMessages(node = process.execPath) {
	await withLock(join(root, '.stamp', 'messages.lock'), async () => {
		const sourceHash = await hashSources(
			[folder, 'package-lock.json'],
			// The compiler itself writes the other files of its project folder.
			(name) => !/^src\/messages\/(?:generated\/|project\.inlang\/(?!settings\.json$))/u.test(name),
		);
		if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === sourceHash) return;
		const fresh = join(root, '.stamp', `messages-${randomUUID()}`);
		try {
			const arguments_ = ['compile', '--project', project, '--outdir', fresh, '--silent'];
			const { code, output } = await capture(node, [paraglide, ...arguments_]);
			if (code !== 0) throw new Error(`The messages could not be compiled.\n${output}`);
			await replaceChanged(fresh, join(root, generated));
			await writeFile(stampFile, sourceHash);
		} finally {
			await rm(fresh, { recursive: true, force: true });
		}
	});
}

async function replaceChanged(from, to) {
	const namesIn = async (base) => (await listFiles(base)).map((file) => relative(base, file));
	const [compiled, present] = [await namesIn(from), await namesIn(to)];
	for (const name of compiled) {
		const content = await readFile(join(from, name));
		const old = present.includes(name) ? await readFile(join(to, name)) : null;
		if (old?.equals(content)) continue;
		await mkdir(dirname(join(to, name)), { recursive: true });
		await rename(join(from, name), join(to, name));
	}
	for (const name of present.filter((file) => !compiled.includes(file))) await rm(join(to, name));
}

/** Checks that both languages have the same messages, which include all keys in the contract. @returns the errors */
export async function findMessageErrors(base = root) {
	const entries = await readdir(join(base, folder), { recursive: true });
	const names = entries
		.map((name) => name.replaceAll('\\', '/'))
		.filter((name) => name.endsWith('.json') && !/^(?:generated|project\.inlang)\//u.test(name));
	const english = await readLanguage(base, names, 'en');
	const hindi = await readLanguage(base, names, 'hi');
	return [
		...english.faults,
		...hindi.faults,
		...compareLanguages(english.texts, hindi.texts),
		...(await findUnlistedFiles(base, names)),
		...(await findUnknownKeys(base, english.texts)),
	];
}

async function readLanguage(base, names, language) {
	const texts = new Map();
	const faults = [];
	for (const name of names.filter((file) => file.endsWith(`.${language}.json`))) {
		const source = await readFile(join(base, folder, name), 'utf8');
		for (const [key, value] of Object.entries(JSON.parse(source))) {
			if (key === '$schema') continue;
			if (texts.has(key)) faults.push(`${name}: ${key} is also defined in ${texts.get(key).name}`);
			if (typeof value === 'string' && value.trim() === '') faults.push(`${name}: ${key} is empty`);
			texts.set(key, { name, placeholders: placeholdersOf(value) });
		}
		for (const key of findRepeatedKeys(source)) faults.push(`${name}: ${key} is defined twice`);
	}
	return { texts, faults };
}

function compareLanguages(english, hindi) {
	const faults = [];
	for (const [key, { name, placeholders }] of english) {
		const translated = hindi.get(key);
		if (translated === undefined) faults.push(`${name}: ${key} has no Hindi text`);
		else if (translated.placeholders !== placeholders) {
			faults.push(
				`${translated.name}: ${key} has the placeholders ${translated.placeholders}, in English ${placeholders}`,
			);
		}
	}
	for (const [key, { name }] of hindi) if (!english.has(key)) faults.push(`${name}: ${key} has no English text`);
	return faults;
}

async function findUnlistedFiles(base, names) {
	const settings = JSON.parse(await readFile(join(base, project, 'settings.json'), 'utf8'));
	const listed = settings['plugin.inlang.messageFormat'].pathPattern.flatMap((pattern) =>
		settings.locales.map((locale) => resolve(base, folder, pattern.replace('{locale}', locale))),
	);
	const present = names.map((name) => resolve(base, folder, name));
	return [
		...present.filter((file) => !listed.includes(file)).map((file) => `${file} is not listed in ${project}`),
		...listed.filter((file) => !present.includes(file)).map((file) => `${file} is listed in ${project} and missing`),
	];
}

/** Finds the message keys (`error_…`, `screen_…`) that the contract uses and the message files lack. */
async function findUnknownKeys(base, texts) {
	const entries = await readdir(join(base, 'src', 'contract'), { recursive: true });
	const faults = [];
	for (const name of entries.filter((file) => /\.tsx?$/u.test(file))) {
		const source = await readFile(join(base, 'src', 'contract', name), 'utf8');
		for (const [, key] of source.matchAll(/['"`]((?:error|screen)_[a-z0-9_]+)['"`]/gu)) {
			if (!texts.has(key)) faults.push(`src/contract/${name}: no message ${key}`);
		}
	}
	return faults;
}

function placeholdersOf(value) {
	const names = [...JSON.stringify(value).matchAll(/(?<!\\)\{(\w+)\}/gu)].map(([, name]) => name);
	return `[${[...new Set(names)].sort().join(', ')}]`;
}

/** Finds duplicate keys of a flat message file, of which JSON.parse silently keeps the last. Each key begins a line. */
function findRepeatedKeys(source) {
	const keys = [...source.matchAll(/^\t"([^"]+)":/gmu)].map(([, key]) => key);
	return keys.filter((key, index) => keys.indexOf(key) !== index);
}
