import createQpdf from '@neslinesli93/qpdf-wasm';

const AUTHOR = 'Folio sample';
/** A fixed date instead of the time of printing, so that reprinting gives the same bytes. */
const PRINTED_AT = "D:20260115090000+00'00'";

/**
 * Sets the document information of a PDF that Chromium printed, replaces the colour profiles of its pictures with
 * DeviceRGB, and linearizes the file, with qpdf compiled to WebAssembly.
 *
 * @param {Buffer} printed
 * @param {string} title
 * @returns {Promise<Uint8Array>} the new file
 * @throws with qpdf's error output when qpdf refuses the PDF
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

/** Runs qpdf and returns what it writes. Each call creates an instance, because one cannot run twice. */
async function runQpdf(pdf, args, files = {}) {
	const said = [];
	const qpdf = await createQpdf({ noInitialRun: true, printErr: (line) => said.push(line) });
	qpdf.FS.writeFile('/printed.pdf', pdf);
	for (const [path, text] of Object.entries(files)) qpdf.FS.writeFile(path, text);
	const code = qpdf.callMain(['/printed.pdf', ...args, '/written']);
	if (code !== 0) throw new Error(`qpdf ended with ${code}: ${said.join('\n')}`);
	return qpdf.FS.readFile('/written');
}

/** The replacement for the PDF's /Info object, in qpdf's JSON version 2 (its manual, section "qpdf JSON"). */
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
 * Replaces the colour profile of each picture with DeviceRGB. The profile is sRGB, which readers assume for DeviceRGB
 * anyway; with the profile, a reader in a browser converts every pixel before it shows the page.
 */
function plainColours(objects) {
	return Object.fromEntries(
		Object.entries(objects).flatMap(([key, { stream }]) => {
			const isProfiled = stream?.dict['/Subtype'] === '/Image' && stream.dict['/ColorSpace'][0] === '/ICCBased';
			return isProfiled ? [[key, { stream: { dict: { ...stream.dict, '/ColorSpace': '/DeviceRGB' } } }]] : [];
		}),
	);
}
