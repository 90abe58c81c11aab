const rate = 16_000;
const noteSeconds = 0.45;

/** A short tune as PCM WAV (16 bits, mono). Source: Microsoft's RIFF WAVE description; `notes` are frequencies in Hz. */
export function makeTune(notes: readonly number[]): Buffer {
	const perNote = Math.round(rate * noteSeconds);
	const samples = Buffer.alloc(notes.length * perNote * 2);
	for (const [index, frequency] of notes.entries()) {
		for (let at = 0; at < perNote; at += 1) {
			const fade = Math.min(1, at / 400, (perNote - at) / 3000);
			const value = Math.sin((2 * Math.PI * frequency * at) / rate) * fade * 9000;
			samples.writeInt16LE(Math.round(value), (index * perNote + at) * 2);
		}
	}
	const head = Buffer.alloc(44);
	head.write('RIFF', 0);
	head.writeUInt32LE(36 + samples.length, 4);
	head.write('WAVEfmt ', 8);
	head.writeUInt32LE(16, 16);
	head.writeUInt16LE(1, 20);
	head.writeUInt16LE(1, 22);
	head.writeUInt32LE(rate, 24);
	head.writeUInt32LE(rate * 2, 28);
	head.writeUInt16LE(2, 32);
	head.writeUInt16LE(16, 34);
	head.write('data', 36);
	head.writeUInt32LE(samples.length, 40);
	return Buffer.concat([head, samples]);
}
