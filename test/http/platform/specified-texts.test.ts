import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { builtTexts, containsSpecifiedText, describeCoverage, specTexts } from '../../support/texts/specified-texts.ts';

type Messages = Record<string, string | Array<{ match: Record<string, string> }>>;

const englishTexts = globSync('src/messages/**/*.en.json').flatMap((file) =>
	Object.values(JSON.parse(readFileSync(file, 'utf8')) as Messages).flatMap((message) =>
		typeof message === 'string' ? [message] : message.flatMap(({ match }) => Object.values(match)),
	),
);

test.each(builtTexts)('the English messages contain the specified text %j', (text) => {
	expect(englishTexts).toContain(text);
});

test('the list of specified texts is complete, and placeholders match any text', () => {
	expect(specTexts).toHaveLength(42);
	expect(containsSpecifiedText('File {name} already exists', '{"message":"File a b.png already exists"}')).toBe(true);
	expect(containsSpecifiedText('File {name} already exists', 'File already exists')).toBe(false);
	expect(describeCoverage(new Set(builtTexts))).toBe(
		'section 8: provoked 42 / total 42, nothing missing; sections 5 and 6: provoked 11 / total 11, nothing missing',
	);
	expect(describeCoverage(new Set(builtTexts.slice(1)))).toContain(`missing: ${builtTexts[0]}`);
});
