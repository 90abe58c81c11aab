/** A minimal PDF writer: numbered objects and their cross-reference table (ISO 32000-1, 7.5). */
export class PdfFile {
	readonly #objects: Buffer[] = [];

	/** Returns the number of an object that is set later. */
	reserve(): number {
		return this.add('null');
	}

	add(body: string): number {
		return this.#objects.push(Buffer.from(body, 'latin1'));
	}

	/** @param entries further entries of the stream's dictionary */
	addStream(entries: string, bytes: Buffer): number {
		const head = Buffer.from(`<<${entries}/Length ${bytes.length}>>\nstream\n`, 'latin1');
		return this.#objects.push(Buffer.concat([head, bytes, Buffer.from('\nendstream')]));
	}

	set(id: number, body: string): void {
		this.#objects[id - 1] = Buffer.from(body, 'latin1');
	}

	/** @param entries entries of the trailer's dictionary, such as `/Root 1 0 R` */
	write(entries: string): Buffer {
		const head = Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1');
		const parts = this.#objects.map((body, i) =>
			Buffer.concat([Buffer.from(`${i + 1} 0 obj\n`), body, Buffer.from('\nendobj\n')]),
		);
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
