/** A minimal PDF writer: numbered objects and their cross-reference table (ISO 32000-1, 7.5). */
export class PdfFile {
	readonly #objects: Buffer[] = [];
	readonly #firstNumber: number;

	/** @param firstNumber number of the first object; a complete file starts with 1 */
	constructor(firstNumber = 1) {
		this.#firstNumber = firstNumber;
	}

	/** Returns the number of an object that is set later. */
	reserve(): number {
		return this.add('null');
	}

	add(body: string): number {
		return this.#firstNumber - 1 + this.#objects.push(Buffer.from(body, 'latin1'));
	}

	/** @param entries further entries of the stream's dictionary */
	addStream(entries: string, bytes: Buffer): number {
		return this.#firstNumber - 1 + this.#objects.push(writeStream(entries, bytes));
	}

	set(id: number, body: string): void {
		this.#objects[id - this.#firstNumber] = Buffer.from(body, 'latin1');
	}

	/** Returns the objects as they are written in a file. */
	writeObjects(): Buffer[] {
		return this.#objects.map((body, i) => writeObject(this.#firstNumber + i, body));
	}

	/** @param entries entries of the trailer's dictionary, such as `/Root 1 0 R` */
	write(entries: string): Buffer {
		const head = Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1');
		const parts = this.writeObjects();
		let offset = head.length;
		let rows = '';
		for (const part of parts) {
			rows += `${String(offset).padStart(10, '0')} 00000 n \n`;
			offset += part.length;
		}
		const size = parts.length + 1;
		const end = `trailer\n<</Size ${size}${entries}>>\nstartxref\n${offset}\n%%EOF\n`;
		return Buffer.concat([head, ...parts, Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${rows}${end}`)]);
	}
}

export function writeObject(number: number, body: Buffer): Buffer {
	return Buffer.concat([Buffer.from(`${number} 0 obj\n`), body, Buffer.from('\nendobj\n')]);
}

/** @param entries further entries of the stream's dictionary */
export function writeStream(entries: string, bytes: Buffer): Buffer {
	const head = Buffer.from(`<<${entries}/Length ${bytes.length}>>\nstream\n`, 'latin1');
	return Buffer.concat([head, bytes, Buffer.from('\nendstream')]);
}
