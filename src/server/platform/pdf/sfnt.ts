import { inflateSync } from 'node:zlib';

/** Tables of a font by tag. Source: OpenType 1.9, "The OpenType Font File". */
export type FontTables = ReadonlyMap<string, Buffer>;

/** Tables that an embedded TrueType font needs in a PDF. Source: ISO 32000-1, section 9.9. */
const embeddedTables = ['cvt ', 'fpgm', 'glyf', 'head', 'hhea', 'hmtx', 'loca', 'maxp', 'prep'];

const glyphFlags = { words: 1, hasScale: 8, more: 32, hasTwoScales: 64, hasMatrix: 128 };

/** Reads a WOFF 1.0 file, whose tables may be compressed with zlib. */
export function readWoff(file: Buffer): FontTables {
	const tables = new Map<string, Buffer>();
	for (let i = 0; i < file.readUInt16BE(12); i += 1) {
		const entry = 44 + i * 20;
		const start = file.readUInt32BE(entry + 4);
		const packed = file.subarray(start, start + file.readUInt32BE(entry + 8));
		const isPacked = packed.length < file.readUInt32BE(entry + 12);
		tables.set(file.toString('latin1', entry, entry + 4), isPacked ? inflateSync(packed) : packed);
	}
	return tables;
}

export function writeFont(tables: FontTables): Buffer {
	const tags = [...tables.keys()].sort();
	const power = Math.floor(Math.log2(tags.length));
	const head = Buffer.alloc(12 + tags.length * 16);
	head.writeUInt32BE(0x00010000, 0);
	head.writeUInt16BE(tags.length, 4);
	head.writeUInt16BE(2 ** power * 16, 6);
	head.writeUInt16BE(power, 8);
	head.writeUInt16BE((tags.length - 2 ** power) * 16, 10);
	const parts: Buffer[] = [head];
	let offset = head.length;
	for (const [i, tag] of tags.entries()) {
		const table = tables.get(tag) ?? Buffer.alloc(0);
		const padded = Buffer.concat([table, Buffer.alloc((4 - (table.length % 4)) % 4)]);
		head.write(tag, 12 + i * 16, 'latin1');
		head.writeUInt32BE(checksumOf(padded), 16 + i * 16);
		head.writeUInt32BE(offset, 20 + i * 16);
		head.writeUInt32BE(table.length, 24 + i * 16);
		parts.push(padded);
		offset += padded.length;
	}
	return Buffer.concat(parts);
}

/** Returns a font with only the outlines of `glyphs` and their components. Glyph ids do not change. */
export function subsetFont(tables: FontTables, glyphs: Iterable<number>): Buffer {
	const [head, loca, glyf, maxp] = ['head', 'loca', 'glyf', 'maxp'].map((tag) => tables.get(tag));
	if (!(head && loca && glyf && maxp)) throw new Error('This font has no TrueType outlines.');
	const hasLongOffsets = head.readInt16BE(50) === 1;
	const startOf = (glyph: number) => (hasLongOffsets ? loca.readUInt32BE(glyph * 4) : loca.readUInt16BE(glyph * 2) * 2);
	const shapeOf = (glyph: number) => glyf.subarray(startOf(glyph), startOf(glyph + 1));
	const included = new Set<number>([0]);
	const add = (glyph: number): void => {
		if (included.has(glyph)) return;
		included.add(glyph);
		for (const part of componentGlyphsOf(shapeOf(glyph))) add(part);
	};
	for (const glyph of glyphs) add(glyph);

	const count = maxp.readUInt16BE(4);
	const starts = Buffer.alloc((count + 1) * 4);
	const shapes: Buffer[] = [];
	let length = 0;
	for (let glyph = 0; glyph < count; glyph += 1) {
		starts.writeUInt32BE(length, glyph * 4);
		if (!included.has(glyph)) continue;
		const shape = shapeOf(glyph);
		const padded = Buffer.concat([shape, Buffer.alloc((4 - (shape.length % 4)) % 4)]);
		shapes.push(padded);
		length += padded.length;
	}
	starts.writeUInt32BE(length, count * 4);
	const longHead = Buffer.from(head);
	longHead.writeInt16BE(1, 50);
	const rest = [...tables].filter(([tag]) => embeddedTables.includes(tag));
	return writeFont(new Map([...rest, ['head', longHead], ['loca', starts], ['glyf', Buffer.concat(shapes)]]));
}

/** Returns the component ids of a composite glyph, else []. Source: OpenType 1.9, "glyf", composite glyphs. */
function componentGlyphsOf(shape: Buffer): number[] {
	if (shape.length === 0 || shape.readInt16BE(0) >= 0) return [];
	const parts: number[] = [];
	for (let at = 10; ; ) {
		const flags = shape.readUInt16BE(at);
		parts.push(shape.readUInt16BE(at + 2));
		at += flags & glyphFlags.words ? 8 : 6;
		if (flags & glyphFlags.hasScale) at += 2;
		if (flags & glyphFlags.hasTwoScales) at += 4;
		if (flags & glyphFlags.hasMatrix) at += 8;
		if (!(flags & glyphFlags.more)) return parts;
	}
}

function checksumOf(padded: Buffer): number {
	let sum = 0;
	for (let at = 0; at < padded.length; at += 4) sum = (sum + padded.readUInt32BE(at)) >>> 0;
	return sum;
}
