import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

/** Returns the classes that a component uses but its CSS module does not define, as 'component: stylesheet.class'. */
async function findMissingClasses(
	components: Array<{ path: string; text: string }>,
	readStylesheet: (path: string) => Promise<string>,
): Promise<string[]> {
	const missing: string[] = [];
	for (const { path, text } of components) {
		for (const [, name = '', specifier = ''] of text.matchAll(/^import (\w+) from '([^']+\.module\.css)';$/gmu)) {
			const stylesheet = specifier.startsWith('.')
				? join(dirname(path), specifier)
				: specifier.replace(/^#web\//u, 'src/web/');
			const rules = (await readStylesheet(stylesheet)).replaceAll(/\/\*.*?\*\//gsu, '');
			const defined = new Set([...rules.matchAll(/\.([A-Za-z_][\w-]*)/gu)].map(([, className]) => className));
			const used = new Set(
				[...text.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, 'gu'))].map(([, className]) => className),
			);
			missing.push(
				...[...used]
					.filter((className) => !defined.has(className))
					.map((className) => `${path}: ${stylesheet}.${className}`),
			);
		}
	}
	return missing;
}

test('every class that a component uses is defined in its CSS module', async () => {
	const paths = globSync('src/web/**/*.{ts,tsx}');
	const components = await Promise.all(paths.map(async (path) => ({ path, text: await readFile(path, 'utf8') })));
	expect(components.filter(({ text }) => text.includes(".module.css'")).length).toBeGreaterThan(150);
	expect(await findMissingClasses(components, (path) => readFile(path, 'utf8'))).toEqual([]);
});

test('findMissingClasses reports a class that is not defined', async () => {
	const text = "import classes from './card.module.css';\nconst names = [classes.card, classes.head];\n";
	const rules = '/* .head is gone */\n.card > :first-child { color: red }\n.header { color: red }\n';
	expect(await findMissingClasses([{ path: 'src/web/ui/card.tsx', text }], async () => rules)).toEqual([
		'src/web/ui/card.tsx: src/web/ui/card.module.css.head',
	]);
});
