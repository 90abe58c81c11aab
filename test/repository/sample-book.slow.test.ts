import { readdir, readFile } from 'node:fs/promises';
import { getDocument, OPS, PDFWorker } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { expect, test } from 'vitest';
import { editionDefaults, listEditionKeys } from '#contract/book/editions.ts';
import { joinPieces } from '#web/ui/pdf/text/pdf-text.ts';
import { findInText } from '#web/ui/pdf/text/text-search.ts';
import { readWorker } from '../../scripts/build/pdfjs-plugin.ts';

test.each(listEditionKeys(editionDefaults))(
	'the sample book %s has its outline, fonts, pictures and links',
	async (key) => {
		const [, part, language] = /^part-(\d)-(\w\w)$/u.exec(key) ?? [];
		const folder = `demo/book/part${part}-${language}`;
		const chapters = (await readdir(folder)).filter((name) => /^\d\d-.*\.md$/u.test(name)).slice(1);
		const expectedOutline = await Promise.all(
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
			const chaptersOfPdf = outline.map(({ title, items }) => ({
				title,
				sections: items.map((section) => section.title),
			}));
			expect(chaptersOfPdf).toEqual(expectedOutline);
			for (const { sections } of chaptersOfPdf.slice(0, -1)) expect(sections.length).toBeGreaterThan(0);

			const [pictures, addresses] = [[] as number[], [] as string[]];
			let internalLinks = 0;
			for (let number = 1; number <= document.numPages; number += 1) {
				const page = await document.getPage(number);
				const { fnArray, argsArray } = await page.getOperatorList();
				// Pages with Type 3 fonts take several times as long to render.
				const fonts = argsArray.filter((_args, index) => fnArray[index] === OPS.setFont).map(([name]) => name);
				for (const font of fonts) expect(page.commonObjs.get(font).isType3Font).not.toBe(true);
				expect(fonts.length).toBeGreaterThan(0);
				pictures.push(fnArray.filter((operation) => operation === OPS.paintImageXObject).length);
				for (const link of await page.getAnnotations())
					if (link.url) addresses.push(link.url);
					else if (link.dest) internalLinks += 1;
			}
			// Every chapter except the colophon has a picture, and there are two plates.
			expect(pictures.reduce((sum, count) => sum + count)).toBe(chapters.length - 1 + 2);
			expect(addresses).toEqual(['https://example.com/build-your-empire']);
			expect(internalLinks).toBeGreaterThan(chapters.length);
		} finally {
			await task.destroy();
		}
	},
);

test('the text of the Hindi sample book contains nearly all sentences of its source', async () => {
	// The reader's patched worker. Without the port below, pdf.js would use the first worker of the process instead.
	const worker = Buffer.from(readWorker()).toString('base64');
	const { WorkerMessageHandler } = await import(/* @vite-ignore */ `data:text/javascript;base64,${worker}`);
	const { port1, port2 } = new MessageChannel();
	WorkerMessageHandler.initializeFromPort(port1);
	const data = new Uint8Array(await readFile('demo/book/build-your-empire-part-1-hi.pdf'));
	const port = port2 as unknown as Worker;
	const task = getDocument({ data, worker: PDFWorker.create({ port }), verbosity: 0 });
	const document = await task.promise;
	let text = '';
	// These pages contain chapter 2.
	for (let number = 6; number <= 10; number += 1) {
		const page = await document.getPage(number);
		text += joinPieces(await page.getTextContent({ includeMarkedContent: true })).text;
	}
	await task.destroy();
	port1.close();
	const [, , body = ''] = (await readFile('demo/book/part1-hi/02-belief.md', 'utf8')).split('---\n');
	const sentences = body.match(/[^।\n*>#“”]{40,}।/gu) ?? [];
	expect(sentences.length).toBeGreaterThan(15);
	// Sentences across two pages are interrupted by running headers and page numbers.
	expect(sentences.filter((sentence) => findInText(text, sentence).length === 0).length).toBeLessThan(3);
});
