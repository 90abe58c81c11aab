import { crc32 } from 'node:zlib';

const dosMidnight = 0;
const dosDay = ((2026 - 1980) << 9) | (11 << 5) | 14;

/** Packs files into a ZIP archive without compression. Source: PKWARE's APPNOTE 6.3, sections 4.3.7, 4.3.12 and 4.3.16. */
export function makeZip(files: ReadonlyArray<{ name: string; bytes: Buffer }>): Buffer {
	const local: Buffer[] = [];
	const central: Buffer[] = [];
	let offset = 0;
	for (const { name, bytes } of files) {
		const path = Buffer.from(name);
		const common = Buffer.alloc(26);
		common.writeUInt16LE(20, 0);
		common.writeUInt16LE(0x0800, 2); // names are UTF-8
		common.writeUInt16LE(dosMidnight, 6);
		common.writeUInt16LE(dosDay, 8);
		common.writeUInt32LE(crc32(bytes), 10);
		common.writeUInt32LE(bytes.length, 14);
		common.writeUInt32LE(bytes.length, 18);
		common.writeUInt16LE(path.length, 22);
		const entry = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, path, bytes]);
		const place = Buffer.alloc(14);
		place.writeUInt32LE(offset, 10);
		central.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, place, path);
		local.push(entry);
		offset += entry.length;
	}
	const directory = Buffer.concat(central);
	const end = Buffer.alloc(18);
	end.writeUInt16LE(files.length, 4);
	end.writeUInt16LE(files.length, 6);
	end.writeUInt32LE(directory.length, 8);
	end.writeUInt32LE(offset, 12);
	return Buffer.concat([...local, directory, Buffer.from('PK\x05\x06', 'latin1'), end]);
}

/** A Word document of plain paragraphs (ECMA-376 part 2: the three parts without which it does not open). */
export function makeDocx(paragraphs: readonly string[]): Buffer {
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
