import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

const mtime = new Date('2026-11-14T00:00:00');

/** Packs files into a ZIP archive without compression. */
export function makeZip(files: ReadonlyArray<{ name: string; bytes: Buffer }>): Promise<Buffer> {
	const zip = new ZipFile();
	for (const { name, bytes } of files) zip.addBuffer(bytes, name, { mtime, compress: false });
	zip.end();
	return buffer(zip.outputStream);
}

/** Makes a Word document of plain paragraphs from the three required parts (ECMA-376, part 2). */
export function makeDocx(paragraphs: readonly string[]): Promise<Buffer> {
	const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
	const schemas = 'http://schemas.openxmlformats.org';
	const main = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
	const text = paragraphs.map((line) => `<w:p><w:r><w:t xml:space="preserve">${line}</w:t></w:r></w:p>`).join('');
	const parts = {
		'[Content_Types].xml': `${head}<Types xmlns="${schemas}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${main}"/></Types>`,
		'_rels/.rels': `${head}<Relationships xmlns="${schemas}/package/2006/relationships"><Relationship Id="rId1" Type="${schemas}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
		'word/document.xml': `${head}<w:document xmlns:w="${schemas}/wordprocessingml/2006/main"><w:body>${text}</w:body></w:document>`,
	};
	return makeZip(Object.entries(parts).map(([name, xml]) => ({ name, bytes: Buffer.from(xml) })));
}
