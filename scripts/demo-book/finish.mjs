import createQpdf from '@neslinesli93/qpdf-wasm';

const AUTHOR = 'Folio sample';
/** Instead of the time of printing: reprinting changes no byte. */
const PRINTED_AT = "D:20260115090000+00'00'";

/**
 * Gives a PDF that Chromium printed its document information and writes it pages-first, with qpdf compiled to
 * WebAssembly.
 *
 * @param {Buffer} printed
 * @param {string} title
 * @returns {Promise<Uint8Array>} Throws with qpdf's own words when it finds fault with the PDF.
 */
export async function finishPdf(printed, title) {
	const info = /\/Info (\d+ \d+ R)/.exec(printed.toString('latin1'));
	if (!info) throw new Error('The printed PDF has no document information to replace.');
	const said = [];
	const qpdf = await createQpdf({
		noInitialRun: true,
		print: (line) => said.push(line),
		printErr: (line) => said.push(line),
	});
	qpdf.FS.writeFile('/printed.pdf', printed);
	qpdf.FS.writeFile('/info.json', JSON.stringify(infoUpdate(info[1], title)));
	const code = qpdf.callMain([
		'/printed.pdf',
		'--update-from-json=/info.json',
		'--linearize',
		'--object-streams=generate',
		'--deterministic-id',
		'/finished.pdf',
	]);
	if (code !== 0) throw new Error(`qpdf ended with ${code}: ${said.join('\n')}`);
	return qpdf.FS.readFile('/finished.pdf');
}

/** One replaced object in qpdf's JSON, version 2 (its manual, section "qpdf JSON"). */
function infoUpdate(reference, title) {
	const value = {
		'/Title': `u:${title}`,
		'/Author': `u:${AUTHOR}`,
		'/Creator': 'u:Folio, scripts/demo-book',
		'/Producer': 'u:Chromium and qpdf',
		'/CreationDate': `u:${PRINTED_AT}`,
		'/ModDate': `u:${PRINTED_AT}`,
	};
	const head = { jsonversion: 2, pushedinheritedpageresources: false, calledgetallpages: false, maxobjectid: 0 };
	return { qpdf: [head, { [`obj:${reference}`]: { value } }] };
}
