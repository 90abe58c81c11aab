import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findMessageErrors } from '../../scripts/build/messages.mjs';

test('both languages have the same keys and placeholders, and every message key of the contract has a text', async () => {
	expect(await findMessageErrors()).toEqual([]);
});

test('findMessageErrors reports every kind of error', async () => {
	const tree = await mkdtemp(join(tmpdir(), 'folio-messages-'));
	onTestFinished(() => rm(tree, { recursive: true, force: true }));
	const filter = (path: string) => !path.endsWith('generated');
	await cp('src/messages', join(tree, 'src/messages'), { recursive: true, filter });
	await cp('src/contract', join(tree, 'src/contract'), { recursive: true });
	const change = async (file: string, edit: (texts: Record<string, unknown>) => void) => {
		const path = join(tree, 'src/messages', file);
		const texts = JSON.parse(await readFile(path, 'utf8'));
		edit(texts);
		await writeFile(path, JSON.stringify(texts, null, '\t'));
	};
	await change('core/errors.hi.json', (texts) => {
		delete texts.error_not_found;
		texts.error_only_in_hindi = 'केवल यहाँ';
	});
	await change('core/common.en.json', (texts) => {
		texts.common_probe = 'Hello {name}';
		texts.common_hollow = ' ';
	});
	await change('core/common.hi.json', (texts) => {
		texts.common_probe = 'नमस्ते {nam}';
		texts.common_hollow = 'खाली';
	});
	await writeFile(join(tree, 'src/messages/extra.en.json'), '{\n\t"extra_key": "a",\n\t"extra_key": "b"\n}');
	await writeFile(join(tree, 'src/contract/planted.ts'), "export const key = 'error_nobody_wrote';");

	const faults = (await findMessageErrors(tree)).map((fault) => fault.replace(`${tree}/`, ''));
	expect(faults.sort()).toEqual(
		[
			'core/common.en.json: common_hollow is empty',
			'core/common.hi.json: common_probe has the placeholders [nam], in English [name]',
			'core/errors.en.json: error_not_found has no Hindi text',
			'core/errors.hi.json: error_only_in_hindi has no English text',
			'extra.en.json: extra_key has no Hindi text',
			'extra.en.json: extra_key is defined twice',
			'src/contract/planted.ts: no message error_nobody_wrote',
			'src/messages/extra.en.json is not listed in src/messages/project.inlang',
		].sort(),
	);
});
