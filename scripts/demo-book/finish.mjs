import createQpdf from '@neslinesli93/qpdf-wasm';

const AUTHOR = 'Folio sample';
/** Instead of the time of printing: reprinting changes no byte. */
const PRINTED_AT = "D:20260115090000+00'00'";

/**
 * Gives a PDF that Chromium printed its document information, says of its pictures in the fewest words that they are
 * sRGB, and writes it pages-first, with qpdf compiled to WebAssembly.
 *
 * @param {Buffer} printed
 * @param {string} title
 * @returns {Promise<Uint8Array>} Throws with qpdf's own words when it finds fault with the PDF.
 */
export async function finishPdf(printed, title) {
	const told = await runQpdf(printed, ['--json=2', '--json-key=qpdf', '--json-stream-data=none']);
	const [, objects] = JSON.parse(Buffer.from(told).toString()).qpdf;
	const update = { ...describe(objects, title), ...plainColours(objects) };
	const head = { jsonversion: 2, pushedinheritedpageresources: false, calledgetallpages: false, maxobjectid: 0 };
	return runQpdf(
		printed,
		['--update-from-json=/update.json', '--linearize', '--object-streams=generate', '--deterministic-id'],
		{ '/update.json': JSON.stringify({ qpdf: [head, update] }) },
	);
}

/** What qpdf writes. In one of its own each time: it is not made to run twice. */
async function runQpdf(pdf, args, files = {}) {
	const said = [];
	const qpdf = await createQpdf({ noInitialRun: true, printErr: (line) => said.push(line) });
	qpdf.FS.writeFile('/printed.pdf', pdf);
	for (const [path, text] of Object.entries(files)) qpdf.FS.writeFile(path, text);
	const code = qpdf.callMain(['/printed.pdf', ...args, '/written']);
	if (code !== 0) throw new Error(`qpdf ended with ${code}: ${said.join('\n')}`);
	return qpdf.FS.readFile('/written');
}

/** One replaced object in qpdf's JSON, version 2 (its manual, section "qpdf JSON"). */
function describe(objects, title) {
	const value = {
		'/Title': `u:${title}`,
		'/Author': `u:${AUTHOR}`,
		'/Creator': 'u:Folio, scripts/demo-book',
		'/Producer': 'u:Chromium and qpdf',
		'/CreationDate': `u:${PRINTED_AT}`,
		'/ModDate': `u:${PRINTED_AT}`,
	};
	return { [`obj:${objects.trailer.value['/Info']}`]: { value } };
}

/**
 * Pictures whose colours are told by a profile. It is that of sRGB, as which a reader takes DeviceRGB anyway; with it a
 * reader in a browser converts each dot of a picture before it shows the page.
 */
function plainColours(objects) {
	return Object.fromEntries(
		Object.entries(objects).flatMap(([key, { stream }]) => {
			const isProfiled = stream?.dict['/Subtype'] === '/Image' && stream.dict['/ColorSpace'][0] === '/ICCBased';
			return isProfiled ? [[key, { stream: { dict: { ...stream.dict, '/ColorSpace': '/DeviceRGB' } } }]] : [];
		}),
	);
}
