import { readdir, readFile } from 'node:fs/promises';
import { getDocument, OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { expect, test } from 'vitest';
import { editionKeys } from '#contract/book/book-settings.ts';

/** Checks, in the files that the demo uses, what the printed sample book must offer for trying the reader. */
test.each(editionKeys)('the sample book %s has its outline, fonts, pictures and links', async (key) => {
	const [, part, language] = /^part-(\d)-(\w\w)$/u.exec(key) ?? [];
	const folder = `demo/book/part${part}-${language}`;
	const chapters = (await readdir(folder)).filter((name) => /^\d\d-.*\.md$/u.test(name)).slice(1);
	const written = await Promise.all(
		chapters.map(async (name) => {
			const source = await readFile(`${folder}/${name}`, 'utf8');
			const sections = [...source.matchAll(/^## (.*)$/gmu)].map(([, section]) => section);
			return { title: /^title: (.*)$/mu.exec(source)?.[1], sections };
		}),
	);
	const task = getDocument({ data: new Uint8Array(await readFile(`demo/book/build-your-empire-${key}.pdf`)) });
	const document = await task.promise;
	try {
		expect(document.numPages).toBeGreaterThanOrEqual(20);
		const { info } = await document.getMetadata();
		expect(info).toMatchObject({ Author: 'Folio sample', Language: language, IsLinearized: true });
		expect((await (await document.getPage(3)).getStructTree())?.children.length).toBeGreaterThan(0);

		const outline = await document.getOutline();
		const printed = outline.map(({ title, items }) => ({ title, sections: items.map((section) => section.title) }));
		expect(printed).toEqual(written);
		for (const { sections } of printed.slice(0, -1)) expect(sections.length).toBeGreaterThan(0);

		const [pictures, addresses] = [[] as number[], [] as string[]];
		let inside = 0;
		for (let number = 1; number <= document.numPages; number += 1) {
			const page = await document.getPage(number);
			const { fnArray, argsArray } = await page.getOperatorList();
			// A Type 3 font consists of drawings, so a reader needs several times as long for a page that uses one.
			const fonts = argsArray.filter((_args, index) => fnArray[index] === OPS.setFont).map(([name]) => name);
			for (const font of fonts) expect(page.commonObjs.get(font).isType3Font).not.toBe(true);
			expect(fonts.length).toBeGreaterThan(0);
			pictures.push(fnArray.filter((operation) => operation === OPS.paintImageXObject).length);
			for (const link of await page.getAnnotations())
				if (link.url) addresses.push(link.url);
				else if (link.dest) inside += 1;
		}
		// There is one picture for each chapter except the colophon, and there are two plates.
		expect(pictures.reduce((sum, count) => sum + count)).toBe(chapters.length - 1 + 2);
		expect(addresses).toEqual(['https://example.com/build-your-empire']);
		expect(inside).toBeGreaterThan(chapters.length);
	} finally {
		await task.destroy();
	}
});
