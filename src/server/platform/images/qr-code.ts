import qrcode from 'qrcode';

/** Encodes a text as a QR code. @returns the modules per side, and an SVG path of the dark modules, row by row */
export function createQrPath(text: string): { size: number; path: string } {
	const { size, data } = qrcode.create(text, { errorCorrectionLevel: 'M' }).modules;
	const runs: string[] = [];
	for (let y = 0; y < size; y += 1) {
		for (let x = 0; x < size; x += 1) {
			const start = x;
			while (x < size && data[y * size + x]) x += 1;
			if (x > start) runs.push(`M${start} ${y}h${x - start}v1h-${x - start}z`);
		}
	}
	return { size, path: runs.join('') };
}

const quietZoneModules = 4;
const imageSizePx = 800;

export function renderQrPng(text: string): Promise<Buffer> {
	return qrcode.toBuffer(text, { errorCorrectionLevel: 'M', margin: quietZoneModules, width: imageSizePx });
}
