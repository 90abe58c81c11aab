import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EditionKey } from '#contract/settings/book-settings.ts';
import { makeWorksheet } from './pdf.ts';
import { makeTune } from './wav.ts';
import { makeDocx, makeZip } from './zip.ts';

/** The bytes that the demo's files are made of, by what they are. */
export interface SampleFiles {
	picture(name: string): Promise<Buffer>;
	film(): Promise<Buffer>;
	book(edition: EditionKey): Promise<Buffer>;
	worksheet(title: string, headings: readonly string[]): Buffer;
	tune(notes: readonly number[]): Buffer;
	letter(...paragraphs: string[]): Buffer;
	text(...lines: string[]): Buffer;
	archive(...names: string[]): Promise<Buffer>;
}

/** Reads pictures, film and book from the repository's `demo` folder; makes everything else. */
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
