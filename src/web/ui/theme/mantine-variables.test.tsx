import { readFile } from 'node:fs/promises';
import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { theme } from './theme.ts';

/** Maps Mantine's variables to the tokens. Both schemes are equal, because the tokens themselves change. */
const tokens = {
	'--mantine-color-body': 'var(--paper)',
	'--mantine-color-text': 'var(--ink)',
	'--mantine-color-dimmed': 'var(--muted)',
	'--mantine-color-placeholder': 'var(--muted)',
	'--mantine-color-error': 'var(--negative)',
	'--mantine-color-anchor': 'var(--accent)',
	'--mantine-color-default': 'var(--surface)',
	'--mantine-color-default-hover': 'var(--hover)',
	'--mantine-color-default-color': 'var(--ink)',
	'--mantine-color-default-border': 'var(--line)',
	'--mantine-color-bright': 'var(--ink)',
};

const scheme = '[data-mantine-color-scheme';
const selectors = {
	root: ':root,:host',
	both: `:root${scheme}],:host(${scheme}])`,
	light: `:root${scheme}="light"],:host(${scheme}="light"])`,
	dark: `:root${scheme}="dark"],:host(${scheme}="dark"])`,
};

/** Returns the declarations of each selector, with those of both colour schemes under each of them. */
function readRules(css: string): Record<string, string[]> {
	const rules = css.replaceAll(/\/\*.*?\*\//gsu, '').matchAll(/(?<selector>[^{}]+)\{(?<body>[^{}]*)\}/gu);
	const linesOf = (text = '', separator = ';') =>
		text
			.split(separator)
			.map((part) => part.trim())
			.filter(Boolean);
	const bodies = Object.fromEntries(
		[...rules].map(([, selector, body]) => [linesOf(selector, ',').join().replaceAll("'", '"'), linesOf(body)]),
	);
	const { [selectors.both]: ofBoth = [], ...separate } = bodies;
	for (const name of [selectors.light, selectors.dark]) separate[name] = [...ofBoth, ...(separate[name] ?? [])];
	return Object.fromEntries(Object.entries(separate).map(([selector, body]) => [selector, body.toSorted()]));
}

test('mantine-variables.css has the variables that Mantine computes from the theme', async () => {
	const html = renderToStaticMarkup(
		<MantineProvider theme={theme} cssVariablesResolver={() => ({ variables: {}, light: tokens, dark: tokens })} />,
	);
	const computed = /<style data-mantine-styles="true">(?<css>.*?)<\/style>/su.exec(html)?.groups?.['css'] ?? '';
	expect(Object.keys(readRules(computed))).toEqual([selectors.root, selectors.dark, selectors.light]);
	expect(readRules(await readFile(new URL('mantine-variables.css', import.meta.url), 'utf8'))).toEqual(
		readRules(computed),
	);
});
