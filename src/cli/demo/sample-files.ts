import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EditionKey } from '#contract/book/book-settings.ts';
import { makeWorksheet } from './pdf.ts';
import { makeDocx, makeZip } from './zip.ts';

/** Contents of the demo's files, by kind. */
export interface SampleFiles {
	picture(name: string): Promise<Buffer>;
	film(): Promise<Buffer>;
	book(edition: EditionKey): Promise<Buffer>;
	worksheet(title: string, headings: readonly string[]): Buffer;
	tune(notes: readonly number[]): Buffer;
	letter(...paragraphs: string[]): Promise<Buffer>;
	text(...lines: string[]): Buffer;
	archive(...names: string[]): Promise<Buffer>;
}

/** Reads pictures, video and book from the repository's `demo` folder; makes everything else. */
export function openSampleFiles(demoFolder: string): SampleFiles {
	const picture = (name: string) => readFile(join(demoFolder, 'pictures', name));
	return {
		picture,
		film: () => readFile(join(demoFolder, 'media', 'morning-routine.mp4')),
		book: (edition) => readFile(join(demoFolder, 'book', `build-your-empire-${edition}.pdf`)),
		worksheet: (title, headings) =>
			makeWorksheet(
				title,
				headings.map((heading) => ({ heading, task: 'Write one honest line a day. Read the last seven on Sunday.' })),
			),
		tune: makeTune,
		letter: (...paragraphs) => makeDocx(paragraphs),
		text: (...lines) => Buffer.from(`${lines.join('\n')}\n`),
		async archive(...names) {
			return makeZip(await Promise.all(names.map(async (name) => ({ name, bytes: await picture(name) }))));
		},
	};
}

const sampleRate = 16_000;
const noteSeconds = 0.45;

/** A short tune as PCM WAV (16 bits, mono). Source: Microsoft's RIFF WAVE description; `notes` are frequencies in Hz. */
function makeTune(notes: readonly number[]): Buffer {
	const perNote = Math.round(sampleRate * noteSeconds);
	const samples = Buffer.alloc(notes.length * perNote * 2);
	for (const [index, frequency] of notes.entries()) {
		for (let at = 0; at < perNote; at += 1) {
			const fade = Math.min(1, at / 400, (perNote - at) / 3000);
			const value = Math.sin((2 * Math.PI * frequency * at) / sampleRate) * fade * 9000;
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
	head.writeUInt32LE(sampleRate, 24);
	head.writeUInt32LE(sampleRate * 2, 28);
	head.writeUInt16LE(2, 32);
	head.writeUInt16LE(16, 34);
	head.write('data', 36);
	head.writeUInt32LE(samples.length, 40);
	return Buffer.concat([head, samples]);
}
