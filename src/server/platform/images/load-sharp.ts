/**
 * Loads sharp when the first picture is processed: loading it takes 25 ms of processor time and 12 MB, and the first
 * answer of a server needs no picture.
 */
export async function loadSharp() {
	const { default: sharp } = await import('sharp');
	// Decoded pictures are large and seldom needed twice.
	sharp.cache(false);
	return sharp;
}
