import type { Plugin } from 'vite';

/**
 * Components of the provider that the workspace turns off (mantine-variables.css has their variables). Measured: 2 KB less
 * (Brotli) for each screen.
 */
const stylesOfProvider = /\/@mantine\/core\/esm\/.*\/(?:MantineCssVariables|MantineClasses)\.mjs$/u;

/** Mantine's colours as its variables, which its style file defines, instead of 140 values: 0.5 KB less. */
const defaultColors = `
const namesOf = (color) => Array.from({ length: 10 }, (_, shade) => 'var(--mantine-color-' + color + '-' + shade + ')');
export const DEFAULT_COLORS = Object.fromEntries('dark gray red pink grape violet indigo blue cyan green lime yellow orange teal'.split(' ').map((color) => [color, namesOf(color)]));`;

/** Removes or shortens code of Mantine and of the icons that every screen would load. */
export function smallPackagesPlugin(): Plugin {
	return {
		name: 'folio:small-packages',
		enforce: 'pre',
		resolveId: (source) => (source === icon ? source : null),
		load(id) {
			if (id === icon) return createIcon;
			if (stylesOfProvider.test(id)) return 'export const MantineCssVariables = null, MantineClasses = null;';
			return id.endsWith('/MantineProvider/default-colors.mjs') ? defaultColors : null;
		},
		transform: (code, id) => (id.includes('/@tabler/icons-react/dist/esm/icons/') ? joinPaths(code) : null),
	};
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
