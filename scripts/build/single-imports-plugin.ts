import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Plugin } from 'vite';

const importOfMessages = "import { m } from '#messages';";
const messages = resolve('src/messages/generated/messages');
const importOfIcons = /^import \{([^}]+)\} from '@tabler\/icons-react';/mu;

const importOfMantine = /^(import|export) \{([^}]+)\} from ["']@mantine\/(core|hooks|notifications)["'];?$/gmu;

/**
 * Lets each module import its messages, icons and components one by one, instead of from the file that exports all of
 * them. Otherwise the bundler would put a message or icon of one screen into a file that every screen loads. A module
 * that computes a message's name keeps the object with all messages.
 */
export function singleImportsPlugin(): Plugin {
	return {
		name: 'folio:single-imports',
		enforce: 'pre',
		transform(code, id) {
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
