const pageWidth = 595;
const pageHeight = 842;

/** Makes a PDF of worksheets: headings, sentences and ruled lines. Source: ISO 32000-1, 7.5 and 9.6.2.2. */
export function makeWorksheet(title: string, pages: ReadonlyArray<{ heading: string; task: string }>): Buffer {
	const pageIds = pages.map((_page, index) => 4 + index * 2);
	const font = (name: string) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;
	const objects = [
		'<< /Type /Catalog /Pages 2 0 R >>',
		`<< /Type /Pages /Kids [${pageIds.map((id) => `${id} 0 R`).join(' ')}] /Count ${pages.length} >>`,
		`<< /Title ${textOf(title)} /Author ${textOf('Build Your Empire Books')} >>`,
	];
	for (const [index, page] of pages.entries()) {
		const content = drawPage(title, page, index + 1);
		objects.push(
			`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${pageWidth} ${pageHeight}] /Contents ${5 + index * 2} 0 R ` +
				`/Resources << /Font << /T ${font('Times-Roman')} /H ${font('Helvetica')} >> >> >>`,
			`<< /Length ${Buffer.byteLength(content, 'latin1')} >>\nstream\n${content}\nendstream`,
		);
	}
	return assemble(objects);
}

function drawPage(title: string, page: { heading: string; task: string }, number: number): string {
	const text = (font: string, size: number, y: number, line: string) =>
		`BT /${font} ${size} Tf 64 ${y} Td ${textOf(line)} Tj ET`;
	const lines = Array.from({ length: 16 }, (_line, index) => `64 ${600 - index * 32} m 531 ${600 - index * 32} l S`);
	return [
		'0.93 0.64 0.23 rg 64 770 40 6 re f 0.09 0.08 0.06 rg',
		text('H', 10, 742, title),
		text('T', 30, 696, page.heading),
		text('T', 14, 660, page.task),
		'0.8 0.76 0.7 RG 0.6 w',
		...lines,
		text('H', 9, 56, `${number}`),
	].join('\n');
}

/** Writes a PDF string: the text in parentheses, with special characters escaped. */
function textOf(line: string): string {
	return `(${line.replace(/[\\()]/gu, (letter) => `\\${letter}`)})`;
}

function assemble(objects: readonly string[]): Buffer {
	let file = '%PDF-1.4\n';
	const offsets = objects.map((object, index) => {
		const offset = file.length;
		file += `${index + 1} 0 obj\n${object}\nendobj\n`;
		return offset;
	});
	const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
	const size = objects.length + 1;
	file += `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R /Info 3 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
	return Buffer.from(file, 'latin1');
}
