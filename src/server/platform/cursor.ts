import * as z from 'zod';
import { AppError } from './app-error.ts';

/** Position in a list that is sorted by a time and an id. */
export const timeAndId = z.tuple([z.string(), z.string()]);

/** Encodes the position of the last row as the opaque cursor of the next call. */
export function packCursor(position: ReadonlyArray<string | number>): string {
	return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** Returns a page from rows that were queried with `limit + 1`; `nextCursor` is null on the last page. */
export function toPage<Row>(
	rows: readonly Row[],
	limit: number,
	positionOf: (last: Row) => ReadonlyArray<string | number>,
): { page: Row[]; nextCursor: string | null } {
	const page = rows.slice(0, limit);
	const last = page.at(-1);
	return { page, nextCursor: rows.length > page.length && last !== undefined ? packCursor(positionOf(last)) : null };
}

/** Decodes a cursor; null without a cursor. @throws AppError INVALID_INPUT for an invalid cursor */
export function unpackCursor<T extends z.ZodType>(cursor: string | undefined, positionSchema: T): z.output<T> | null {
	if (cursor === undefined || cursor === '') return null;
	try {
		return positionSchema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
	} catch (error) {
		throw new AppError('INVALID_INPUT', { fields: { cursor: 'error_invalid_input' }, cause: error });
	}
}

/** Yields rows in batches; each batch is read from the position of the last row of the previous batch. */
export async function* readInSteps<Row, Position>(
	start: Position,
	rowsPerStep: number,
	read: (after: Position) => Promise<Row[]>,
	positionOf: (last: Row) => Position,
): AsyncGenerator<Row[]> {
	for (let after = start; ; ) {
		const rows = await read(after);
		if (rows.length > 0) yield rows;
		const last = rows.at(-1);
		if (last === undefined || rows.length < rowsPerStep) return;
		after = positionOf(last);
	}
}
