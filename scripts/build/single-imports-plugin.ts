import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Plugin } from 'vite';

const importOfMessages = "import { m } from '#messages';";
const messages = resolve('src/messages/generated/messages');
const importOfIcons = /^import \{([^}]+)\} from '@tabler\/icons-react';/mu;

const importOfMantine = /^(import|export) \{([^}]+)\} from ["']@mantine\/(core|hooks|notifications)["'];?$/gmu;

/**
 * Components of the provider that the workspace turns off (mantine-variables.css has their variables). Measured: 2 KB less
 * (Brotli) for each screen.
 */
const stylesOfProvider = /\/@mantine\/core\/esm\/.*\/(?:MantineCssVariables|MantineClasses)\.mjs$/u;

/** Mantine's colours as its variables, which its style file defines, instead of 140 values: 0.5 KB less. */
const defaultColors = `
const namesOf = (color) => Array.from({ length: 10 }, (_, shade) => 'var(--mantine-color-' + color + '-' + shade + ')');
export const DEFAULT_COLORS = Object.fromEntries('dark gray red pink grape violet indigo blue cyan green lime yellow orange teal'.split(' ').map((color) => [color, namesOf(color)]));`;

/**
 * Lets each module import its messages, icons and components one by one, instead of from the file that exports all of them. Otherwise
 * the bundler would put a message or icon of one screen into a file that every screen loads. A module that computes
 * a message's name keeps the object with all messages.
 */
export function singleImportsPlugin(): Plugin {
	return {
		name: 'folio:single-imports',
		enforce: 'pre',
		resolveId: (source) => (source === icon ? source : null),
		load(id) {
			if (id === icon) return createIcon;
			if (stylesOfProvider.test(id)) return 'export const MantineCssVariables = null, MantineClasses = null;';
			return id.endsWith('/MantineProvider/default-colors.mjs') ? defaultColors : null;
		},
		transform(code, id) {
			if (id.includes('/@tabler/icons-react/dist/esm/icons/')) return joinPaths(code);
			if (id.includes('/node_modules/@mantine/')) return { code: importMantine(code), map: null };
			if (!id.includes('/src/web/')) return null;
			const changed = importMantine(importIcons(/\bm\[/u.test(code) ? code : importMessages(code)));
			return changed === code ? null : { code: changed, map: null };
		},
	};
}

function importMessages(code: string): string {
	if (!code.includes(importOfMessages)) return code;
	const keys = new Set([...code.matchAll(/\bm\.(\w+)/gu)].map(([, key]) => key));
	const imports = [...keys].map((key) => `import { ${key} as m_${key} } from '${messages}/${key}.js';`).join(' ');
	return code.replace(importOfMessages, () => imports).replaceAll(/\bm\.(\w+)/gu, 'm_$1');
}

function importIcons(code: string): string {
	return code.replace(importOfIcons, (_import, names: string) => {
		const icons = names.split(',').map((name) => name.trim());
		const isIcon = (name: string) => /^Icon[A-Z]\w*$/u.test(name) && name !== 'IconProps';
		return icons
			.filter((name) => name !== '' && !name.startsWith('type '))
			.map((name) =>
				isIcon(name)
					? `import ${name} from '@tabler/icons-react/dist/esm/icons/${name}.mjs';`
					: `import { ${name} } from '@tabler/icons-react';`,
			)
			.join(' ');
	});
}

const icon = 'virtual:icon';
const createIcon = `
import create from '@tabler/icons-react/dist/esm/createReactComponent.mjs';
export const createIcon = (d) => create('outline', '', '', [['path', { d, key: 'svg-0' }]]);`;

/** Makes one path of the paths of an outlined icon. Measured: 1 KB less (Brotli) for a screen with 60 icons. */
function joinPaths(code: string): { code: string; map: null } | null {
	const nodes = /\("outline"/u.test(code)
		? /^const __iconNode = (?<nodes>.*);$/mu.exec(code)?.groups?.['nodes']
		: undefined;
	const parts = JSON.parse(nodes ?? '[]') as [string, { d?: string }][];
	const paths = parts.map(([tag, { d, ...more }]) =>
		tag === 'path' && Object.keys(more).join() === 'key' ? d : undefined,
	);
	// A path that starts with a relative step would continue from the end of the one before.
	if (paths.length === 0 || !paths.every((path) => path?.startsWith('M'))) return null;
	const path = JSON.stringify(paths.join(''));
	return {
		code: `import { createIcon } from '${icon}'; export default /* @__PURE__ */ createIcon(${path});`,
		map: null,
	};
}

function importMantine(code: string): string {
	return code.replace(importOfMantine, (_import, kind: string, names: string, library: keyof typeof mantine) =>
		names
			.split(',')
			.map((name) => name.trim())
			.filter((name) => name !== '' && !name.startsWith('type '))
			.map((name) => {
				const file = mantine[library].get(name.split(' ')[0] ?? '');
				if (file === undefined) throw new Error(`@mantine/${library} does not export ${name}.`);
				return `${kind} { ${name} } from '${file}';`;
			})
			.join(' '),
	);
}

const mantine = {
	core: readExports('@mantine/core'),
	hooks: readExports('@mantine/hooks'),
	notifications: readExports('@mantine/notifications'),
};

/** Returns the file of each name that a library's index imports and exports again. */
function readExports(library: string): Map<string, string> {
	const index = resolve('node_modules', library, 'esm/index.mjs');
	const files = new Map<string, string>();
	for (const [, names = '', file = ''] of readFileSync(index, 'utf8').matchAll(/import \{([^}]+)\} from "([^"]+)"/gu))
		for (const name of names.split(','))
			files.set(name.trim(), file.startsWith('.') ? join(dirname(index), file) : file);
	return files;
}
