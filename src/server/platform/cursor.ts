import type * as z from 'zod';
import { AppError } from './app-error.ts';

/** Encodes the position of the last row as the opaque cursor of the next call. */
export function packCursor(position: ReadonlyArray<string | number>): string {
	return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** Decodes a cursor. @throws AppError INVALID_INPUT for an invalid one. */
export function unpackCursor<T extends z.ZodType>(cursor: string | undefined, positionSchema: T): z.output<T> | null {
	if (cursor === undefined || cursor === '') return null;
	try {
		return positionSchema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
	} catch (error) {
		throw new AppError('INVALID_INPUT', { fields: { cursor: 'error_invalid_input' }, cause: error });
	}
}
